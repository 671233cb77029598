/**
 * What is due on a custom deposit, given everything known about it. Pure, like `plan-advance` for checkouts, and in the
 * same order: take back what is no longer true, book what is confirmed, credit it. Every payment is credited by itself,
 * in the asset that was paid.
 */
import {
  type CustomDeposit,
  type DepositDossier,
  type DepositPayment,
  depositExceptions,
  depositState,
} from '../deposits/custom-deposit.ts';
import { announcedDeposits } from '../deposits/custom-deposit-state.ts';
import { isAlive, isConfirmed } from '../deposits/payment-state.ts';
import { chainWallet, merchantAccount, operatorAccount } from '../ledger/chart-of-accounts.ts';
import { type Entry, type EntryKind, type Line, opposite, reversalReference } from '../ledger/entry.ts';
import { addMs, minutes } from '../lib/clock.ts';
import { feeInOwnAsset } from '../pricing/settlement-fee.ts';
import { createMerchantPurse, type MerchantBalances } from './merchant-purse.ts';
import type { SettlementTerms } from './settlement-parts.ts';

export type DepositEventType = 'DEPOSIT_PENDING' | 'DEPOSIT_COMPLETED' | 'DEPOSIT_REVERSED';

export type DepositTerms = Pick<SettlementTerms, 'fees' | 'rateOf' | 'assetFacts'>;

export type DepositPlan = {
  readonly entries: readonly Entry[];
  /** With the deposit as it was when the event happened. */
  readonly events: readonly {
    readonly type: DepositEventType;
    readonly dossier: DepositDossier;
    readonly payment: DepositPayment;
  }[];
  readonly after: DepositDossier;
  readonly lookAgainAt: Date | null;
};

const retryMarketMs = minutes(1);

/**
 * Anyone can send thousands of tiny payments, and each has an event that shows the whole deposit: so one plan does only
 * this many, and the next plan goes on.
 */
const paymentsPerPlan = 100;

/** A credit is due, or must be taken back: only then do the merchant's balances matter. */
export const changesBalance = (payment: DepositPayment): boolean => isConfirmed(payment) === (payment.credit === null);

const isAnythingDue = (payment: DepositPayment): boolean =>
  changesBalance(payment) ||
  isConfirmed(payment) === (payment.place === 'none') ||
  (isAlive(payment) && payment.announced === null);

