import type { Actor } from '../http/actor.ts';
import type { Begin } from '../http/effect.ts';
import type { Clock } from '../lib/clock.ts';
import { insertAudit } from '../merchants/merchant-store.ts';
import { releasePromises } from '../venues/treasury-promise-store.ts';
import type { CheckoutDossier } from './checkout.ts';
import { cannotCancel, checkoutNotFound } from './checkout-errors.ts';
import { factsOf } from './checkout-facts.ts';
import { assertMove, deriveCheckout, isAlive } from './checkout-state.ts';
import { lockDossier, saveCheckout } from './checkout-store.ts';
import { addToTimeline } from './timeline-store.ts';

/** Ends the window at once. The targets stay watched: a payment that is already on its way is still credited. */
export async function cancelCheckout(
  deps: { begin: Begin<CheckoutDossier>; clock: Clock; actor: Actor },
  merchant: { id: string },
  checkoutId: string,
): Promise<CheckoutDossier> {
  return deps.begin(async (tx) => {
    const dossier = await lockDossier(tx, merchant.id, checkoutId);
    if (!dossier) throw checkoutNotFound(checkoutId);
    const { checkout } = dossier;
    if (checkout.state === 'CANCELED') return dossier; // A client retries.
    const hasPayments = dossier.payments.some(isAlive);
    if (hasPayments || (checkout.state !== 'CREATED' && checkout.state !== 'PENDING'))
      throw cannotCancel(checkout.state, hasPayments);

    const { actor } = deps;
    const now = deps.clock.now();
    // We hold the lock, so the commitment came before, whatever the clock of the machine said that made it.
    const committedAt = dossier.commitments.at(-1)?.committedAt;
    const canceledAt = committedAt && committedAt > now ? committedAt : now;
    const { state, exceptions } = deriveCheckout({ ...factsOf(dossier), canceledAt }, canceledAt);
    assertMove(checkout.state, state);
    const after = { ...checkout, state, exceptions, canceledAt, windowEndsAt: canceledAt };
    await Promise.all([
      saveCheckout(tx, checkout, after, now),
      releasePromises(tx, [{ merchantId: merchant.id, checkoutId }]),
      addToTimeline(tx, checkout, [{ what: 'canceled', why: { from: checkout.state } }], now),
      insertAudit(tx, { merchantId: merchant.id, at: now, actor, action: 'checkout.canceled', detail: { checkoutId } }),
    ]);
    return { ...dossier, checkout: after };
  });
}
