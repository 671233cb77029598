/** What a checkout is made of, as the code sees it. */
import type { RailSum } from '../deposits/payment-totals.ts';
import type { Decimal } from '../money/decimal.ts';
import type { UsedRate } from '../pricing/quote.ts';
import type { CheckoutException, CheckoutState } from './checkout-state.ts';
import type { CommitmentFact, PaymentFact } from './payment-portions.ts';
import type { AcceptedExcess, Refund } from './refund.ts';

/** One way to pay, priced. Plain data: stored with the checkout and copied into the commitment that takes it. */
export type Quote = {
  readonly network: string;
  readonly assetId: string;
  readonly paymentCode: string; // BTC, SAT: what the payer's wallet calls it
  readonly paymentAmount: string;
  readonly dueUnits: string; // the same at the asset's ledger scale
  readonly price: string; // what the customer sees, in the billing currency
  readonly settlement: {
    readonly assetId: string;
    readonly amount: string;
    readonly netAmount: string;
    readonly fee: string;
    readonly grossUnits: string;
    readonly feeUnits: string;
  };
  readonly buffer: string;
  readonly rates: readonly UsedRate[];
  /** What is credited is decided by the rate when the payment is booked: `settlement` is an estimate. */
  readonly isAtBooking?: true;
};

export type Checkout = {
  readonly merchantId: string;
  readonly id: string;
  /** Its secret signs webhooks. Null: a person made it, and there are none. */
  readonly apiKey: string | null;
  readonly type: 'API' | 'HOSTED';
  readonly origin: string;
  readonly state: CheckoutState;
  readonly exceptions: readonly CheckoutException[];
  readonly billingCurrency: string;
  readonly total: Decimal;
  readonly settlementAsset: string; // an asset id, or ORIGIN
  readonly language: string;
  readonly webhook: string | null;
  readonly customerId: string | null;
  readonly tolerance: Decimal;
  /** Which part of the value late payments may have lost; 1: any part. */
  readonly lateTolerance: Decimal;
  /** The part of the price from which on an underpayment is accepted automatically; null: never. */
  readonly acceptFrom: Decimal | null;
  readonly extraConfirmations: number;
  readonly payload: CheckoutPayload;
  readonly quotes: readonly Quote[];
  readonly quotedAt: Date;
  readonly createdAt: Date;
  readonly windowEndsAt: Date | null;
  readonly canceledAt: Date | null;
  readonly acceptedAt: Date | null;
  readonly acceptedExcess: readonly AcceptedExcess[];
  readonly keptRates: readonly KeptRate[];
  /** Since when a credit that is due waits for tokens on Stellar; null: none does. */
  readonly awaitsBridgeSince: Date | null;
  /** Money of it is in suspense, and the merchant has to say what becomes of it. */
  readonly awaitsDecision: boolean;
  readonly settlements: number;
};

/**
 * In dollars: the rate at which a payment that is not credited by its quote will be converted once a venue has
 * exchanged it.
 */
export type KeptRate = {
  /** The first one, where the network left a part of it. */
  readonly paymentId: string;
  readonly basis: 'RATE_OF_ARRIVAL' | 'RATE_OF_ACCEPTANCE';
  readonly paidUsd: string;
  readonly creditedUsd: string;
  /** Left out by the previous release. */
  readonly keptAt?: string;
};

/** A payment and all that the network left of it, again and again, begin with the same one. */
export const firstIdOf = ({ id, restOf }: Pick<Payment, 'id' | 'restOf'>): string => restOf ?? id;

/** The charge as it was posted: only what we read in it has a type. */
export type CheckoutPayload = {
  readonly meta?: unknown;
  readonly pageSettings?: Readonly<Record<string, unknown>> | null;
  readonly links?: Readonly<Record<string, unknown>> | null;
  readonly [key: string]: unknown;
};

export type Commitment = CommitmentFact & {
  readonly network: string;
  readonly asset: string;
  readonly quote: Quote;
  readonly targetKey: string;
  readonly address: string;
  readonly memo: string | null;
  readonly memoType: string | null;
};

export type Payment = PaymentFact & {
  readonly network: string;
  readonly txHash: string;
  readonly asset: string;
  readonly confirmationsRequired: number;
  readonly blockHeight: number | null;
  readonly replacedBy: string | null;
  /** The payment of which this is what the network left when it took a part back; null: it is one by itself. */
  readonly restOf: string | null;
  readonly generation: number;
  /**
   * Since when there are tokens on Stellar for these coins, and the transaction that issued them. Null: there are none
   * yet. Without a transaction: other coins left at the same time, so that no new tokens were needed; or these were
   * credited without waiting longer, and what is issued for them is the operator's own.
   */
  readonly bridge: { readonly txHash: string | null; readonly at: Date } | null;
};

/** What one settlement credited for one commitment: one part for each basis and for each exchange. */
export type SettledPart = {
  readonly commitmentId: string;
  readonly network: string;
  readonly paidAsset: string;
  readonly countedUnits: string;
  /** As how many units of the commitment they count towards the price. Left out: as many; what came late may have lost value. */
  readonly worthUnits?: string;
  readonly excessUnits: string; // waits in suspense, in the paid asset
  readonly creditedAsset: string;
  readonly grossUnits: string;
  readonly feeUnits: string;
  readonly netUnits: string;
  readonly basis: 'QUOTE' | KeptRate['basis'];
  /** At which rate each of its payments was converted. Left out: by the quote, or in old settlements. */
  readonly rates?: readonly KeptRate[];
  /** The network of the credited asset. Left out in old settlements: the payer's. */
  readonly creditedOn?: string;
  /** Where it was exchanged, and the transaction. Left out: in the books, by the treasury, or not at all. */
  readonly venue?: string;
  readonly tx?: string;
};

export type Settlement = {
  readonly generation: number;
  readonly reference: string;
  readonly parts: readonly SettledPart[];
  readonly settledAt: Date;
  readonly reversedAt: Date | null;
};

/** Everything there is to know about a checkout, read at one moment. */
export type CheckoutDossier = {
  readonly checkout: Checkout;
  readonly commitments: readonly Commitment[]; // oldest first
  readonly payments: readonly Payment[];
  /** What was too small to be a payment, and together is still too little for one. */
  readonly crumbs: readonly RailSum[];
  readonly settlements: readonly Settlement[];
  readonly refunds: readonly Refund[]; // oldest first
  /** Something that is no asset of ours arrived at one of its targets. */
  readonly hasStrays: boolean;
};
