/** All SQL of refunds, except that `findDossiers` reads them too. */

import type { Query, Row, Tx } from '../db/database.ts';
import type { Actor } from '../http/actor.ts';
import { boundsOf, type PageKey, type PageRange } from '../http/page-cursor.ts';
import { type RefundRow, toRefund } from './checkout-rows.ts';
import type { CheckoutKey } from './checkout-store.ts';
import type { Refund } from './refund.ts';
import { refundPlaces, refundStates } from './refund-state.ts';

/** Who asked for a refund, and with which key, if with one; and by what the customer proves that it is theirs. */
export type RefundKeys = {
  readonly requestedBy: Actor;
  readonly apiKey: string | null;
  readonly claimHash: Buffer | null;
  /** The payments of the account to which it goes. Left out: it is bound to none. */
  readonly givesBack?: readonly string[] | null;
};

/** The plan of the same transaction books it. */
export async function insertRefund(
  tx: Tx,
  checkout: CheckoutKey,
  refund: Refund,
  { requestedBy, apiKey, claimHash, givesBack = null }: RefundKeys,
): Promise<void> {
  await tx`
    insert into refund (merchant_id, id, checkout_id, context, state, place, network, asset, units, sent_units, fee_units,
                        fee_paid_by, held_fee_units, takes, covers, basis, rates, address, memo, memo_type, holder,
                        claim_hash, claim_expires_at, meta, requested_at, requested_by, api_key, gives_back)
    values (${checkout.merchantId}, ${refund.id}, ${checkout.id}, ${refund.context}, ${refund.state}, ${refund.place},
            ${refund.network}, ${refund.asset}, ${refund.units.toString()}, ${refund.sentUnits.toString()},
            ${refund.feeUnits.toString()}, ${refund.feePaidBy},
            ${refund.heldFeeUnits?.toString() ?? null}, ${JSON.stringify(refund.takes)}::jsonb,
            ${JSON.stringify(refund.covers)}::jsonb, ${refund.basis}, ${JSON.stringify(refund.rates)}::jsonb,
            ${refund.address}, ${refund.memo}, ${refund.memoType},
            ${refund.holder && JSON.stringify(refund.holder)}::jsonb, ${claimHash},
            ${refund.claimExpiresAt}, ${refund.meta === null ? null : JSON.stringify(refund.meta)}::json, ${refund.requestedAt},
            ${requestedBy}, ${apiKey}, ${givesBack && [...givesBack]})`;
}

/**
 * The refunds may be of different checkouts: a refund is found by its own id. Saves what can change in its life. Fails
 * as a whole when one of them is stored in a state, or at a place, from which it cannot have come.
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
    holder: refund.holder,
    tx_hash: refund.txHash,
    failure: refund.failure,
    cost_units: refund.costUnits.toString(),
    came_back_units: refund.cameBackUnits.toString(),
    came_back_at: refund.cameBackAt,
    ended_at: refund.endedAt,
  }));
  const saved = await tx`
    update refund
       set state = change.state, place = change.place, takes = change.takes, address = change.address, memo = change.memo,
           memo_type = change.memo_type, holder = change.holder, tx_hash = change.tx_hash, failure = change.failure, cost_units = change.cost_units,
           came_back_units = change.came_back_units, came_back_at = change.came_back_at, ended_at = change.ended_at
      from json_to_recordset(${JSON.stringify(rows)}::json)
             as change (id text, state text, states_before text[], place text, places_before text[], takes jsonb,
                        address text, memo text, memo_type text, holder jsonb, tx_hash text, failure text, cost_units numeric,
                        came_back_units numeric, came_back_at timestamptz, ended_at timestamptz)
     where refund.id = change.id and refund.state = any(change.states_before)
       and refund.place = any(change.places_before)
    returning refund.id`;
  if (saved.length !== refunds.length)
    throw new Error(`one of the refunds ${refunds.map(({ id }) => id).join()} was not as we saw it any more`);
}

/** Who asked for each of these refunds. Those are left out of which it was not stored: the payer asked. */
export async function askersOfRefunds(
  query: Query,
  merchantId: string,
  ids: readonly string[],
): Promise<Map<string, Actor>> {
  const rows = await query<{ id: string; asker: Actor | null }>`
    select id, coalesce(requested_by, 'key:' || api_key) as asker
      from refund where merchant_id = ${merchantId} and id = any(${[...ids]})`;
  return new Map(rows.flatMap(({ id, asker }) => (asker === null ? [] : [[id, asker] as const])));
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

/** By their ids; those of others are left out. */
export async function findRefunds(
  query: Query,
  merchantId: string,
  ids: readonly string[],
): Promise<Map<string, FoundRefund>> {
  const rows = await query<FoundRow>`
    select * from refund where id = any(${[...ids]}) and merchant_id = ${merchantId}`;
  return new Map(rows.map((row) => [row.id, toFound(row)]));
}

/** Whether what it gives back stands: else it would go out of what somebody else paid. */
export async function hasWhatItGivesBack(query: Query, merchantId: string, id: string): Promise<boolean> {
  const [row] = await query<{ has: boolean }>`
    select has_what_it_gives_back(refund) as has from refund where merchant_id = ${merchantId} and id = ${id}`;
  return row?.has === true;
}

/** What a process of the previous release was asked for with this idempotency key, if that was since then. */
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

/** From now on the claim needs another token. False: nothing can be claimed any more. */
export async function replaceClaim(query: Query, id: string, claimHash: Buffer): Promise<boolean> {
  const rows = await query`
    update refund set claim_hash = ${claimHash} where id = ${id} and state = 'CLAIMABLE' returning id`;
  return rows.length === 1;
}

/** The page of a claim has neither merchant nor refund: whoever knows the token may see it. */
export async function findClaim(query: Query, checkoutId: string, claimHash: Buffer): Promise<FoundRefund | undefined> {
  const [row] = await query<FoundRow>`
    select * from refund where claim_hash = ${claimHash} and checkout_id = ${checkoutId}`;
  return row && toFound(row);
}

/** What was asked for with this API key and has not arrived: as long as nobody has signed it, it can be cancelled. */
export async function unsentRefunds(query: Query, merchantId: string, apiKey: string): Promise<FoundRefund[]> {
  const rows = await query<FoundRow>`
    select * from refund
     where merchant_id = ${merchantId} and api_key = ${apiKey} and state = any(${refundStates.from('cancel')})
     order by requested_at, id`;
  return rows.map(toFound);
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

/** Newest first: the newest of each state, and of those the newest. */
export async function listRefundKeys(
  query: Query,
  merchantId: string,
  states: readonly string[],
  range: PageRange,
): Promise<PageKey[]> {
  const { from, at, id } = boundsOf(range);
  return query<Row & PageKey>`
    select found.id, found.requested_at as "createdAt", coalesce(octet_length(found.meta::text), 0) as bytes
      from unnest(${states}::text[]) as wanted (state)
     cross join lateral (
       select * from refund
        where merchant_id = ${merchantId} and refund.state = wanted.state
          and requested_at >= ${from}::timestamptz and (requested_at, id) < (${at}::timestamptz, ${id})
        order by requested_at desc, id desc limit ${range.limit}) as found
     order by found.requested_at desc, found.id desc limit ${range.limit}`;
}
