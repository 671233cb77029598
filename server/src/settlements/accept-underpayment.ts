import type { CheckoutDossier } from '../checkouts/checkout.ts';
import { acceptanceNotInStock, cannotAccept, checkoutNotFound, nothingToAccept } from '../checkouts/checkout-errors.ts';
import { isAcceptable } from '../checkouts/checkout-facts.ts';
import { lockDossier, saveCheckout } from '../checkouts/checkout-store.ts';
import { addToTimeline } from '../checkouts/timeline-store.ts';
import type { Tx } from '../db/database.ts';
import type { Actor } from '../http/actor.ts';
import type { Begin } from '../http/effect.ts';
import { insertAudit } from '../merchants/merchant-store.ts';
import { type AdvanceDeps, advanceLocked } from './advance-checkout.ts';

/** The merchant takes what arrived as payment in full. What needs conversion is converted at the rate of this moment. */
export async function acceptUnderpayment(
  deps: AdvanceDeps,
  {
    merchantId,
    actor,
    begin,
    demand,
  }: {
    readonly merchantId: string;
    readonly actor: Actor;
    readonly begin: Begin<CheckoutDossier>;
    /** What else must hold, asked under the lock. */
    readonly demand?: (tx: Tx, dossier: CheckoutDossier) => Promise<void>;
  },
  checkoutId: string,
): Promise<CheckoutDossier> {
  return begin(async (tx) => {
    const dossier = await lockDossier(tx, merchantId, checkoutId);
    if (!dossier) throw checkoutNotFound(checkoutId);
    if (dossier.checkout.state === 'RESOLVED') return dossier; // A client retries.
    if (dossier.checkout.state !== 'UNDERPAID') throw cannotAccept(dossier.checkout.state);
    if (!dossier.payments.some(isAcceptable)) throw nothingToAccept();
    await demand?.(tx, dossier);
    const now = deps.clock.now();
    await addToTimeline(tx, dossier.checkout, [{ what: 'underpayment_accepted' }], now);
    const detail = { checkoutId };
    await insertAudit(tx, { merchantId, at: now, actor, action: 'underpayment.accepted', detail });
    const checkout = { ...dossier.checkout, acceptedAt: now };
    // Saved first and alone: nothing else may change before a venue has exchanged it.
    await saveCheckout(tx, dossier.checkout, checkout, now);
    // Today's rate must be used today. If it were kept while we wait for stock, the merchant could choose the better of
    // two rates.
    return advanceLocked(deps, tx, { ...dossier, checkout }, { ifShort: acceptanceNotInStock });
  });
}
