/** What came late is worth what it was worth when it was seen, and never more than its units. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { addPart, addWorth, countedParts, nothing, unitsWorth, worthUnits } from './share-of-price.ts';

const ratio = (numerator: bigint, denominator = 1n) => ({ numerator, denominator });
const part = (receivedUnits: bigint, priceUnits: ReturnType<typeof ratio> | null = null) => ({
  receivedUnits,
  dueUnits: 1000n,
  priceUnits,
});

test('without a value, or with a better one, units are worth what they are', () => {
  assert.equal(worthUnits(part(300n)), 300n);
  assert.equal(worthUnits(part(300n, ratio(500n))), 300n);
  assert.equal(worthUnits(part(300n, ratio(1000n))), 300n);
});

test('when the price costs more units, each is worth less, rounded down', () => {
  assert.equal(worthUnits(part(300n, ratio(2000n))), 150n);
  assert.equal(worthUnits(part(301n, ratio(2000n))), 150n);
  assert.equal(worthUnits(part(300n, ratio(4000n, 2n))), 150n);
  assert.equal(worthUnits(part(300n, ratio(2001n, 2n))), 299n, 'half a unit more');
});

test('the other way round, more units are needed, rounded up', () => {
  assert.equal(unitsWorth(150n, part(0n)), 150n);
  assert.equal(unitsWorth(150n, part(0n, ratio(2000n))), 300n);
  assert.equal(unitsWorth(150n, part(0n, ratio(500n))), 150n);
  assert.equal(unitsWorth(1n, part(0n, ratio(1001n))), 2n);
});

test('a late part adds its worth to the share, any other its units', () => {
  assert.deepEqual(addWorth(nothing, part(300n, ratio(2000n))), addPart(nothing, part(150n)));
  assert.deepEqual(addWorth(nothing, part(300n)), addPart(nothing, part(300n)));
});

test('a late part that fills the price counts with all the units that it takes', () => {
  assert.deepEqual(countedParts([part(500n), part(2000n, ratio(2000n))]), [500n, 1000n]);
  assert.deepEqual(countedParts([part(1000n), part(5n)]), [1000n, 0n]);
  assert.deepEqual(countedParts([part(999n), part(5n)]), [999n, 1n]);
});

test('a commitment without a price, or that receives less than nothing, stops the operation', () => {
  assert.throws(() => addPart(nothing, { receivedUnits: 1n, dueUnits: 0n }), /has a price/);
  assert.throws(() => addPart(nothing, { receivedUnits: -1n, dueUnits: 1n }), /no negative amounts/);
  assert.deepEqual(addPart(nothing, { receivedUnits: 0n, dueUnits: 1n }), nothing);
});

test('units that are needed for a worth are worth at least that, and one less is not', () => {
  const units = fc.bigInt({ min: 1n, max: 10n ** 12n });
  fc.assert(
    fc.property(units, units, units, units, (wanted, dueUnits, numerator, denominator) => {
      const priceUnits = ratio(numerator, denominator);
      const needed = unitsWorth(wanted, { dueUnits, priceUnits });
      assert.ok(worthUnits({ receivedUnits: needed, dueUnits, priceUnits }) >= wanted);
      assert.ok(worthUnits({ receivedUnits: needed - 1n, dueUnits, priceUnits }) < wanted);
    }),
  );
});
