/**
 * The SQL of lists of checkouts, newest first. Every way into the list is a statement with an index in its order, so each
 * page costs the same, however old and however rare its checkouts are. Decides nothing.
 */
import type { Query, Row } from '../db/database.ts';
import { boundsOf, type PagePosition, type PageRange } from '../http/page-cursor.ts';

export type ListCut = PageRange;

type Positions = Promise<(Row & PagePosition)[]>;

export function listAll(query: Query, merchantId: string, cut: ListCut): Positions {
  const { from, at, id } = boundsOf(cut);
  return query`
    select id, created_at as "createdAt" from checkout
     where merchant_id = ${merchantId} and created_at >= ${from}::timestamptz
       and (created_at, id) < (${at}::timestamptz, ${id})
     order by created_at desc, id desc limit ${cut.limit}`;
}

/** The newest of each state, and of those the newest. */
export function listOfStates(query: Query, merchantId: string, states: readonly string[], cut: ListCut): Positions {
  const { from, at, id } = boundsOf(cut);
  return query`
    select found.id, found.created_at as "createdAt"
      from unnest(${states}::text[]) as wanted (state)
     cross join lateral (
       select id, created_at from checkout
        where merchant_id = ${merchantId} and checkout.state = wanted.state
          and created_at >= ${from}::timestamptz
          and (created_at, id) < (${at}::timestamptz, ${id})
        order by created_at desc, id desc limit ${cut.limit}) as found
     order by found.created_at desc, found.id desc limit ${cut.limit}`;
}

/** Those with any exception. */
export function listOdd(query: Query, merchantId: string, cut: ListCut): Positions {
  const { from, at, id } = boundsOf(cut);
  return query`
    select id, created_at as "createdAt" from checkout
     where merchant_id = ${merchantId} and exceptions <> '{}'
       and created_at >= ${from}::timestamptz
       and (created_at, id) < (${at}::timestamptz, ${id})
     order by created_at desc, id desc limit ${cut.limit}`;
}

export function listOfCustomer(query: Query, merchantId: string, customerId: string, cut: ListCut): Positions {
  const { from, at, id } = boundsOf(cut);
  return query`
    select id, created_at as "createdAt" from checkout
     where merchant_id = ${merchantId} and customer_id = ${customerId}
       and created_at >= ${from}::timestamptz
       and (created_at, id) < (${at}::timestamptz, ${id})
     order by created_at desc, id desc limit ${cut.limit}`;
}

/** By the price to two decimals. */
export function listOfPrice(query: Query, merchantId: string, price: string, cut: ListCut): Positions {
  const { from, at, id } = boundsOf(cut);
  return query`
    select id, created_at as "createdAt" from checkout
     where merchant_id = ${merchantId} and round(total, 2) = round(${price}::numeric, 2)
       and created_at >= ${from}::timestamptz
       and (created_at, id) < (${at}::timestamptz, ${id})
     order by created_at desc, id desc limit ${cut.limit}`;
}

export type Rail = { readonly network: string; readonly asset: string };

/** Those that were committed to one of these, whichever was chosen last. */
export function listOfRails(query: Query, merchantId: string, rails: readonly Rail[], cut: ListCut): Positions {
  const { from, at, id } = boundsOf(cut);
  return query`
    select found.checkout_id as id, found.created_at as "createdAt"
      from unnest(${rails.map(({ network }) => network)}::text[], ${rails.map(({ asset }) => asset)}::text[])
             as wanted (network, asset)
     cross join lateral (
       select checkout_id, created_at from checkout_rail
        where merchant_id = ${merchantId} and checkout_rail.network = wanted.network
          and checkout_rail.asset = wanted.asset
          and created_at >= ${from}::timestamptz
          and (created_at, checkout_id) < (${at}::timestamptz, ${id})
        order by created_at desc, checkout_id desc limit ${cut.limit}) as found
     group by 1, 2 order by 2 desc, 1 desc limit ${cut.limit}`;
}

/** Each is looked up by its id first: in the order of the list, all rows would be gone through to find a few. */
export function listOfIds(query: Query, merchantId: string, ids: readonly string[], cut: ListCut): Positions {
  const { from, at, id } = boundsOf(cut);
  return query`
    with named as materialized
         (select id, created_at from checkout where merchant_id = ${merchantId} and id = any(${ids}))
    select id, created_at as "createdAt" from named
     where created_at >= ${from}::timestamptz and (created_at, id) < (${at}::timestamptz, ${id})
     order by created_at desc, id desc limit ${cut.limit}`;
}

/** How long what was posted with each of these is. What the release before this one made is measured by reading it. */
export async function bytesOfCheckouts(
  query: Query,
  merchantId: string,
  ids: readonly string[],
): Promise<Map<string, number>> {
  const rows = await query<{ id: string; bytes: number }>`
    select id, coalesce(payload_bytes, octet_length(payload::text)) as bytes
      from checkout where merchant_id = ${merchantId} and id = any(${ids})`;
  return new Map(rows.map(({ id, bytes }) => [id, bytes]));
}

/** What else is asked of checkouts that were found. Null: nothing. */
export type Fits = {
  readonly states: readonly string[] | null;
  /** One of them at least; empty: any. */
  readonly exceptions: readonly string[] | null;
  readonly customerId: string | null;
  readonly price: string | null;
  readonly currency: string | null;
  readonly rails: readonly Rail[] | null;
};

/** Which of these fit. */
export async function fitting(
  query: Query,
  merchantId: string,
  ids: readonly string[],
  { states, exceptions, customerId, price, currency, rails }: Fits,
): Promise<Set<string>> {
  const rows = await query<{ id: string }>`
    select id from checkout
     where merchant_id = ${merchantId} and id = any(${ids})
       and (${states}::text[] is null or state = any(${states}))
       and (${exceptions}::text[] is null or exceptions && ${exceptions}
            or (cardinality(${exceptions}::text[]) = 0 and exceptions <> '{}'))
       and (${customerId}::text is null or customer_id = ${customerId})
       and (${price}::numeric is null or round(total, greatest(2, scale(${price}::numeric))) = ${price}::numeric)
       and (${currency}::text is null or billing_currency = ${currency})
       and (${rails === null}
            or exists (select from commitment
                         join unnest(${(rails ?? []).map(({ network }) => network)}::text[],
                                     ${(rails ?? []).map(({ asset }) => asset)}::text[]) as wanted (network, asset)
                           on wanted.network = commitment.network and wanted.asset = commitment.asset
                        where commitment.merchant_id = ${merchantId} and commitment.checkout_id = checkout.id))`;
  return new Set(rows.map(({ id }) => id));
}
