/** Refunds that have ended: what was set aside for them has left, or goes back to where it came from. */
import type { Refund } from '../checkouts/refund.ts';
import { refundStates } from '../checkouts/refund-state.ts';
import { opposite } from '../ledger/entry.ts';
import { type Draft, post, withNotes, withRefund } from './advance-draft.ts';
import { bringBackRefund } from './bring-back-refund.ts';
import { keptTakes, refundSubject, returnedLines, sentLines } from './refund-entries.ts';

export const endRefunds = (draft: Draft): Draft => draft.dossier.refunds.reduce(endRefund, draft);

function endRefund(draft: Draft, refund: Refund): Draft {
  const { state, place, claimExpiresAt, comingBack } = refund;
  if (comingBack !== null) return bringBackRefund(draft, refund);
  const isUndone = place === 'sent' && state === 'FAILED';
  if (place !== 'reserved' && !isUndone) return draft;
  if (state === 'COMPLETED') return completeRefund(draft, refund);
  if (state === 'FAILED' || state === 'CANCELED') return undoRefund(draft, refund);
  const isUnclaimed = state === 'CLAIMABLE' && claimExpiresAt !== null && claimExpiresAt <= draft.now;
  return isUnclaimed
    ? undoRefund(draft, { ...refund, state: refundStates.moved(state, 'expire'), endedAt: draft.now })
    : draft;
}

function completeRefund(draft: Draft, refund: Refund): Draft {
  const { merchantId } = draft.dossier.checkout;
  const reference = `refund:${refund.id}:sent`;
  const sent = post(draft, 'refund_sent', reference, () => sentLines(merchantId, refund), refundSubject(refund));
  const why = { refund: refund.id, tx: refund.txHash };
  return withNotes(withRefund(sent, { ...refund, place: 'sent' }), { what: 'refund_completed', why });
}

function undoRefund(draft: Draft, refund: Refund): Draft {
  const { merchantId } = draft.dossier.checkout;
  const unsent = refund.place === 'sent' ? opposite(sentLines(merchantId, refund)) : [];
  const returned = post(
    draft,
    'refund_returned',
    `refund:${refund.id}:returned`,
    (purse) => [...unsent, ...returnedLines(draft.dossier, refund, purse)],
    refundSubject(refund),
  );
  const takes = refund.costUnits > 0n ? keptTakes(refund) : refund.takes;
  const why = { refund: refund.id, ...(refund.failure !== null && { because: refund.failure }) };
  return withNotes(withRefund(returned, { ...refund, place: 'returned', takes }), {
    what: `refund_${refund.state.toLowerCase()}`,
    why,
  });
}
