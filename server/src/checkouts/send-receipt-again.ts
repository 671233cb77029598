/**
 * Sends the payer's receipt once more: to the address that the payer left, else to the customer's that the shop named,
 * and to nobody else. So many an hour and no more, because it is a way to have somebody mailed.
 */
import { findCustomer } from '../counterparties/customer-store.ts';
import { demandReachable } from '../counterparties/demand-reachable.ts';
import type { Query, Tx } from '../db/database.ts';
import type { Actor } from '../http/actor.ts';
import type { Begin } from '../http/effect.ts';
import { enqueue } from '../jobs/enqueue.ts';
import { addMs, type Clock, hours } from '../lib/clock.ts';
import { isEmailAddress } from '../lib/is-email-address.ts';
import { insertAudit } from '../merchants/merchant-store.ts';
import type { CheckoutDossier } from './checkout.ts';
import { checkoutNotFound, noReceiptToSend, receiptSentOften } from './checkout-errors.ts';
import { standingSettlement } from './checkout-facts.ts';
import { isCredited } from './checkout-state.ts';
import { type CheckoutKey, lockDossier } from './checkout-store.ts';
import { findContact } from './contact-store.ts';
import { addToTimeline, findTimeline } from './timeline-store.ts';

const timesMax = 3;
const spanMs = hours(1);

/** A receipt is a page of ours, and stands as long as the credit does. */
export const hasReceipt = (dossier: CheckoutDossier): boolean =>
  dossier.checkout.type === 'HOSTED' && isCredited(dossier.checkout.state) && standingSettlement(dossier) !== undefined;

/** Null: nobody is known to whom it could go. */
export async function receiptAddress(
  query: Query,
  { merchantId, id, customerId }: CheckoutKey & { readonly customerId: string | null },
): Promise<string | null> {
  const contact = await findContact(query, { merchantId, id });
  if (contact?.email) return contact.email;
  const customer = customerId === null ? undefined : await findCustomer(query, merchantId, customerId);
  return customer && isEmailAddress(customer.email) ? customer.email : null;
}

const mailed: readonly string[] = ['receipt_sent_again', 'paper_sent'];

/** Of a checkout, whichever of its papers was asked for. For who has locked it. */
export async function demandSeldomMailed(tx: Tx, { merchantId, id }: CheckoutKey, now: Date): Promise<void> {
  const since = addMs(now, -spanMs);
  const earlier = (await findTimeline(tx, merchantId, id)).filter(
    ({ what, at }) => mailed.includes(what) && at > since,
  );
  const [first] = earlier;
  if (first && earlier.length >= timesMax)
    throw receiptSentOften(Math.ceil((addMs(first.at, spanMs).getTime() - now.getTime()) / 1000));
}

export async function sendReceiptAgain(
  deps: { readonly begin: Begin<void>; readonly clock: Clock; readonly actor: Actor },
  merchantId: string,
  checkoutId: string,
): Promise<void> {
  await deps.begin(async (tx) => {
    const dossier = await lockDossier(tx, merchantId, checkoutId);
    if (!dossier) throw checkoutNotFound(checkoutId);
    const to = hasReceipt(dossier) ? await receiptAddress(tx, dossier.checkout) : null;
    if (to === null) throw noReceiptToSend();
    await demandReachable(tx, merchantId, to);
    const now = deps.clock.now();
    await demandSeldomMailed(tx, dossier.checkout, now);
    await addToTimeline(tx, dossier.checkout, [{ what: 'receipt_sent_again' }], now);
    const { actor } = deps;
    await insertAudit(tx, {
      merchantId,
      at: now,
      actor,
      action: 'checkout.receipt_sent_again',
      detail: { checkoutId },
    });
    const payload = { merchantId, checkoutId, askedAt: now.toISOString() };
    await enqueue(tx, [{ name: 'receipt.again', payload, runAt: now }]);
  });
}
