/** All SQL about what left an account without a second approval. Decides nothing. */
import type { Query, Tx } from '../db/database.ts';

const approvalLockClass = 7_007; // The first half of the advisory lock: "this merchant orders something with a limit".

/**
 * Two orders at the same moment must see each other, whatever their assets are. Taken before all other locks but a
 * checkout's.
 */
export async function lockApprovals(tx: Tx, merchantId: string): Promise<void> {
  await tx`select pg_advisory_xact_lock(${approvalLockClass}::integer, hashtext(${merchantId}))`;
}

export type LeftUnapproved = { readonly asset: string; readonly units: bigint };

/** By asset: what was ordered since then and needed no approval. */
export async function unapprovedSince(
  query: Query,
  merchantId: string,
  since: Date,
  kinds: readonly ('transfer' | 'refund')[],
): Promise<LeftUnapproved[]> {
  const rows = await query<{ asset: string; units: string }>`
    select asset, sum(units)::text as units from (
      select asset, units from transfer
       where ${kinds.includes('transfer')} and merchant_id = ${merchantId} and created_at > ${since}
         and approved_by is null and state in ('WAITING', 'QUEUED', 'COMPLETED')
      union all
      select asset, units from refund
       where ${kinds.includes('refund')} and merchant_id = ${merchantId} and requested_at > ${since}
         and approved_by is null and state in ('CLAIMABLE', 'SENDING', 'COMPLETED')) as gone
     group by asset`;
  return rows.map(({ asset, units }) => ({ asset, units: BigInt(units) }));
}
