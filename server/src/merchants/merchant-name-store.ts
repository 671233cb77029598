/** The SQL of how many merchants there are and what they are called, for the operator. Decides nothing. */
import type { Query } from '../db/database.ts';

export async function countMerchants(query: Query): Promise<number> {
  const [row] = await query<{ count: number }>`select count(*)::integer as count from merchant`;
  return row?.count ?? 0;
}

/** By their ids. */
export async function namesOfMerchants(query: Query, ids: readonly string[]): Promise<Map<string, string>> {
  const rows = await query<{ id: string; name: string }>`select id, name from merchant where id = any(${[...ids]})`;
  return new Map(rows.map(({ id, name }) => [id, name]));
}

/** The newest, which may have nothing to show yet. */
export async function newestMerchants(
  query: Query,
  limit: number,
): Promise<{ readonly id: string; readonly name: string }[]> {
  return query<{ id: string; name: string }>`select id, name from merchant order by created_at desc, id limit ${limit}`;
}
