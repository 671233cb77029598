import assert from 'node:assert/strict';
import { test } from 'node:test';
import { aCommitment, aDossier, aPayment, at, BTC, LTC } from '../../test/sample-checkout.ts';
import { missingUnits } from './missing-share.ts';

const commitments = [
  aCommitment({ id: 'bitcoin', minute: 0, asset: BTC, due: 100_003n }),
  aCommitment({ id: 'litecoin', minute: 0, asset: LTC, due: 70_001n }),
];

/** Tells `read` of every field of a payment that somebody looks at. */
const dossierOf = (count: number, read: () => void = () => undefined) => {
  const payments = Array.from({ length: count }, (_, position) => {
    const { id, asset } = commitments[position % 2] as (typeof commitments)[number];
    const payment = aPayment({ id: String(position), commitmentId: id, asset, units: 1n, minute: 0, state: 'SEEN' });
    return new Proxy(payment, {
      get(of, field) {
        read();
        return Reflect.get(of, field);
      },
    });
  });
  return aDossier({ commitments, payments });
};

test('what is missing is found, and its cost grows with the number of payments, not with their square', () => {
  assert.equal(missingUnits(dossierOf(20_000), 100_003n, at(1)), 75_718n);
  const reads = (count: number): number => {
    let seen = 0;
    missingUnits(
      dossierOf(count, () => {
        seen += 1;
      }),
      100_003n,
      at(1),
    );
    return seen;
  };
  assert.equal(reads(2_000), 10 * reads(200));
});
