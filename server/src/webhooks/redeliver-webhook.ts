import type { Db } from '../db/database.ts';
import type { Clock } from '../lib/clock.ts';
import { notFound } from '../lib/errors.ts';
import { newId } from '../lib/ids.ts';
import { insertRedelivery } from './webhook-store.ts';

/**
 * Sends an event once more, as a new delivery with its own attempts. The receiver sees the same `webhook-id`: it is
 * still the same event.
 */
export async function redeliverWebhook(
  { db, clock }: { db: Db; clock: Clock },
  merchantId: string,
  deliveryId: string,
): Promise<{ deliveryId: string }> {
  const again = { id: newId(), at: clock.now() };
  const isKnown = await db.begin((tx) => insertRedelivery(tx, merchantId, deliveryId, again));
  if (!isKnown) throw notFound('webhook delivery', deliveryId);
  return { deliveryId: again.id };
}
