import assert from 'node:assert/strict';
import { test } from 'node:test';
import { at } from '../../test/sample-checkout.ts';
import { commitment, confirmed, facts, seen, valued } from '../../test/sample-facts.ts';
import { decimal } from '../money/decimal.ts';
import { firstUnits, type Sight, sightsOf } from '../payments/payment-sights.ts';
import {
  commitmentEnd,
  inOrderOfArrival,
  type PaymentFact,
  partOf,
  portionsOf,
  priceUnitsOf,
  windowEnd,
} from './payment-portions.ts';

const strict = facts({ lateTolerance: decimal('0.05') });
const minuteOf = (date: Date): number => (date.getTime() - at(0).getTime()) / 60_000;
const inherit = (units: bigint, minute: number) => ({
  units: units.toString(),
  seenAt: at(minute).toISOString(),
  valuation: null,
});

/** The only portion of a payment. */
function portionOf(payment: PaymentFact, nowMinute: number, some = strict) {
  const [portion, ...others] = portionsOf(some, payment, at(nowMinute));
  assert.ok(portion);
  assert.deepEqual(others, []);
  return portion;
}

const shown = (sights: readonly Sight[]) => sights.map(({ units, seenAt, of }) => [units, minuteOf(seenAt), of]);

test('a payment of its own was seen when it was seen', () => {
  assert.deepEqual(shown(sightsOf(seen(100n, 7))), [[100n, 7, 'SIGHT']]);
});

test('a replacement inherits the sight of the units that had been seen, the earliest first, and not more than it has', () => {
  const payment = seen(100n, 20, { inherited: [inherit(30n, 10), inherit(20n, 5)] });
  assert.deepEqual(shown(sightsOf(payment)), [
    [20n, 5, 'INHERITED'],
    [30n, 10, 'INHERITED'],
    [50n, 20, 'SIGHT'],
  ]);
  const smaller = seen(40n, 20, { inherited: [inherit(30n, 10), inherit(20n, 5)] });
  assert.deepEqual(shown(sightsOf(smaller)), [
    [20n, 5, 'INHERITED'],
    [20n, 10, 'INHERITED'],
  ]);
});

test('what was seen no earlier than the payment itself gives it nothing', () => {
  const payment = seen(100n, 20, { inherited: [inherit(30n, 20), inherit(30n, 25)] });
  assert.deepEqual(shown(sightsOf(payment)), [[100n, 20, 'SIGHT']]);
});

test('a sight has the value that was kept for its own moment', () => {
  const own = valued(1100n, 70);
  const inherited = valued(1200n, 65, 'INHERITED');
  const payment = seen(100n, 70, { inherited: [inherit(30n, 65), inherit(20n, 66)], valuations: [own, inherited] });
  assert.deepEqual(
    sightsOf(payment).map(({ valuation }) => valuation && priceUnitsOf(valuation).numerator),
    [1200n, null, 1100n],
  );
  assert.equal(sightsOf(seen(100n, 70, { valuations: [inherited] }))[0]?.valuation, null);
  const passed = { ...inherit(30n, 65), valuation: valued(1300n, 65) };
  const [first] = sightsOf(seen(100n, 70, { inherited: [passed], valuations: [inherited] }));
  assert.ok(first?.valuation);
  assert.equal(priceUnitsOf(first.valuation).numerator, 1300n, 'what it was passed on with comes first');
});

test('the first units of sights are those that were seen first', () => {
  const sight = (units: bigint, minute: number): Sight => ({
    units,
    seenAt: at(minute),
    of: 'SIGHT',
    valuation: null,
  });
  const sights = [sight(10n, 9), sight(10n, 3), sight(10n, 6)];
  assert.deepEqual(shown(firstUnits(sights, 15n)), [
    [10n, 3, 'SIGHT'],
    [5n, 6, 'SIGHT'],
  ]);
  assert.deepEqual(firstUnits(sights, 0n), []);
  assert.deepEqual(shown(firstUnits(sights, 99n)).length, 3);
});

