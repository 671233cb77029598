/** What can be paid many times: a product at a price, a donation, or amounts that a shop signs. */
import type { CheckoutState } from '../checkouts/checkout-state.ts';
import type { Decimal } from '../money/decimal.ts';

export type PaymentLink = {
  readonly merchantId: string;
  readonly id: string;
  readonly description: string;
  readonly currency: string;
  readonly asks: AskedAmount;
  /** Null: it may be paid any number of times. */
  readonly paymentsMax: number | null;
  /** Null: what the account has set when it is paid. */
  readonly settlementAsset: string | null;
  readonly webhook: string | null;
  readonly pageSettings: Readonly<Record<string, unknown>>;
  readonly meta: unknown;
  /** Its secret signs the webhooks of the checkouts. Null: a person made the link, and there are none. */
  readonly apiKey: string | null;
  readonly createdBy: string;
  readonly createdAt: Date;
  readonly closedAt: Date | null;
};

export type AskedAmount =
  | { readonly kind: 'fixed'; readonly amount: Decimal }
  | { readonly kind: 'open'; readonly min: Decimal | null; readonly max: Decimal | null }
  /** `secret`: sealed. */
  | { readonly kind: 'signed'; readonly secret: Buffer };

/** How many checkouts of a link are in a state, and their prices added up. SWEPT: they were never paid, and are gone. */
export type LinkTally = {
  readonly state: CheckoutState | 'SWEPT';
  readonly checkouts: number;
  readonly amount: Decimal;
};

export const checkoutsIn = (tallies: readonly LinkTally[]): number =>
  tallies.reduce((count, { checkouts }) => count + checkouts, 0);

/** What came of a link until now: how many began to pay, how many were credited, and their prices added up. */
export type PaymentLinkSums = { readonly made: number; readonly paid: number; readonly amountPaid: Decimal };

export const noSums: PaymentLinkSums = { made: 0, paid: 0, amountPaid: { digits: 0n, scale: 0 } };
