/**
 * A plan while it is being made. Every step of `plan-advance` takes a draft and returns another one; nothing here is
 * changed in place, so that a step is understood by itself.
 */
import type { Checkout, CheckoutDossier, Payment } from '../checkouts/checkout.ts';
import { factsOf } from '../checkouts/checkout-facts.ts';
import {
  assertMove,
  type CheckoutException,
  type CheckoutState,
  canMove,
  type Derived,
  deriveCheckout,
  type PaymentPlace,
} from '../checkouts/checkout-state.ts';
import { type Refund, recountTaken } from '../checkouts/refund.ts';
import type { TimelineNote } from '../checkouts/timeline-store.ts';
import type { Entry, EntryKind, Line, Subject } from '../ledger/entry.ts';
import type { NewOrder } from '../venues/venue-order.ts';
import { createMerchantPurse, type MerchantBalances, type MerchantPurse } from './merchant-purse.ts';
import type { RefundEvent } from './refund-events.ts';
import type { SettlementTerms } from './settlement-parts.ts';

export type CheckoutEventType =
  | 'CHECKOUT_COMPLETED'
  | 'CHECKOUT_UNDERPAID'
  | 'UNDERPAID_ACCEPTED'
  | 'CHECKOUT_REVERSED'
  | RefundEvent['type'];

export type PlannedEvent = {
  readonly type: CheckoutEventType;
  /** As it was when the event happened: one plan may take a credit back and give it again. */
  readonly dossier: CheckoutDossier;
  readonly refund?: Refund;
};

export type Draft = {
  readonly now: Date;
  readonly terms: SettlementTerms;
  /** As it was before the plan. */
  readonly before: CheckoutDossier;
  readonly dossier: CheckoutDossier;
  /** The merchant's, after all entries so far. */
  readonly balances: MerchantBalances;
  readonly entries: readonly Entry[];
  readonly notes: readonly TimelineNote[];
  readonly events: readonly PlannedEvent[];
  readonly lookAgainAt: Date | null;
  /** Exchanges that a venue is to make before the merchant can be credited. */
  readonly orders: readonly NewOrder[];
  /** Ids of exchanges that took too long. */
  readonly overdueOrders: readonly string[];
  /** The credit waits because the treasury has too little, and no venue is at work. */
  readonly isShortOfStock: boolean;
};

export type Step = (draft: Draft) => Draft;

export const beginDraft = (
  before: CheckoutDossier,
  terms: SettlementTerms,
  balances: MerchantBalances,
  now: Date,
): Draft => ({
  now,
  terms,
  before,
  dossier: before,
  balances,
  entries: [],
  notes: [],
  events: [],
  lookAgainAt: null,
  orders: [],
  overdueOrders: [],
  isShortOfStock: false,
});

/** What follows from the facts as the draft has them now. */
export const derive = ({ dossier, now }: Draft): Derived => deriveCheckout(factsOf(dossier), now);

export const withCheckout = (draft: Draft, changes: Partial<Checkout>): Draft => {
  const { dossier } = draft;
  return { ...draft, dossier: { ...dossier, checkout: { ...dossier.checkout, ...changes } } };
};

export const withNotes = (draft: Draft, ...notes: readonly TimelineNote[]): Draft => ({
  ...draft,
  notes: [...draft.notes, ...notes],
});

export const withEvent = (draft: Draft, type: CheckoutEventType, refund?: Refund): Draft => ({
  ...draft,
  events: [...draft.events, { type, dossier: draft.dossier, ...(refund && { refund }) }],
});

export function withRefund(draft: Draft, changed: Refund): Draft {
  const refunds = draft.dossier.refunds.map((refund) => (refund.id === changed.id ? changed : refund));
  return { ...draft, dossier: recountTaken({ ...draft.dossier, refunds }) };
}

/** The lines of an entry, made from what the merchant has and owes. */
type LinesOf = (purse: MerchantPurse) => readonly Line[];

const checkoutOf = ({ dossier }: Draft): Subject => ({ kind: 'checkout', id: dossier.checkout.id });

export function post(
  draft: Draft,
  kind: EntryKind,
  reference: string,
  linesOf: LinesOf,
  subject: Subject = checkoutOf(draft),
): Draft {
  const { merchantId } = draft.dossier.checkout;
  const purse = createMerchantPurse(merchantId, draft.balances);
  const entry = { kind, reference, merchantId, subject, lines: linesOf(purse) };
  return { ...draft, entries: [...draft.entries, entry], balances: purse.balances };
}

export type Rebooking = { readonly place: PaymentPlace; readonly kind: EntryKind; readonly linesOf: LinesOf };

/**
 * Books some payments again. Every booking of a payment has a number of its own, so that a second booking is posted
 * too. All payments in one pass: anyone can send thousands of tiny ones, and the work must not grow with the square of
 * their number.
 */
export function rebookPayments(draft: Draft, rebookingOf: (payment: Payment) => Rebooking | null): Draft {
  const { merchantId } = draft.dossier.checkout;
  const subject = checkoutOf(draft);
  const purse = createMerchantPurse(merchantId, draft.balances);
  const entries: Entry[] = [];
  const payments = draft.dossier.payments.map((payment) => {
    const rebooking = rebookingOf(payment);
    if (!rebooking) return payment;
    const { place, kind, linesOf } = rebooking;
    const generation = payment.generation + 1;
    const reference = `payment:${payment.id}:${generation}`;
    entries.push({ kind, reference, merchantId, subject, lines: linesOf(purse) });
    return { ...payment, place, generation };
  });
  if (entries.length === 0) return draft;
  const dossier = { ...draft.dossier, payments };
  return { ...draft, dossier, entries: [...draft.entries, ...entries], balances: purse.balances };
}

type Why = Record<string, unknown>;

export function moveTo(
  draft: Draft,
  state: CheckoutState,
  exceptions: readonly CheckoutException[],
  why: Why = {},
): Draft {
  // A payment was refunded while it was gone, and now it is back: these are two moves at once.
  const isTwoMoves = state === 'REFUNDED' && !canMove(draft.dossier.checkout.state, state);
  return oneMove(isTwoMoves ? oneMove(draft, 'UNDERPAID', exceptions) : draft, state, exceptions, why);
}

function oneMove(draft: Draft, to: CheckoutState, exceptions: readonly CheckoutException[], why: Why = {}): Draft {
  const from = draft.dossier.checkout.state;
  assertMove(from, to);
  const moved = withCheckout(draft, { state: to, exceptions });
  return from === to ? moved : withNotes(moved, { what: 'state', why: { from, to, ...why } });
}

/** The merchant is told only once that there is no market. */
export const tellNoMarket = (draft: Draft, reason: string): Draft =>
  draft.dossier.checkout.exceptions.includes('NO_MARKET')
    ? draft
    : withNotes(draft, { what: 'no_market', why: { reason } });

/** The accepted money is gone before it was credited: what comes in its place needs a new decision. */
export function forgetUnusedAcceptance(draft: Draft, because: string): Draft {
  const { checkout, settlements } = draft.dossier;
  const { acceptedAt } = checkout;
  if (acceptedAt === null || settlements.some(({ settledAt }) => settledAt >= acceptedAt)) return draft;
  return withCheckout(withNotes(draft, { what: 'acceptance_void', why: { because } }), { acceptedAt: null });
}
