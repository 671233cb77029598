/**
 * A custom deposit: an address for money that arrives without a charge. Whatever arrives is credited in the asset that
 * was paid, so there is nothing to decide; state and exceptions only tell the merchant what happened.
 */

import type { AnnouncedDeposit, DepositState } from './custom-deposit-state.ts';
import { isAlive, type PaymentPlace, type PaymentState } from './payment-state.ts';
import type { RailSum } from './payment-totals.ts';

export type { DepositState };

export type DepositException = 'DUPLICATE' | 'WRONG_ASSET' | 'PARTIAL' | 'OVERPAID' | 'REORGED' | 'NO_MARKET';

export type CustomDeposit = {
  readonly merchantId: string;
  readonly id: string;
  /** Null: a person made it. */
  readonly apiKey: string | null;
  readonly state: DepositState;
  readonly exceptions: readonly DepositException[];
  readonly network: string;
  readonly asset: string;
  readonly isReusable: boolean;
  readonly expectedUnits: bigint | null;
  readonly targetKey: string;
  readonly address: string;
  readonly memo: string | null;
  readonly memoType: string | null;
  readonly webhook: string | null;
  readonly meta: unknown;
  readonly extraConfirmations: number;
  readonly reversals: number;
  readonly createdAt: Date;
  readonly expiresAt: Date | null; // of an invoice
  readonly closedAt: Date | null; // by the merchant, who expects nothing there any more
};

/** The credit that stands for a payment. */
export type DepositCredit = {
  readonly reference: string;
  readonly grossUnits: bigint;
  readonly feeUnits: bigint;
  readonly netUnits: bigint;
  readonly creditedAt: Date;
};

export type DepositPayment = {
  readonly id: string;
  readonly network: string;
  readonly txHash: string;
  readonly asset: string;
  readonly units: bigint;
  readonly state: PaymentState;
  readonly place: PaymentPlace;
  readonly generation: number;
  readonly blockTime: Date | null;
  readonly firstSeenAt: Date;
  /** The last thing that the merchant was told about it; null: nothing. */
  readonly announced: AnnouncedDeposit | null;
  readonly credit: DepositCredit | null;
};

/** Payments in one asset that were not read one by one: those that stand credited, and those that wait. */
export type UnreadPayments = {
  readonly asset: string;
  readonly creditedCount: number;
  readonly grossUnits: bigint;
  readonly feeUnits: bigint;
  readonly netUnits: bigint;
  readonly waitingCount: number;
  readonly waitingUnits: bigint;
};

/**
 * Everything there is to know about a deposit, read at one moment. A reusable one may be paid for years, and by
 * anybody: of its payments only the newest are read, and those with which something is to be done.
 */
export type DepositDossier = {
  readonly deposit: CustomDeposit;
  readonly payments: readonly DepositPayment[]; // in the order of their arrival
  readonly unread: readonly UnreadPayments[];
  readonly crumbs: readonly RailSum[];
  /** Something that is no asset of ours arrived at its target. */
  readonly hasStrays: boolean;
};

export function depositState({ payments, unread }: DepositDossier): DepositState {
  const alive = payments.filter(isAlive);
  if (alive.length === 0 && unread.every((each) => unreadCount(each) === 0)) return 'CREATED';
  const isWaiting = alive.some(({ credit }) => credit === null) || unread.some(({ waitingCount }) => waitingCount > 0);
  return isWaiting ? 'PENDING' : 'COMPLETED';
}

export const unreadCount = ({ creditedCount, waitingCount }: UnreadPayments): number => creditedCount + waitingCount;

/**
 * Of the payments in the right asset the first is the one that was asked for; if the deposit is single-use, the others
 * are too many.
 */
export function paymentException(
  { deposit, payments }: DepositDossier,
  payment: Pick<DepositPayment, 'id' | 'asset'>,
): 'DUPLICATE' | 'WRONG_ASSET' | null {
  if (payment.asset !== deposit.asset) return 'WRONG_ASSET';
  if (deposit.isReusable) return null;
  const first = payments.find((each) => isAlive(each) && each.asset === deposit.asset);
  return first === undefined || first.id === payment.id ? null : 'DUPLICATE';
}

export function depositExceptions(dossier: DepositDossier, isMarketMissing: boolean): DepositException[] {
  const { deposit, unread, hasStrays } = dossier;
  const alive = dossier.payments.filter(isAlive);
  const exceptions = new Set<DepositException>();
  for (const payment of alive) {
    const exception = paymentException(dossier, payment);
    if (exception) exceptions.add(exception);
  }
  for (const each of unread) if (unreadCount(each) > 0 && each.asset !== deposit.asset) exceptions.add('WRONG_ASSET');
  if (hasStrays) exceptions.add('WRONG_ASSET');
  const received = receivedUnits(dossier);
  if (deposit.expectedUnits !== null && !deposit.isReusable && received > 0n) {
    if (received < deposit.expectedUnits) exceptions.add('PARTIAL');
    if (received > deposit.expectedUnits) exceptions.add('OVERPAID');
  }
  if (deposit.reversals > 0) exceptions.add('REORGED');
  if (isMarketMissing) exceptions.add('NO_MARKET');
  return [...exceptions];
}

/** What has arrived in the asset that was asked for, credited or not. */
export const receivedUnits = ({ deposit, payments, unread }: DepositDossier): bigint =>
  payments
    .filter((payment) => isAlive(payment) && payment.asset === deposit.asset)
    .reduce((sum, { units }) => sum + units, 0n) +
  unread
    .filter(({ asset }) => asset === deposit.asset)
    .reduce((sum, { grossUnits, waitingUnits }) => sum + grossUnits + waitingUnits, 0n);
