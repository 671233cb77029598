/**
 * What is due on a checkout, given everything known about it: which entries to post, which events to announce, which
 * state to store. Pure, so that thousands of random histories can be played through it in a test; `advance-checkout`
 * only carries the plan out.
 */
import type { CheckoutDossier } from '../checkouts/checkout.ts';
import { beginDraft, type Draft, derive, moveTo, type Step, withEvent } from './advance-draft.ts';
import { bookConfirmed, parkTheRest, unbookVanished } from './book-payments.ts';
import { carryOutDecisions } from './carry-out-decisions.ts';
import { endRefunds } from './end-refunds.ts';
import { followVanished } from './follow-vanished.ts';
import type { MerchantBalances } from './merchant-purse.ts';
import { refundEvents } from './refund-events.ts';
import { acceptByItself, settleCheckout, valueWhatCameLate } from './settle-checkout.ts';
import type { SettlementTerms } from './settlement-parts.ts';
import { takeBackSettlement } from './take-back-settlement.ts';

export type AdvancePlan = Omit<Draft, 'now' | 'terms' | 'before' | 'dossier' | 'balances'> & {
  readonly after: CheckoutDossier;
};

/** The order of money. */
const steps: readonly Step[] = [
  carryOutDecisions, // set aside what was decided about the books as they were
  takeBackSettlement, // take back a credit that is no longer true
  unbookVanished, // and what is no longer there
  endRefunds, // those that have ended
  bookConfirmed, // what is there now
  followVanished, // count what was given back of it already
  valueWhatCameLate,
  acceptByItself,
  settleCheckout, // credit what is due
  parkTheRest, // and park what is not
  conclude,
  announceRefunds,
];

export function planAdvance(
  before: CheckoutDossier,
  terms: SettlementTerms,
  balances: MerchantBalances,
  now: Date,
): AdvancePlan {
  const begun = beginDraft(before, terms, balances, now);
  const { dossier, entries, notes, events, lookAgainAt, orders, overdueOrders, isShortOfStock } = steps.reduce(
    (draft, step) => step(draft),
    begun,
  );
  return { after: dossier, entries, notes, events, lookAgainAt, orders, overdueOrders, isShortOfStock };
}

function conclude(draft: Draft): Draft {
  const { state, exceptions, isDevalued } = derive(draft);
  const becomesUnderpaid = state === 'UNDERPAID' && draft.dossier.checkout.state !== 'UNDERPAID';
  const because = 'what came late was worth less than the price, less the late tolerance, when it was seen';
  const concluded = moveTo(draft, state, exceptions, isDevalued ? { because } : {});
  return becomesUnderpaid ? withEvent(concluded, 'CHECKOUT_UNDERPAID') : concluded;
}

/** Last, so that they show whether it is refunded, whatever else happened at the same time. */
function announceRefunds(draft: Draft): Draft {
  const events = refundEvents(draft.before, draft.dossier, draft.now);
  return events.reduce((told, { type, refund }) => withEvent(told, type, refund), draft);
}
