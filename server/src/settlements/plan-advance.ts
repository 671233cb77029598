/**
 * What is due on a checkout, given everything known about it: which entries to post, which events to announce, which
 * state to store. Pure, so that thousands of random histories can be played through it in a test; `advance-checkout`
 * only carries the plan out.
 *
 * The order of the steps is the order of money: take back what is no longer true, book what has been confirmed,
 * credit what is due, and park what is not.
 */
import type { CheckoutDossier, Payment, SettledPart } from '../checkouts/checkout.ts';
import { factsOf, standingSettlement } from '../checkouts/checkout-facts.ts';
import {
  assertMove,
  type CheckoutException,
  type CheckoutState,
  type Derived,
  deriveCheckout,
  isConfirmed,
  type PaymentPlace,
} from '../checkouts/checkout-state.ts';
import type { TimelineNote } from '../checkouts/checkout-store.ts';
import type { Entry, EntryKind, Line } from '../ledger/entry.ts';
import { addMs, minutes } from '../lib/clock.ts';
import type { NewOrder } from '../venues/venue-order.ts';
import { type ExchangePlan, planExchange, treasuryOnly } from './plan-exchange.ts';
import { movedLines, netByAsset, receiptLines, reversalLines, settlementLines } from './settlement-entries.ts';
import { type SettlementTerms, settlementParts } from './settlement-parts.ts';

export type CheckoutEventType =
  | 'CHECKOUT_COMPLETED'
  | 'CHECKOUT_UNDERPAID'
  | 'UNDERPAID_ACCEPTED'
  | 'CHECKOUT_REVERSED';

/** Balances of the merchant that a credit or a reversal depends on, by asset. Locked by the caller. */
export type MerchantBalances = {
  readonly available: ReadonlyMap<string, bigint>;
  readonly owed: ReadonlyMap<string, bigint>;
};

export type AdvancePlan = {
  readonly entries: readonly Entry[];
  readonly notes: readonly TimelineNote[];
  /** With the checkout as it was when the event happened: one plan may take a credit back and grant it again. */
  readonly events: readonly { readonly type: CheckoutEventType; readonly dossier: CheckoutDossier }[];
  readonly after: CheckoutDossier;
  readonly lookAgainAt: Date | null;
  /** Exchanges that a venue is to make before the merchant can be credited. */
  readonly orders: readonly NewOrder[];
};

const retryMarketMs = minutes(1);