export function planDeposit(
  before: DepositDossier,
  terms: DepositTerms,
  balances: MerchantBalances,
  now: Date,
): DepositPlan {
  const { merchantId, id: depositId } = before.deposit;
  const entries: Entry[] = [];
  const events: { type: DepositEventType; dossier: DepositDossier; payment: DepositPayment }[] = [];
  const purse = createMerchantPurse(merchantId, balances);
  /** Everything that needs no rate was done. Such a payment takes no place in the plan from those that need no rate. */
  const waitsForRate = (payment: DepositPayment): boolean =>
    isConfirmed(payment) && payment.place === 'pending' && payment.announced !== null && feeOf(payment, terms) === null;
  let dossier = before;
  let isMarketMissing = before.payments.some(waitsForRate);

  const post = (kind: EntryKind, reference: string, lines: readonly Line[]): void =>
    void entries.push({ kind, reference, merchantId, subject: { kind: 'deposit', id: depositId }, lines });

  function replace(changed: DepositPayment): void {
    const payments = dossier.payments.map((payment) => (payment.id === changed.id ? changed : payment));
    dossier = described({ ...dossier, payments }, isMarketMissing);
  }

  function announce(type: DepositEventType, payment: DepositPayment): void {
    const announced = type === 'DEPOSIT_PENDING' ? 'PENDING' : type === 'DEPOSIT_COMPLETED' ? 'COMPLETED' : 'REVERSED';
    if (payment.announced !== null) announcedDeposits.assertMove(payment.announced, announced);
    const told = { ...payment, announced } as const;
    replace(told);
    events.push({ type, dossier, payment: told });
  }

  const receivedLines = ({ network, asset, units }: DepositPayment): Line[] => [
    { account: chainWallet(network, asset), units: -units },
    { account: merchantAccount(merchantId, 'pending', asset), units },
  ];

  /** All but the merchant's share, which the purse knows where to put. */
  const creditedLines = ({ asset, units }: DepositPayment, feeUnits: bigint): Line[] => [
    { account: merchantAccount(merchantId, 'pending', asset), units: -units },
    { account: operatorAccount('fees', asset), units: feeUnits },
  ];

  /** Every booking of a payment has a number of its own, so that a second booking is posted too. */
  function rebook(payment: DepositPayment, place: 'none' | 'pending', kind: EntryKind, lines: readonly Line[]): void {
    const generation = payment.generation + 1;
    post(kind, `payment:${payment.id}:${generation}`, lines);
    replace({ ...payment, place, generation });
  }

  function takeBack(payment: DepositPayment): void {
    const { credit, asset } = payment;
    if (credit === null || isConfirmed(payment)) return;
    const lines = [...opposite(creditedLines(payment, credit.feeUnits)), ...purse.take(asset, credit.netUnits)];
    post('deposit_reversed', reversalReference(credit.reference), lines);
    dossier = { ...dossier, deposit: { ...dossier.deposit, reversals: dossier.deposit.reversals + 1 } };
    announce('DEPOSIT_REVERSED', { ...payment, place: 'pending', credit: null });
  }

  function unbook(payment: DepositPayment): void {
    if (isConfirmed(payment) || payment.place !== 'pending') return;
    rebook(payment, 'none', 'payment_reversed', opposite(receivedLines(payment)));
  }

  function book(payment: DepositPayment): void {
    if (!isConfirmed(payment) || payment.place !== 'none') return;
    rebook(payment, 'pending', 'payment_received', receivedLines(payment));
  }

  function credit(payment: DepositPayment): void {
    if (!isConfirmed(payment) || payment.place !== 'pending') return;
    const feeUnits = feeOf(payment, terms);
    if (feeUnits === null) {
      isMarketMissing = true;
      return;
    }
    const reference = `deposit:${payment.id}:${payment.generation}`;
    const netUnits = payment.units - feeUnits;
    const given = { reference, grossUnits: payment.units, feeUnits, netUnits, creditedAt: now };
    post('deposit_credited', reference, [...creditedLines(payment, feeUnits), ...purse.give(payment.asset, netUnits)]);
    announce('DEPOSIT_COMPLETED', { ...payment, place: 'settled', credit: given });
  }

  function tell(payment: DepositPayment): void {
    if (isAlive(payment) && payment.announced === null) announce('DEPOSIT_PENDING', payment);
  }

  const due = before.payments.filter((payment) => isAnythingDue(payment) && !waitsForRate(payment));
  const turn = new Set(due.slice(0, paymentsPerPlan).map(({ id }) => id));
  for (const step of [takeBack, unbook, book, credit, tell])
    for (const payment of dossier.payments) if (turn.has(payment.id)) step(payment);

  dossier = described(dossier, isMarketMissing);
  const retryAt = isMarketMissing ? addMs(now, retryMarketMs) : null;
  return { entries, events, after: dossier, lookAgainAt: due.length > turn.size ? now : retryAt };
}

function described(dossier: DepositDossier, isMarketMissing: boolean): DepositDossier {
  const deposit: CustomDeposit = {
    ...dossier.deposit,
    state: depositState(dossier),
    exceptions: depositExceptions(dossier, isMarketMissing),
  };
  return { ...dossier, deposit };
}

/** Null: the least fee is in dollars, and there is no rate for it. */
function feeOf({ asset, units }: DepositPayment, { fees, rateOf, assetFacts }: DepositTerms): bigint | null {
  const fee = feeInOwnAsset(units, assetFacts(asset), fees, rateOf);
  return typeof fee === 'bigint' ? fee : null;
}
