/** Random lives of deposits: whatever the chain does, no unit is lost, doubled or credited before its time. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { createMemoryLedger } from '../../test/memory-ledger.ts';
import type { DepositDossier, DepositPayment } from '../deposits/custom-deposit.ts';
import { isAlive, isConfirmed, type PaymentState } from '../deposits/payment-state.ts';
import { chainWallet, merchantAccount, operatorAccount } from '../ledger/chart-of-accounts.ts';
import { decimal } from '../money/decimal.ts';
import { type DepositTerms, planDeposit } from './plan-deposit.ts';

const merchantId = 'merchant0001';
const assets = ['BTC:G', 'LTC:G'] as const;
const now = new Date('2026-03-01T12:00:00Z');

const terms = (hasRate: boolean): DepositTerms => ({
  fees: { percent: decimal('0.005'), minimumUsd: decimal('0.01') },
  rateOf: () => (hasRate ? { usd: decimal(100), sources: [], at: now } : { missing: 'nobody answers' }),
  assetFacts: () => ({ ledgerScale: 8, currencyCode: 'BTC', networks: ['BITCOIN'] }),
});

const emptyDeposit: DepositDossier = {
  deposit: {
    merchantId,
    id: 'deposit00001',
    apiKey: 'k',
    state: 'CREATED',
    exceptions: [],
    network: 'BITCOIN',
    asset: assets[0],
    isReusable: false,
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
  payments: [],
  unread: [],
  crumbs: [],
  hasStrays: false,
};

const newPayment = (number: number, asset: string, units: bigint): DepositPayment => ({
  id: `payment${number}`,
  network: 'BITCOIN',
  txHash: `tx${number}`,
  asset,
  units,
  state: 'SEEN',
  place: 'none',
  generation: 0,
  blockTime: null,
  firstSeenAt: new Date(number),
  announced: null,
  credit: null,
});

type Step =
  | { do: 'arrive'; asset: number; units: bigint }
  | { do: 'become'; payment: number; state: PaymentState }
  | { do: 'spend'; asset: number; percent: bigint };

const step: fc.Arbitrary<Step> = fc.oneof(
  fc.record({ do: fc.constant('arrive' as const), asset: fc.nat(1), units: fc.bigInt({ min: 1n, max: 10n ** 12n }) }),
  fc.record({
    do: fc.constant('become' as const),
    payment: fc.nat(4),
    state: fc.constantFrom<PaymentState>('SEEN', 'CONFIRMED', 'CONFIRMED', 'DROPPED', 'REPLACED', 'REVERSED'),
  }),
  fc.record({ do: fc.constant('spend' as const), asset: fc.nat(1), percent: fc.bigInt({ min: 1n, max: 100n }) }),
);

test('random histories never lose or double a unit', () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(step, fc.boolean()), { maxLength: 40 }), (steps) => {
      const ledger = createMemoryLedger();
      let dossier = emptyDeposit;
      let spent = 0;
      for (const [each, hasRate] of [...steps, [null, true] as const]) {
        if (each?.do === 'arrive') {
          const payment = newPayment(dossier.payments.length, assets[each.asset] ?? assets[0], each.units);
          dossier = { ...dossier, payments: [...dossier.payments, payment] };
        } else if (each?.do === 'become') {
          const payments = dossier.payments.map((payment, at) =>
            at === each.payment ? { ...payment, state: each.state } : payment,
          );
          dossier = { ...dossier, payments };
        } else if (each?.do === 'spend') {
          const account = merchantAccount(merchantId, 'available', assets[each.asset] ?? assets[0]);
          const units = (ledger.balance(account) * each.percent) / 100n;
          const equity = operatorAccount('equity', assets[each.asset] ?? assets[0]);
          const lines = [
            { account, units: -units },
            { account: equity, units },
          ];
          const subject = { kind: 'transfer', id: `spent:${spent++}` } as const;
          const entry = { reference: subject.id, kind: 'transfer_sent', merchantId, subject, lines } as const;
          if (units > 0n) ledger.post([entry]);
        }
        const plan = planDeposit(dossier, terms(hasRate), ledger.merchantBalances(merchantId, assets), now);
        ledger.post(plan.entries);
        const again = planDeposit(plan.after, terms(hasRate), ledger.merchantBalances(merchantId, assets), now);
        assert.deepEqual([again.entries, again.events], [[], []], 'nothing is due twice');
        dossier = plan.after;

        for (const asset of assets) {
          const confirmed = dossier.payments.filter((payment) => payment.asset === asset && isConfirmed(payment));
          const held = confirmed.reduce((sum, { units }) => sum + units, 0n);
          assert.equal(-ledger.balance(chainWallet('BITCOIN', asset)), held, 'the books hold what is confirmed');
          const credited = confirmed.reduce((sum, { credit }) => sum + (credit?.netUnits ?? 0n), 0n);
          const merchant = (['available', 'receivable'] as const)
            .map((purpose) => ledger.balance(merchantAccount(merchantId, purpose, asset)))
            .reduce((sum, balance) => sum + balance, ledger.balance(operatorAccount('equity', asset)));
          assert.equal(merchant, credited, 'what was credited is there, was spent or is owed');
        }
      }
      for (const payment of dossier.payments) {
        assert.equal(payment.credit !== null, isConfirmed(payment), 'with a rate, all that is confirmed is credited');
        if (isAlive(payment)) assert.notEqual(payment.announced, null);
      }
    }),
    { numRuns: 300 },
  );
});

test('a thousand tiny payments are taken up a hundred at a time', () => {
  const payments = Array.from({ length: 1_000 }, (_, number) => ({
    ...newPayment(number, assets[0], 1_000n),
    state: 'CONFIRMED' as const,
    blockTime: now,
  }));
  const balances = { available: new Map<string, bigint>(), owed: new Map<string, bigint>() };
  let dossier: DepositDossier = { ...emptyDeposit, payments };
  for (let plans = 1; plans <= 10; plans += 1) {
    const plan = planDeposit(dossier, terms(true), balances, now);
    assert.equal(plan.events.length, 100);
    assert.deepEqual(plan.lookAgainAt, plans < 10 ? now : null, 'the rest is not forgotten');
    dossier = plan.after;
  }
  assert.ok(dossier.payments.every(({ credit }) => credit !== null));
  assert.equal(planDeposit(dossier, terms(true), balances, now).entries.length, 0);
});

test('a hundred payments that wait for a rate keep no other one waiting', () => {
  const withoutLitecoin: DepositTerms = {
    ...terms(true),
    rateOf: (code) => (code === 'LTC' ? { missing: 'nobody answers' } : { usd: decimal(100), sources: [], at: now }),
    assetFacts: (asset) => ({ ledgerScale: 8, currencyCode: asset.slice(0, 3), networks: ['BITCOIN'] }),
  };
  const confirmed = { state: 'CONFIRMED', blockTime: now } as const;
  const litecoins = Array.from({ length: 100 }, (_, number) => newPayment(number, assets[1], 1_000_000n));
  const others = [newPayment(100, assets[1], 1_000_000n), newPayment(101, assets[0], 1_000_000n)];
  const balances = { available: new Map<string, bigint>(), owed: new Map<string, bigint>() };
  const payments = [...litecoins, ...others].map((payment) => ({ ...payment, ...confirmed }));
  const first = planDeposit({ ...emptyDeposit, payments }, withoutLitecoin, balances, now);
  assert.deepEqual(first.lookAgainAt, now, 'there is more to do');
  const second = planDeposit(first.after, withoutLitecoin, balances, now);
  assert.deepEqual(
    second.events.map(({ type, payment }) => `${type} ${payment.id}`),
    ['DEPOSIT_COMPLETED payment101', 'DEPOSIT_PENDING payment100'],
  );
  assert.deepEqual(second.after.deposit.exceptions, ['WRONG_ASSET', 'NO_MARKET']);
  assert.ok(second.lookAgainAt && second.lookAgainAt > now, 'a rate is waited for');

  const unconfirmed = { state: 'SEEN', blockTime: null } as const;
  const gone = second.after.payments.map((each) => (each.id === 'payment101' ? { ...each, ...unconfirmed } : each));
  const third = planDeposit({ ...second.after, payments: gone }, withoutLitecoin, balances, now);
  assert.deepEqual(
    third.events.map(({ type }) => type),
    ['DEPOSIT_REVERSED'],
    'nor does it keep what a reorganisation took',
  );
});
