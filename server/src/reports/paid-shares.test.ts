import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { CheckoutDossier } from '../checkouts/checkout.ts';
import type { EntryHead } from '../ledger/entry-head-store.ts';
import { paidSteps } from './paid-shares.ts';

/** Only what the shares are read from. 100 units are due on Bitcoin, 1000 on Litecoin. */
const dossierOf = (more: object): CheckoutDossier =>
  ({
    checkout: { acceptedExcess: [] },
    commitments: [
      { id: 'btc', dueUnits: 100n },
      { id: 'ltc', dueUnits: 1000n },
    ],
    payments: [],
    settlements: [],
    refunds: [],
    ...more,
  }) as unknown as CheckoutDossier;

const settled = (generation: number, ...counted: readonly [commitmentId: string, countedUnits: string][]) => ({
  reference: `settlement:c:${generation}`,
  parts: counted.map(([commitmentId, countedUnits]) => ({ commitmentId, countedUnits })),
});
const refund = (id: string, ...covers: readonly [commitmentId: string, units: string][]) => ({
  id,
  covers: covers.map(([commitmentId, units]) => ({ commitmentId, units })),
});

let minute = 0;
const entry = (kind: string, reference: string, subjectId = 'c'): EntryHead => ({
  kind,
  reference,
  postedAt: new Date(Date.parse('2026-01-01') + (minute += 1) * 60_000),
  subject: { kind: kind.startsWith('refund') ? 'refund' : 'checkout', id: subjectId },
});

/** After each entry, as a fraction. */
const sharesOf = (dossier: CheckoutDossier, entries: readonly EntryHead[]): string[] =>
  paidSteps(dossier, entries, () => ({ numerator: 1n, denominator: 5n })).map(
    ({ after }) => `${after.numerator}/${after.denominator}`,
  );

test('parts on several networks add up, refunds take away, and what comes back is there again', () => {
  const dossier = dossierOf({
    settlements: [settled(1, ['btc', '50'], ['ltc', '250'])],
    refunds: [refund('a', ['btc', '25']), refund('b', ['btc', '25'], ['ltc', '250'])],
  });
  const entries = [
    entry('settlement', 'settlement:c:1'),
    entry('refund_held', 'refund:a:held', 'a'),
    entry('refund_held', 'refund:b:held', 'b'),
    entry('refund_returned', 'refund:a:returned', 'a'),
  ];
  assert.deepEqual(sharesOf(dossier, entries), ['3/4', '1/2', '0/1', '1/4']);
});

test('of a refund that comes back in parts each part is there again, and in the end all of it', () => {
  const dossier = dossierOf({
    settlements: [settled(1, ['btc', '100'])],
    refunds: [{ ...refund('a', ['btc', '50']), sentUnits: 400n, cameBackUnits: 400n }],
  });
  const entries = [
    entry('settlement', 'settlement:c:1'),
    entry('refund_held', 'refund:a', 'a'),
    entry('refund_came_back', 'refund:a:came-back:100', 'a'),
    entry('refund_came_back', 'refund:a:came-back:400', 'a'),
  ];
  assert.deepEqual(sharesOf(dossier, entries), ['1/1', '1/2', '5/8', '1/1']);
});

test('what came late and had lost value is that much of the price, and all of it given back is nothing', () => {
  const [part] = settled(1, ['btc', '100']).parts;
  const dossier = dossierOf({
    settlements: [{ reference: 'settlement:c:1', parts: [{ ...part, worthUnits: '95' }] }],
    refunds: [refund('a', ['btc', '50']), refund('b', ['btc', '50'])],
  });
  const entries = [
    entry('settlement', 'settlement:c:1'),
    entry('refund_held', 'refund:a:held', 'a'),
    entry('refund_held', 'refund:b:held', 'b'),
    entry('refund_returned', 'refund:b:returned', 'b'),
    entry('settlement_reversed', 'settlement:c:1:reversed'),
  ];
  assert.deepEqual(sharesOf(dossier, entries), ['19/20', '19/40', '0/1', '19/40', '-19/40']);
});

