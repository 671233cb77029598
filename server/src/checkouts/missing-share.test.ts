import assert from 'node:assert/strict';
import { test } from 'node:test';
import { aCommitment, aDossier, aPayment, at, BTC, LTC } from '../../test/sample-checkout.ts';
import { missingUnits } from './missing-share.ts';

const commitments = [
  aCommitment({ id: 'bitcoin', minute: 0, asset: BTC, due: 100_003n }),
  aCommitment({ id: 'litecoin', minute: 0, asset: LTC, due: 70_001n }),
];

const dossierOf = (count: number) => {
  const payments = Array.from({ length: count }, (_, position) => {
    const { id, asset } = commitments[position % 2] as (typeof commitments)[number];
    return aPayment({ id: String(position), commitmentId: id, asset, units: 1n, minute: 0, state: 'SEEN' });
  });
  return aDossier({ commitments, payments });
};

test('what is missing is found, and its cost grows with the number of payments, not with their square', () => {
  const [some, many] = [dossierOf(2_000), dossierOf(20_000)];
  assert.equal(missingUnits(many, 100_003n, at(1)), 75_718n);
  const quickest = (dossier: typeof some): number => {
    const times = Array.from({ length: 7 }, () => {
      const started = process.cpuUsage();
      missingUnits(dossier, 100_003n, at(1));
      return process.cpuUsage(started).user;
    });
    return Math.max(Math.min(...times), 1);
  };
  // Ten times as many: a hundred times as long would be the square.
  assert.ok(quickest(many) < 50 * quickest(some));
});
