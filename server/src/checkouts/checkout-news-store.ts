/** The SQL that says whether anything changed about checkouts, for many accounts at once. Decides nothing. */
import type { Query } from '../db/database.ts';
import type { CheckoutKey } from './checkout-store.ts';

/**
 * A text for each account that changes when one of its newest checkouts does, or one that is being paid. Some are looked
 * at and not only the newest, because what was made earlier may become visible later.
 */
export async function newsOfCheckouts(
  query: Query,
  merchantIds: readonly string[],
  { newest, open, states }: { readonly newest: number; readonly open: number; readonly states: readonly string[] },
): Promise<Map<string, string>> {
  const rows = await query<{ id: string; version: string }>`
    select wanted.id, concat(newest.version, '/', paying.version) as version
      from unnest(${merchantIds}::text[]) as wanted (id)
     cross join lateral (
       select string_agg(concat(found.id, found.version), ',' order by found.id) as version
         from (select id, xmin::text as version from checkout where merchant_id = wanted.id
                order by created_at desc, id desc limit ${newest}) as found) as newest
     cross join lateral (
       select string_agg(concat(found.id, found.version, '-', step.id), ',' order by found.id) as version
         from unnest(${states}::text[]) as paid (state)
        cross join lateral (select id, xmin::text as version from checkout
                             where merchant_id = wanted.id and checkout.state = paid.state
                             order by created_at desc, id desc limit ${open}) as found
        cross join lateral (select max(timeline.id) as id from timeline
                             where timeline.merchant_id = wanted.id and timeline.checkout_id = found.id) as step) as paying`;
  return new Map(rows.map(({ id, version }) => [id, version]));
}

/** Likewise of single checkouts; unknown ones are left out. By merchant and id, with a slash between. */
export async function newsOfEach(query: Query, keys: readonly CheckoutKey[]): Promise<Map<string, string>> {
  const rows = await query<{ name: string; version: string }>`
    select concat(checkout.merchant_id, '/', checkout.id) as name,
           concat(checkout.xmin::text, '-', (select max(timeline.id) from timeline
                                              where timeline.merchant_id = checkout.merchant_id
                                                and timeline.checkout_id = checkout.id)) as version
      from unnest(${keys.map(({ merchantId }) => merchantId)}::text[], ${keys.map(({ id }) => id)}::text[])
             as wanted (merchant_id, id)
      join checkout on checkout.merchant_id = wanted.merchant_id and checkout.id = wanted.id`;
  return new Map(rows.map(({ name, version }) => [name, version]));
}
