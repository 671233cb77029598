/** What is told of refunds when one look at a checkout changes them, step by step. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { aCommitment, aDossier, aPayment, aRefund, at, BTC } from '../../test/sample-checkout.ts';
import type { CheckoutDossier } from '../checkouts/checkout.ts';
import type { Refund } from '../checkouts/refund.ts';
import { refundEvents } from './refund-events.ts';

const commitment = aCommitment({ id: 'c1', asset: BTC, due: 1000n, minute: 0 });
const refund = (id: string, terms: Partial<Refund> = {}): Refund =>
  aRefund({ id, asset: BTC, units: 100n, takes: [], place: 'reserved', ...terms });
const ofExcess = (id: string, terms: Partial<Refund> = {}) => refund(id, { context: 'OVERPAID_CHECKOUT', ...terms });

type Told = { payment?: Partial<CheckoutDossier['payments'][number]>; checkout?: Partial<CheckoutDossier['checkout']> };

const dossier = (refunds: readonly Refund[], { payment = {}, checkout = {} }: Told = {}): CheckoutDossier => ({
  ...aDossier({
    commitments: [commitment],
    payments: [aPayment({ id: 'p1', units: 1000n, minute: 5, place: 'suspense', ...payment })],
    checkout: { state: 'UNDERPAID', ...checkout },
  }),
  refunds,
});

const part = {
  commitmentId: 'c1',
  network: 'BITCOIN',
  paidAsset: BTC,
  creditedAsset: BTC,
  basis: 'QUOTE' as const,
  countedUnits: '1000',
  excessUnits: '0',
  grossUnits: '1000',
  feeUnits: '0',
  netUnits: '1000',
};
const settled = (refunds: readonly Refund[], units = 1000n): CheckoutDossier => ({
  ...dossier(refunds, { payment: { place: 'settled', units }, checkout: { state: 'COMPLETED' } }),
  settlements: [{ generation: 1, reference: 'r', parts: [part], settledAt: at(6), reversedAt: null }],
});

const told = (before: CheckoutDossier, after: CheckoutDossier) =>
  refundEvents(before, after, at(100)).map(({ type, refund }) => `${type} ${refund.id}`);

test('nothing is told while nothing changes its place', () => {
  assert.deepEqual(told(dossier([]), dossier([])), []);
  assert.deepEqual(told(dossier([refund('r1')]), dossier([refund('r1')])), []);
  assert.deepEqual(told(dossier([refund('r1', { place: 'none' })]), dossier([refund('r1')])), []);
});

test('a refund that failed is told when it is returned; one that was cancelled or not claimed is not', () => {
  const returned = (state: Refund['state']) =>
    told(dossier([refund('r1', { state })]), dossier([refund('r1', { state, place: 'returned' })]));
  assert.deepEqual(returned('FAILED'), ['REFUND_FAILED r1']);
  assert.deepEqual(returned('CANCELED'), []);
  assert.deepEqual(returned('EXPIRED'), []);
  assert.deepEqual(told(dossier([]), dossier([refund('r1', { state: 'FAILED' })])), [], 'it is still set aside');
});

test('a refund of a part is told as a part, and the one that completes it as all', () => {
  const take = (units: string) => [{ paymentId: 'p1', units, feeUnits: '0' }];
  const [first, second] = [refund('r1', { takes: take('400') }), refund('r2', { takes: take('600') })];
  const sent = (each: Refund): Refund => ({ ...each, place: 'sent' });
  assert.deepEqual(told(dossier([first]), dossier([sent(first)])), ['REFUND_PARTIAL r1']);
  assert.deepEqual(told(dossier([sent(first), second]), dossier([sent(first), sent(second)])), ['REFUND_COMPLETED r2']);
  assert.deepEqual(told(dossier([first, second]), dossier([sent(second), sent(first)])), [
    'REFUND_PARTIAL r2',
    'REFUND_COMPLETED r1',
  ]);
});

test('of a refunded checkout every later refund completes it', () => {
  const checkout = { state: 'REFUNDED' as const };
  const before = dossier([refund('r1')], { checkout });
  assert.deepEqual(told(before, dossier([refund('r1', { place: 'sent' })], { checkout })), ['REFUND_COMPLETED r1']);
});

test('an excess is completed when nothing of it is left, nor on its way', () => {
  const sent = ofExcess('r1', { place: 'sent' });
  assert.deepEqual(told(settled([ofExcess('r1')]), settled([sent])), ['REFUND_COMPLETED r1']);
  assert.deepEqual(
    told(settled([ofExcess('r1')], 1100n), settled([sent], 1100n)),
    ['REFUND_PARTIAL r1'],
    'more is left',
  );
  for (const place of ['none', 'reserved'] as const)
    assert.deepEqual(
      told(settled([ofExcess('r1')]), settled([sent, ofExcess('r2', { place })])),
      ['REFUND_PARTIAL r1'],
      place,
    );
  assert.deepEqual(told(settled([ofExcess('r1')]), settled([sent, refund('r2')])), ['REFUND_COMPLETED r1']);
  const returned = ofExcess('r2', { place: 'returned', state: 'CANCELED' });
  assert.deepEqual(told(settled([ofExcess('r1')]), settled([sent, returned])), ['REFUND_COMPLETED r1']);
});

test('beyond the price is only what was settled, or came after a refund', () => {
  const nowhere = { payment: { place: 'none' as const, state: 'DROPPED' as const } };
  const sent = ofExcess('r1', { place: 'sent' });
  assert.deepEqual(told(dossier([ofExcess('r1')], nowhere), dossier([sent], nowhere)), ['REFUND_PARTIAL r1']);
  const refunded = { ...nowhere, checkout: { state: 'REFUNDED' as const } };
  assert.deepEqual(told(dossier([ofExcess('r1')], refunded), dossier([sent], refunded)), ['REFUND_COMPLETED r1']);
});

test('a payment that is there again may complete what was sent long ago', () => {
  const refunds = [
    refund('r1', { place: 'sent' }),
    refund('r2', { place: 'sent' }),
    ofExcess('r3', { place: 'sent' }),
    refund('r4', { place: 'returned', state: 'CANCELED' }),
  ];
  const refunded = dossier(refunds, { checkout: { state: 'REFUNDED' } });
  assert.deepEqual(told(dossier(refunds), refunded), ['REFUND_COMPLETED r2']);
  assert.deepEqual(told(refunded, refunded), [], 'once');
});
