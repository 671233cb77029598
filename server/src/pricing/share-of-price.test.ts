import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { decimal } from '../money/decimal.ts';
import {
  countedParts,
  isAtLeast,
  isEnough,
  isFull,
  missingOf,
  type Part,
  shareOfPrice,
  unitsWorth,
  worthUnits,
} from './share-of-price.ts';

test('a third on one network and two thirds on another pay the price exactly', () => {
  const parts = [
    { receivedUnits: 1n, dueUnits: 3n },
    { receivedUnits: 20_000_000n, dueUnits: 30_000_000n },
  ];
  assert.ok(isFull(shareOfPrice(parts)));
  assert.deepEqual(countedParts(parts), [1n, 20_000_000n]);
  assert.ok(!isFull(shareOfPrice([parts[0] as Part, { receivedUnits: 19_999_999n, dueUnits: 30_000_000n }])));
});

test('after 70 % on one network, half on another is 20 % too much', () => {
  const parts = [
    { receivedUnits: 70n, dueUnits: 100n },
    { receivedUnits: 500n, dueUnits: 1_000n },
    { receivedUnits: 5n, dueUnits: 7n },
  ];
  assert.deepEqual(countedParts(parts), [70n, 300n, 0n]);
  assert.equal(missingOf(1_000n, shareOfPrice(parts.slice(0, 1))), 300n);
  assert.equal(missingOf(1_000n, shareOfPrice(parts)), 0n);
});

test('the tolerance is exact to the unit', () => {
  const received = (receivedUnits: bigint) => shareOfPrice([{ receivedUnits, dueUnits: 1_001n }]);
  // 0.5 % of 1001 are 5.005.
  assert.ok(isEnough(received(996n), decimal('0.005')));
  assert.ok(!isEnough(received(995n), decimal('0.005')));
  assert.ok(!isEnough(received(1_000n), decimal('0')));
});

test('shares of different prices can be compared', () => {
  const half = shareOfPrice([{ receivedUnits: 5n, dueUnits: 10n }]);
  assert.ok(isAtLeast(half, shareOfPrice([{ receivedUnits: 3n, dueUnits: 6n }])));
  assert.ok(!isAtLeast(half, shareOfPrice([{ receivedUnits: 4n, dueUnits: 7n }])));
});

test('a thousand tiny payments to two commitments keep the fraction small', () => {
  const dueUnits = [10n ** 18n + 9n, 10n ** 9n + 7n] as const;
  const parts = Array.from({ length: 1_000 }, (_, at) => ({ receivedUnits: 1n, dueUnits: dueUnits[at % 2] as bigint }));
  const denominator = dueUnits[0] * dueUnits[1];
  assert.deepEqual(shareOfPrice(parts), { numerator: 500n * (dueUnits[0] + dueUnits[1]), denominator });
});

test('nothing received leaves the whole price missing', () => {
  assert.equal(missingOf(123n, shareOfPrice([])), 123n);
});

const part = fc
  .tuple(fc.bigInt({ min: 0n, max: 10n ** 20n }), fc.bigInt({ min: 1n, max: 10n ** 20n }))
  .map(([receivedUnits, dueUnits]): Part => ({ receivedUnits, dueUnits }));

test('the counted parts pay the price exactly when the received ones do', () => {
  fc.assert(
    fc.property(fc.array(part, { maxLength: 6 }), (parts) => {
      const counted = countedParts(parts);
      const asParts = parts.map(({ dueUnits }, index) => ({ dueUnits, receivedUnits: counted[index] ?? 0n }));
      for (const [index, units] of counted.entries())
        assert.ok(units >= 0n && units <= (parts[index]?.receivedUnits ?? 0n));
      assert.equal(isFull(shareOfPrice(asParts)), isFull(shareOfPrice(parts)));
    }),
  );
});

