import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { formatUnits, proportion, rescale, smaller } from './amount.ts';
import { decimal, toUnits } from './decimal.ts';

test('an amount is written as a plain decimal without trailing zeros', () => {
  assert.equal(formatUnits(41_667n, 8), '0.00041667');
  assert.equal(formatUnits(100_000_000n, 8), '1');
  assert.equal(formatUnits(0n, 18), '0');
  assert.equal(formatUnits(1n, 18), '0.000000000000000001');
  assert.equal(formatUnits(-150n, 2), '-1.5');
});

test('a bitcoin amount loses its last digit on Stellar, in a direction that is named', () => {
  assert.equal(rescale(12_345_678n, 8, 7, 'down'), 1_234_567n);
  assert.equal(rescale(12_345_678n, 8, 7, 'up'), 1_234_568n);
  assert.equal(rescale(1_234_567n, 7, 8, 'down'), 12_345_670n);
});

test('a proportion is rounded once', () => {
  assert.equal(proportion(100n, 1n, 3n, 'down'), 33n);
  assert.equal(proportion(100n, 1n, 3n, 'up'), 34n);
  assert.equal(proportion(10n ** 30n, 10n ** 30n, 10n ** 30n, 'down'), 10n ** 30n);
});

test('the smaller of two', () => {
  assert.deepEqual([smaller(1n, 2n), smaller(2n, 1n), smaller(2n, 2n), smaller(-1n, 0n)], [1n, 1n, 2n, -1n]);
});

const units = fc.bigInt({ min: 0n, max: 10n ** 40n });
const scale = fc.integer({ min: 0, max: 18 });

test('a written amount reads back as the same units', () => {
  fc.assert(fc.property(units, scale, (n, s) => assert.equal(toUnits(decimal(formatUnits(n, s)), s, 'down'), n)));
});

test('a finer scale and back is the same amount', () => {
  fc.assert(
    fc.property(units, scale, scale, (n, s, more) => {
      assert.equal(rescale(rescale(n, s, s + more, 'up'), s + more, s, 'up'), n);
      assert.equal(formatUnits(rescale(n, s, s + more, 'down'), s + more), formatUnits(n, s));
    }),
  );
});

test('a coarser scale differs by less than one of its units, on the named side', () => {
  fc.assert(
    fc.property(units, scale, scale, (n, s, less) => {
      const unit = 10n ** BigInt(less);
      const down = rescale(n, s + less, s, 'down') * unit;
      const up = rescale(n, s + less, s, 'up') * unit;
      assert.ok(down <= n && n - down < unit);
      assert.ok(up >= n && up - n < unit);
    }),
  );
});

test('the parts of an amount, rounded down, never add up to more than the amount', () => {
  fc.assert(
    fc.property(
      units,
      fc.array(fc.bigInt({ min: 0n, max: 10n ** 20n }), { minLength: 1, maxLength: 8 }),
      (n, weights) => {
        const whole = weights.reduce((a, b) => a + b, 0n);
        fc.pre(whole > 0n);
        const total = weights.reduce((sum, weight) => sum + proportion(n, weight, whole, 'down'), 0n);
        assert.ok(total <= n && n - total < BigInt(weights.length));
      },
    ),
  );
});