test('what is given back of one way to pay is what that one counted as, whatever others had lost', () => {
  const [inTime, late] = settled(1, ['btc', '50'], ['ltc', '500']).parts;
  const dossier = dossierOf({
    settlements: [{ reference: 'settlement:c:1', parts: [inTime, { ...late, worthUnits: '250' }] }],
    refunds: [refund('a', ['btc', '50']), refund('b', ['ltc', '500'])],
  });
  const entries = [
    entry('settlement', 'settlement:c:1'),
    entry('refund_held', 'refund:a', 'a'),
    entry('refund_held', 'refund:b', 'b'),
    entry('refund_returned', 'refund:a:returned', 'a'),
  ];
  assert.deepEqual(sharesOf(dossier, entries), ['3/4', '1/4', '0/1', '1/2']);
});

test('of two ways that come to more than the price each is its part of it, and all of it given back is nothing', () => {
  const [inTime, late] = settled(1, ['btc', '100'], ['ltc', '1000']).parts;
  const dossier = dossierOf({
    settlements: [{ reference: 'settlement:c:1', parts: [inTime, { ...late, worthUnits: '250' }] }],
    refunds: [refund('a', ['btc', '100']), refund('b', ['ltc', '500']), refund('c', ['ltc', '500'])],
  });
  const entries = [
    entry('settlement', 'settlement:c:1'),
    entry('refund_held', 'refund:a', 'a'),
    entry('refund_held', 'refund:b', 'b'),
    entry('refund_held', 'refund:c', 'c'),
  ];
  assert.deepEqual(sharesOf(dossier, entries), ['1/1', '1/5', '1/10', '0/1']);
});

test('what fills the price is the price, however many units that took, and all of it given back is nothing', () => {
  const dossier = dossierOf({
    settlements: [settled(1, ['btc', '105'])],
    refunds: [refund('a', ['btc', '35']), refund('b', ['btc', '70'])],
  });
  const entries = [
    entry('settlement', 'settlement:c:1'),
    entry('refund_held', 'refund:a:held', 'a'),
    entry('refund_held', 'refund:b:held', 'b'),
  ];
  assert.deepEqual(sharesOf(dossier, entries), ['1/1', '2/3', '0/1']);
});

test('a credit that a chain took back is gone until it is credited again', () => {
  const dossier = dossierOf({ settlements: [settled(1, ['btc', '60']), settled(2, ['btc', '100'])] });
  const entries = [
    entry('settlement', 'settlement:c:1'),
    entry('settlement_reversed', 'settlement:c:1:reversed'),
    entry('settlement', 'settlement:c:2'),
  ];
  assert.deepEqual(sharesOf(dossier, entries), ['3/5', '0/1', '1/1']);
});

test('an excess that is kept is beyond the price, and goes and comes with its payment', () => {
  const acceptedExcess = [
    { takes: [{ paymentId: 'p', units: '50' }], acceptedAt: '2026-01-01T00:00:00Z' },
    { takes: [{ paymentId: 'strange', units: '7' }], acceptedAt: '2026-01-01T00:00:00Z' },
  ];
  const payments = [
    { id: 'p', commitmentId: 'btc', asset: 'BTC' },
    { id: 'strange', commitmentId: null, asset: 'USDC' },
  ];
  const dossier = dossierOf({ checkout: { acceptedExcess }, payments, settlements: [settled(1, ['btc', '100'])] });
  const entries = [
    entry('settlement', 'settlement:c:1'),
    entry('excess_accepted', 'excess:c:1'),
    entry('excess_accepted', 'excess:c:2'),
    entry('payment_reversed', 'payment:p:2'),
    entry('payment_received', 'payment:p:3'),
  ];
  assert.deepEqual(sharesOf(dossier, entries), ['1/1', '3/2', '17/10', '6/5', '17/10']);
});
