/** All SQL about when an account lost somebody who could approve. Decides nothing. */
import type { Query, Tx } from '../db/database.ts';

export async function saveLostApprover(tx: Tx, merchantId: string, at: Date): Promise<void> {
  await tx`
    insert into lost_approver (merchant_id, at) values (${merchantId}, ${at})
    on conflict (merchant_id) do update set at = excluded.at`;
}

export async function findLostApprover(query: Query, merchantId: string): Promise<Date | null> {
  const [row] = await query<{ at: Date }>`select at from lost_approver where merchant_id = ${merchantId}`;
  return row?.at ?? null;
}
