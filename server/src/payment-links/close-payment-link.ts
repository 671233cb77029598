/** Nobody begins to pay it any more. What was begun before can still be paid: its payer was given a price. */
import type { Actor } from '../http/actor.ts';
import type { Begin } from '../http/effect.ts';
import type { Clock } from '../lib/clock.ts';
import { insertAudit } from '../merchants/merchant-store.ts';
import { type ShownLink, showPaymentLink } from './list-payment-links.ts';
import { markLinkClosed, type PaymentLinkKey } from './payment-link-store.ts';

/** Closing it twice closes it once. */
export async function closePaymentLink(
  { begin, clock }: { readonly begin: Begin<ShownLink>; readonly clock: Clock },
  key: PaymentLinkKey,
  actor: Actor,
): Promise<ShownLink> {
  const { merchantId, id } = key;
  const at = clock.now();
  return begin(async (tx) => {
    const isClosed = await markLinkClosed(tx, key, at);
    const shown = await showPaymentLink(tx, key);
    if (isClosed) await insertAudit(tx, { merchantId, at, actor, action: 'payment_link.closed', detail: { id } });
    return shown;
  });
}
