/** Which part of a paper refunds take back, over several ways to pay and in steps of any size. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { Refund } from '../checkouts/refund.ts';
import { refundedShare } from './refunded-share.ts';

const commitments = [
  { id: 'bitcoin', dueUnits: 100_000n },
  { id: 'litecoin', dueUnits: 7_000_000n },
];
const parts = [
  { commitmentId: 'bitcoin', countedUnits: '60000' },
  { commitmentId: 'litecoin', countedUnits: '3000000', worthUnits: '2800000' },
];
const refundOf = (commitmentId: string, units: bigint): Refund =>
  ({ covers: [{ commitmentId, units: String(units) }], cameBackUnits: 0n }) as unknown as Refund;
const shareOf = (...refunds: Refund[]): number => {
  const { numerator, denominator } = refundedShare({ commitments }, { parts }, refunds);
  return Number((numerator * 10_000n) / denominator);
};

test('a way counts as much as it did when it was credited: what came late and lost value, less', () => {
  assert.equal(shareOf(), 0);
  assert.equal(shareOf(refundOf('bitcoin', 60_000n)), 6000, 'sixty of a hundred, beside forty that are worth less');
  assert.equal(shareOf(refundOf('litecoin', 1_500_000n)), 2000);
  assert.equal(shareOf(refundOf('bitcoin', 60_000n), refundOf('litecoin', 3_000_000n)), 10_000);
  assert.equal(shareOf(refundOf('bitcoin', 99_999n), refundOf('litecoin', 9_000_000n)), 10_000, 'never more than all');
  assert.equal(shareOf(refundOf('elsewhere', 5n)), 0);
});

test('all of it is all of it, in however many refunds', () => {
  fc.assert(
    fc.property(fc.array(fc.bigInt({ min: 1n, max: 60_000n }), { maxLength: 8 }), (steps) => {
      const refunds = steps.map((units) => refundOf('bitcoin', units));
      const before = shareOf(...refunds);
      assert.ok(before <= 6000);
      assert.equal(shareOf(...refunds, refundOf('bitcoin', 60_000n), refundOf('litecoin', 3_000_000n)), 10_000);
    }),
  );
});