test('paying what is missing pays the price, and a unit less does not', () => {
  fc.assert(
    fc.property(fc.array(part, { maxLength: 4 }), fc.bigInt({ min: 1n, max: 10n ** 20n }), (parts, dueUnits) => {
      const receivedUnits = missingOf(dueUnits, shareOfPrice(parts));
      assert.ok(isFull(shareOfPrice([...parts, { receivedUnits, dueUnits }])));
      if (receivedUnits === 0n) return;
      assert.ok(!isFull(shareOfPrice([...parts, { receivedUnits: receivedUnits - 1n, dueUnits }])));
    }),
  );
});

/** Due 1,000 units; when it was seen the price cost 3,000 of them, or a hair more. */
const dearer = { dueUnits: 1_000n, priceUnits: { numerator: 3_000n, denominator: 1n } };

test('what came late and is worth less than whole units counts rounded down, and what it takes to fill the price up', () => {
  const worth = (receivedUnits: bigint) => worthUnits({ ...dearer, receivedUnits });
  assert.deepEqual([2n, 3n, 4n, 5n, 6n].map(worth), [0n, 1n, 1n, 1n, 2n]);
  assert.deepEqual(
    [0n, 1n, 2n].map((units) => unitsWorth(units, dearer)),
    [0n, 3n, 6n],
  );
  const hair = { ...dearer, priceUnits: { numerator: 30_001n, denominator: 10n } };
  assert.deepEqual([worthUnits({ ...hair, receivedUnits: 3n }), unitsWorth(1n, hair)], [0n, 4n]);
});

const latePart = fc.record({
  dueUnits: fc.bigInt({ min: 1n, max: 10n ** 12n }),
  priceUnits: fc.record({
    numerator: fc.bigInt({ min: 1n, max: 10n ** 13n }),
    denominator: fc.bigInt({ min: 1n, max: 10n ** 6n }),
  }),
});

test('a late price is filled by the fewest units that are worth it', () => {
  fc.assert(
    fc.property(latePart, fc.bigInt({ min: 1n, max: 10n ** 12n }), (late, wanted) => {
      const units = unitsWorth(wanted, late);
      assert.ok(worthUnits({ ...late, receivedUnits: units }) >= wanted);
      assert.ok(worthUnits({ ...late, receivedUnits: units - 1n }) < wanted);
    }),
  );
});

test('cut into crumbs, what came late is worth no more than in one piece, and never more than its units', () => {
  const crumbs = fc.array(fc.bigInt({ min: 0n, max: 10n ** 6n }), { minLength: 1, maxLength: 20 });
  fc.assert(
    fc.property(latePart, crumbs, (late, units) => {
      const worth = (receivedUnits: bigint) => worthUnits({ ...late, receivedUnits });
      const whole = units.reduce((sum, each) => sum + each, 0n);
      assert.ok(units.reduce((sum, each) => sum + worth(each), 0n) <= worth(whole));
      assert.ok(worth(whole) <= whole);
    }),
  );
});

test('what costs exactly as much as was committed counts by its units', () => {
  const same = { dueUnits: 1_000n, priceUnits: { numerator: 2_000n, denominator: 2n } };
  const cheaper = { dueUnits: 1_000n, priceUnits: { numerator: 1_999n, denominator: 2n } };
  const more = { dueUnits: 1_000n, priceUnits: { numerator: 2_001n, denominator: 2n } };
  const worth = [same, cheaper, more].map((part) => worthUnits({ ...part, receivedUnits: 1_000n }));
  assert.deepEqual(worth, [1_000n, 1_000n, 999n]);
});

test('a share is enough from exactly the price less the tolerance on, and full from exactly the price on', () => {
  const received = (receivedUnits: bigint) => shareOfPrice([{ receivedUnits, dueUnits: 1_000n }]);
  const tolerance = decimal('0.005');
  assert.deepEqual(
    [994n, 995n, 996n].map((units) => isEnough(received(units), tolerance)),
    [false, true, true],
  );
  assert.deepEqual(
    [999n, 1_000n, 1_001n].map((units) => isFull(received(units))),
    [false, true, true],
  );
  assert.ok(isAtLeast(received(500n), received(500n)));
});
