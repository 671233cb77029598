/**
 * Sets aside what the merchant has decided. First of all steps, because the merchant decided about the books as they
 * were.
 */
import type { CheckoutDossier } from '../checkouts/checkout.ts';
import type { Refund } from '../checkouts/refund.ts';
import { type Draft, forgetUnusedAcceptance, post, withCheckout, withRefund } from './advance-draft.ts';
import { acceptedLines, holdLines, refundSubject } from './refund-entries.ts';

export function carryOutDecisions(draft: Draft): Draft {
  const decided = draft.dossier.refunds.filter(({ place }) => place === 'none');
  return bookAcceptedExcess(decided.reduce(holdRefund, draft));
}

function holdRefund(draft: Draft, refund: Refund): Draft {
  const held = post(
    draft,
    'refund_held',
    `refund:${refund.id}`,
    (purse) => holdLines(draft.dossier, refund, purse),
    refundSubject(refund),
  );
  const reopened = takesCounted(draft.dossier, refund)
    ? forgetUnusedAcceptance(held, 'the merchant gives it back instead')
    : held;
  return withRefund(reopened, { ...refund, place: 'reserved' });
}

/** Whether it gives back units that count towards the price. */
const takesCounted = ({ payments }: CheckoutDossier, { takes }: Refund): boolean =>
  payments.some(({ id, commitmentId }) => commitmentId !== null && takes.some(({ paymentId }) => paymentId === id));

function bookAcceptedExcess(draft: Draft): Draft {
  const { id, acceptedExcess } = draft.dossier.checkout;
  if (acceptedExcess.every(({ isBooked }) => isBooked)) return draft;
  let booked = draft;
  for (const [position, { takes, isBooked }] of acceptedExcess.entries())
    if (!isBooked)
      booked = post(booked, 'excess_accepted', `excess:${id}:${position + 1}`, (purse) =>
        acceptedLines(draft.dossier, takes, purse),
      );
  return withCheckout(booked, { acceptedExcess: acceptedExcess.map((excess) => ({ ...excess, isBooked: true })) });
}
