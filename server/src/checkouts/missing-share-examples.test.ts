import assert from 'node:assert/strict';
import { test } from 'node:test';
import { aCommitment, aDossier, aPayment, at, BTC, LTC, type PaymentTerms } from '../../test/sample-checkout.ts';
import { decimal } from '../money/decimal.ts';
import { missingUnits } from './missing-share.ts';

const commitments = [
  aCommitment({ id: 'c1', minute: 0, asset: BTC, due: 1000n }),
  aCommitment({ id: 'c2', minute: 0, asset: LTC, due: 4000n }),
];

/** What is missing of 1000 after these payments. */
const missing = (...payments: (Partial<PaymentTerms> & { units: bigint })[]): bigint => {
  const made = payments.map((terms, position) => aPayment({ id: `p${position}`, minute: 5, ...terms }));
  const checkout = { lateTolerance: decimal('0.05') };
  return missingUnits(aDossier({ commitments, payments: made, checkout }), 1000n, at(100));
};

test('what has not arrived is missing, whether it is confirmed or only seen', () => {
  assert.equal(missing(), 1000n);
  assert.equal(missing({ units: 300n }, { units: 200n, state: 'SEEN' }), 500n);
  assert.equal(missing({ units: 999n }), 1n);
  assert.equal(missing({ units: 1000n }), 0n);
  assert.equal(missing({ units: 1500n }), 0n);
});

test('parts by other methods count as their part of the price', () => {
  assert.equal(missing({ units: 300n }, { units: 2000n, asset: LTC, commitmentId: 'c2' }), 200n);
  assert.equal(missing({ units: 2001n, asset: LTC, commitmentId: 'c2' }), 500n, 'rounded up');
});

test('what is gone, was given back, or nobody had asked for does not count', () => {
  assert.equal(missing({ units: 300n, state: 'DROPPED' }), 1000n);
  assert.equal(missing({ units: 300n, state: 'REPLACED' }), 1000n);
  assert.equal(missing({ units: 300n, takenUnits: 100n }), 800n);
  assert.equal(missing({ units: 300n, commitmentId: null }), 1000n);
});

test('what came late counts by its worth as soon as that is known', () => {
  const late = { units: 500n, minute: 70 };
  assert.equal(missing(late), 500n);
  const valuation = {
    of: 'SIGHT' as const,
    moment: at(70).toISOString(),
    paidUsd: '1',
    billedUsd: '1',
    valuedAt: '',
    priceUnits: { numerator: '2000', denominator: '1' },
  };
  assert.equal(missing({ ...late, valuations: [valuation] }), 750n);
});
