import type { Db, Tx } from '../db/database.ts';
import { enqueue } from '../jobs/enqueue.ts';
import { addMs, type Clock } from '../lib/clock.ts';
import type { Payment } from './checkout.ts';
import { isCredited } from './checkout-state.ts';
import { type CheckoutKey, lockDossier } from './checkout-store.ts';
import { type CheckoutContact, findContact, saveContact } from './contact-store.ts';
import { addToTimeline } from './timeline-store.ts';

/**
 * The payer leaves an address for the receipt and for money that must go back. Once something has arrived it is about
 * somebody's money, and another person who knows the link must not be able to get it: then only an e-mail address can be
 * left, where there is none, and it gets the receipt and nothing else (`refunds/claim-email` looks at when it was left).
 * False: nothing was stored.
 */
export async function leaveContact(
  deps: { readonly db: Db; readonly clock: Clock },
  checkout: CheckoutKey,
  contact: CheckoutContact,
): Promise<boolean> {
  return deps.db.begin(async (tx) => {
    const dossier = await lockDossier(tx, checkout.merchantId, checkout.id);
    if (!dossier) return false;
    const left = dossier.payments.length > 0 ? await forReceiptOnly(tx, checkout, contact) : contact;
    if (!left) return false;
    const now = deps.clock.now();
    const { merchantId, id: checkoutId } = checkout;
    await Promise.all([
      saveContact(tx, checkout, left, afterAll(dossier.payments, now)),
      addToTimeline(tx, checkout, [{ what: 'contact_left' }], now),
      // Who is credited already was told nothing, because nobody was there to be told.
      isCredited(dossier.checkout.state) &&
        enqueue(tx, [{ name: 'email.send', payload: { merchantId, checkoutId, kind: 'receipt' }, runAt: now }]),
    ]);
    return true;
  });
}

/**
 * What is left after a payment must be seen to be so, also if both happened within a millisecond or two processes
 * disagree about the time.
 */
const afterAll = (payments: readonly Pick<Payment, 'firstSeenAt'>[], now: Date): Date =>
  payments.map(({ firstSeenAt }) => addMs(firstSeenAt, 1)).reduce((latest, at) => (at > latest ? at : latest), now);

async function forReceiptOnly(
  tx: Tx,
  checkout: CheckoutKey,
  { email, language }: CheckoutContact,
): Promise<CheckoutContact | undefined> {
  const earlier = await findContact(tx, checkout);
  if (email === null || earlier?.email) return undefined;
  return { email, language, refundNetwork: null, refundAddress: null };
}
