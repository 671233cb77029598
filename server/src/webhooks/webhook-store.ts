/** All SQL of events and their deliveries. */
import type { Query, Tx } from '../db/database.ts';
import { deliveryStates } from './delivery-state.ts';

/** Why a delivery was given up whose receiver does not want to be told any more. */
export const urlGone = 'The receiver answered 410 Gone, so nothing is sent to this URL any more.';

export type EventToInsert = {
  merchantId: string;
  id: string;
  subject: string;
  type: string;
  body: string;
  at: Date;
  deliveryId: string;
  url: string | null;
  apiKey: string | null;
};

/**
 * Stores events and their deliveries in one round trip, because every payment comes through here. Returns the ids of
 * the deliveries that are to be made: none without a URL. For a URL that answered 410 a delivery is stored that was
 * given up, so that the merchant can ask for this one, and not for an older one.
 */
export async function insertEvents(tx: Tx, events: readonly EventToInsert[]): Promise<Set<string>> {
  const [waiting, givenUp] = deliveryStates.first;
  const rows = await tx<{ id: string }>`
    with wanted as (
      select * from unnest(
        ${events.map((event) => event.merchantId)}::text[], ${events.map((event) => event.id)}::text[],
        ${events.map((event) => event.subject)}::text[], ${events.map((event) => event.type)}::text[],
        ${events.map((event) => event.body)}::text[], ${events.map((event) => event.at.toISOString())}::timestamptz[],
        ${events.map((event) => event.deliveryId)}::text[], ${events.map((event) => event.url)}::text[],
        ${events.map((event) => event.apiKey)}::text[])
        with ordinality as e (merchant_id, id, subject, type, body, at, delivery_id, url, api_key, position)
    ), new_event as (
      insert into event (merchant_id, id, type, subject, body, created_at)
      select merchant_id, id, type, subject, body, at from wanted order by position
    ), new_delivery as (
      insert into delivery (merchant_id, id, event_id, subject, url, api_key, created_at, state, next_at, failure)
      select wanted.merchant_id, delivery_id, id, subject, wanted.url, api_key, wanted.at,
             case when off.url is null then ${waiting} else ${givenUp} end,
             case when off.url is null then wanted.at end,
             case when off.url is not null then ${urlGone} end
        from wanted left join disabled_webhook off on off.merchant_id = wanted.merchant_id and off.url = wanted.url
       where wanted.url is not null
       order by position
      returning id, state
    )
    select id from new_delivery where state = ${waiting}`;
  return new Set(rows.map((row) => row.id));
}

/**
 * The same events to the same URLs once more, which makes good the deliveries that were given up. Whoever asks for that
 * wants the URLs to be used again, even if they answered 410. Returns how many there were to repeat.
 */
export async function insertRedeliveries(
  tx: Tx,
  merchantId: string,
  redeliveries: readonly { readonly deliveryId: string; readonly id: string }[],
  at: Date,
): Promise<number> {
  const rows = await tx`
    with wanted as (
      select * from unnest(${redeliveries.map(({ deliveryId }) => deliveryId)}::text[],
                           ${redeliveries.map(({ id }) => id)}::text[])
        with ordinality as w (former_id, id, position)
    ), new_delivery as (
      insert into delivery (merchant_id, id, event_id, subject, url, api_key, created_at, next_at, replaced_by)
      select former.merchant_id, wanted.id, former.event_id, former.subject, former.url, former.api_key, ${at}, ${at},
             case when former.replaced_by = former.id then wanted.id end -- A test stays one.
        from wanted join delivery former on former.merchant_id = ${merchantId} and former.id = wanted.former_id
       order by position
      returning merchant_id, url
    ), made_good as (
      update delivery former set replaced_by = wanted.id
        from wanted
       where former.merchant_id = ${merchantId} and former.id = wanted.former_id and former.state = 'FAILED'
    ), enabled as (
      delete from disabled_webhook off using new_delivery
       where off.merchant_id = new_delivery.merchant_id and off.url = new_delivery.url
    )
    select from new_delivery`;
  return rows.length;
}

/** Forgets that the URL answered 410. */
export async function enableWebhook(tx: Tx, merchantId: string, url: string): Promise<void> {
  await tx`delete from disabled_webhook where merchant_id = ${merchantId} and url = ${url}`;
}

export type WaitingDelivery = {
  eventId: string;
  body: string;
  url: string;
  apiKey: string;
  attempts: number;
  nextAt: Date;
  isUrlDisabled: boolean;
  /** It is sent once, whatever is answered. */
  isTest: boolean;
  /** When the delivery that must go first is due; null: this one may go. */
  waitsForOneDueAt: Date | null;
};

/**
 * A delivery that is still to be made, or null. Earlier deliveries of its subject go first, as long as they have failed
 * fewer than `failuresToOvertake` times.
 */