test('what was taken of a payment is what was seen last', () => {
  const payment = seen(100n, 20, { inherited: [inherit(60n, 5)], takenUnits: 30n });
  assert.deepEqual(
    portionsOf(strict, payment, at(30)).map(({ units, at }) => [units, minuteOf(at)]),
    [
      [60n, 5],
      [10n, 20],
    ],
  );
});

test('the earlier of our first sight and the time of the block decides', () => {
  const portion = (blockMinute: number) => portionOf(confirmed(100n, 50, { blockTime: at(blockMinute) }), 90);
  assert.deepEqual([minuteOf(portion(40).at), portion(40).isLate], [40, false]);
  assert.deepEqual([minuteOf(portion(70).at), portion(70).isLate], [50, false]);
});

test('the window is over in the moment it ends', () => {
  assert.equal(portionOf(seen(100n, 59), 59).isLate, false);
  const late = portionOf(seen(100n, 60), 60);
  assert.deepEqual([late.isLate, late.unvalued], [true, { of: 'SIGHT', moment: at(60).toISOString() }]);
  assert.deepEqual(portionOf(seen(100n, 59), 59).unvalued, null);
});

test('the grace of four hours runs from the window, or from the first sight if that came later', () => {
  assert.equal(minuteOf(portionOf(seen(100n, 5), 10).graceEnds), 300);
  assert.equal(minuteOf(portionOf(seen(100n, 60), 60).graceEnds), 300);
  assert.equal(minuteOf(portionOf(seen(100n, 70), 70).graceEnds), 310);
});

test('what is in no block when its grace ends counts from its block on', () => {
  assert.equal(minuteOf(portionOf(seen(100n, 5), 299).at), 5);
  const overdue = portionOf(seen(100n, 5), 300);
  assert.deepEqual([minuteOf(overdue.at), overdue.isLate, overdue.unvalued], [300, true, null]);
  const mined = portionOf(confirmed(100n, 5, { blockTime: at(300) }), 400);
  assert.deepEqual([minuteOf(mined.at), mined.unvalued], [300, { of: 'BLOCK', moment: at(300).toISOString() }]);
  const inTime = portionOf(confirmed(100n, 5, { blockTime: at(299) }), 400);
  assert.deepEqual([minuteOf(inTime.at), inTime.isLate], [5, false]);
});

test('of a day without an hour the beginning decides what is late, and the end when it counts as seen', () => {
  const booked = (dayBegan: number, rest: Partial<PaymentFact> = {}) =>
    portionOf(confirmed(100n, 900, { dayBegan: at(dayBegan), blockTime: at(700), ...rest }), 999);
  const inTime = booked(59);
  assert.deepEqual([minuteOf(inTime.at), minuteOf(inTime.earliest), inTime.isLate], [700, 59, false]);
  assert.equal(inTime.unvalued, null);
  assert.equal(booked(60).isLate, true, 'the window is over when the day begins');
  const told = booked(60, { firstSeenAt: at(50) });
  assert.deepEqual([minuteOf(told.earliest), told.isLate], [50, false], 'a report of the day before had shown it');
  const waiting = portionOf(seen(100n, 50, { dayBegan: at(70) }), 900);
  assert.equal(waiting.isLate, false, 'nobody can replace what a bank told, however long its booking takes');
  assert.equal(minuteOf(portionOf(seen(100n, 5), 10).earliest), 5, 'where hours are told, it is the same moment');
});

test('a network without blocks is at its end with the first sight', () => {
  const payment = portionOf(confirmed(100n, 5, { blockTime: null }), 999);
  assert.deepEqual([minuteOf(payment.at), payment.isLate], [5, false]);
});

test('what came late has the value of its moment, and is valued once', () => {
  const payment = portionOf(seen(100n, 70, { valuations: [valued(1100n, 70)] }), 80);
  assert.deepEqual([payment.priceUnits, payment.unvalued], [{ numerator: 1100n, denominator: 1n }, null]);
});

