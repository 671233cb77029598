/**
 * What is due on a checkout, given everything known about it: which entries to post, which events to announce, which
 * state to store. Pure, so that thousands of random histories can be played through it in a test; `advance-checkout`
 * only carries the plan out.
 *
 * The order of the steps is the order of money: set aside what was decided, take back what is no longer true, end the
 * refunds that have ended, book what has been confirmed, count what was given back of it already, credit what is due,
 * and park what is not.
 */
import type { CheckoutDossier, KeptRate, Payment, SettledPart } from '../checkouts/checkout.ts';
import { factsOf, railOf, settlementReference, standingSettlement } from '../checkouts/checkout-facts.ts';
import {
  assertMove,
  type CheckoutException,
  type CheckoutState,
  canMove,
  type Derived,
  deriveCheckout,
  isConfirmed,
  isCredited,
  type PaymentPlace,
} from '../checkouts/checkout-state.ts';
import { leftUnits, type Refund, recountTaken, type Take } from '../checkouts/refund.ts';
import type { TimelineNote } from '../checkouts/timeline-store.ts';
import { type Entry, type EntryKind, type Line, opposite } from '../ledger/entry.ts';
import { present } from '../lib/assert.ts';
import { addMs, minutes } from '../lib/clock.ts';
import { smaller } from '../money/amount.ts';
import type { NewOrder } from '../venues/venue-order.ts';
import { createMerchantPurse, type MerchantBalances } from './merchant-purse.ts';
import {
  bridgeWait,
  type ExchangePlan,
  isUnbridged,
  planExchange,
  shortOfStock,
  treasuryOnly,
} from './plan-exchange.ts';
import { acceptedLines, followedLines, holdLines, keptTakes, returnedLines, sentLines } from './refund-entries.ts';
import { type RefundEvent, refundEvents } from './refund-events.ts';
import { movedLines, receiptLines, reversalLines, settlementLines, vanishedLines } from './settlement-entries.ts';
import { type SettlementTerms, settlementParts } from './settlement-parts.ts';
import { valueLate } from './value-late.ts';

export type CheckoutEventType =
  | 'CHECKOUT_COMPLETED'
  | 'CHECKOUT_UNDERPAID'
  | 'UNDERPAID_ACCEPTED'
  | 'CHECKOUT_REVERSED'
  | RefundEvent['type'];

export type PlannedEvent = {
  readonly type: CheckoutEventType;
  /** As it was when the event happened: one plan may take a credit back and grant it again. */
  readonly dossier: CheckoutDossier;
  readonly refund?: Refund;
};

