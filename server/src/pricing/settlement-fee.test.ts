import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { decimal, formatDecimal } from '../money/decimal.ts';
import { agreedFees, leastFee, noFees, settlementFee, shareFee } from './settlement-fee.ts';

const schedule = (percent: string, minimumUsd: string) => ({
  percent: decimal(percent),
  minimumUsd: decimal(minimumUsd),
});
const dollar = decimal(1);

test('the percentage rounds up to a whole unit', () => {
  assert.equal(shareFee(1000n, schedule('0.005', '0')), 5n);
  assert.equal(shareFee(1001n, schedule('0.005', '0')), 6n);
  assert.equal(shareFee(1n, schedule('0.005', '0')), 1n);
  assert.equal(shareFee(0n, schedule('0.005', '0')), 0n);
});

test('the minimum is converted at the rate of the credited asset, rounded up', () => {
  assert.equal(leastFee(8, decimal('50000'), schedule('0', '1')), 2_000n);
  assert.equal(leastFee(8, decimal('30000'), schedule('0', '1')), 3_334n);
  assert.equal(leastFee(2, dollar, schedule('0', '0.001')), 1n);
  assert.equal(leastFee(2, dollar, noFees), 0n);
});

test('the larger of the two is taken', () => {
  assert.equal(settlementFee(10_000n, 2, dollar, schedule('0.01', '0.5')), 100n);
  assert.equal(settlementFee(10_000n, 2, dollar, schedule('0.01', '1.5')), 150n);
});

test('never more is taken than there is', () => {
  assert.equal(settlementFee(40n, 2, dollar, schedule('0.01', '0.5')), 40n);
  assert.equal(settlementFee(50n, 2, dollar, schedule('0.01', '0.5')), 50n);
  assert.equal(settlementFee(51n, 2, dollar, schedule('0.01', '0.5')), 50n);
  assert.equal(settlementFee(0n, 2, dollar, schedule('0.01', '0.5')), 0n);
});

test('without fees nothing is taken', () => {
  assert.equal(settlementFee(10n ** 20n, 8, decimal('50000'), noFees), 0n);
});

test('what was agreed with a merchant is in percent and in dollars; what was not is as with everybody', () => {
  const usual = schedule('0.005', '0.25');
  const agreed = agreedFees(usual, { feePercent: '1.25', feeMinimumUsd: '2' });
  assert.deepEqual([agreed.percent, agreed.minimumUsd].map(formatDecimal), ['0.0125', '2']);
  assert.deepEqual(agreedFees(usual, { feePercent: null, feeMinimumUsd: null }), usual);
  const half = agreedFees(usual, { feePercent: '0', feeMinimumUsd: null });
  assert.deepEqual([half.percent, half.minimumUsd].map(formatDecimal), ['0', '0.25']);
});

test('a fee lies between nothing and the gross, and splitting a credit saves none of it', () => {
  const units = fc.bigInt({ min: 0n, max: 10n ** 20n });
  fc.assert(
    fc.property(units, units, fc.integer({ min: 0, max: 500 }), (one, other, tenths) => {
      const fees = schedule(`${tenths}e-4`, '0.01');
      const feeOf = (gross: bigint): bigint => settlementFee(gross, 6, decimal('3.7'), fees);
      assert.ok(feeOf(one) >= 0n && feeOf(one) <= one);
      assert.ok(feeOf(one) + feeOf(other) >= feeOf(one + other));
    }),
  );
});
