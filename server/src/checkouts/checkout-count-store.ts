/** The SQL that counts checkouts of an account. Decides nothing. */
import type { Query } from '../db/database.ts';
import type { DaySpan } from '../lib/local-day.ts';
import type { Rail } from './checkout-list-store.ts';
import type { AcceptedExcess } from './refund.ts';

/** How many were created, by day, also those that are forgotten; days without any are left out. */
export async function countCreated(
  query: Query,
  merchantId: string,
  spans: readonly DaySpan[],
): Promise<Map<string, number>> {
  const rows = await query<{ day: string; count: number }>`
    select span.day::text, created.count
      from unnest(${spans.map(({ day }) => day)}::date[], ${spans.map(({ from }) => from.toISOString())}::timestamptz[],
                  ${spans.map(({ to }) => to.toISOString())}::timestamptz[]) as span (day, beginning, ending)
     cross join lateral (
       select (select count(*) from checkout
                where merchant_id = ${merchantId} and created_at >= span.beginning and created_at < span.ending)::integer
              + (select coalesce(sum(checkouts), 0) from forgotten_checkouts
                  where merchant_id = ${merchantId} and quarter >= span.beginning and quarter < span.ending)::integer
                as count) as created
     where created.count > 0`;
  return new Map(rows.map(({ day, count }) => [day, count]));
}

export async function findFirstCheckout(query: Query, merchantId: string): Promise<Date | null> {
  const [row] = await query<{ at: Date | null }>`
    select least((select created_at from checkout where merchant_id = ${merchantId} order by created_at limit 1),
                 (select min(quarter) from forgotten_checkouts where merchant_id = ${merchantId})) as at`;
  return row?.at ?? null;
}

/** Of those in one of these states, counted up to a limit. */
export async function countOfStates(
  query: Query,
  merchantId: string,
  states: readonly string[],
  limit: number,
): Promise<number> {
  const [row] = await query<{ count: number }>`
    select count(*)::integer as count
      from (select from checkout where merchant_id = ${merchantId} and state = any(${states}::text[]) limit ${limit}) as found`;
  return row?.count ?? 0;
}

/** Of those created in a span of time: how many were committed to one of these rails, and of them are in these states. */
export async function countCommitted(
  query: Query,
  merchantId: string,
  { rails, states }: { readonly rails: readonly Rail[]; readonly states: readonly string[] },
  { from, to }: { readonly from: Date; readonly to: Date },
): Promise<{ committed: number; ofStates: number }> {
  const [row] = await query<{ committed: number; of_states: number }>`
    with committed as (
      select distinct checkout_id
        from unnest(${rails.map(({ network }) => network)}::text[], ${rails.map(({ asset }) => asset)}::text[])
               as wanted (network, asset)
        join checkout_rail on checkout_rail.merchant_id = ${merchantId} and checkout_rail.network = wanted.network
         and checkout_rail.asset = wanted.asset
       where created_at >= ${from} and created_at < ${to})
    select (select count(*)::integer from committed) as committed,
           (select count(*)::integer from checkout
             where merchant_id = ${merchantId} and state = any(${states}::text[])
               and created_at >= ${from} and created_at < ${to}
               and id in (select checkout_id from committed)) as of_states`;
  return { committed: row?.committed ?? 0, ofStates: row?.of_states ?? 0 };
}

/** What was kept beyond the price, of those of these checkouts of which anything was. */
export async function findAcceptedExcess(
  query: Query,
  merchantId: string,
  checkoutIds: readonly string[],
): Promise<Map<string, readonly AcceptedExcess[]>> {
  const rows = await query<{ id: string; kept: AcceptedExcess[] }>`
    select id, accepted_excess as kept from checkout
     where merchant_id = ${merchantId} and id = any(${checkoutIds}::text[]) and accepted_excess <> '[]'`;
  return new Map(rows.map(({ id, kept }) => [id, kept]));
}
