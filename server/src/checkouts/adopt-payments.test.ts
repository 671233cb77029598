import assert from 'node:assert/strict';
import { test } from 'node:test';
import { aCommitment, aDossier, aPayment, BTC, LTC, type PaymentTerms } from '../../test/sample-checkout.ts';
import { addCommitment, adoptionNotes, adoptPayments } from './adopt-payments.ts';

const inBitcoin = aCommitment({ id: 'c1', asset: BTC, due: 1000n, minute: 0 });
const inLitecoin = aCommitment({ id: 'c2', asset: LTC, due: 4000n, minute: 10 });
const stray = (terms: Partial<PaymentTerms> = {}) =>
  aPayment({ id: 'p1', units: 4000n, minute: 5, asset: LTC, commitmentId: null, ...terms });

test('what came in an asset nobody had asked for counts as soon as somebody asks for it', () => {
  const before = aDossier({ commitments: [inBitcoin], payments: [stray()] });
  assert.deepEqual(adoptPayments(before).payments, []);
  assert.equal(adoptPayments(before).dossier.payments[0]?.commitmentId, null);

  const { dossier, payments } = addCommitment(before, inLitecoin);
  assert.deepEqual(dossier.commitments, [inBitcoin, inLitecoin]);
  assert.deepEqual(payments, [stray({ commitmentId: 'c2' })]);
  assert.deepEqual(dossier.payments, payments);
});

test('not what was sent back of it, what is gone, or what counts already', () => {
  const others = [
    stray({ takenUnits: 1n }),
    stray({ id: 'p2', state: 'DROPPED' }),
    stray({ id: 'p3', state: 'REPLACED' }),
    stray({ id: 'p4', commitmentId: 'c0' }),
  ];
  const { dossier, payments } = addCommitment(aDossier({ commitments: [inBitcoin], payments: others }), inLitecoin);
  assert.deepEqual(payments, []);
  assert.deepEqual(dossier.payments, others);
});

test('network and asset must both be what was asked for, and of several commitments the last is meant', () => {
  const elsewhere = { ...inLitecoin, id: 'c3', network: 'NOWHERE' };
  const again = { ...inLitecoin, id: 'c4' };
  const other = { ...inLitecoin, id: 'c5', asset: BTC };
  const dossier = aDossier({ commitments: [inLitecoin, again, elsewhere, other], payments: [stray()] });
  assert.equal(adoptPayments(dossier).payments[0]?.commitmentId, 'c4');
  const none = aDossier({ commitments: [elsewhere, other], payments: [stray()] });
  assert.deepEqual(adoptPayments(none).payments, []);
});

test('the timeline says which transaction was assigned', () => {
  const adopted = addCommitment(aDossier({ commitments: [], payments: [stray()] }), inLitecoin);
  assert.deepEqual(adoptionNotes(adopted), [
    { merchantId: 'm', checkoutId: 'checkout', what: 'payment_assigned', why: { network: 'LITECOIN', tx: 'tx-p1' } },
  ]);
});
