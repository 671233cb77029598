/** All SQL of refunds, except that a dossier brings them along. */

import type { Query, Row, Tx } from '../db/database.ts';
import type { Actor } from '../http/actor.ts';
import { type RefundRow, toRefund } from './checkout-rows.ts';
import type { CheckoutKey } from './checkout-store.ts';
import type { Refund } from './refund.ts';
import { refundPlaces, refundStates } from './refund-state.ts';

/** How a refund was asked for, and how the customer proves to be the one it is for. */
export type RefundKeys = {
  readonly apiKey: string;
  readonly claimHash: Buffer | null;
};

/** The books follow in the plan of the same transaction. */
export async function insertRefund(
  tx: Tx,
  checkout: CheckoutKey,
  refund: Refund,
  { apiKey, claimHash }: RefundKeys,
): Promise<void> {
  await tx`
    insert into refund (merchant_id, id, checkout_id, context, state, place, network, asset, units, sent_units, fee_units,
                        fee_paid_by, held_fee_units, takes, covers, basis, rates, address, memo, memo_type,
                        claim_hash, claim_expires_at, meta, requested_at, api_key)
    values (${checkout.merchantId}, ${refund.id}, ${checkout.id}, ${refund.context}, ${refund.state}, ${refund.place},
            ${refund.network}, ${refund.asset}, ${refund.units.toString()}, ${refund.sentUnits.toString()},
            ${refund.feeUnits.toString()}, ${refund.feePaidBy},
            ${refund.heldFeeUnits?.toString() ?? null}, ${JSON.stringify(refund.takes)}::jsonb,
            ${JSON.stringify(refund.covers)}::jsonb, ${refund.basis}, ${JSON.stringify(refund.rates)}::jsonb,
            ${refund.address}, ${refund.memo}, ${refund.memoType}, ${claimHash},
            ${refund.claimExpiresAt}, ${refund.meta === null ? null : JSON.stringify(refund.meta)}::json, ${refund.requestedAt}, ${apiKey})`;
}

/**
 * Of any checkouts: a refund is known by its own id. Only what changes in its life. Fails as a whole when one of them is
 * stored in a state, or at a place, from which it cannot have come.
 */
export async function saveRefunds(tx: Tx, refunds: readonly Refund[]): Promise<void> {
  if (refunds.length === 0) return;
  const rows = refunds.map((refund) => ({
    id: refund.id,
    state: refund.state,
    states_before: refundStates.before(refund.state),
    place: refund.place,
    places_before: refundPlaces.before(refund.place),
    takes: refund.takes,
    address: refund.address,
    memo: refund.memo,
    memo_type: refund.memoType,
    tx_hash: refund.txHash,
    failure: refund.failure,
    cost_units: refund.costUnits.toString(),
    ended_at: refund.endedAt,
  }));
  const saved = await tx`
    update refund
       set state = change.state, place = change.place, takes = change.takes, address = change.address, memo = change.memo,
           memo_type = change.memo_type, tx_hash = change.tx_hash, failure = change.failure, cost_units = change.cost_units,
           ended_at = change.ended_at
      from json_to_recordset(${JSON.stringify(rows)}::json)
             as change (id text, state text, states_before text[], place text, places_before text[], takes jsonb,
                        address text, memo text, memo_type text, tx_hash text, failure text, cost_units numeric,
                        ended_at timestamptz)
     where refund.id = change.id and refund.state = any(change.states_before)
       and refund.place = any(change.places_before)
    returning refund.id`;
  if (saved.length !== refunds.length)
    throw new Error(`one of the refunds ${refunds.map(({ id }) => id).join()} was not as we saw it any more`);
}

/** Who asked for a refund; null: that was not written down. */
export async function askerOfRefund(query: Query, id: string): Promise<string | null> {
  const [row] = await query<{ api_key: string | null }>`select api_key from refund where id = ${id}`;
  return row?.api_key ?? null;
}

export async function saveApproval(tx: Tx, refund: Refund, approver: Actor, at: Date): Promise<void> {
  await tx`
    update refund set approved_by = ${approver}, approved_at = ${at}, claim_expires_at = ${refund.claimExpiresAt}
     where id = ${refund.id}`;
}

export type FoundRefund = { readonly merchantId: string; readonly checkoutId: string; readonly refund: Refund };

type FoundRow = Row & RefundRow & { merchant_id: string; checkout_id: string };

const toFound = (row: FoundRow): FoundRefund => ({
  merchantId: row.merchant_id,
  checkoutId: row.checkout_id,
  refund: toRefund(row),
});

export async function findRefund(query: Query, merchantId: string, id: string): Promise<FoundRefund | undefined> {
  const [row] = await query<FoundRow>`select * from refund where merchant_id = ${merchantId} and id = ${id}`;
  return row && toFound(row);
}

/** What was asked for with this key since then, of a process of the previous release. */
export async function findAskedRefund(
  query: Query,
  merchantId: string,
  idempotencyKey: string,
  since: Date,
): Promise<FoundRefund | undefined> {
  const [row] = await query<FoundRow>`
    select * from refund
     where merchant_id = ${merchantId} and idempotency_key = ${idempotencyKey} and requested_at > ${since}
     order by requested_at desc limit 1`;
  return row && toFound(row);
}

/** From now on another token is good for the claim. False: nothing can be claimed any more. */
export async function replaceClaim(query: Query, id: string, claimHash: Buffer): Promise<boolean> {
  const rows = await query`
    update refund set claim_hash = ${claimHash} where id = ${id} and state = 'CLAIMABLE' returning id`;
  return rows.length === 1;
}

/** The page of a claim knows neither merchant nor refund: the token is the capability. */
export async function findClaim(query: Query, checkoutId: string, claimHash: Buffer): Promise<FoundRefund | undefined> {
  const [row] = await query<FoundRow>`
    select * from refund where claim_hash = ${claimHash} and checkout_id = ${checkoutId}`;
  return row && toFound(row);
}

/** For the operator: the newest refunds of all merchants, or of one. */
export async function listNewestRefunds(
  query: Query,
  filter: { readonly merchantId: string | null; readonly state: string | null; readonly limit: number },
): Promise<FoundRefund[]> {
  const rows = await query<FoundRow>`
    select * from refund
     where (${filter.merchantId}::text is null or merchant_id = ${filter.merchantId})
       and (${filter.state}::text is null or state = ${filter.state})
     order by requested_at desc, id desc limit ${filter.limit}`;
  return rows.map(toFound);
}
