import type { Tx } from '../db/database.ts';
import { enqueue } from '../jobs/enqueue.ts';
import { present } from '../lib/assert.ts';
import { newId } from '../lib/ids.ts';
import { type EventToInsert, insertEvents } from './webhook-store.ts';

export type NewEvent = {
  merchantId: string;
  /**
   * The id of the checkout, of the payment to a deposit, of the swap …: events of one subject reach the merchant in
   * order.
   */
  subject: string;
  type: string;
  data: object;
  /** Where the merchant wants to be told, or null. */
  webhook: string | null;
  /** The key whose secret signs: the one with which the subject was made. Null only without a webhook. */
  apiKey: string | null;
  at: Date;
};

export type RecordedEvent = { eventId: string; deliveryId: string | null };

/**
 * Stores events in the transaction of the change that they announce, with their deliveries and the jobs that carry
 * these out. `deliveryId` is null when nobody wants to be told: there is no URL, or it answered 410.
 */
export async function recordEvents(tx: Tx, events: readonly NewEvent[]): Promise<RecordedEvent[]> {
  if (events.length === 0) return [];
  const rows = events.map(({ merchantId, subject, type, data, webhook, apiKey, at }) => {
    // Made once: every attempt sends and signs these same bytes. There must never be a `type` beside `eventType`, or
    // two shop plugins drop the event and answer 200.
    const body = JSON.stringify({ eventType: type, data });
    return { merchantId, id: newId(), subject, type, body, at, deliveryId: newId(), url: webhook, apiKey };
  });
  // Sent together, because every payment comes through here. If a delivery was given up at once, because its URL had
  // answered 410, its job finds nothing to do.
  const told = rows.filter(({ url }) => url !== null);
  const [delivered] = await Promise.all([insertEvents(tx, rows), enqueue(tx, told.map(deliveryJob))]);
  return rows.map(({ id, deliveryId }) => ({
    eventId: id,
    deliveryId: delivered.has(deliveryId) ? deliveryId : null,
  }));
}

export const deliveryJob = ({ merchantId, deliveryId, at }: Pick<EventToInsert, 'merchantId' | 'deliveryId' | 'at'>) =>
  ({ name: 'webhook.deliver', payload: { merchantId, deliveryId }, runAt: at }) as const;

export async function recordEvent(tx: Tx, event: NewEvent): Promise<RecordedEvent> {
  const [recorded] = await recordEvents(tx, [event]);
  return present(recorded, 'the event that was recorded');
}
