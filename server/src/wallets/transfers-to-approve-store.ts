import type { Query, Row } from '../db/database.ts';

export type TransferToApprove = {
  readonly id: string;
  readonly asset: string;
  readonly units: bigint;
  readonly address: string;
  readonly since: Date;
};

/** Oldest first. */
export async function transfersToApprove(
  query: Query,
  merchantId: string,
  limit: number,
): Promise<TransferToApprove[]> {
  const rows = await query<Row & Omit<TransferToApprove, 'units'> & { units: string }>`
    select id, asset, units, address, created_at as since from transfer
     where merchant_id = ${merchantId} and state = 'AWAITING_APPROVAL'
     order by created_at, id limit ${limit}`;
  return rows.map((row) => ({ ...row, units: BigInt(row.units) }));
}
