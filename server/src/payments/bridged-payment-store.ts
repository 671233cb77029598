/** Which payments have tokens on the network where they are issued, their home. Decides nothing. */
import type { Query, Row, Tx } from '../db/database.ts';

/**
 * This payout bridges all confirmed payments that are in the books and not bridged yet. Checkouts that were credited
 * before there was a bridge never name one.
 */
export async function bridgePayments(tx: Tx, home: string, asset: string, bridgeId: string): Promise<void> {
  await tx`
    update payment
       set bridge_id = case when purpose = 'checkout' and place = 'settled' then 'unnamed' else ${bridgeId} end
     where asset = ${asset} and bridge_id is null and network <> ${home} and state in ('CONFIRMED', 'FINAL')
       and place <> 'none'`;
}

export type WaitingPayment = { readonly id: string; readonly asset: string; readonly units: bigint };

/** Of these, the payments whose checkouts may wait for the bridge, oldest first. */
export async function waitingPayments(
  query: Query,
  home: string,
  assets: readonly string[],
): Promise<WaitingPayment[]> {
  const rows = await query<{ id: string; asset: string; units: string }>`
    select id, asset, units from payment
     where asset = any(${[...assets]}) and bridge_id is null and network <> ${home} and purpose = 'checkout'
       and state in ('CONFIRMED', 'FINAL') and place in ('pending', 'suspense')
     order by first_seen_at, id`;
  return rows.map(({ id, asset, units }) => ({ id, asset, units: BigInt(units) }));
}

/** There are tokens for these already, so no payout bridges them. */
export async function markLevelled(tx: Tx, ids: readonly string[], at: Date): Promise<BridgedCheckout[]> {
  return tx<Row & BridgedCheckout>`
    with bridged as (
      update payment set bridge_id = 'level', bridged_at = ${at} where id = any(${[...ids]}) and bridge_id is null
      returning merchant_id, owner_id
    )
    select distinct merchant_id as "merchantId", owner_id as "checkoutId" from bridged`;
}

export async function unbridgePayments(tx: Tx, bridgeId: string): Promise<void> {
  await tx`update payment set bridge_id = null where bridge_id = ${bridgeId}`;
}

export type BridgedCheckout = { readonly merchantId: string; readonly checkoutId: string };

/** Stores the transaction with the payments, and returns the checkouts that may have waited for it. */
export async function markBridged(tx: Tx, bridgeId: string, txHash: string, at: Date): Promise<BridgedCheckout[]> {
  return tx<Row & BridgedCheckout>`
    with bridged as (
      update payment set bridge_tx = ${txHash}, bridged_at = ${at} where bridge_id = ${bridgeId}
      returning merchant_id, owner_id, purpose
    )
    select distinct merchant_id as "merchantId", owner_id as "checkoutId" from bridged where purpose = 'checkout'`;
}
