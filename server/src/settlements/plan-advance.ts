/**
 * What is due on a checkout, given everything known about it: which entries to post, which events to announce, which
 * state to store. Pure, so that a test can play thousands of random histories through it; `advance-checkout` only
 * carries the plan out.
 */
import type { CheckoutDossier } from '../checkouts/checkout.ts';
import { beginDraft, type Draft, derive, moveTo, type Step, withCheckout, withEvent } from './advance-draft.ts';
import { bookConfirmed, parkTheRest, unbookVanished } from './book-payments.ts';
import { carryOutDecisions } from './carry-out-decisions.ts';
import { endRefunds } from './end-refunds.ts';
import { followVanished } from './follow-vanished.ts';
import type { MerchantBalances } from './merchant-purse.ts';
import { refundEvents } from './refund-events.ts';
import { inSuspense } from './refundable.ts';
import { acceptByItself, settleCheckout, valueWhatCameLate } from './settle-checkout.ts';
import type { SettlementTerms } from './settlement-parts.ts';
import { takeBackSettlement } from './take-back-settlement.ts';

export type AdvancePlan = Omit<Draft, 'now' | 'terms' | 'before' | 'dossier' | 'balances'> & {
  readonly after: CheckoutDossier;
};

/** The order in which money moves. */
const steps: readonly Step[] = [
  carryOutDecisions, // set aside what was decided about the books as they were
  takeBackSettlement, // take back a credit that is no longer true
  unbookVanished, // take out of the books what is no longer there
  endRefunds, // end the refunds that have ended
  bookConfirmed, // book what is there now
  followVanished, // count as refunded what was refunded before it came back
  valueWhatCameLate,
  acceptByItself,
  settleCheckout, // credit what is due
  parkTheRest, // park what nobody is credited for
  conclude,
  noteDecision,
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

/** Stored with the state, so that what waits for a person is found without looking at every checkout. */
function noteDecision(draft: Draft): Draft {
  const awaitsDecision = inSuspense(draft.dossier, draft.now).length > 0;
  return awaitsDecision === draft.dossier.checkout.awaitsDecision ? draft : withCheckout(draft, { awaitsDecision });
}

/** The last step, so that the events show whether the checkout is refunded, whatever else happened. */
function announceRefunds(draft: Draft): Draft {
  const events = refundEvents(draft.before, draft.dossier, draft.now);
  return events.reduce((told, { type, refund }) => withEvent(told, type, refund), draft);
}
