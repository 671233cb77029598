import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  type CustomDeposit,
  type DepositDossier,
  type DepositPayment,
  depositExceptions,
  depositState,
  paymentException,
  receivedUnits,
  type UnreadPayments,
  unreadCount,
} from './custom-deposit.ts';

const now = new Date('2026-03-01T12:00:00Z');

const dossier = (
  payments: readonly DepositPayment[],
  deposit: Partial<CustomDeposit> = {},
  rest: Partial<DepositDossier> = {},
): DepositDossier => ({
  deposit: {
    merchantId: 'm',
    id: 'd',
    apiKey: 'k',
    state: 'CREATED',
    exceptions: [],
    network: 'BITCOIN',
    asset: 'BTC',
    isReusable: false,
    expectedUnits: null,
    targetKey: 't',
    address: 'a',
    memo: null,
    memoType: null,
    webhook: null,
    meta: null,
    extraConfirmations: 0,
    reversals: 0,
    createdAt: now,
    expiresAt: null,
    closedAt: null,
    ...deposit,
  },
  payments,
  unread: [],
  crumbs: [],
  hasStrays: false,
  ...rest,
});

const credit = { reference: 'r', grossUnits: 100n, feeUnits: 1n, netUnits: 99n, creditedAt: now };
const payment = (id: string, terms: Partial<DepositPayment> = {}): DepositPayment => ({
  id,
  network: 'BITCOIN',
  txHash: id,
  asset: 'BTC',
  units: 100n,
  state: 'SEEN',
  place: 'none',
  generation: 0,
  blockTime: null,
  firstSeenAt: now,
  announced: null,
  credit: null,
  ...terms,
});
const credited = (id: string, terms: Partial<DepositPayment> = {}) =>
  payment(id, { state: 'FINAL', place: 'settled', credit, ...terms });
const unread = (terms: Partial<UnreadPayments>): UnreadPayments => ({
  asset: 'BTC',
  creditedCount: 0,
  grossUnits: 0n,
  feeUnits: 0n,
  netUnits: 0n,
  waitingCount: 0,
  waitingUnits: 0n,
  ...terms,
});

test('a deposit is created until something arrives, pending while anything waits, and completed when all is credited', () => {
  assert.equal(depositState(dossier([])), 'CREATED');
  assert.equal(depositState(dossier([payment('p1', { state: 'DROPPED' })])), 'CREATED');
  assert.equal(depositState(dossier([payment('p1')])), 'PENDING');
  assert.equal(depositState(dossier([credited('p1')])), 'COMPLETED');
  assert.equal(depositState(dossier([credited('p1'), payment('p2')])), 'PENDING');
  assert.equal(depositState(dossier([credited('p1'), payment('p2', { state: 'REPLACED' })])), 'COMPLETED');
});

test('payments that were not read one by one count too', () => {
  const state = (payments: DepositPayment[], ...rest: UnreadPayments[]) =>
    depositState(dossier(payments, {}, { unread: rest }));
  assert.equal(state([], unread({})), 'CREATED');
  assert.equal(state([], unread({ creditedCount: 3 })), 'COMPLETED');
  assert.equal(state([], unread({}), unread({ creditedCount: 3 })), 'COMPLETED');
  assert.equal(state([], unread({ waitingCount: 1 })), 'PENDING');
  assert.equal(state([credited('p1')], unread({ creditedCount: 3, waitingCount: 1 })), 'PENDING');
  assert.equal(unreadCount(unread({ creditedCount: 3, waitingCount: 2 })), 5);
});

test('of a single-use deposit the first payment in the right asset is the one that was asked for', () => {
  const payments = [
    payment('gone', { state: 'DROPPED' }),
    payment('strange', { asset: 'LTC' }),
    payment('first'),
    payment('second'),
  ];
  const exceptionOf = (id: string, deposit: Partial<CustomDeposit> = {}) => {
    const each = payments.find((payment) => payment.id === id);
    assert.ok(each);
    return paymentException(dossier(payments, deposit), each);
  };
  assert.equal(exceptionOf('first'), null);
  assert.equal(exceptionOf('second'), 'DUPLICATE');
  assert.equal(exceptionOf('strange'), 'WRONG_ASSET');
  assert.equal(exceptionOf('second', { isReusable: true }), null);
  assert.equal(exceptionOf('strange', { isReusable: true }), 'WRONG_ASSET');
  assert.equal(paymentException(dossier([]), payment('p1')), null);
});

const oddities = (
  payments: DepositPayment[],
  deposit: Partial<CustomDeposit> = {},
  rest: Partial<DepositDossier> = {},
) => depositExceptions(dossier(payments, deposit, rest), false);

test('a deposit says what was odd about its payments, each once, and only of those that are alive', () => {
  assert.deepEqual(oddities([payment('p1')]), []);
  assert.deepEqual(oddities([payment('p1'), payment('p2'), payment('p3')]), ['DUPLICATE']);
  assert.deepEqual(oddities([payment('p1'), payment('p2', { asset: 'LTC' })]), ['WRONG_ASSET']);
  assert.deepEqual(oddities([payment('p1'), payment('p2', { asset: 'LTC', state: 'DROPPED' })]), []);
});

test('what is no asset of ours, or was not read one by one, is told as the wrong asset as well', () => {
  assert.deepEqual(oddities([], {}, { hasStrays: true }), ['WRONG_ASSET']);
  assert.deepEqual(oddities([], {}, { unread: [unread({ asset: 'LTC', creditedCount: 1 })] }), ['WRONG_ASSET']);
  assert.deepEqual(oddities([], {}, { unread: [unread({ asset: 'LTC' })] }), []);
  assert.deepEqual(oddities([], {}, { unread: [unread({ creditedCount: 1 })] }), []);
});

test('an expected amount is met, or it is partial or overpaid once something is there', () => {
  const expected = { expectedUnits: 100n };
  assert.deepEqual(oddities([payment('p1')], expected), []);
  assert.deepEqual(oddities([payment('p1', { units: 99n })], expected), ['PARTIAL']);
  assert.deepEqual(oddities([payment('p1', { units: 101n })], expected), ['OVERPAID']);
  assert.deepEqual(oddities([], expected), []);
  assert.deepEqual(oddities([payment('p1', { units: 99n })], { ...expected, isReusable: true }), []);
});

test('a reorganisation and a missing market are told', () => {
  assert.deepEqual(oddities([], { reversals: 1 }), ['REORGED']);
  assert.deepEqual(depositExceptions(dossier([]), true), ['NO_MARKET']);
});

test('received is what has arrived in the right asset, credited or not, read or not', () => {
  const payments = [
    payment('p1', { units: 1n }),
    credited('p2', { units: 20n }),
    payment('p3', { units: 300n, state: 'DROPPED' }),
    payment('p4', { units: 4_000n, asset: 'LTC' }),
  ];
  const rest = [
    unread({ grossUnits: 50_000n, waitingUnits: 600_000n, netUnits: 7n }),
    unread({ asset: 'LTC', grossUnits: 8_000_000n }),
  ];
  assert.equal(receivedUnits(dossier(payments, {}, { unread: rest })), 650_021n);
});