test('what came late with its block has the value of the block, and of that block', () => {
  const mined = (minute: number) =>
    portionOf(
      confirmed(100n, 5, { blockTime: at(320), valuations: [valued(1100n, 5), valued(1300n, minute, 'BLOCK')] }),
      400,
    );
  assert.deepEqual(mined(320).priceUnits, { numerator: 1300n, denominator: 1n });
  assert.equal(mined(320).unvalued, null);
  assert.equal(mined(310).priceUnits, null);
  assert.equal(mined(310).unvalued?.of, 'BLOCK');
});

test('overdue and in no block, it keeps what it was worth, and is not valued anew', () => {
  const kept = portionOf(seen(100n, 70, { valuations: [valued(1100n, 70)] }), 400);
  assert.deepEqual([kept.priceUnits, kept.unvalued], [{ numerator: 1100n, denominator: 1n }, null]);
  const never = portionOf(seen(100n, 70), 400);
  assert.deepEqual([never.priceUnits, never.unvalued], [null, null]);
});

test('whoever takes late payments whatever they are worth has nothing valued', () => {
  const portion = portionOf(seen(100n, 70, { valuations: [valued(1100n, 70)] }), 80, facts());
  assert.deepEqual([portion.isLate, portion.priceUnits, portion.unvalued], [true, null, null]);
});

test('a portion counts against the price and the window of its own commitment', () => {
  const two = { ...strict, commitments: [commitment('c1', 0), commitment('c2', 30, 777n)] };
  const portion = portionOf(seen(100n, 70, { commitmentId: 'c2' }), 80, { ...facts(), ...two });
  assert.deepEqual([portion.dueUnits, minuteOf(portion.end), portion.isLate], [777n, 90, false]);
  assert.deepEqual(partOf(portion), { receivedUnits: 100n, dueUnits: 777n, priceUnits: null });
  assert.throws(() => portionsOf(strict, seen(1n, 1, { commitmentId: 'c9' }), at(2)), /has a commitment/);
});

test('portions count in the order of their arrival, and those of one moment by their ids', () => {
  const payments = [
    seen(1n, 9, { id: 'b' }),
    seen(2n, 9, { id: 'a' }),
    seen(3n, 4, { id: 'z' }),
    seen(4n, 9, { id: 'c' }),
  ];
  const order = (some: readonly PaymentFact[]) =>
    inOrderOfArrival(strict, some, at(10)).map(({ payment }) => payment.id);
  assert.deepEqual(order(payments), ['z', 'a', 'b', 'c']);
  assert.deepEqual(order(payments.toReversed()), ['z', 'a', 'b', 'c']);
});

test('cancelling ends the window at once, unless it is over or was opened later', () => {
  const window = commitment('c1', 10);
  const end = (canceledMinute: number | null): number =>
    minuteOf(commitmentEnd({ canceledAt: canceledMinute === null ? null : at(canceledMinute) }, window));
  assert.deepEqual([end(null), end(10), end(30), end(69), end(70), end(80), end(9)], [70, 10, 30, 69, 70, 70, 70]);
});

test('the window of a checkout is that of the commitment which is open longest', () => {
  assert.equal(windowEnd({ commitments: [], canceledAt: at(1) }), null);
  const week = { ...commitment('c0', 0), expiresAt: at(7 * 24 * 60) };
  const both = { commitments: [week, commitment('c1', 30)], canceledAt: null };
  assert.deepEqual(windowEnd(both), week.expiresAt, 'the way that is open longest');
  assert.deepEqual(windowEnd({ ...both, canceledAt: at(200) }), at(200), 'cancelling ends what is open');
  assert.deepEqual(windowEnd({ ...both, canceledAt: at(40) }), at(40));
  const end = windowEnd({ commitments: [commitment('c1', 0), commitment('c2', 30)], canceledAt: null });
  assert.equal(end && minuteOf(end), 90);
});
