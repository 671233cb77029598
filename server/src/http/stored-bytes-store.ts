/** How much of what merchants posted is kept, as the database counts it while it stores (migration 0172). Decides nothing. */
import type { Query } from '../db/database.ts';

export async function storedBytesOf(query: Query, merchantId: string): Promise<number> {
  const [row] = await query<{ bytes: string }>`
    select greatest(0, coalesce(sum(bytes), 0))::text as bytes from stored_bytes where merchant_id = ${merchantId}`;
  return Number(row?.bytes ?? 0);
}

export type Room = {
  readonly bytes: number;
  /** What was agreed with this merchant; null: as with everybody. */
  readonly megabytesMax: number | null;
};

export async function roomOf(query: Query, merchantId: string): Promise<Room> {
  const [row] = await query<{ bytes: string; megabytesMax: number | null }>`
    select greatest(0, coalesce(sum(bytes), 0))::text as bytes,
           (select stored_megabytes_max from merchant where id = ${merchantId}) as "megabytesMax"
      from stored_bytes where merchant_id = ${merchantId}`;
  return { bytes: Number(row?.bytes ?? 0), megabytesMax: row?.megabytesMax ?? null };
}

export type StoredBytes = { readonly merchantId: string; readonly bytes: number };

/** Of all merchants those with the most. */
export async function mostStoredBytes(query: Query, limit: number): Promise<StoredBytes[]> {
  const rows = await query<{ merchantId: string; bytes: string }>`
    select merchant_id as "merchantId", sum(bytes)::text as bytes from stored_bytes
     group by merchant_id having sum(bytes) > 0 order by sum(bytes) desc, merchant_id limit ${limit}`;
  return rows.map(({ merchantId, bytes }) => ({ merchantId, bytes: Number(bytes) }));
}
