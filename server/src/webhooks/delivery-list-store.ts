/** The SQL of a merchant's deliveries by their state, the newest first, and of those that are sent again together. */
import { deliveryStates } from '@quittance/contract/webhook';
import type { Query, Row, Tx } from '../db/database.ts';
import { boundsOf, type PagePosition, type PageRange } from '../http/page-cursor.ts';
import type { DeliveryState } from './delivery-state.ts';

/** `failed`: given up, and not made good since. `waiting`: still to be made. */
export const deliveryFilters = ['all', 'failed', 'waiting'] as const;
export type DeliveryFilter = (typeof deliveryFilters)[number];

export type ListedDelivery = {
  readonly id: string;
  readonly createdAt: Date;
  readonly eventType: string;
  readonly subject: string;
  readonly url: string;
  readonly state: DeliveryState;
  readonly attempts: number;
  readonly nextAt: Date | null;
  /** Another delivery has made it good. */
  readonly isReplaced: boolean;
  /** Of the last attempt. */
  readonly lastStatus: number | null;
  readonly lastDurationMs: number | null;
};

type ListedRow = {
  id: string;
  created_at: Date;
  type: string;
  subject: string;
  url: string;
  state: DeliveryState;
  attempts: number;
  next_at: Date | null;
  is_replaced: boolean;
  response_status: number | null;
  duration_ms: number | null;
};

const toListed = (row: ListedRow): ListedDelivery => ({
  id: row.id,
  createdAt: row.created_at,
  eventType: row.type,
  subject: row.subject,
  url: row.url,
  state: row.state,
  attempts: row.attempts,
  nextAt: row.next_at,
  isReplaced: row.is_replaced,
  lastStatus: row.response_status,
  lastDurationMs: row.duration_ms,
});

/**
 * The newest of each state, and of those the newest: so one index serves every choice of states.
 */
export async function newestOfStates(
  query: Query,
  merchantId: string,
  states: readonly string[],
  range: PageRange,
): Promise<PagePosition[]> {
  const { from, at, id } = boundsOf(range);
  return query<Row & PagePosition>`
    select found.id, found.created_at as "createdAt"
      from unnest(${states}::text[]) as wanted (state)
     cross join lateral (
       select id, created_at from delivery
        where merchant_id = ${merchantId} and delivery.state = wanted.state
          and created_at >= ${from}::timestamptz and (created_at, id) < (${at}::timestamptz, ${id})
        order by created_at desc, id desc limit ${range.limit}) as found
     order by found.created_at desc, found.id desc limit ${range.limit}`;
}

/** How long what is told by each of these is. */
export async function bytesOfDeliveries(
  query: Query,
  merchantId: string,
  ids: readonly string[],
): Promise<Map<string, number>> {
  const rows = await query<{ id: string; bytes: number }>`
    select delivery.id, octet_length(event.body) as bytes
      from delivery join event on event.merchant_id = delivery.merchant_id and event.id = delivery.event_id
     where delivery.merchant_id = ${merchantId} and delivery.id = any(${ids})`;
  return new Map(rows.map(({ id, bytes }) => [id, bytes]));
}

function newestGivenUp(query: Query, merchantId: string, range: PageRange): Promise<PagePosition[]> {
  const { from, at, id } = boundsOf(range);
  return query<Row & PagePosition>`
    select id, created_at as "createdAt" from delivery
     where merchant_id = ${merchantId} and state = 'FAILED' and replaced_by is null
       and created_at >= ${from}::timestamptz and (created_at, id) < (${at}::timestamptz, ${id})
     order by created_at desc, id desc limit ${range.limit}`;
}

