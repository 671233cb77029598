import assert from 'node:assert/strict';
import { test } from 'node:test';
import { aCommitment, aDossier, aPayment, at, LTC, sampleTerms, USDC } from '../../test/sample-checkout.ts';
import { decimal } from '../money/decimal.ts';
import { settlementParts } from './settlement-parts.ts';

test('a commitment that was paid half in time and half too late pays the minimum fee once', () => {
  // 1000 litoshi for 10 USDC; the least fee is 1 USDC, which the quote has.
  const commitment = aCommitment({
    ...{ id: 'c1', asset: LTC, due: 1000n, minute: 0 },
    ...{ credited: USDC, gross: 100_000_000n, fee: 10_000_000n },
  });
  const [inTime, late] = [5, 90].map((minute) => aPayment({ id: `p${minute}`, asset: LTC, units: 500n, minute }));
  assert.ok(inTime && late);
  const dossier = aDossier({ commitments: [commitment], payments: [inTime, late] });
  const terms = sampleTerms({ LTC: '1000000', USDC: '1' });
  const fees = { percent: decimal('0.005'), minimumUsd: decimal('1') };
  const outcome = settlementParts(dossier, { ...terms, fees }, at(100));
  assert.ok('parts' in outcome);
  assert.deepEqual(
    outcome.parts.map(({ basis, feeUnits }) => [basis, feeUnits]),
    [
      ['QUOTE', '5000000'],
      ['RATE_OF_ARRIVAL', '5000000'],
    ],
  );
});
