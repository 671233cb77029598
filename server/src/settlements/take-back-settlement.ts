/**
 * A credit whose payments are no longer confirmed is no longer true: the merchant gives it back, and the payments wait
 * again.
 */
import { standingSettlement } from '../checkouts/checkout-facts.ts';
import { reversalReference } from '../ledger/entry.ts';
import { type Draft, derive, moveTo, post, withEvent } from './advance-draft.ts';
import { reversalLines } from './settlement-entries.ts';

export function takeBackSettlement(draft: Draft): Draft {
  const { dossier, now } = draft;
  const standing = standingSettlement(dossier);
  if (!standing || !derive(draft).isReversalDue) return draft;
  const reversed = post(draft, 'settlement_reversed', reversalReference(standing.reference), (purse) =>
    reversalLines(dossier, standing.parts, purse),
  );
  const undone: Draft = {
    ...reversed,
    dossier: {
      ...dossier,
      payments: dossier.payments.map((payment) =>
        payment.place === 'settled' ? { ...payment, place: 'pending' } : payment,
      ),
      settlements: dossier.settlements.map((each) => (each === standing ? { ...each, reversedAt: now } : each)),
    },
  };
  const { state, exceptions } = derive(undone);
  const because = 'a credited payment is no longer confirmed';
  const moved = moveTo(undone, state === 'REFUNDED' ? state : 'PROCESSING', exceptions, { because });
  return withEvent(moved, 'CHECKOUT_REVERSED');
}