export function planAdvance(
  before: CheckoutDossier,
  terms: SettlementTerms,
  balances: MerchantBalances,
  now: Date,
): AdvancePlan {
  const { merchantId, id: checkoutId } = before.checkout;
  const entries: Entry[] = [];
  const notes: TimelineNote[] = [];
  const events: { type: CheckoutEventType; dossier: CheckoutDossier }[] = [];
  let dossier = before;
  let retryAt: Date | null = null;
  const owed = new Map(balances.owed);
  const orders: NewOrder[] = [];

  const post = (kind: EntryKind, reference: string, lines: readonly Line[]): void =>
    void entries.push({ kind, reference, merchantId, checkoutId, lines });

  /** Every booking of a payment has a number of its own, so a payment that is booked again posts again. */
  function rebook(payment: Payment, place: PaymentPlace, kind: EntryKind, lines: readonly Line[]): void {
    const generation = payment.generation + 1;
    post(kind, `payment:${payment.id}:${generation}`, lines);
    replacePayment({ ...payment, place, generation });
  }

  function replacePayment(changed: Payment): void {
    const payments = dossier.payments.map((payment) => (payment.id === changed.id ? changed : payment));
    dossier = { ...dossier, payments };
  }

  function moveTo(
    state: CheckoutState,
    exceptions: readonly CheckoutException[],
    why: Record<string, unknown> = {},
  ): void {
    const from = dossier.checkout.state;
    assertMove(from, state);
    if (from !== state) notes.push({ what: 'state', why: { from, to: state, ...why } });
    dossier = { ...dossier, checkout: { ...dossier.checkout, state, exceptions } };
  }

  function takeBackSettlement(derived: Derived): void {
    const standing = standingSettlement(dossier);
    if (!derived.isReversalDue || !standing) return;
    const settled = dossier.payments.filter((payment) => payment.place === 'settled');
    post(
      'settlement_reversed',
      `${standing.reference}:reversed`,
      reversalLines(merchantId, settled, standing.parts, balances.available),
    );
    for (const [asset, net] of netByAsset(standing.parts)) {
      const short = net - (balances.available.get(asset) ?? 0n);
      if (short > 0n) owed.set(asset, (owed.get(asset) ?? 0n) + short);
    }
    for (const payment of settled) replacePayment({ ...payment, place: 'pending' });
    const settlements = dossier.settlements.map((each) => (each === standing ? { ...each, reversedAt: now } : each));
    dossier = { ...dossier, settlements };
    const { exceptions } = deriveCheckout(factsOf(dossier), now);
    moveTo('PROCESSING', exceptions, { because: 'a credited payment is no longer confirmed' });
    events.push({ type: 'CHECKOUT_REVERSED', dossier });
  }

  function unbookWhatVanished(): void {
    for (const payment of dossier.payments) {
      if (isConfirmed(payment) || (payment.place !== 'pending' && payment.place !== 'suspense')) continue;
      const lines = receiptLines(merchantId, payment, payment.place).map(({ account, units }) => ({
        account,
        units: -units,
      }));
      rebook(payment, 'none', 'payment_reversed', lines);
      if (payment.commitmentId !== null) forgetUnusedAcceptance();
    }
  }

  /** The accepted money vanished before it could be credited: whatever comes in its place is a new question. */
  function forgetUnusedAcceptance(): void {
    const { acceptedAt } = dossier.checkout;
    if (acceptedAt === null || dossier.settlements.some((settlement) => settlement.settledAt >= acceptedAt)) return;
    notes.push({ what: 'acceptance_void', why: { because: 'an accepted payment is no longer confirmed' } });
    dossier = { ...dossier, checkout: { ...dossier.checkout, acceptedAt: null } };
  }

  function bookWhatIsConfirmed(): void {
    for (const payment of dossier.payments) {
      if (!isConfirmed(payment) || payment.place !== 'none') continue;
      rebook(payment, 'pending', 'payment_received', receiptLines(merchantId, payment, 'pending'));
    }
  }

  function settle(derived: Derived): void {
    if (!derived.isSettlementDue) return;
    const outcome = settlementParts(dossier, terms, now);
    if ('noMarket' in outcome) {
      if (!dossier.checkout.exceptions.includes('NO_MARKET'))
        notes.push({ what: 'no_market', why: { reason: outcome.noMarket } });
      retryAt = addMs(now, retryMarketMs);
      moveTo(derived.state, [...new Set<CheckoutException>([...derived.exceptions, 'NO_MARKET'])]);
      return;
    }
    const exchanged = planExchange(dossier, outcome.parts, terms.exchange ?? treasuryOnly, now);
    if ('why' in exchanged) return waitForVenue(derived, exchanged);
    moveTo(derived.state, derived.exceptions); // through PROCESSING or UNDERPAID, even when all happens at once
    creditParts(exchanged.parts);
    const settled = deriveCheckout(factsOf(dossier), now);
    moveTo(settled.state, settled.exceptions);
    events.push({ type: settled.state === 'RESOLVED' ? 'UNDERPAID_ACCEPTED' : 'CHECKOUT_COMPLETED', dossier });
  }

  /** The market is missing only when no venue is at work: then the merchant is told so. */
  function waitForVenue(derived: Derived, plan: Extract<ExchangePlan, { why: string | null }>): void {
    if (plan.why !== null && !dossier.checkout.exceptions.includes('NO_MARKET'))
      notes.push({ what: 'no_market', why: { reason: plan.why } });
    for (const { attempt } of plan.orders) notes.push({ what: 'exchange_ordered', why: { attempt } });
    orders.push(...plan.orders);
    retryAt = plan.lookAgainAt;
    const others = derived.exceptions.filter((exception) => exception !== 'NO_MARKET');
    moveTo(derived.state, plan.why === null ? others : [...others, 'NO_MARKET']);
  }

  function creditParts(parts: readonly SettledPart[]): void {
    const waiting = dossier.payments.filter((payment) => payment.commitmentId !== null && isConfirmed(payment));
    const generation = dossier.checkout.settlements + 1;
    const reference = `settlement:${checkoutId}:${generation}`;
    const places = waiting.map((payment) => ({ payment, place: payment.place }));
    post('settlement', reference, settlementLines(merchantId, places, parts, owed));
    for (const payment of waiting) replacePayment({ ...payment, place: 'settled' });
    dossier = {
      ...dossier,
      checkout: { ...dossier.checkout, settlements: generation },
      settlements: [...dossier.settlements, { generation, reference, parts, settledAt: now, reversedAt: null }],
    };
  }

  /** Money that nobody is waiting for: too little, too much, or the wrong asset. It stays until a person decides. */
  function parkTheRest(state: CheckoutState): void {
    const isSettled = standingSettlement(dossier) !== undefined;
    for (const payment of dossier.payments) {
      if (payment.place !== 'pending') continue;
      const isOdd = payment.commitmentId === null || isSettled || state === 'UNDERPAID' || state === 'REFUNDED';
      if (isOdd)
        rebook(payment, 'suspense', 'moved_to_suspense', movedLines(merchantId, payment, 'pending', 'suspense'));
    }
  }

  if (before.checkout.state === 'REFUNDED') {
    unbookWhatVanished();
    bookWhatIsConfirmed();
    parkTheRest('REFUNDED');
    const hasAnother = entries.some((entry) => entry.kind === 'payment_received');
    if (hasAnother) moveTo('REFUNDED', [...new Set<CheckoutException>([...before.checkout.exceptions, 'DUPLICATE'])]);
    return { entries, notes, events, after: dossier, lookAgainAt: null, orders };
  }

  takeBackSettlement(deriveCheckout(factsOf(dossier), now));
  unbookWhatVanished();
  bookWhatIsConfirmed();
  settle(deriveCheckout(factsOf(dossier), now));

  const final = deriveCheckout(factsOf(dossier), now);
  parkTheRest(final.state);
  const becameUnderpaid = final.state === 'UNDERPAID' && dossier.checkout.state !== 'UNDERPAID';
  moveTo(final.state, final.exceptions);
  if (becameUnderpaid) events.push({ type: 'CHECKOUT_UNDERPAID', dossier });
  return { entries, notes, events, after: dossier, lookAgainAt: retryAt ?? final.lookAgainAt, orders };
}
