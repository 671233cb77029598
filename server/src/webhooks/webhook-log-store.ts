/** The SQL behind the delivery log: what was announced about a subject, and how telling the merchant went. */
import type { Query } from '../db/database.ts';
import type { DeliveryState } from './delivery-state.ts';
import type { Attempt } from './webhook-store.ts';

export type EventRow = { id: string; type: string; body: string; createdAt: Date };

export async function eventsOfSubject(query: Query, merchantId: string, subject: string): Promise<EventRow[]> {
  const rows = await query<{ id: string; type: string; body: string; created_at: Date }>`
    select id, type, body, created_at from event
     where merchant_id = ${merchantId} and subject = ${subject} order by sequence`;
  return rows.map((row) => ({ id: row.id, type: row.type, body: row.body, createdAt: row.created_at }));
}

export type DeliveryRow = {
  id: string;
  eventId: string;
  eventType: string;
  body: string;
  url: string;
  state: DeliveryState;
  failure: string | null;
  /** Id of the newer event that overtook it. */
  supersededBy: string | null;
  createdAt: Date;
  nextAt: Date | null;
  deliveredAt: Date | null;
  attempts: (Attempt & { number: number })[];
};

/**
 * The newest first. Redelivering can be repeated without end, so the list has one. Of a deposit: about its newest
 * payments, each of which is a subject of its own.
 */
export async function deliveriesOfSubject(
  query: Query,
  merchantId: string,
  subject: string,
  limit: number,
): Promise<DeliveryRow[]> {
  const rows = await query<{
    id: string;
    event_id: string;
    type: string;
    body: string;
    url: string;
    state: DeliveryRow['state'];
    failure: string | null;
    superseded_by: string | null;
    created_at: Date;
    next_at: Date | null;
    delivered_at: Date | null;
  }>`
    select delivery.id, delivery.event_id, event.type, event.body, delivery.url, delivery.state, delivery.failure,
           delivery.superseded_by, delivery.created_at, delivery.next_at, delivery.delivered_at
      from event
      join delivery on delivery.merchant_id = event.merchant_id and delivery.event_id = event.id
     where event.merchant_id = ${merchantId}
       and event.subject = any(${subject}::text || array(select payment.id from payment
                                                    where payment.merchant_id = ${merchantId}
                                                      and payment.owner_id = ${subject} and payment.purpose = 'deposit'
                                                    order by payment.first_seen_at desc, payment.id desc limit ${limit}))
     order by delivery.sequence desc limit ${limit}`;
  const attempts = await attemptsOf(
    query,
    merchantId,
    rows.map((row) => row.id),
  );
  return rows.map((row) => ({
    id: row.id,
    eventId: row.event_id,
    eventType: row.type,
    body: row.body,
    url: row.url,
    state: row.state,
    failure: row.failure,
    supersededBy: row.superseded_by,
    createdAt: row.created_at,
    nextAt: row.next_at,
    deliveredAt: row.delivered_at,
    attempts: attempts.get(row.id) ?? [],
  }));
}

async function attemptsOf(
  query: Query,
  merchantId: string,
  deliveryIds: readonly string[],
): Promise<Map<string, DeliveryRow['attempts']>> {
  const rows = await query<{
    delivery_id: string;
    number: number;
    at: Date;
    duration_ms: number;
    request_headers: Record<string, string>;
    response_status: number | null;
    response_headers: Record<string, string> | null;
    response_excerpt: string | null;
    error: string | null;
  }>`
    select delivery_id, number, at, duration_ms, request_headers, response_status, response_headers,
           response_excerpt, error
      from delivery_attempt
     where merchant_id = ${merchantId} and delivery_id = any(${[...deliveryIds]})
     order by delivery_id, number`;
  const attempts = new Map<string, DeliveryRow['attempts']>();
  for (const row of rows) {
    const ofDelivery = attempts.get(row.delivery_id) ?? [];
    attempts.set(row.delivery_id, ofDelivery);
    ofDelivery.push({
      number: row.number,
      at: row.at,
      durationMs: row.duration_ms,
      requestHeaders: row.request_headers,
      responseStatus: row.response_status,
      responseHeaders: row.response_headers,
      responseExcerpt: row.response_excerpt,
      error: row.error,
    });
  }
  return attempts;
}

/** For the operator, who knows a delivery's id and not whose it is. */
export async function merchantOfDelivery(query: Query, deliveryId: string): Promise<string | undefined> {
  const [row] = await query<{ merchant_id: string }>`select merchant_id from delivery where id = ${deliveryId}`;
  return row?.merchant_id;
}

/** The newest delivery of the newest event that has followed the event of this delivery; none: it is the newest. */
export async function deliveryAfter(
  query: Query,
  merchantId: string,
  deliveryId: string,
): Promise<{ id: string; eventType: string } | undefined> {
  const [row] = await query<{ id: string; type: string }>`
    select later_delivery.id, later.type
      from delivery
      join event on event.merchant_id = delivery.merchant_id and event.id = delivery.event_id
      join event later on later.merchant_id = event.merchant_id and later.subject = event.subject
                      and later.sequence > event.sequence
      join delivery later_delivery on later_delivery.merchant_id = later.merchant_id
                                  and later_delivery.event_id = later.id
     where delivery.merchant_id = ${merchantId} and delivery.id = ${deliveryId}
     order by later.sequence desc, later_delivery.sequence desc limit 1`;
  return row && { id: row.id, eventType: row.type };
}
