/**
 * A refund had arrived, and came back, whole or in part: the customer does not have it, so it was not given back. What came
 * back goes to where it had been taken from, and can be refunded again. The fee was paid for sending it, and stays paid.
 */
import { factsOf } from '../checkouts/checkout-facts.ts';
import { deriveCheckout } from '../checkouts/checkout-state.ts';
import { heldUnits, type Refund } from '../checkouts/refund.ts';
import { refundStates } from '../checkouts/refund-state.ts';
import { assert } from '../lib/assert.ts';
import { type Draft, moveTo, post, withNotes, withRefund } from './advance-draft.ts';
import { broughtBackLines, refundSubject, splitTakes } from './refund-entries.ts';

/** One that came back whole has failed; one that came back in part stays completed. */
export function bringBackRefund(draft: Draft, refund: Refund): Draft {
  const { comingBack, id, sentUnits, asset } = refund;
  if (comingBack === null) return draft;
  const { units, reason } = comingBack;
  const cameBackUnits = refund.cameBackUnits + units;
  assert(refund.place === 'sent' && cameBackUnits <= sentUnits, `more of the refund ${id} came back than was sent`);
  const { kept, givenBack } = splitTakes(refund, units);
  const booked = post(
    draft,
    'refund_came_back',
    `refund:${id}:came-back:${cameBackUnits}`,
    (purse) => broughtBackLines(draft.dossier, { refund, units, givenBack }, purse),
    refundSubject(refund),
  );
  const back: Refund = { ...refund, comingBack: null, cameBackUnits, cameBackAt: draft.now, takes: kept };
  const because = reason === null ? {} : { because: reason };
  if (cameBackUnits < sentUnits) {
    const why = { refund: id, asset, units: units.toString(), ...because };
    return reopen(withNotes(withRefund(booked, back), { what: 'refund_came_back', why }));
  }
  const failed: Refund = {
    ...back,
    state: refundStates.moved(refund.state, 'comeBack'),
    place: 'returned',
    costUnits: heldUnits(refund) - sentUnits,
    failure: reason === null ? 'It had arrived, and came back.' : `It had arrived, and came back: ${reason}`,
  };
  const why = { refund: id, because: failed.failure };
  return reopen(withNotes(withRefund(booked, failed), { what: 'refund_failed', why }));
}

/** What was refunded is not any more: the checkout is again what it would be without that. */
function reopen(draft: Draft): Draft {
  if (draft.dossier.checkout.state !== 'REFUNDED') return draft;
  const { state, exceptions } = deriveCheckout({ ...factsOf(draft.dossier), refundedWith: null }, draft.now);
  return state === 'REFUNDED' ? draft : moveTo(draft, state, exceptions, { because: 'what was refunded came back' });
}