export async function listDeliveries(
  query: Query,
  merchantId: string,
  filter: DeliveryFilter,
  page: Pick<PageRange, 'before' | 'limit'>,
): Promise<ListedDelivery[]> {
  const range = { ...page, from: null, to: null };
  const keys = await (filter === 'failed'
    ? newestGivenUp(query, merchantId, range)
    : newestOfStates(query, merchantId, filter === 'all' ? deliveryStates : ['PENDING'], range));
  const rows = await query<ListedRow>`
    select delivery.id, delivery.created_at, event.type, delivery.subject, delivery.url, delivery.state,
           delivery.attempts, delivery.next_at, coalesce(replaced_by <> delivery.id, false) as is_replaced,
           last.response_status, last.duration_ms
      from delivery
      join event on event.merchant_id = delivery.merchant_id and event.id = delivery.event_id
      left join delivery_attempt last
        on last.merchant_id = delivery.merchant_id and last.delivery_id = delivery.id and last.number = delivery.attempts
     where delivery.merchant_id = ${merchantId} and delivery.id = any(${keys.map(({ id }) => id)})
     order by delivery.created_at desc, delivery.id desc`;
  return rows.map(toListed);
}

/** Counted up to a limit: nobody reads on from there. */
export async function countOpenDeliveries(
  query: Query,
  merchantId: string,
  limit: number,
): Promise<{ failed: number; waiting: number }> {
  const [row] = await query<{ failed: number; waiting: number }>`
    select (select count(*)::integer from (select from delivery where merchant_id = ${merchantId}
               and state = 'FAILED' and replaced_by is null limit ${limit}) as failed) as failed,
           (select count(*)::integer from (select from delivery where merchant_id = ${merchantId}
               and state = 'PENDING' limit ${limit}) as waiting) as waiting`;
  return row ?? { failed: 0, waiting: 0 };
}

/** Where the newest event went: what a test is most likely for. */
export async function newestUrl(query: Query, merchantId: string): Promise<string | undefined> {
  const keys = await newestOfStates(query, merchantId, deliveryStates, {
    from: null,
    to: null,
    before: null,
    limit: 1,
  });
  const [row] = await query<{ url: string }>`
    select url from delivery where merchant_id = ${merchantId} and id = any(${keys.map(({ id }) => id)})`;
  return row?.url;
}

export type GivenUp = {
  readonly id: string;
  readonly subject: string;
  /** The newest delivery of the newest event of the subject: it says what is true now. */
  readonly newest: { readonly id: string; readonly state: DeliveryState };
};

/** The oldest ones that were given up since then and not made good. Nobody else makes them good until the transaction ends. */
export async function lockGivenUp(tx: Tx, merchantId: string, since: Date, limit: number): Promise<GivenUp[]> {
  const rows = await tx<{ id: string; subject: string; newest_id: string; newest_state: DeliveryState }>`
    with failed as (
      select id, subject from delivery
       where merchant_id = ${merchantId} and state = 'FAILED' and replaced_by is null and created_at >= ${since}
       order by created_at, id limit ${limit} for update
    ), newest as (
      select about.subject, latest.id, latest.state
        from (select distinct subject from failed) as about
        cross join lateral (
          select delivery.id, delivery.state
            from event
            join delivery on delivery.merchant_id = event.merchant_id and delivery.event_id = event.id
           where event.merchant_id = ${merchantId} and event.subject = about.subject
           order by event.sequence desc, delivery.sequence desc limit 1) as latest
    )
    select failed.id, subject, newest.id as newest_id, newest.state as newest_state
      from failed join newest using (subject)`;
  return rows.map((row) => ({
    id: row.id,
    subject: row.subject,
    newest: { id: row.newest_id, state: row.newest_state },
  }));
}

/** By which delivery each was made good; by itself: it is a test, which nobody needs to make good. */
export async function markReplaced(
  tx: Tx,
  merchantId: string,
  replaced: readonly { readonly id: string; readonly by: string }[],
): Promise<void> {
  await tx`
    update delivery set replaced_by = given.by
      from unnest(${replaced.map(({ id }) => id)}::text[], ${replaced.map(({ by }) => by)}::text[]) as given (id, by)
     where delivery.merchant_id = ${merchantId} and delivery.id = given.id`;
}
