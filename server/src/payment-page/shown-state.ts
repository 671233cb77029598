/**
 * In which state the page shows a checkout. What a network tells is stored at once, and the job that it causes decides
 * about it a moment later: until then nobody who has paid enough is asked for more, or told that it is too little.
 */
import type { CheckoutDossier } from '../checkouts/checkout.ts';
import { factsOf } from '../checkouts/checkout-facts.ts';
import { type CheckoutState, deriveCheckout } from '../checkouts/checkout-state.ts';

const asking: ReadonlySet<CheckoutState> = new Set(['CREATED', 'PENDING', 'EXPIRED', 'CANCELED', 'UNDERPAID']);

/** Whether a page in this state asks for money, or for more of it. */
export const asksForMoney = (state: CheckoutState): boolean => asking.has(state);

export function shownState(dossier: CheckoutDossier, now: Date): CheckoutState {
  const { state } = dossier.checkout;
  if (!asksForMoney(state)) return state;
  return deriveCheckout(factsOf(dossier), now).state === 'PROCESSING' ? 'PROCESSING' : state;
}
