/** All SQL of the bridge. */
import type { Query, Row, Tx } from '../db/database.ts';
import { chainWallet, operatorAccount } from '../ledger/chart-of-accounts.ts';

export type BridgeBooks = {
  readonly asset: string;
  /** Coins on networks other than Stellar. */
  readonly heldUnits: bigint;
  readonly issuedUnits: bigint;
  /** Tokens that are our own, in our account on Stellar. */
  readonly ownUnits: bigint;
};

/** What the books say, per asset. */
export async function bridgeBooks(query: Query, assets: readonly string[]): Promise<BridgeBooks[]> {
  const rows = await query<{ asset: string; held: string; issued: string; own: string }>`
    select wanted.asset,
           coalesce(-sum(balance) filter (where id like ${chainWallet('%', '%')}
                                            and id <> ${chainWallet('STELLAR', '')} || wanted.asset), 0) as held,
           coalesce(sum(balance) filter (where id = ${operatorAccount('bridge', '')} || wanted.asset), 0) as issued,
           coalesce(-sum(balance) filter (where id = ${chainWallet('STELLAR', '')} || wanted.asset), 0) as own
      from unnest(${[...assets]}::text[]) as wanted (asset)
      left join ledger_account on ledger_account.asset = wanted.asset and id like 'operator/%'
     group by wanted.asset order by wanted.asset`;
  return rows.map((row) => ({
    asset: row.asset,
    heldUnits: BigInt(row.held),
    issuedUnits: BigInt(row.issued),
    ownUnits: BigInt(row.own),
  }));
}

export type BridgeActivity = {
  readonly isOpen: boolean;
  readonly failedAt: Date | null;
  readonly promisedUnits: bigint;
};

/** Whether something is on its way, when the last try failed, and what exchanges are about to give away. */
export async function bridgeActivity(query: Query, asset: string): Promise<BridgeActivity> {
  const [row] = await query<{ is_open: boolean; failed_at: Date | null; promised: string }>`
    select exists (select from outgoing_transfer transfer
                    where purpose = 'bridge' and asset = ${asset}
                      and (state in ('QUEUED', 'SIGNED')
                           or (state = 'DONE' and not exists (select from ledger_entry
                                                               where reference = transfer.id)))) as is_open,
           (select ended_at from outgoing_transfer where purpose = 'bridge' and asset = ${asset} and state = 'FAILED'
             order by requested_at desc limit 1) as failed_at,
           (select coalesce(sum(units), 0) from outgoing_transfer
             where network = 'STELLAR' and asset = ${asset} and purpose = 'settlement'
               and state in ('QUEUED', 'SIGNED')) as promised`;
  return {
    isOpen: row?.is_open ?? false,
    failedAt: row?.failed_at ?? null,
    promisedUnits: BigInt(row?.promised ?? 0),
  };
}

/** All confirmed payments that are in the books and not covered yet are covered by this transfer. */
export async function coverPayments(tx: Tx, asset: string, bridgeId: string): Promise<void> {
  await tx`
    update payment set bridge_id = ${bridgeId}
     where asset = ${asset} and bridge_id is null and network <> 'STELLAR' and state in ('CONFIRMED', 'FINAL')
       and place <> 'none'`;
}

export async function uncoverPayments(tx: Tx, bridgeId: string): Promise<void> {
  await tx`update payment set bridge_id = null where bridge_id = ${bridgeId}`;
}

export type CoveredCheckout = { readonly merchantId: string; readonly checkoutId: string };

/** The payments learn the transaction; the checkouts that may have waited for it. */
export async function markBridged(tx: Tx, bridgeId: string, txHash: string, at: Date): Promise<CoveredCheckout[]> {
  return tx<Row & CoveredCheckout>`
    with covered as (
      update payment set bridge_tx = ${txHash}, bridged_at = ${at} where bridge_id = ${bridgeId}
      returning merchant_id, owner_id, purpose
    )
    select distinct merchant_id as "merchantId", owner_id as "checkoutId" from covered where purpose = 'checkout'`;
}
