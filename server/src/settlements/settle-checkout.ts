/** Credits the merchant what is due, once it is valued, exchanged and brought over the bridge. */
import type { KeptRate, Payment, SettledPart } from '../checkouts/checkout.ts';
import { settlementReference } from '../checkouts/checkout-facts.ts';
import { type Derived, isConfirmed, isCredited } from '../checkouts/checkout-state.ts';
import { addMs, minutes, seconds } from '../lib/clock.ts';
import { type Draft, derive, moveTo, post, tellNoMarket, withCheckout, withEvent, withNotes } from './advance-draft.ts';
import {
  bridgeWait,
  type ExchangePlan,
  type ExchangeTerms,
  isUnbridged,
  planExchange,
  shortOfStock,
  treasuryOnly,
} from './plan-exchange.ts';
import { settlementLines } from './settlement-entries.ts';
import { type Outrun, settlementParts } from './settlement-parts.ts';
import { valueLate } from './value-late.ts';

const retryMarketMs = minutes(1);
/** The sources are asked every half a minute. */
const retryRateMs = seconds(10);
const exchangeOf = ({ terms }: Draft): ExchangeTerms => terms.exchange ?? treasuryOnly;

/** What cannot be valued yet is not credited, and the merchant is told what it waits for. */
export function valueWhatCameLate(draft: Draft): Draft {
  const { dossier, notes, noMarket } = valueLate(draft.dossier, draft.terms, draft.now);
  const valued = withNotes({ ...draft, dossier }, ...notes);
  const derived = derive(valued);
  const { state, isValuationDue, isSettlementDue } = derived;
  const isAwaited = isValuationDue && !isSettlementDue && (state === 'PROCESSING' || state === 'REFUNDED');
  if (noMarket === null || !isAwaited) return valued;
  return awaitMarket(valued, derived, noMarket);
}

function awaitMarket(draft: Draft, { state, exceptions }: Derived, reason: string): Draft {
  const told = moveTo(tellNoMarket(draft, reason), state, [...new Set([...exceptions, 'NO_MARKET' as const])]);
  return { ...told, lookAgainAt: addMs(draft.now, retryMarketMs) };
}

/** The merchant has set from which part of the price on an underpayment is accepted. */
export function acceptByItself(draft: Draft): Draft {
  if (!derive(draft).isAcceptanceDue) return draft;
  const because = 'it reached the part that the merchant accepts';
  return withNotes(withCheckout(draft, { acceptedAt: draft.now }), { what: 'underpayment_accepted', why: { because } });
}

export function settleCheckout(draft: Draft): Draft {
  const { dossier, terms, now } = draft;
  const derived = derive(draft);
  if (!derived.isSettlementDue) return awaitBridge(draft, null);
  const outcome = settlementParts(dossier, terms, now);
  if ('noMarket' in outcome) return awaitMarket(draft, derived, outcome.noMarket);
  if ('awaitsRate' in outcome) return { ...draft, lookAgainAt: addMs(draft.now, retryRateMs) };
  const bridging = bridgeWait(dossier, exchangeOf(draft), now);
  if (bridging) {
    const waiting = { orders: [], overdue: [], why: null, lookAgainAt: bridging.until };
    return waitForVenue(keepRates(awaitBridge(draft, bridging.since), outcome.rates), derived, waiting);
  }
  const exchanged = planExchange(dossier, outcome.parts, exchangeOf(draft), now);
  if ('why' in exchanged) {
    const rates = exchanged.why === shortOfStock ? [] : outcome.rates; // Merchants can move the stock (0016).
    return waitForVenue(keepRates(draft, rates), derived, exchanged);
  }
  return credit(tellOutrun(draft, outcome.outrun), derived, exchanged.parts);
}

/** The quote could not be kept: the merchant reads what it was, and what it became. */
function tellOutrun(draft: Draft, outrun: Outrun | null): Draft {
  if (outrun === null) return draft;
  const { creditedAsset: asset, quotedUnits, grossUnits } = outrun;
  const why = { asset, quoted: quotedUnits.toString(), credited: grossUnits.toString() };
  return withNotes(draft, { what: 'quote_outrun', why });
}

function keepRates(draft: Draft, rates: readonly KeptRate[]): Draft {
  const { keptRates } = draft.dossier.checkout;
  const isKept = rates.length === keptRates.length && rates.every((rate, position) => rate === keptRates[position]);
  return isKept ? draft : withCheckout(draft, { keptRates: rates });
}

function awaitBridge(draft: Draft, since: Date | null): Draft {
  if (draft.dossier.checkout.awaitsBridgeSince?.getTime() === since?.getTime()) return draft;
  const waiting = withCheckout(draft, { awaitsBridgeSince: since });
  return since === null ? waiting : withNotes(waiting, { what: 'bridge_awaited' });
}

/** Only when no venue is at work is the merchant told that there is no market. */
function waitForVenue(draft: Draft, derived: Derived, plan: Extract<ExchangePlan, { why: string | null }>): Draft {
  const { why, orders, overdue, lookAgainAt } = plan;
  const told = why === null ? draft : tellNoMarket(draft, why);
  const noted = withNotes(told, ...orders.map(({ attempt }) => ({ what: 'exchange_ordered', why: { attempt } })));
  const others = derived.exceptions.filter((exception) => exception !== 'NO_MARKET');
  const moved = moveTo(noted, derived.state, why === null ? others : [...others, 'NO_MARKET']);
  return { ...moved, orders, overdueOrders: overdue, lookAgainAt, isShortOfStock: why === shortOfStock };
}

function credit(draft: Draft, { state, exceptions }: Derived, parts: readonly SettledPart[]): Draft {
  // Through PROCESSING or UNDERPAID, even when everything happens at once.
  const credited = creditParts(moveTo(draft, state, exceptions), parts);
  const settled = derive(credited);
  const moved = moveTo(credited, settled.state, settled.exceptions);
  // The money belongs to the merchant, who has paid for the refund. But the checkout was refunded, so no event may make
  // the shop send goods.
  if (!isCredited(settled.state)) return withNotes(moved, { what: 'credited_again' });
  return withEvent(moved, settled.state === 'RESOLVED' ? 'UNDERPAID_ACCEPTED' : 'CHECKOUT_COMPLETED');
}

function creditParts(draft: Draft, parts: readonly SettledPart[]): Draft {
  const { now } = draft;
  const { id, merchantId, settlements } = draft.dossier.checkout;
  const exchange = exchangeOf(draft);
  const isWaiting = (payment: Payment): boolean => payment.commitmentId !== null && isConfirmed(payment);
  const waiting = draft.dossier.payments.filter(isWaiting).map((payment) => ({ payment, place: payment.place }));
  const generation = settlements + 1;
  const reference = settlementReference(id, generation);
  const settled = parts.map((part) => ({ ...part, creditedOn: exchange.homeOf(part) }));
  const posted = post(draft, 'settlement', reference, (purse) => settlementLines(merchantId, waiting, settled, purse));
  const { dossier } = withCheckout(posted, { settlements: generation, keptRates: [], awaitsBridgeSince: null });
  // What the event says must stay true: coins for which no tokens were issued by now are never bridged for this
  // checkout.
  const payments = dossier.payments.map((payment): Payment => {
    if (!isWaiting(payment)) return payment;
    const bridge = isUnbridged(payment, exchange) ? { txHash: null, at: now } : payment.bridge;
    return { ...payment, place: 'settled', bridge };
  });
  const settlement = { generation, reference, parts: settled, settledAt: now, reversedAt: null };
  return { ...posted, dossier: { ...dossier, payments, settlements: [...dossier.settlements, settlement] } };
}
