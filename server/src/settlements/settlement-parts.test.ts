/** Fees of settlements that are made of several parts. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { aCommitment, aDossier, aPayment, at, BTC, LTC, sampleTerms, USDC } from '../../test/sample-checkout.ts';
import { decimal } from '../money/decimal.ts';
import { settlementParts } from './settlement-parts.ts';

const oneDollar = {
  ...sampleTerms({ BTC: '60000', LTC: '6000000', USDC: '1' }),
  fees: { percent: decimal('0'), minimumUsd: decimal('1') },
};

function feesOf(...payments: Parameters<typeof aPayment>[0][]): bigint[] {
  const dollars = { credited: USDC, gross: 600_000_000n, fee: 10_000_000n };
  const commitments = [
    aCommitment({ id: 'c1', asset: BTC, due: 100_000n, minute: 0, ...dollars }),
    aCommitment({ id: 'c2', asset: LTC, due: 1_000n, minute: 1, ...dollars }),
  ];
  const dossier = aDossier({ commitments, payments: payments.map(aPayment), checkout: { settlementAsset: USDC } });
  const outcome = settlementParts(dossier, oneDollar, at(100));
  assert.ok('parts' in outcome);
  return outcome.parts.map(({ feeUnits }) => BigInt(feeUnits));
}

const onLitecoin = { asset: LTC, commitmentId: 'c2' };

test('the minimum is taken once, from whatever the settlement is made of', () => {
  assert.deepEqual(feesOf({ id: 'p1', units: 100_000n, minute: 90 }), [10_000_000n]);
  assert.deepEqual(
    feesOf({ id: 'p0', units: 500n, minute: 2, ...onLitecoin }, { id: 'p1', units: 50_000n, minute: 90 }),
    [5_000_000n, 5_000_000n],
    'half of it is in the quote of the part that was on time',
  );
  assert.deepEqual(feesOf({ id: 'p0', units: 999n, minute: 2, ...onLitecoin }, { id: 'p1', units: 100n, minute: 90 }), [
    9_990_000n,
    10_000n,
  ]);
});

test('the minimum never takes more than there is', () => {
  assert.deepEqual(
    feesOf({ id: 'p0', units: 1n, minute: 2, ...onLitecoin }, { id: 'p1', units: 99_900n, minute: 90 }),
    [10_000n, 9_990_000n],
  );
});

test('a late part that is credited as the same coin of an anchor is credited by its quote, without a market', () => {
  const ofAnchor = (asset: string): string => asset.replace('GISSUER', 'GANCHOR');
  const dossier = aDossier({
    commitments: [
      aCommitment({ id: 'c1', asset: BTC, due: 100_000n, minute: 0, credited: ofAnchor(BTC), fee: 3_000n }),
      aCommitment({ id: 'c2', asset: LTC, due: 1_000n, minute: 1, credited: ofAnchor(LTC), fee: 30n }),
    ],
    payments: [
      aPayment({ id: 'p0', units: 100n, minute: 90, ...onLitecoin }),
      aPayment({ id: 'p1', units: 90_000n, minute: 91 }),
    ],
  });
  const outcome = settlementParts(dossier, { ...oneDollar, rateOf: () => ({ missing: 'no source' }) }, at(100));
  assert.ok('parts' in outcome);
  assert.deepEqual(
    outcome.parts.map(({ creditedAsset, grossUnits, feeUnits, basis }) => [creditedAsset, grossUnits, feeUnits, basis]),
    [
      [ofAnchor(LTC), '100', '3', 'QUOTE'],
      [ofAnchor(BTC), '90000', '2700', 'QUOTE'],
    ],
  );
});

test('what is paid by bank for another asset is credited at the rate when it is booked, on time as it is', () => {
  const commitment = aCommitment({
    id: 'c1',
    asset: BTC,
    due: 100_000n,
    minute: 0,
    credited: USDC,
    gross: 600_000_000n,
  });
  const atBooking = { ...commitment, quote: { ...commitment.quote, isAtBooking: true as const } };
  const payments = [aPayment({ id: 'p1', units: 100_000n, minute: 5 })];
  const credited = (each: typeof commitment, usd: string): string | undefined => {
    const terms = sampleTerms({ BTC: usd, USDC: '1' });
    const dossier = aDossier({ commitments: [each], payments, checkout: { settlementAsset: USDC } });
    const outcome = settlementParts(
      dossier,
      { ...terms, fees: { percent: decimal('0'), minimumUsd: decimal('0') } },
      at(6),
    );
    return 'parts' in outcome ? outcome.parts[0]?.grossUnits : undefined;
  };
  assert.equal(credited(commitment, '90000'), '600000000', 'by its quote');
  assert.equal(credited(commitment, '60000'), '600000000', 'to the unit');
  assert.equal(credited(commitment, '59999'), '599990000', 'of what is worth less by now, no more than that');
  assert.equal(credited(atBooking, '60000'), '600000000');
  assert.equal(credited(atBooking, '30000'), '300000000');
});
