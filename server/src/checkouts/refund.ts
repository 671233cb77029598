/**
 * Money that goes back to the customer, and money in suspense that the merchant keeps. Both take units away from
 * payments: what was taken no longer counts towards the price, whatever becomes of the payment afterwards.
 *
 * A refund of a credited checkout takes nothing from payments, because they are settled: the merchant pays it, and it
 * covers a part of what was paid.
 */
import type { Holder } from '../networks/port/sending.ts';
import type { UsedRate } from '../pricing/quote.ts';
import type { CheckoutDossier, Payment } from './checkout.ts';
import type { RefundPlace, RefundState } from './refund-state.ts';

export type RefundContext = 'COMPLETED_CHECKOUT' | 'UNDERPAID_CHECKOUT' | 'OVERPAID_CHECKOUT';

export type { RefundPlace, RefundState };

/** How it is decided what a refund of a credited checkout is worth. */
export type RefundBasis = 'PAID_UNITS' | 'BILLING_RATE' | 'CURRENT_RATE';

export type FeePayer = 'customer' | 'merchant';

/** Units of one payment, out of suspense. The fee is the service's, and is taken only of what the merchant keeps. */
export type Take = { readonly paymentId: string; readonly units: string; readonly feeUnits: string };

/** Counted units of one commitment for which the merchant gives the money back. */
export type Cover = { readonly commitmentId: string; readonly units: string };

export type Refund = {
  readonly id: string;
  readonly context: RefundContext;
  readonly state: RefundState;
  readonly place: RefundPlace;
  readonly network: string;
  readonly asset: string;
  /** What is refunded. The customer gets `sentUnits`: if the customer pays the network's fee, less than this. */
  readonly units: bigint;
  readonly sentUnits: bigint;
  readonly feeUnits: bigint;
  readonly feePaidBy: FeePayer;
  /** The fee in the asset in which the network takes it. Null: it was asked for before we stored that. */
  readonly heldFeeUnits: bigint | null;
  /**
   * What the network took for an attempt that failed. It was paid out of what was set aside, so not everything came
   * back.
   */
  readonly costUnits: bigint;
  /** What came back after it had arrived. COMPLETED: a part of it; FAILED: all of it. */
  readonly cameBackUnits: bigint;
  readonly cameBackAt: Date | null;
  /** What came back and is not booked yet. Not stored: whoever is told of it hands it to the plan, which books it. */
  readonly comingBack: { readonly units: bigint; readonly reason: string | null } | null;
  readonly takes: readonly Take[]; // of a refund from suspense; of one that failed, what its attempt cost of them
  readonly covers: readonly Cover[]; // of a refund that the merchant pays, as it was asked for: see `standingCovers`
  readonly basis: RefundBasis;
  readonly rates: readonly UsedRate[];
  readonly address: string | null;
  readonly memo: string | null;
  readonly memoType: string | null;
  readonly holder: Holder | null;
  readonly claimExpiresAt: Date | null;
  readonly txHash: string | null;
  readonly failure: string | null;
  readonly meta: unknown;
  readonly requestedAt: Date;
  readonly endedAt: Date | null;
};

/** An excess or a duplicate that the merchant keeps. */
export type AcceptedExcess = {
  readonly takes: readonly Take[];
  readonly acceptedAt: string;
  readonly isBooked: boolean;
};

/** What is set aside for it. */
export const heldUnits = ({ units, feeUnits, feePaidBy }: Pick<Refund, 'units' | 'feeUnits' | 'feePaidBy'>): bigint =>
  feePaidBy === 'merchant' ? units + feeUnits : units;

/** What the customer has of it. */
export const arrivedUnits = ({ sentUnits, cameBackUnits }: Pick<Refund, 'sentUnits' | 'cameBackUnits'>): bigint =>
  sentUnits - cameBackUnits;

/** What it still gives back of the ways to pay. Rounded down, so that what came back can be refunded again. */
export const standingCovers = ({ covers, sentUnits, cameBackUnits }: Refund): readonly Cover[] =>
  cameBackUnits === 0n
    ? covers
    : covers.map(({ commitmentId, units }) => ({
        commitmentId,
        units: ((BigInt(units) * (sentUnits - cameBackUnits)) / sentUnits).toString(),
      }));

/** Whether its takes still count: set aside, sent, or used for an attempt that failed. */
export const standsOrCost = ({ place, costUnits }: Refund): boolean => place !== 'returned' || costUnits > 0n;

/** What of a payment still counts: what was neither refunded, nor reserved for a refund, nor kept as an excess. */
export const leftUnits = ({ units, takenUnits }: Pick<Payment, 'units' | 'takenUnits'>): bigint => units - takenUnits;

/** The same dossier, with what its refunds and accepted excesses took from each payment. */
export function recountTaken(dossier: CheckoutDossier): CheckoutDossier {
  const taken = new Map<string, bigint>();
  const standing = dossier.refunds.filter(standsOrCost);
  for (const { takes } of [...dossier.checkout.acceptedExcess, ...standing])
    for (const { paymentId, units } of takes) taken.set(paymentId, (taken.get(paymentId) ?? 0n) + BigInt(units));
  const payments = dossier.payments.map((payment) => {
    const takenUnits = taken.get(payment.id) ?? 0n;
    return payment.takenUnits === takenUnits ? payment : { ...payment, takenUnits };
  });
  return { ...dossier, payments };
}

/** How much the merchant gives back of what each commitment was credited for. */
export function coveredUnits(refunds: readonly Refund[], isIt: (refund: Refund) => boolean): Map<string, bigint> {
  const covered = new Map<string, bigint>();
  for (const refund of refunds.filter(isIt))
    for (const { commitmentId, units } of standingCovers(refund))
      covered.set(commitmentId, (covered.get(commitmentId) ?? 0n) + BigInt(units));
  return covered;
}
