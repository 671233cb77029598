/** The SQL that says whether anybody has done anything in an account. Decides nothing. */
import type { Query } from '../db/database.ts';

/** A text for each account that changes with its newest rows: several, because an earlier one may become visible later. */
export async function newsOfAudit(
  query: Query,
  merchantIds: readonly string[],
  count: number,
): Promise<Map<string, string>> {
  const rows = await query<{ id: string; version: string | null }>`
    select wanted.id, newest.version
      from unnest(${merchantIds}::text[]) as wanted (id)
     cross join lateral (
       select string_agg(found.id::text, ',' order by found.id) as version
         from (select id from audit_log where merchant_id = wanted.id order by id desc limit ${count}) as found) as newest`;
  return new Map(rows.map(({ id, version }) => [id, version ?? '']));
}
