/** How much of what merchants posted is kept, as the database counts it while it stores (migration 0172). Decides nothing. */
import type { Query } from '../db/database.ts';

export async function storedBytesOf(query: Query, merchantId: string): Promise<number> {
  const [row] = await query<{ bytes: string }>`
    select greatest(0, coalesce(sum(bytes), 0))::text as bytes from stored_bytes where merchant_id = ${merchantId}`;
  return Number(row?.bytes ?? 0);
}

export type StoredBytes = { readonly merchantId: string; readonly bytes: number };

/** Of all merchants those with the most. */
export async function mostStoredBytes(query: Query, limit: number): Promise<StoredBytes[]> {
  const rows = await query<{ merchantId: string; bytes: string }>`
    select merchant_id as "merchantId", sum(bytes)::text as bytes from stored_bytes
     group by merchant_id having sum(bytes) > 0 order by sum(bytes) desc, merchant_id limit ${limit}`;
  return rows.map(({ merchantId, bytes }) => ({ merchantId, bytes: Number(bytes) }));
}
