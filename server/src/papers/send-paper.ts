/**
 * Mails a paper once more: one that names its buyer only to the address that stands on it; a receipt where receipts go. As seldom as a receipt, because it is a way to have somebody mailed.
 */
import { lockDossier } from '../checkouts/checkout-store.ts';
import { demandSeldomMailed, receiptAddress } from '../checkouts/send-receipt-again.ts';
import { addToTimeline } from '../checkouts/timeline-store.ts';
import { findCustomer } from '../counterparties/customer-store.ts';
import { demandReachable } from '../counterparties/demand-reachable.ts';
import { addressHash } from '../counterparties/mail-token.ts';
import type { Query } from '../db/database.ts';
import type { Actor } from '../http/actor.ts';
import type { Begin } from '../http/effect.ts';
import { enqueue } from '../jobs/enqueue.ts';
import { present } from '../lib/assert.ts';
import type { Clock } from '../lib/clock.ts';
import { isEmailAddress } from '../lib/is-email-address.ts';
import { insertAudit } from '../merchants/merchant-store.ts';
import { nobodyToMail, paperNotFound } from './paper-errors.ts';
import { findPaper, type StoredPaper } from './paper-store.ts';

/** Whether this is the address that stands on it: whoever reads there is its buyer. */
export const isBuyerOf = ({ facts }: StoredPaper, email: string): boolean =>
  facts.buyer !== null && addressHash(facts.buyer.email) === addressHash(email);

/**
 * Null: nobody is known to whom it could go, or the customer was deleted. The address that stands on it, though the customer may
 * have another one since: whoever may change that may not thereby read who the customer is.
 */
export async function paperAddress(
  query: Query,
  { merchantId, checkoutId, facts }: StoredPaper,
): Promise<string | null> {
  if (!facts.buyer) return receiptAddress(query, { merchantId, id: checkoutId, customerId: null });
  const customer = await findCustomer(query, merchantId, facts.buyer.customerId);
  return customer && isEmailAddress(facts.buyer.email) ? facts.buyer.email : null;
}

export async function sendPaper(
  deps: {
    readonly begin: Begin<StoredPaper>;
    readonly clock: Clock;
    readonly actor: Actor;
    readonly sendsEmail: boolean;
  },
  merchantId: string,
  paperId: string,
): Promise<StoredPaper> {
  return deps.begin(async (tx) => {
    const paper = await findPaper(tx, merchantId, paperId);
    if (!paper) throw paperNotFound(paperId);
    const { checkoutId, number } = paper;
    const { checkout } = present(await lockDossier(tx, merchantId, checkoutId), 'the checkout of a paper');
    const to = await paperAddress(tx, paper);
    if (!deps.sendsEmail || to === null) throw nobodyToMail(number);
    await demandReachable(tx, merchantId, to);
    const now = deps.clock.now();
    await demandSeldomMailed(tx, checkout, now);
    await addToTimeline(tx, checkout, [{ what: 'paper_sent', why: { number } }], now);
    const { actor } = deps;
    await insertAudit(tx, { merchantId, at: now, actor, action: 'paper.sent', detail: { id: number, paperId } });
    const payload = { merchantId, checkoutId, paperId, askedAt: now.toISOString() };
    await enqueue(tx, [{ name: 'paper.mail', payload, runAt: now }]);
    return paper;
  });
}
