import type { Tx } from '../db/database.ts';
import { newId } from '../lib/ids.ts';
import { insertEvent } from './webhook-store.ts';

export type NewEvent = {
  merchantId: string;
  /** The id of the checkout, deposit, swap …: events of one subject reach the merchant in order. */
  subject: string;
  type: string;
  data: object;
  /** Where the merchant wants to be told, or null. */
  webhook: string | null;
  /** The key whose secret signs: the one that made the subject. */
  apiKey: string;
  at: Date;
};

/**
 * Writes an event in the transaction of the change that it announces, with its delivery and the job that carries it
 * out. `deliveryId` is null when nobody wants to be told: no URL, or one that answered 410.
 */
export async function recordEvent(tx: Tx, event: NewEvent): Promise<{ eventId: string; deliveryId: string | null }> {
  const { merchantId, subject, type, data, webhook, apiKey, at } = event;
  const eventId = newId();
  const deliveryId = newId();
  // Made once: these are the bytes that are sent and signed on every attempt. There must never be a `type` beside
  // `eventType`, or two shop plugins drop the event and answer 200.
  const body = JSON.stringify({ eventType: type, data });
  const isDelivered = await insertEvent(
    tx,
    { merchantId, id: eventId, subject, type, body, at },
    { id: deliveryId, url: webhook, apiKey },
  );
  return { eventId, deliveryId: isDelivered ? deliveryId : null };
}
