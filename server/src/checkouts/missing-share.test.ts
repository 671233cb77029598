import assert from 'node:assert/strict';
import { test } from 'node:test';
import { aCommitment, aDossier, aPayment, at, BTC, LTC } from '../../test/sample-checkout.ts';
import { missingUnits } from './missing-share.ts';

test('what is missing is found quickly, however many tiny payments somebody sends', () => {
  const commitments = [
    aCommitment({ id: 'bitcoin', minute: 0, asset: BTC, due: 100_003n }),
    aCommitment({ id: 'litecoin', minute: 0, asset: LTC, due: 70_001n }),
  ];
  const payments = Array.from({ length: 20_000 }, (_, position) => {
    const { id, asset } = commitments[position % 2] as (typeof commitments)[number];
    return aPayment({ id: String(position), commitmentId: id, asset, units: 1n, minute: 0, state: 'SEEN' });
  });
  const dossier = aDossier({ commitments, payments });
  const started = performance.now();
  assert.equal(missingUnits(dossier, 100_003n, at(1)), 75_718n);
  assert.ok(performance.now() - started < 500);
});
