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

/**
 * By asset: what was ordered, approved or released since then, and has left; and all that waits for nothing but its
 * destination, whenever it leaves. What waits for approval is nobody's decision yet. `exceptId`: the order that is being
 * decided about.
 */
export async function leavingSince(
  query: Query,
  merchantId: string,
  since: Date,
  exceptId: string,
): Promise<LeftUnapproved[]> {
  const rows = await query<{ asset: string; units: string }>`
    select asset, sum(units)::text as units from (
      select asset, units from transfer
       where merchant_id = ${merchantId} and id <> ${exceptId}
         and (created_at > ${since} or approved_at > ${since} or usable_from > ${since})
         and state in ('WAITING', 'QUEUED', 'COMPLETED')
      union all
      select asset, units from refund
       where merchant_id = ${merchantId} and id <> ${exceptId} and (requested_at > ${since} or approved_at > ${since})
         and requested_by is distinct from 'payer'
         and state in ('CLAIMABLE', 'SENDING', 'COMPLETED')) as gone
     group by asset`;
  return rows.map(({ asset, units }) => ({ asset, units: BigInt(units) }));
}

/** By asset: what this actor gave back since then, whoever approved it. */
export async function refundedBySince(
  query: Query,
  merchantId: string,
  requestedBy: string,
  since: Date,
): Promise<LeftUnapproved[]> {
  const rows = await query<{ asset: string; units: string }>`
    select asset, sum(units)::text as units from refund
     where merchant_id = ${merchantId} and requested_by = ${requestedBy} and (requested_at > ${since})
       and state in ('AWAITING_APPROVAL', 'CLAIMABLE', 'SENDING', 'COMPLETED')
     group by asset`;
  return rows.map(({ asset, units }) => ({ asset, units: BigInt(units) }));
}
