/** The SQL of the delivery log: what was announced about a subject, and how its deliveries went. */
import type { Query, Row } from '../db/database.ts';
import { pageBytes } from '../http/page-cursor.ts';
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
  /** Id of the newer event that superseded it. */
  supersededBy: string | null;
  createdAt: Date;
  nextAt: Date | null;
  deliveredAt: Date | null;
  attempts: (Attempt & { number: number })[];
};

type StoredDelivery = Row & {
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
};

const toDeliveryRow = (row: StoredDelivery, attempts: DeliveryRow['attempts']): DeliveryRow => ({
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
  attempts,
});

/**
 * The newest first. Redelivering can be repeated without end, so the list has a limit, of bytes too. Of a deposit: about its newest
 * payments, each of which is a subject of its own.
 */
export async function deliveriesOfSubject(
  query: Query,
  merchantId: string,
  subject: string,
  limit: number,
): Promise<DeliveryRow[]> {
  const rows = await query<StoredDelivery>`
    with about as (
    select delivery.id, delivery.event_id, delivery.sequence, octet_length(event.body) as bytes
      from event
      join delivery on delivery.merchant_id = event.merchant_id and delivery.event_id = event.id
     where event.merchant_id = ${merchantId}
       and event.subject = any(${subject}::text || array(select payment.id from payment
                                                    where payment.merchant_id = ${merchantId}
                                                      and payment.owner_id = ${subject} and payment.purpose = 'deposit'
                                                    order by payment.first_seen_at desc, payment.id desc limit ${limit}))
     order by delivery.sequence desc limit ${limit}),
    counted as (select *, sum(bytes) over (order by sequence desc) - bytes as newer_bytes from about)
    select delivery.id, delivery.event_id, event.type, event.body, delivery.url, delivery.state, delivery.failure,
           delivery.superseded_by, delivery.created_at, delivery.next_at, delivery.delivered_at
      from counted
      join delivery on delivery.merchant_id = ${merchantId} and delivery.id = counted.id
      join event on event.merchant_id = ${merchantId} and event.id = counted.event_id
     where newer_bytes < ${pageBytes}
     order by counted.sequence desc`;
  return withAttempts(query, merchantId, rows);
}

/** These, the newest first. */
export async function findDeliveries(query: Query, merchantId: string, ids: readonly string[]): Promise<DeliveryRow[]> {
  const rows = await query<StoredDelivery>`
    select delivery.id, delivery.event_id, event.type, event.body, delivery.url, delivery.state, delivery.failure,
           delivery.superseded_by, delivery.created_at, delivery.next_at, delivery.delivered_at
      from delivery join event on event.merchant_id = delivery.merchant_id and event.id = delivery.event_id
     where delivery.merchant_id = ${merchantId} and delivery.id = any(${[...ids]})
     order by delivery.created_at desc, delivery.id desc`;
  return withAttempts(query, merchantId, rows);
}

async function withAttempts(query: Query, merchantId: string, rows: readonly StoredDelivery[]): Promise<DeliveryRow[]> {
  const attempts = await attemptsOf(
    query,
    merchantId,
    rows.map((row) => row.id),
  );
  return rows.map((row) => toDeliveryRow(row, attempts.get(row.id) ?? []));
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

/** One delivery with all its attempts, and what it is about. */
export async function findDelivery(
  query: Query,
  merchantId: string,
  id: string,
): Promise<(DeliveryRow & { subject: string; apiKey: string; replacedBy: string | null }) | undefined> {
  const [row] = await query<StoredDelivery & { subject: string; api_key: string; replaced_by: string | null }>`
    select delivery.id, delivery.event_id, event.type, event.body, delivery.url, delivery.state, delivery.failure,
           delivery.superseded_by, delivery.created_at, delivery.next_at, delivery.delivered_at, delivery.subject,
           delivery.api_key, delivery.replaced_by
      from delivery join event on event.merchant_id = delivery.merchant_id and event.id = delivery.event_id
     where delivery.merchant_id = ${merchantId} and delivery.id = ${id}`;
  if (!row) return undefined;
  const attempts = (await attemptsOf(query, merchantId, [id])).get(id) ?? [];
  return { ...toDeliveryRow(row, attempts), subject: row.subject, apiKey: row.api_key, replacedBy: row.replaced_by };
}

/** For the operator, who has a delivery's id and not its merchant. */
export async function merchantOfDelivery(query: Query, deliveryId: string): Promise<string | undefined> {
  const [row] = await query<{ merchant_id: string }>`select merchant_id from delivery where id = ${deliveryId}`;
  return row?.merchant_id;
}

/** The newest delivery of the newest event after the event of this delivery; undefined: it is the newest. */
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
