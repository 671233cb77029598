/** The SQL of searching payouts by their transaction. */
import type { Query, Row, Tx } from '../db/database.ts';

export type SentPayout = { readonly id: string; readonly purpose: string };

/** The merchant's payouts that these transactions carry, or carried in an earlier version. */
export async function payoutsSentBy(
  query: Query,
  merchantId: string,
  networks: readonly string[],
  hashes: readonly string[],
): Promise<SentPayout[]> {
  return query<Row & SentPayout>`
    select distinct payout.id, payout.purpose
      from outgoing_transaction sent join outgoing_transfer payout on payout.transaction_id = sent.id
     where sent.network = any(${networks}) and sent.tx_hash = any(${hashes}) and payout.merchant_id = ${merchantId}
     order by 1 limit 100`;
}

/** What those of these are called that are signed and under way, by their ids. */
export async function namesOfSigned(query: Query, ids: readonly string[]): Promise<ReadonlyMap<string, string>> {
  if (ids.length === 0) return new Map();
  const rows = await query<Row & { id: string; txHash: string }>`
    select payout.id, own.tx_hash as "txHash"
      from outgoing_transfer payout
      join outgoing_transaction own on own.id = payout.transaction_id and own.network = payout.network
     where payout.id = any(${[...ids]}) and payout.state = 'SIGNED'
     order by own.generation`;
  return new Map(rows.map(({ id, txHash }) => [id, txHash]));
}

export type UnnamedPayout = {
  readonly network: string;
  readonly asset: string;
  /** Of all that its transaction carries. */
  readonly units: bigint;
  /** Null: it waits to be signed. */
  readonly txHash: string | null;
};

/**
 * A payout that was given to its network, which has not said what became of it; its transaction is locked. Or one that
 * waits; it is locked itself.
 */
export async function lockUnnamedPayout(tx: Tx, id: string): Promise<UnnamedPayout | undefined> {
  const [row] = await tx<Row & Record<'network' | 'asset' | 'units' | 'txHash', string>>`
    select payout.network, payout.asset, own.tx_hash as "txHash",
           (select sum(units) from outgoing_transfer other
             where other.transaction_id = own.id and other.asset = payout.asset) as units
      from outgoing_transfer payout
      join outgoing_transaction own on own.id = payout.transaction_id and own.network = payout.network
     where payout.id = ${id} and payout.state = 'SIGNED' and own.state = 'OPEN'
     order by own.generation desc limit 1
       for update of own`;
  if (row) return { ...row, units: BigInt(row.units) };
  const [waiting] = await tx<Row & Record<'network' | 'asset' | 'units', string>>`
    select network, asset, units::text from outgoing_transfer where id = ${id} and state = 'QUEUED' for update`;
  return waiting && { ...waiting, units: BigInt(waiting.units), txHash: null };
}

/** Those of these payouts, of at most so many units, of which the network has not said what became of them. */
export async function undecidedPayouts(
  query: Query,
  asked: {
    readonly network: string;
    readonly asset: string;
    readonly ids: readonly string[];
    readonly unitsMost: bigint;
  },
): Promise<string[]> {
  const { network, asset, ids, unitsMost } = asked;
  const rows = await query<{ id: string }>`
    select id from outgoing_transfer as payout
     where id = any(${[...ids]}) and network = ${network} and asset = ${asset} and units <= ${unitsMost.toString()}
       and state in ('QUEUED', 'SIGNED')
       and not exists (select from outgoing_transaction own
                        where own.id = payout.transaction_id and own.state in ('INCLUDED', 'DONE'))
     order by id`;
  return rows.map(({ id }) => id);
}
