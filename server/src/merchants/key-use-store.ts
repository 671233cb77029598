/** The SQL of when API keys were last used, to the minute. */
import type { Query, Row } from '../db/database.ts';

export type KeyUse = { readonly merchantId: string; readonly key: string; readonly at: Date };

/** In the order of the keys, so that two processes wait for each other instead of deadlocking. */
export async function saveKeyUses(query: Query, uses: readonly KeyUse[]): Promise<void> {
  if (uses.length === 0) return;
  const sorted = uses.toSorted((a, b) => (a.key < b.key ? -1 : 1));
  await query`
    insert into api_key_use (merchant_id, key, last_used_at)
    select * from unnest(${sorted.map(({ merchantId }) => merchantId)}::text[], ${sorted.map(({ key }) => key)}::text[],
                         ${sorted.map(({ at }) => at.toISOString())}::timestamptz[])
        on conflict (merchant_id, key) do update
       set last_used_at = greatest(api_key_use.last_used_at, excluded.last_used_at)`;
}

export type UnusedKey = { readonly key: string; readonly unusedSince: Date };

/** Keys that work and were used neither since then nor made since then. Longest unused first. */
export async function keysUnusedSince(query: Query, merchantId: string, since: Date): Promise<UnusedKey[]> {
  return query<Row & UnusedKey>`
    select api_key.key, greatest(last_used_at, created_at, rotated_at) as "unusedSince"
      from api_key left join api_key_use on api_key_use.merchant_id = api_key.merchant_id and api_key_use.key = api_key.key
     where api_key.merchant_id = ${merchantId} and revoked_at is null
       and greatest(last_used_at, created_at, rotated_at) < ${since}
     order by 2, 1`;
}
