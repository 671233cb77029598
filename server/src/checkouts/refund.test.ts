import assert from 'node:assert/strict';
import { test } from 'node:test';
import { aCommitment, aDossier, aPayment, aRefund, BTC } from '../../test/sample-checkout.ts';
import { coveredUnits, heldUnits, leftUnits, type Refund, recountTaken, standsOrCost } from './refund.ts';

const refund = (terms: Partial<Refund> = {}): Refund =>
  aRefund({ id: 'r1', asset: BTC, units: 100n, takes: [{ paymentId: 'p1', units: '100', feeUnits: '0' }], ...terms });

test("the network's fee is set aside with a refund only if the merchant pays it", () => {
  assert.equal(heldUnits({ units: 100n, feeUnits: 7n, feePaidBy: 'merchant' }), 107n);
  assert.equal(heldUnits({ units: 100n, feeUnits: 7n, feePaidBy: 'customer' }), 100n);
});

test('what a refund took is gone until it is returned, and what its attempt cost stays gone', () => {
  for (const place of ['none', 'reserved', 'sent'] as const) assert.equal(standsOrCost(refund({ place })), true, place);
  assert.equal(standsOrCost(refund({ place: 'returned' })), false);
  assert.equal(standsOrCost(refund({ place: 'returned', costUnits: 1n })), true);
});

test('what was taken of a payment does not count', () => {
  assert.equal(leftUnits({ units: 1000n, takenUnits: 300n }), 700n);
});

test('what is taken is counted anew from the refunds that stand and what the merchant keeps', () => {
  const takes = (paymentId: string, units: string) => [{ paymentId, units, feeUnits: '1' }];
  const dossier = {
    ...aDossier({
      commitments: [aCommitment({ id: 'c1', asset: BTC, due: 1000n, minute: 0 })],
      payments: [
        aPayment({ id: 'p1', units: 500n, minute: 1 }),
        aPayment({ id: 'p2', units: 500n, minute: 2, takenUnits: 9n }),
        aPayment({ id: 'p3', units: 500n, minute: 3 }),
      ],
      checkout: { acceptedExcess: [{ takes: takes('p1', '30'), acceptedAt: '', isBooked: false }] },
    }),
    refunds: [
      refund(),
      refund({ id: 'r2', takes: takes('p1', '5') }),
      refund({ id: 'r3', takes: takes('p3', '50'), place: 'returned' }),
    ],
  };
  const after = recountTaken(dossier);
  assert.deepEqual(
    after.payments.map(({ takenUnits }) => takenUnits),
    [135n, 0n, 0n],
  );
  assert.equal(after.payments[2], dossier.payments[2], 'what did not change is the same row');
  assert.deepEqual(recountTaken(after), after);
});

test('what the merchant gives back is counted by commitment, of the refunds that are asked for', () => {
  const cover = (commitmentId: string, units: string) => ({ commitmentId, units });
  const refunds = [
    refund({ covers: [cover('c1', '10'), cover('c2', '1')], place: 'sent' }),
    refund({ covers: [cover('c1', '5')], place: 'sent' }),
    refund({ covers: [cover('c1', '100')], place: 'returned' }),
  ];
  assert.deepEqual(
    coveredUnits(refunds, ({ place }) => place === 'sent'),
    new Map([
      ['c1', 15n],
      ['c2', 1n],
    ]),
  );
  assert.deepEqual(
    coveredUnits(refunds, () => false),
    new Map(),
  );
});
