import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { type Decimal, decimal, formatDecimal, fromUnits, isLess, minus, negate } from '../money/decimal.ts';
import { roundPrice } from './round-price.ts';

const rounded = (total: string, decimals: number): string => formatDecimal(roundPrice(decimal(total), decimals));

test('a price rounds half up to the decimals of its currency', () => {
  assert.equal(rounded('10.005', 2), '10.01');
  assert.equal(rounded('10.00499', 2), '10');
  assert.equal(rounded('0.5', 0), '1');
  assert.equal(rounded('0.49', 0), '0');
});

test('what is a hair below a half was meant as a half: twelve decimals are rounded first', () => {
  assert.equal(rounded('0.0049999999999', 2), '0.01'); // thirteen decimals: the noise of a float
  assert.equal(rounded('0.004999999999', 2), '0'); // twelve: meant as it is
  assert.equal(rounded('100.4999999999999996', 0), '101');
});

test('a currency with more decimals than twelve keeps them all', () => {
  assert.equal(rounded('1.123456789012345678', 18), '1.123456789012345678');
  assert.equal(rounded('1.1234567890123456785', 18), '1.123456789012345679');
});

test('a price is at most half of its last decimal away from the total, but for the noise', () => {
  const total = fc
    .tuple(fc.bigInt({ min: 0n, max: 10n ** 30n }), fc.integer({ min: 0, max: 24 }))
    .map(([digits, scale]): Decimal => ({ digits, scale }));
  fc.assert(
    fc.property(total, fc.integer({ min: 0, max: 8 }), (exact, decimals) => {
      const difference = minus(roundPrice(exact, decimals), exact);
      const distance = difference.digits < 0n ? negate(difference) : difference;
      const half = fromUnits(5n, decimals + 1);
      const noise = fromUnits(5n, 13);
      assert.ok(!isLess(half, minus(distance, noise)));
    }),
  );
});
