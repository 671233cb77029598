/** How much can go back of what, to the unit: out of suspense and of what was credited, on every rail. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  aCommitment,
  aDossier,
  aPayment,
  aRefund,
  at,
  BTC,
  LTC,
  type PaymentTerms,
} from '../../test/sample-checkout.ts';
import type { CheckoutDossier, SettledPart } from '../checkouts/checkout.ts';
import { type Refund, recountTaken } from '../checkouts/refund.ts';
import { credited, inSuspense, refundableInSuspense, takesOf } from './refundable.ts';

const commitments = [
  aCommitment({ id: 'c1', asset: BTC, due: 1000n, minute: 0 }),
  aCommitment({ id: 'c2', asset: LTC, due: 4001n, minute: 0 }),
];
const onLitecoin = { asset: LTC, commitmentId: 'c2' };
const paid = (id: string, units: bigint, minute: number, terms: Partial<PaymentTerms> = {}) =>
  aPayment({ id, units, minute, place: 'suspense', ...terms });
const part = (commitmentId: string, counted: string): SettledPart => ({
  commitmentId,
  network: '',
  paidAsset: '',
  creditedAsset: '',
  basis: 'QUOTE',
  countedUnits: counted,
  excessUnits: '0',
  grossUnits: '0',
  feeUnits: '0',
  netUnits: '0',
});
const back = (id: string, terms: Partial<Refund>): Refund =>
  aRefund({ id, asset: BTC, units: 1n, takes: [], place: 'sent', ...terms });
const take = (paymentId: string, units: string) => ({ paymentId, units, feeUnits: '0' });
const cover = (commitmentId: string, units: string) => ({ commitmentId, units });

type Told = {
  readonly payments: CheckoutDossier['payments'];
  readonly parts?: readonly SettledPart[];
  readonly refunds?: readonly Refund[];
  readonly checkout?: Partial<CheckoutDossier['checkout']>;
};
const dossier = ({ payments, parts = [], refunds = [], checkout = {} }: Told): CheckoutDossier =>
  recountTaken({
    ...aDossier({ commitments, payments, checkout }),
    refunds,
    settlements:
      parts.length === 0 ? [] : [{ generation: 1, reference: 'r', parts, settledAt: at(20), reversedAt: null }],
  });

const shown = (options: ReturnType<typeof inSuspense>) =>
  options.map(({ context, network, units, payments }) => [
    ...[context, network, units],
    payments.map(({ paymentId, units }) => `${paymentId} ${units}`).join(', '),
  ]);
const suspended = (told: Told, minute = 100) => shown(inSuspense(dossier(told), at(minute)));
const refundable = (told: Told) =>
  refundableInSuspense(dossier(told), at(100)).map(({ network, units }) => [network, units]);
const creditedUnits = (told: Told) =>
  credited(dossier(told), at(100)).map(({ network, commitments }) => [
    network,
    ...commitments.map(({ units }) => units),
  ]);

test('what is in suspense is grouped by rail; what came last goes first, and what nobody asked for before it', () => {
  const told = {
    payments: [
      paid('p1', 100n, 5),
      paid('p2', 200n, 7, onLitecoin),
      paid('p3', 300n, 6),
      paid('p4', 50n, 4, { commitmentId: null }),
    ],
  };
  assert.deepEqual(suspended(told), [
    ['UNDERPAID_CHECKOUT', 'BITCOIN', 450n, 'p4 50, p3 300, p1 100'],
    ['UNDERPAID_CHECKOUT', 'LITECOIN', 200n, 'p2 200'],
  ]);
});

test('only what is confirmed, waits in suspense and was not taken can go back', () => {
  const payments = [
    paid('p1', 100n, 5, { place: 'pending' }),
    paid('p2', 100n, 5, { place: 'none' }),
    paid('p3', 100n, 5, { state: 'SEEN' }),
    paid('p4', 100n, 5),
  ];
  const refunds = [back('r1', { takes: [take('p4', '30')], place: 'reserved' })];
  assert.deepEqual(suspended({ payments, refunds }), [['UNDERPAID_CHECKOUT', 'BITCOIN', 70n, 'p4 70']]);
  const all = [back('r1', { takes: [take('p4', '100')], place: 'reserved' })];
  assert.deepEqual(suspended({ payments, refunds: all }), []);
});

test('the excess of a settlement belongs to its commitment, and is found in its last payments', () => {
  const payments = [
    paid('p1', 800n, 5, { place: 'settled' }),
    paid('p2', 500n, 6, { place: 'settled' }),
    paid('p3', 70n, 7),
  ];
  const parts = [part('c1', '700')];
  assert.deepEqual(suspended({ payments, parts }), [['OVERPAID_CHECKOUT', 'BITCOIN', 670n, 'p3 70, p2 500, p1 100']]);
  assert.deepEqual(suspended({ payments: payments.slice(0, 1), parts: [part('c1', '800')] }), []);
});

test('what is not settled yet has no part in the excess', () => {
  const payments = [paid('p1', 1200n, 5, { place: 'settled' }), paid('p2', 50n, 6, { place: 'pending' })];
  assert.deepEqual(suspended({ payments, parts: [part('c1', '1000')] }), [
    ['OVERPAID_CHECKOUT', 'BITCOIN', 200n, 'p1 200'],
  ]);
});

test('what was covered counts of what was credited, however much lies beyond it', () => {
  const told = {
    payments: [paid('p1', 1500n, 5, { place: 'settled' })],
    parts: [part('c1', '1000')],
    refunds: [
      back('r1', { covers: [cover('c1', '300')] }),
      back('r2', { covers: [cover('c1', '50')], place: 'reserved' }),
      back('r3', { covers: [cover('c1', '9')], place: 'returned' }),
    ],
  };
  assert.deepEqual(creditedUnits(told), [['BITCOIN', 650n]]);
});

test('after a refund of everything, what comes is beyond the price', () => {
  const told = { payments: [paid('p1', 100n, 5)], checkout: { state: 'REFUNDED' as const } };
  assert.deepEqual(suspended(told), [['OVERPAID_CHECKOUT', 'BITCOIN', 100n, 'p1 100']]);
});

test('what is paid in full and cannot be credited can go back once the window is over', () => {
  const told = (checkout: Partial<CheckoutDossier['checkout']>) => ({
    payments: [paid('p1', 1000n, 5, { place: 'pending' }), paid('p2', 7n, 6, { place: 'none' })],
    checkout: { state: 'PROCESSING' as const, exceptions: ['NO_MARKET' as const], ...checkout },
  });
  assert.deepEqual(suspended(told({}), 60), [['UNDERPAID_CHECKOUT', 'BITCOIN', 1000n, 'p1 1000']]);
  assert.deepEqual(suspended(told({}), 59), []);
  assert.deepEqual(suspended(told({ exceptions: [] }), 60), []);
  assert.deepEqual(suspended(told({ state: 'UNDERPAID' }), 60), []);
});

test('what was given back for a payment that vanished is not given back again', () => {
  const payments = [paid('p1', 100n, 5, { state: 'DROPPED', place: 'none' }), paid('p2', 150n, 6)];
  const refunds = (terms: Partial<Refund> = {}) => [back('r1', { takes: [take('p1', '100')], ...terms })];
  assert.deepEqual(refundable({ payments, refunds: refunds() }), [['BITCOIN', 50n]]);
  assert.deepEqual(refundable({ payments, refunds: refunds({ place: 'returned' }) }), [['BITCOIN', 150n]]);
  const more = [back('r1', { takes: [take('p1', '150')] })];
  assert.deepEqual(refundable({ payments, refunds: more }), []);
});

test('and on another rail it counts as the part of the price that it was, rounded up', () => {
  const payments = [paid('p1', 100n, 5, { state: 'DROPPED', place: 'none' }), paid('p2', 1000n, 6, onLitecoin)];
  const refunds = [back('r1', { takes: [take('p1', '100')] })];
  assert.deepEqual(refundable({ payments, refunds }), [['LITECOIN', 599n]]);
  const less = [back('r1', { takes: [take('p1', '1')] })];
  assert.deepEqual(refundable({ payments, refunds: less }), [['LITECOIN', 995n]]);
});

test('takes come out of the payments in their order, each once, and none of nothing', () => {
  const option = inSuspense(dossier({ payments: [paid('p1', 100n, 5), paid('p2', 50n, 6)] }), at(100))[0];
  assert.ok(option);
  assert.deepEqual(takesOf(option, 50n), [take('p2', '50')]);
  assert.deepEqual(takesOf(option, 51n), [take('p2', '50'), take('p1', '1')]);
  assert.deepEqual(takesOf(option, 0n), []);
});

const settled = [paid('p1', 1000n, 5, { place: 'settled' })];

test('what was credited can go back, less what the merchant gave back or set aside for it', () => {
  const parts = [part('c1', '1000')];
  assert.deepEqual(creditedUnits({ payments: settled, parts }), [['BITCOIN', 1000n]]);
  const refunds = [
    back('r1', { covers: [cover('c1', '300')] }),
    back('r2', { covers: [cover('c1', '50')], place: 'reserved' }),
    back('r3', { covers: [cover('c1', '9')], place: 'returned' }),
  ];
  assert.deepEqual(creditedUnits({ payments: settled, parts, refunds }), [['BITCOIN', 650n]]);
  assert.deepEqual(
    creditedUnits({ payments: settled, parts, refunds: [back('r1', { covers: [cover('c1', '1000')] })] }),
    [],
  );
});

test('nothing was credited without a settlement, and nothing goes back of what was refunded or is in doubt', () => {
  const parts = [part('c1', '1000')];
  assert.deepEqual(creditedUnits({ payments: settled }), []);
  assert.deepEqual(creditedUnits({ payments: settled, parts, checkout: { state: 'REFUNDED' } }), []);
  const unsettling = [paid('p1', 1000n, 5, { place: 'settled', state: 'SEEN' })];
  assert.deepEqual(creditedUnits({ payments: unsettling, parts }), []);
  assert.deepEqual(suspended({ payments: [...unsettling, paid('p2', 5n, 6)], parts }), []);
});

test('two commitments on one rail share what came on it', () => {
  const again = aCommitment({ id: 'c3', asset: BTC, due: 1000n, minute: 1 });
  const told = dossier({
    payments: [
      paid('p1', 700n, 5, { place: 'settled' }),
      paid('p2', 200n, 6, { place: 'settled', commitmentId: 'c3' }),
    ],
    parts: [part('c1', '700'), part('c3', '200')],
    refunds: [back('r1', { takes: [take('p1', '50')] })],
  });
  const options = credited({ ...told, commitments: [...commitments, again] }, at(100));
  assert.deepEqual(
    options.map(({ network, commitments }) => [network, ...commitments.map(({ units }) => units)]),
    [['BITCOIN', 700n, 150n]],
  );
});

test('what was credited says in which asset', () => {
  const [option] = credited(dossier({ payments: settled, parts: [part('c1', '1000')] }), at(100));
  assert.deepEqual([option?.context, option?.asset, option?.creditedAsset], ['COMPLETED_CHECKOUT', BTC, BTC]);
});
