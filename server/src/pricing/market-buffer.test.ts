import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { hours } from '../lib/clock.ts';
import { decimal, formatDecimal, isLess, times } from '../money/decimal.ts';
import { type HourRate, marketBuffer, pairVariance, supposedVariance } from './market-buffer.ts';

const start = new Date('2026-03-01T00:00:00Z');
const at = (hour: number): Date => new Date(start.getTime() + hours(hour));
const policy = { flat: null, least: decimal('0.0025'), most: decimal('0.05') };
const held = hours(2);
const ofYear = (percent: number): bigint => BigInt(Math.round(((percent / 100) ** 2 / 8766) * 1e18));
const buffer = (percent: number, heldMs = held): string => formatDecimal(marketBuffer(policy, ofYear(percent), heldMs));

/** Up and down by so much from hour to hour. */
const swinging = (count: number, factor: string, from = 0): HourRate[] =>
  Array.from({ length: count }, (_, hour) => ({
    hour: at(from + hour),
    usd: hour % 2 === 0 ? decimal(100) : times(decimal(100), decimal(factor)),
  }));
const flat = (count: number): HourRate[] => swinging(count, '1');

test('the buffer is 1.3 deviations of what the pair moves while the price holds, within its limits', () => {
  assert.deepEqual([buffer(55), buffer(75), buffer(90)], ['0.0108', '0.0148', '0.0177']);
  assert.equal(buffer(55, hours(8)), '0.0216', 'four times as long is twice the risk');
  assert.deepEqual([buffer(8), buffer(0), buffer(900)], ['0.0025', '0.0025', '0.05']);
  assert.equal(formatDecimal(marketBuffer({ ...policy, flat: decimal('0.01') }, ofYear(90), held)), '0.01');
});

test('more risk or more time never costs less', () => {
  const draw = fc.tuple(fc.bigInt(0n, 10n ** 16n), fc.bigInt(0n, 10n ** 16n), fc.nat(100), fc.nat(100));
  fc.assert(
    fc.property(draw, ([variance, more, lasting, longer]) => {
      const one = marketBuffer(policy, variance, hours(lasting));
      const other = marketBuffer(policy, variance + more, hours(lasting + longer));
      assert.ok(!isLess(other, one));
    }),
  );
});

test('what is not measured yet is supposed, and what is measured takes its place', () => {
  const [coin, money] = [supposedVariance('coin'), supposedVariance('money')];
  assert.equal(pairVariance([], [], coin, at(0)), coin);
  assert.ok(money * 60n < coin);
  const quiet = pairVariance(flat(720), flat(720), coin, at(719));
  assert.ok(quiet * 15n < coin && quiet > 0n, `${quiet}`);
  const wild = pairVariance(swinging(720, '1.02'), flat(720), coin, at(719));
  assert.ok(wild > coin * 4n, `${wild}`);
});

test('only what the pair moves counts: two coins that move together are no risk', () => {
  const together = pairVariance(swinging(720, '1.05'), swinging(720, '1.05'), supposedVariance('coin'), at(719));
  assert.equal(together, pairVariance(flat(720), flat(720), supposedVariance('coin'), at(719)));
});

test('a wild day counts at once, and no longer than it is in the month', () => {
  const calm = flat(700);
  const wild = [...calm, ...swinging(24, '1.03', 700)];
  const credited = flat(1_600);
  const of = (paid: HourRate[], now: number) => pairVariance(paid, credited, supposedVariance('coin'), at(now));
  assert.ok(of(wild, 723) > of(calm, 699) * 20n);
  assert.ok(of(wild, 723) > of([...wild, ...swinging(200, '1', 724)], 923), 'afterwards it is a day of many');
  const after = [...wild, ...swinging(800, '1', 724)];
  assert.equal(of(after, 1_523), of(flat(1_524), 1_523), 'and then it is forgotten');
});

test('an hour without a rate counts with the next one, for as long as both', () => {
  const gaps = swinging(720, '1.02').filter((_, hour) => hour % 10 < 2);
  const variance = pairVariance(gaps, flat(720), supposedVariance('coin'), at(719));
  assert.ok(variance * 4n < pairVariance(swinging(720, '1.02'), flat(720), supposedVariance('coin'), at(719)));
});
