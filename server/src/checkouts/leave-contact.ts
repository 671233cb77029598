import type { Db } from '../db/database.ts';
import type { Clock } from '../lib/clock.ts';
import { type CheckoutKey, lockDossier } from './checkout-store.ts';
import { type CheckoutContact, saveContact } from './contact-store.ts';
import { addToTimeline } from './timeline-store.ts';

/**
 * The payer leaves an address for the receipt and for money that has to go back. Only until something has arrived: after
 * that it is somebody's money, and whoever else knows the link to the page must not be able to claim it (false).
 */
export async function leaveContact(
  deps: { readonly db: Db; readonly clock: Clock },
  checkout: CheckoutKey,
  contact: CheckoutContact,
): Promise<boolean> {
  return deps.db.begin(async (tx) => {
    const dossier = await lockDossier(tx, checkout.merchantId, checkout.id);
    if (!dossier || dossier.payments.length > 0) return false;
    const now = deps.clock.now();
    await Promise.all([
      saveContact(tx, checkout, contact, now),
      addToTimeline(tx, checkout, [{ what: 'contact_left' }], now),
    ]);
    return true;
  });
}
