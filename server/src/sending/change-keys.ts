import type { Query } from '../db/database.ts';

/** Keys among these that are our own change. */
export async function changeKeys(query: Query, network: string, keys: readonly string[]): Promise<Set<string>> {
  const rows = await query<{ key: string }>`
    select key from deposit_target where network = ${network} and key = any(${keys}) and purpose = 'change'`;
  return new Set(rows.map((row) => row.key));
}
