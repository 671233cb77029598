/** One deposit, look after look: what is posted, announced and stored. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { shortName } from '../../test/settlement-story.ts';
import type { DepositDossier, DepositPayment } from '../deposits/custom-deposit.ts';
import { balancedEntry } from '../ledger/entry.ts';
import { decimal } from '../money/decimal.ts';
import { changesBalance, type DepositPlan, type DepositTerms, planDeposit } from './plan-deposit.ts';

const now = new Date('2026-03-01T12:00:00Z');
const btc = 'BTC:G';
const balances = { available: new Map([[btc, 10_000n]]), owed: new Map() };
const terms = (usd: string | null = '100', minimumUsd = '0.00001'): DepositTerms => ({
  fees: { percent: decimal('0.01'), minimumUsd: decimal(minimumUsd) },
  rateOf: () => (usd === null ? { missing: 'nobody answers' } : { usd: decimal(usd), sources: [], at: now }),
  assetFacts: () => ({ ledgerScale: 8, currencyCode: 'BTC', networks: ['BITCOIN'] }),
});

const payment = (changes: Partial<DepositPayment> = {}): DepositPayment => ({
  id: 'p1',
  network: 'BITCOIN',
  txHash: 'tx',
  asset: btc,
  units: 100_000n,
  state: 'CONFIRMED',
  place: 'none',
  generation: 0,
  blockTime: now,
  firstSeenAt: now,
  announced: null,
  credit: null,
  ...changes,
});
const dossier = (...payments: DepositPayment[]): DepositDossier => ({
  deposit: {
    merchantId: 'm',
    id: 'd1',
    apiKey: 'k',
    state: 'CREATED',
    exceptions: [],
    network: 'BITCOIN',
    asset: btc,
    isReusable: true,
    expectedUnits: null,
    targetKey: 't',
    address: 't',
    memo: null,
    memoType: null,
    webhook: null,
    meta: null,
    extraConfirmations: 0,
    reversals: 0,
    createdAt: now,
    expiresAt: null,
    closedAt: null,
  },
  payments,
  unread: [],
  crumbs: [],
  hasStrays: false,
});

const plan = (before: DepositDossier, some = terms()): DepositPlan => planDeposit(before, some, balances, now);
const posted = ({ entries }: DepositPlan) =>
  entries.map((entry) => [
    ...[entry.kind, entry.reference, entry.merchantId, `${entry.subject.kind} ${entry.subject.id}`],
    Object.fromEntries(balancedEntry(entry).lines.map(({ account, units }) => [shortName(account), units])),
  ]);
const told = ({ events }: DepositPlan) =>
  events.map(({ type, payment, dossier }) => [type, payment.announced, dossier.deposit.state]);
const changed = (before: DepositDossier, changes: Partial<DepositPayment>): DepositDossier => ({
  ...before,
  payments: before.payments.map((each) => ({ ...each, ...changes })),
});

test('a payment that is seen is announced, and nothing is posted', () => {
  const seen = plan(dossier(payment({ state: 'SEEN', blockTime: null })));
  assert.deepEqual([posted(seen), told(seen)], [[], [['DEPOSIT_PENDING', 'PENDING', 'PENDING']]]);
  assert.equal(seen.lookAgainAt, null);
  const again = plan(seen.after);
  assert.deepEqual([again.entries, again.events], [[], []]);
});

test('a confirmed payment is booked and credited, less the fee', () => {
  const done = plan(dossier(payment()));
  assert.deepEqual(posted(done), [
    [
      'payment_received',
      'payment:p1:1',
      'm',
      'deposit d1',
      { 'wallet-BITCOIN BTC': -100_000n, 'pending BTC': 100_000n },
    ],
    [
      ...['deposit_credited', 'deposit:p1:1', 'm', 'deposit d1'],
      { 'pending BTC': -100_000n, 'fees BTC': 1_000n, 'available BTC': 99_000n },
    ],
  ]);
  assert.deepEqual(told(done), [['DEPOSIT_COMPLETED', 'COMPLETED', 'COMPLETED']]);
  const [after] = done.after.payments;
  assert.deepEqual([after?.place, after?.generation, done.after.deposit.state], ['settled', 1, 'COMPLETED']);
  assert.deepEqual(after?.credit, {
    reference: 'deposit:p1:1',
    grossUnits: 100_000n,
    feeUnits: 1_000n,
    netUnits: 99_000n,
    creditedAt: now,
  });
  assert.deepEqual(plan(done.after).entries, []);
});

test('a credit whose payment vanished is taken back, and comes again under another number', () => {
  const done = plan(dossier(payment()));
  const gone = plan(changed(done.after, { state: 'SEEN', blockTime: null }));
  assert.deepEqual(posted(gone), [
    [
      ...['deposit_reversed', 'deposit:p1:1:reversed', 'm', 'deposit d1'],
      { 'pending BTC': 100_000n, 'fees BTC': -1_000n, 'available BTC': -10_000n, 'receivable BTC': -89_000n },
    ],
    [
      'payment_reversed',
      'payment:p1:2',
      'm',
      'deposit d1',
      { 'wallet-BITCOIN BTC': 100_000n, 'pending BTC': -100_000n },
    ],
  ]);
  assert.deepEqual(told(gone), [['DEPOSIT_REVERSED', 'REVERSED', 'PENDING']]);
  const [after] = gone.after.payments;
  assert.deepEqual([after?.place, after?.credit, gone.after.deposit.reversals], ['none', null, 1]);
  assert.deepEqual(gone.after.deposit.exceptions, ['REORGED']);
  assert.equal(gone.after.deposit.id, 'd1');
  const back = plan(changed(gone.after, { state: 'CONFIRMED', blockTime: now }));
  assert.deepEqual(
    posted(back).map(([, reference]) => reference),
    ['payment:p1:3', 'deposit:p1:3'],
  );
});

test('without a rate for the least fee the payment is booked, announced and waits', () => {
  const waiting = plan(dossier(payment()), terms(null));
  assert.deepEqual(
    [posted(waiting).map(([kind]) => kind), told(waiting)],
    [['payment_received'], [['DEPOSIT_PENDING', 'PENDING', 'PENDING']]],
  );
  assert.deepEqual(waiting.lookAgainAt, new Date(now.getTime() + 60_000));
  assert.deepEqual(waiting.after.deposit.exceptions, ['NO_MARKET']);
  const again = plan(waiting.after, terms(null));
  assert.deepEqual([again.entries, again.events, again.after.deposit.exceptions], [[], [], ['NO_MARKET']]);
  const other = {
    ...waiting.after,
    payments: [...waiting.after.payments, payment({ id: 'p2', state: 'SEEN', announced: 'PENDING' })],
  };
  assert.deepEqual(plan(other, terms(null)).after.deposit.exceptions, ['NO_MARKET'], 'one that waits is enough');
  assert.equal(posted(plan(waiting.after)).length, 1);
});

test('without a least fee no rate is needed', () => {
  assert.equal(posted(plan(dossier(payment()), terms(null, '0'))).length, 2);
});

test('what was booked before and is confirmed is only credited', () => {
  const booked = plan(dossier(payment({ place: 'pending', generation: 4, announced: 'PENDING' })));
  assert.deepEqual(
    posted(booked).map(([, reference]) => reference),
    ['deposit:p1:4'],
  );
});

test('what was booked and is gone is unbooked, and what is dropped is not announced', () => {
  const gone = plan(dossier(payment({ state: 'DROPPED', place: 'pending', generation: 1, announced: 'PENDING' })));
  assert.deepEqual(
    posted(gone).map(([kind, reference]) => [kind, reference]),
    [['payment_reversed', 'payment:p1:2']],
  );
  assert.equal(gone.after.payments[0]?.place, 'none');
  assert.deepEqual(told(plan(dossier(payment({ state: 'DROPPED' })))), []);
});

test('the balance changes when a credit is due or has to be taken back', () => {
  const credit = { reference: 'r', grossUnits: 1n, feeUnits: 0n, netUnits: 1n, creditedAt: now };
  assert.equal(changesBalance(payment()), true);
  assert.equal(changesBalance(payment({ credit })), false);
  assert.equal(changesBalance(payment({ state: 'SEEN' })), false);
  assert.equal(changesBalance(payment({ state: 'SEEN', credit })), true);
});

test('one plan takes up a hundred payments, and the next one goes on at once', () => {
  const many = Array.from({ length: 101 }, (_, number) => payment({ id: `p${number}`, state: 'SEEN' }));
  const first = plan(dossier(...many));
  assert.deepEqual([first.events.length, first.lookAgainAt], [100, now]);
  const second = plan(first.after);
  assert.deepEqual([second.events.length, second.lookAgainAt], [1, null]);
});
