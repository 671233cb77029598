/** The SQL of what our own transactions can spend. Units are at the asset's ledger scale. */
import type { Query } from '../db/database.ts';
import type { UnspentRequest } from '../networks/port/sending.ts';

export type StoredCoin = {
  readonly txHash: string;
  readonly index: string;
  readonly units: bigint;
  readonly targetKey: string;
  readonly targetIndex: number;
  readonly trace: Record<string, unknown>;
};

export type CoinsRequest = Pick<UnspentRequest, 'limit' | 'order' | 'leastUnits'> & {
  readonly network: string;
  readonly asset: string;
  readonly exceptKey: string | null;
};

/** Confirmed money at our targets that no transaction of ours uses. Of the same size, the oldest first. */
export async function unusedCoins(query: Query, request: CoinsRequest): Promise<StoredCoin[]> {
  const { network, asset, limit, exceptKey, order = 'oldest', leastUnits = 0n } = request;
  const rows = await query<{
    tx_hash: string;
    tx_index: string;
    units: string;
    target_key: string;
    target_index: string;
    trace: Record<string, unknown>;
  }>`
    select payment.tx_hash, payment.tx_index, payment.units, payment.target_key, target.index as target_index,
           payment.trace
      from payment join deposit_target target on target.network = payment.network and target.key = payment.target_key
     where payment.network = ${network} and payment.asset = ${asset} and payment.state in ('CONFIRMED', 'FINAL')
       and payment.target_key is distinct from ${exceptKey} and payment.units >= ${leastUnits.toString()}
       and not exists (select from outgoing_claim
                        where outgoing_claim.network = payment.network
                          and outgoing_claim.claim = payment.tx_hash || ':' || payment.tx_index)
     order by case ${order} when 'largest' then -payment.units when 'smallest' then payment.units end,
              payment.confirmed_at, payment.id
     limit ${limit}`;
  return rows.map((row) => ({
    txHash: row.tx_hash,
    index: row.tx_index,
    units: BigInt(row.units),
    targetKey: row.target_key,
    targetIndex: Number(row.target_index),
    trace: row.trace,
  }));
}