export type AdvancePlan = {
  readonly entries: readonly Entry[];
  readonly notes: readonly TimelineNote[];
  readonly events: readonly PlannedEvent[];
  readonly after: CheckoutDossier;
  readonly lookAgainAt: Date | null;
  /** Exchanges that a venue is to make before the merchant can be credited. */
  readonly orders: readonly NewOrder[];
  /** Ids of those that took too long. */
  readonly overdueOrders: readonly string[];
  /** The credit waits because the treasury has too little, and no venue is at work. */
  readonly isShortOfStock: boolean;
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
  const events: PlannedEvent[] = [];
  let dossier = before;
  let retryAt: Date | null = null;
  let isShortOfStock = false;
  const orders: NewOrder[] = [];
  const overdueOrders: string[] = [];
  const purse = createMerchantPurse(merchantId, balances);
  const exchange = terms.exchange ?? treasuryOnly;

  const post = (kind: EntryKind, reference: string, lines: readonly Line[]): void =>
    void entries.push({ kind, reference, merchantId, checkoutId, lines });

  /** Every booking of a payment has a number of its own, so a payment that is booked again posts again. */
  function rebook(payment: Payment, place: PaymentPlace, kind: EntryKind, lines: readonly Line[]): Payment {
    const generation = payment.generation + 1;
    post(kind, `payment:${payment.id}:${generation}`, lines);
    return { ...payment, place, generation };
  }

  /** All in one pass: anyone can send thousands of tiny payments, and they must not cost their square. */
  function changePayments(change: (payment: Payment) => Payment): void {
    const payments = dossier.payments.map(change);
    dossier = { ...dossier, payments };
  }

  function moveTo(
    state: CheckoutState,
    exceptions: readonly CheckoutException[],
    why: Record<string, unknown> = {},
  ): void {
    // A payment was refunded while it was gone, and now it is there again: two moves at once.
    if (state === 'REFUNDED' && !canMove(dossier.checkout.state, state)) moveTo('UNDERPAID', exceptions);
    const from = dossier.checkout.state;
    assertMove(from, state);
    if (from !== state) notes.push({ what: 'state', why: { from, to: state, ...why } });
    dossier = { ...dossier, checkout: { ...dossier.checkout, state, exceptions } };
  }

  function takeBackSettlement(derived: Derived): void {
    const standing = standingSettlement(dossier);
    if (!derived.isReversalDue || !standing) return;
    post('settlement_reversed', `${standing.reference}:reversed`, reversalLines(dossier, standing.parts, purse));
    changePayments((payment) => (payment.place === 'settled' ? { ...payment, place: 'pending' } : payment));
    const settlements = dossier.settlements.map((each) => (each === standing ? { ...each, reversedAt: now } : each));
    dossier = { ...dossier, settlements };
    const { state, exceptions } = deriveCheckout(factsOf(dossier), now);
    const because = 'a credited payment is no longer confirmed';
    moveTo(state === 'REFUNDED' ? state : 'PROCESSING', exceptions, { because });
    events.push({ type: 'CHECKOUT_REVERSED', dossier });
  }

  function unbookWhatVanished(): void {
    changePayments((payment) => {
      if (isConfirmed(payment) || (payment.place !== 'pending' && payment.place !== 'suspense')) return payment;
      if (payment.commitmentId !== null) forgetUnusedAcceptance('an accepted payment is no longer confirmed');
      return rebook(payment, 'none', 'payment_reversed', vanishedLines(dossier, payment, payment.place, purse));
    });
    forgetRates();
  }

  /** Those of payments that vanished and of a void acceptance. Both have the rate of their day when they are back. */
  function forgetRates(): void {
    const { acceptedAt, keptRates } = dossier.checkout;
    if (keptRates.length === 0) return;
    const confirmed = new Set(dossier.payments.filter(isConfirmed).map(({ id }) => id));
    const isValid = ({ paymentId, basis }: KeptRate): boolean =>
      confirmed.has(paymentId) && (basis === 'RATE_OF_ARRIVAL' || acceptedAt !== null);
    if (!keptRates.every(isValid)) keepRates(keptRates.filter(isValid));
  }

  function keepRates(keptRates: readonly KeptRate[]): void {
    dossier = { ...dossier, checkout: { ...dossier.checkout, keptRates } };
  }

  /** The accepted money is gone before it could be credited: whatever comes in its place is a new question. */
  function forgetUnusedAcceptance(because: string): void {
    const { acceptedAt } = dossier.checkout;
    if (acceptedAt === null || dossier.settlements.some((settlement) => settlement.settledAt >= acceptedAt)) return;
    notes.push({ what: 'acceptance_void', why: { because } });
    dossier = { ...dossier, checkout: { ...dossier.checkout, acceptedAt: null } };
  }

  function bookWhatIsConfirmed(): void {
    changePayments((payment) =>
      isConfirmed(payment) && payment.place === 'none'
        ? rebook(payment, 'pending', 'payment_received', receiptLines(dossier, payment, purse))
        : payment,
    );
  }

  function replaceRefund(changed: Refund): void {
    const refunds = dossier.refunds.map((refund) => (refund.id === changed.id ? changed : refund));
    dossier = recountTaken({ ...dossier, refunds });
  }

  /** Before all else: these decisions were made about the books as they were. */
  function carryOutDecisions(): void {
    for (const refund of dossier.refunds) {
      if (refund.place !== 'none') continue;
      post('refund_held', `refund:${refund.id}`, holdLines(dossier, refund, purse));
      if (takesCounted(refund)) forgetUnusedAcceptance('the merchant gives it back instead');
      replaceRefund({ ...refund, place: 'reserved' });
    }
    const { acceptedExcess } = dossier.checkout;
    for (const [position, { takes, isBooked }] of acceptedExcess.entries())
      if (!isBooked)
        post('excess_accepted', `excess:${checkoutId}:${position + 1}`, acceptedLines(dossier, takes, purse));
    if (acceptedExcess.every(({ isBooked }) => isBooked)) return;
    const booked = acceptedExcess.map((excess) => ({ ...excess, isBooked: true }));
    dossier = { ...dossier, checkout: { ...dossier.checkout, acceptedExcess: booked } };
  }

  const takesCounted = ({ takes }: Refund): boolean =>
    dossier.payments.some(
      ({ id, commitmentId }) => commitmentId !== null && takes.some(({ paymentId }) => paymentId === id),
    );

  /**
   * What was given back of a payment that vanished was given back of what came in its place. The merchant, who was
   * charged for it in between, has it again.
   */
  function followVanished(): void {
    for (const { id, place, takes, costUnits } of dossier.refunds) {
      const hasLeft = place === 'sent' || (place === 'returned' && costUnits > 0n); // What an attempt cost is gone too.
      if (place !== 'reserved' && !hasLeft) continue;
      for (const take of takes) {
        const moved = followed(take, hasLeft);
        if (moved[0] === take) continue;
        const refund = present(
          dossier.refunds.find((each) => each.id === id),
          'the refund that follows',
        );
        replaceRefund({ ...refund, takes: refund.takes.flatMap((each) => (each === take ? moved : [each])) });
      }
    }
  }

  /** Until it has left, only to the very transaction that replaced it: anything else is another payment. */
  function followed(take: Take, hasLeft: boolean): Take[] {
    const gone = dossier.payments.find(({ id }) => id === take.paymentId);
    if (gone?.place !== 'none') return [take];
    const isInItsPlace = (payment: Payment): boolean =>
      railOf(payment) === railOf(gone) && (hasLeft || payment.txHash === gone.replacedBy);
    const moved: Take[] = [];
    let missing = BigInt(take.units);
    changePayments((payment) => {
      const { place } = payment;
      if ((place !== 'pending' && place !== 'suspense') || missing === 0n || !isInItsPlace(payment)) return payment;
      const units = smaller(leftUnits(payment), missing);
      if (units === 0n) return payment;
      missing -= units;
      moved.push({ ...take, paymentId: payment.id, units: units.toString() });
      return rebook(payment, place, 'refund_followed', followedLines(merchantId, payment, place, units, purse));
    });
    if (moved.length === 0) return [take];
    return missing === 0n ? moved : [...moved, { ...take, units: missing.toString() }];
  }

  function endRefunds(): void {
    for (const refund of dossier.refunds) {
      const isUndone = refund.place === 'sent' && refund.state === 'FAILED';
      if (refund.place !== 'reserved' && !isUndone) continue;
      const isUnclaimed =
        refund.state === 'CLAIMABLE' && refund.claimExpiresAt !== null && refund.claimExpiresAt <= now;
      if (refund.state === 'COMPLETED') completeRefund(refund);
      else if (isUnclaimed) undoRefund({ ...refund, state: 'EXPIRED', endedAt: now });
      else if (refund.state === 'FAILED' || refund.state === 'CANCELED') undoRefund(refund);
    }
  }

  function completeRefund(refund: Refund): void {
    post('refund_sent', `refund:${refund.id}:sent`, sentLines(merchantId, refund));
    replaceRefund({ ...refund, place: 'sent' });
    notes.push({ what: 'refund_completed', why: { refund: refund.id, tx: refund.txHash } });
  }

  function undoRefund(refund: Refund): void {
    const unsent = refund.place === 'sent' ? opposite(sentLines(merchantId, refund)) : [];
    post('refund_returned', `refund:${refund.id}:returned`, [...unsent, ...returnedLines(dossier, refund, purse)]);
    replaceRefund({ ...refund, place: 'returned', ...(refund.costUnits > 0n && { takes: keptTakes(refund) }) });
    const why = { refund: refund.id, ...(refund.failure !== null && { because: refund.failure }) };
    notes.push({ what: `refund_${refund.state.toLowerCase()}`, why });
  }

  /** What cannot be valued yet is credited to nobody, and the merchant is told what it waits for. */
  function valueWhatCameLate(): void {
    const valued = valueLate(dossier, terms, now);
    dossier = valued.dossier;
    notes.push(...valued.notes);
    const { state, exceptions, isValuationDue, isSettlementDue } = deriveCheckout(factsOf(dossier), now);
    const isAwaited = isValuationDue && !isSettlementDue && (state === 'PROCESSING' || state === 'REFUNDED');
    if (valued.noMarket === null || !isAwaited) return;
    if (!dossier.checkout.exceptions.includes('NO_MARKET'))
      notes.push({ what: 'no_market', why: { reason: valued.noMarket } });
    retryAt = addMs(now, retryMarketMs);
    moveTo(state, [...new Set<CheckoutException>([...exceptions, 'NO_MARKET'])]);
  }

  /** The merchant has said once and for all from which part of the price on too little is enough. */
  function acceptByItself(): void {
    if (!deriveCheckout(factsOf(dossier), now).isAcceptanceDue) return;
    dossier = { ...dossier, checkout: { ...dossier.checkout, acceptedAt: now } };
    notes.push({ what: 'underpayment_accepted', why: { because: 'it reached the part that the merchant accepts' } });
  }

  function settle(derived: Derived): void {
    if (!derived.isSettlementDue) return awaitBridge(null);
    const outcome = settlementParts(dossier, terms, now);
    if ('noMarket' in outcome) {
      if (!dossier.checkout.exceptions.includes('NO_MARKET'))
        notes.push({ what: 'no_market', why: { reason: outcome.noMarket } });
      retryAt = addMs(now, retryMarketMs);
      moveTo(derived.state, [...new Set<CheckoutException>([...derived.exceptions, 'NO_MARKET'])]);
      return;
    }
    const bridging = bridgeWait(dossier, exchange, now);
    if (bridging) awaitBridge(bridging.since);
    const exchanged = bridging
      ? { orders: [], overdue: [], why: null, lookAgainAt: bridging.until }
      : planExchange(dossier, outcome.parts, exchange, now);
    if ('why' in exchanged) {
      const rates = exchanged.why === shortOfStock ? [] : outcome.rates; // Merchants can make stock come and go (0016).
      if (!isEqual(rates, dossier.checkout.keptRates)) keepRates(rates);
      return waitForVenue(derived, exchanged);
    }
    moveTo(derived.state, derived.exceptions); // through PROCESSING or UNDERPAID, even when all happens at once
    creditParts(exchanged.parts);
    const settled = deriveCheckout(factsOf(dossier), now);
    moveTo(settled.state, settled.exceptions);
    // Money that belongs to the merchant, who has paid for the refund. But nobody shall ship because of it.
    if (!isCredited(settled.state)) notes.push({ what: 'credited_again' });
    else events.push({ type: settled.state === 'RESOLVED' ? 'UNDERPAID_ACCEPTED' : 'CHECKOUT_COMPLETED', dossier });
  }

  function awaitBridge(since: Date | null): void {
    const { awaitsBridgeSince } = dossier.checkout;
    if (awaitsBridgeSince?.getTime() === since?.getTime()) return;
    if (since !== null) notes.push({ what: 'bridge_awaited' });
    dossier = { ...dossier, checkout: { ...dossier.checkout, awaitsBridgeSince: since } };
  }

  /** The market is missing only when no venue is at work: then the merchant is told so. */
  function waitForVenue(derived: Derived, plan: Extract<ExchangePlan, { why: string | null }>): void {
    if (plan.why !== null && !dossier.checkout.exceptions.includes('NO_MARKET'))
      notes.push({ what: 'no_market', why: { reason: plan.why } });
    for (const { attempt } of plan.orders) notes.push({ what: 'exchange_ordered', why: { attempt } });
    orders.push(...plan.orders);
    overdueOrders.push(...plan.overdue);
    retryAt = plan.lookAgainAt;
    isShortOfStock = plan.why === shortOfStock;
    const others = derived.exceptions.filter((exception) => exception !== 'NO_MARKET');
    moveTo(derived.state, plan.why === null ? others : [...others, 'NO_MARKET']);
  }

  function creditParts(parts: readonly SettledPart[]): void {
    const isWaiting = (payment: Payment): boolean => payment.commitmentId !== null && isConfirmed(payment);
    const waiting = dossier.payments.filter(isWaiting);
    const generation = dossier.checkout.settlements + 1;
    const reference = settlementReference(checkoutId, generation);
    const places = waiting.map((payment) => ({ payment, place: payment.place }));
    const settled = parts.map((part) => ({ ...part, creditedOn: exchange.homeOf(part) }));
    post('settlement', reference, settlementLines(merchantId, places, settled, purse));
    // What the event says stays true: coins for which nothing was issued by now are nobody's but the house's.
    changePayments((payment) => {
      if (!isWaiting(payment)) return payment;
      const bridge = isUnbridged(payment, exchange) ? { txHash: null, at: now } : payment.bridge;
      return { ...payment, place: 'settled', bridge };
    });
    dossier = {
      ...dossier,
      checkout: { ...dossier.checkout, settlements: generation, keptRates: [], awaitsBridgeSince: null },
      settlements: [
        ...dossier.settlements,
        { generation, reference, parts: settled, settledAt: now, reversedAt: null },
      ],
    };
  }

  /** Money that nobody is waiting for: too little, too much, or the wrong asset. It stays until a person decides. */
  function parkTheRest(state: CheckoutState): void {
    const isSettled = standingSettlement(dossier) !== undefined;
    changePayments((payment) => {
      if (payment.place !== 'pending') return payment;
      const isOdd = payment.commitmentId === null || isSettled || state === 'UNDERPAID' || state === 'REFUNDED';
      if (!isOdd) return payment;
      if (leftUnits(payment) === 0n) return { ...payment, place: 'suspense' };
      const lines = movedLines(merchantId, payment, 'pending', 'suspense');
      return rebook(payment, 'suspense', 'moved_to_suspense', lines);
    });
  }

  carryOutDecisions();
  takeBackSettlement(deriveCheckout(factsOf(dossier), now));
  unbookWhatVanished();
  endRefunds();
  bookWhatIsConfirmed();
  followVanished();
  valueWhatCameLate();
  acceptByItself();
  settle(deriveCheckout(factsOf(dossier), now));

  const final = deriveCheckout(factsOf(dossier), now);
  parkTheRest(final.state);
  const parked = deriveCheckout(factsOf(dossier), now);
  const becameUnderpaid = parked.state === 'UNDERPAID' && dossier.checkout.state !== 'UNDERPAID';
  const because = 'what came late was worth less than the price, less the late tolerance, when it was seen';
  moveTo(parked.state, parked.exceptions, parked.isDevalued ? { because } : {});
  if (becameUnderpaid) events.push({ type: 'CHECKOUT_UNDERPAID', dossier });
  // Last, so that they show whether it is refunded, whatever else happened at the same time.
  for (const event of refundEvents(before, dossier, now)) events.push({ ...event, dossier });
  const lookAgainAt = retryAt ?? final.lookAgainAt;
  return { entries, notes, events, after: dossier, lookAgainAt, orders, overdueOrders, isShortOfStock };
}

const isEqual = (rates: readonly KeptRate[], kept: readonly KeptRate[]): boolean =>
  rates.length === kept.length && rates.every((rate, position) => rate === kept[position]);