export async function waitingDelivery(
  query: Query,
  merchantId: string,
  deliveryId: string,
  failuresToOvertake: number,
): Promise<WaitingDelivery | null> {
  const [row] = await query<{
    event_id: string;
    body: string;
    url: string;
    api_key: string;
    attempts: number;
    next_at: Date;
    is_url_disabled: boolean;
    is_test: boolean;
    earlier_next_at: Date | null;
  }>`
    select delivery.event_id, event.body, delivery.url, delivery.api_key, delivery.attempts, delivery.next_at,
           coalesce(delivery.replaced_by = delivery.id, false) as is_test,
           exists (select from disabled_webhook off
                    where off.merchant_id = delivery.merchant_id and off.url = delivery.url) as is_url_disabled,
           (select earlier.next_at from delivery earlier
             where earlier.merchant_id = delivery.merchant_id and earlier.subject = delivery.subject
               and earlier.state = 'PENDING'
               and earlier.sequence < delivery.sequence and earlier.attempts < ${failuresToOvertake}
             order by earlier.sequence limit 1) as earlier_next_at
      from delivery
      join event on event.merchant_id = delivery.merchant_id and event.id = delivery.event_id
     where delivery.merchant_id = ${merchantId} and delivery.id = ${deliveryId} and delivery.state = 'PENDING'`;
  if (!row) return null;
  return {
    eventId: row.event_id,
    body: row.body,
    url: row.url,
    apiKey: row.api_key,
    attempts: row.attempts,
    nextAt: row.next_at,
    isUrlDisabled: row.is_url_disabled,
    isTest: row.is_test,
    waitsForOneDueAt: row.earlier_next_at,
  };
}

export type Attempt = {
  at: Date;
  durationMs: number;
  requestHeaders: Readonly<Record<string, string>>;
  responseStatus: number | null;
  responseHeaders: Readonly<Record<string, string>> | null;
  responseExcerpt: string | null;
  error: string | null;
};

export type AttemptOutcome =
  | { move: 'deliver' }
  | { move: 'retry'; nextAt: Date }
  | { move: 'giveUp'; failure: string; isUrlGone: boolean };

/**
 * Stores an attempt and what follows from it, and ends its turn. False when someone else has changed the delivery
 * meanwhile.
 */
export async function recordAttempt(
  query: Query,
  delivery: { merchantId: string; id: string; attemptsBefore: number; worker: number },
  attempt: Attempt,
  outcome: AttemptOutcome,
): Promise<boolean> {
  const { move } = outcome;
  const { from, to } = deliveryStates;
  const rows = await query`
    with moved as (
      update delivery
         set attempts = attempts + 1, state = ${to(move)}, next_at = ${move === 'retry' ? outcome.nextAt : null},
             delivered_at = ${move === 'deliver' ? attempt.at : null},
             failure = ${move === 'giveUp' ? outcome.failure : null}
       where merchant_id = ${delivery.merchantId} and id = ${delivery.id}
         and state = any(${from(move)}) and attempts = ${delivery.attemptsBefore}
      returning merchant_id, id, url, attempts
    ), logged as (
      insert into delivery_attempt (merchant_id, delivery_id, number, at, duration_ms, request_headers,
                                    response_status, response_headers, response_excerpt, error)
      select merchant_id, id, attempts, ${attempt.at}::timestamptz, ${attempt.durationMs}::integer,
             ${JSON.stringify(attempt.requestHeaders)}::jsonb, ${attempt.responseStatus}::integer,
             ${attempt.responseHeaders === null ? null : JSON.stringify(attempt.responseHeaders)}::jsonb,
             ${attempt.responseExcerpt}::text, ${attempt.error}::text
        from moved
    ), ended as (
      update webhook_turn set worker = null
        from delivery
       where delivery.merchant_id = ${delivery.merchantId} and delivery.id = ${delivery.id}
         and webhook_turn.merchant_id = delivery.merchant_id and webhook_turn.subject = delivery.subject
         and webhook_turn.delivery_id = delivery.id and webhook_turn.worker = ${delivery.worker}
    ), gone as (
      insert into disabled_webhook (merchant_id, url, at)
      select merchant_id, url, ${attempt.at}::timestamptz from moved where ${move === 'giveUp' && outcome.isUrlGone}
          on conflict do nothing
    )
    select from moved`;
  return rows.length > 0;
}

/**
 * Gives up a delivery without an attempt. An earlier attempt may have broken off and still have the turn of its
 * subject, which nobody would ever end: the turn is free once that attempt must have ended.
 */
export async function abandonDelivery(
  query: Query,
  delivery: { merchantId: string; id: string; attemptLimitMs: number },
  failure: string,
): Promise<void> {
  const { merchantId, id, attemptLimitMs } = delivery;
  await query`
    with given_up as (
      update delivery set state = ${deliveryStates.to('giveUp')}, next_at = null, failure = ${failure}
       where merchant_id = ${merchantId} and id = ${id} and state = any(${deliveryStates.from('giveUp')})
      returning merchant_id, subject, id
    )
    update webhook_turn turn
       set worker = null,
           quiet_until = greatest(turn.quiet_until, turn.begun_at + ${`${attemptLimitMs} milliseconds`}::interval)
      from given_up
     where turn.merchant_id = given_up.merchant_id and turn.subject = given_up.subject
       and turn.delivery_id = given_up.id and turn.worker is not null`;
}

/** How long the longest waiting delivery has waited, in seconds. For the metric. */
export async function oldestPendingDeliverySeconds(query: Query, now: Date): Promise<number> {
  const [row] = await query<{ oldest: Date | null }>`
    select min(created_at) as oldest from delivery where state = 'PENDING'`;
  return row?.oldest ? Math.max(0, (now.getTime() - row.oldest.getTime()) / 1000) : 0;
}
