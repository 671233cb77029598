import type { Query } from '../db/database.ts';

export type StoredCoin = {
  readonly txHash: string;
  readonly index: string;
  readonly units: bigint;
  readonly targetKey: string;
  readonly targetIndex: number;
};

/** Confirmed money at our targets that no transaction of ours has claimed, oldest first. */
export async function unclaimedCoins(
  query: Query,
  request: { network: string; asset: string; limit: number; exceptKey: string | null },
): Promise<StoredCoin[]> {
  const { network, asset, limit, exceptKey } = request;
  const rows = await query<{
    tx_hash: string;
    tx_index: string;
    units: string;
    target_key: string;
    target_index: string;
  }>`
    select payment.tx_hash, payment.tx_index, payment.units, payment.target_key, target.index as target_index
      from payment join deposit_target target on target.network = payment.network and target.key = payment.target_key
     where payment.network = ${network} and payment.asset = ${asset} and payment.state in ('CONFIRMED', 'FINAL')
       and payment.target_key is distinct from ${exceptKey}
       and not exists (select from outgoing_claim
                        where outgoing_claim.network = payment.network
                          and outgoing_claim.claim = payment.tx_hash || ':' || payment.tx_index)
     order by payment.confirmed_at, payment.id limit ${limit}`;
  return rows.map((row) => ({
    txHash: row.tx_hash,
    index: row.tx_index,
    units: BigInt(row.units),
    targetKey: row.target_key,
    targetIndex: Number(row.target_index),
  }));
}
