import type { Db } from '../db/database.ts';
import type { Begin } from '../http/effect.ts';
import { enqueue } from '../jobs/enqueue.ts';
import type { Clock } from '../lib/clock.ts';
import { GatewayError, notFound } from '../lib/errors.ts';
import { newId } from '../lib/ids.ts';
import { deliveryJob } from './record-event.ts';
import { deliveryAfter } from './webhook-log-store.ts';
import { insertRedeliveries } from './webhook-store.ts';

type Redelivered = { readonly deliveryId: string };

/**
 * Sends an event once more, as a new delivery with its own attempts. The receiver sees the same `webhook-id`: it is
 * still the same event.
 *
 * Not if a newer event has followed it: the shop would go back to what is no longer true. Sending the newer one instead
 * would not be what was asked, so the merchant is told which one that is. If it is recorded at this very moment, the
 * order is kept when they are sent.
 */
export async function redeliverWebhook(
  { db, clock, begin = db.begin }: { db: Db; clock: Clock; begin?: Begin<Redelivered> },
  merchantId: string,
  deliveryId: string,
): Promise<Redelivered> {
  const newer = await deliveryAfter(db, merchantId, deliveryId);
  if (newer) throw eventFollowed(newer);
  const again = { id: newId(), at: clock.now() };
  return begin(async (tx) => {
    if ((await insertRedeliveries(tx, merchantId, [{ deliveryId, id: again.id }], again.at)) === 0)
      throw notFound('webhook delivery', deliveryId);
    await enqueue(tx, [deliveryJob({ merchantId, deliveryId: again.id, at: again.at })]);
    return { deliveryId: again.id };
  });
}

const eventFollowed = (newer: { id: string; eventType: string }): GatewayError =>
  new GatewayError({
    code: 'event_followed',
    httpStatus: 409,
    message: `${newer.eventType} has followed this event, so it is not sent again. Redeliver ${newer.id} instead.`,
  });
