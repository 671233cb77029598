/** All SQL of money on its way out. Units are at the asset's ledger scale. */
import type { Query, Row, Tx } from '../db/database.ts';
import type { BlockRef, Destination, OutgoingTransaction } from '../networks/port.ts';

export type TransferPurpose = 'transfer' | 'refund' | 'settlement' | 'return' | 'withdrawal';

export type NewTransfer = Destination & {
  readonly id: string;
  readonly network: string;
  readonly asset: string;
  readonly units: bigint;
  readonly purpose: TransferPurpose;
  readonly merchantId: string;
};

export type TransferState = 'QUEUED' | 'SIGNED' | 'DONE' | 'FAILED';

export type StoredTransfer = NewTransfer & {
  readonly state: TransferState;
  readonly transactionId: string | null;
  readonly txHash: string | null;
  readonly failure: string | null;
};

/** Asking again with the same id asks nothing. */
export async function insertTransfers(tx: Tx, transfers: readonly NewTransfer[], at: Date): Promise<void> {
  if (transfers.length === 0) return;
  const rows = transfers.map(({ memoType, merchantId, units, ...transfer }) => ({
    ...transfer,
    units: units.toString(),
    memo_type: memoType,
    merchant_id: merchantId,
  }));
  await tx`
    insert into outgoing_transfer (id, network, asset, units, address, memo, memo_type, purpose, merchant_id, state,
                                   requested_at)
    select id, network, asset, units, address, memo, memo_type, purpose, merchant_id, 'QUEUED', ${at}::timestamptz
      from json_populate_recordset(null::outgoing_transfer, ${JSON.stringify(rows)}::json)
        on conflict (id) do nothing`;
}

type TransferRow = Row & {
  id: string;
  network: string;
  asset: string;
  units: string;
  address: string;
  memo: string | null;
  memo_type: string | null;
  purpose: TransferPurpose;
  merchant_id: string;
  state: TransferState;
  transaction_id: string | null;
  tx_hash: string | null;
  failure: string | null;
};

const toTransfer = (row: TransferRow): StoredTransfer => ({
  id: row.id,
  network: row.network,
  asset: row.asset,
  units: BigInt(row.units),
  address: row.address,
  memo: row.memo,
  memoType: row.memo_type,
  purpose: row.purpose,
  merchantId: row.merchant_id,
  state: row.state,
  transactionId: row.transaction_id,
  txHash: row.tx_hash,
  failure: row.failure,
});

export async function findTransfer(query: Query, id: string): Promise<StoredTransfer | undefined> {
  const [row] = await query<TransferRow>`select * from outgoing_transfer where id = ${id}`;
  return row && toTransfer(row);
}

/** In the order in which they were asked for. */
export async function queuedTransfers(query: Query, network: string, limit: number): Promise<StoredTransfer[]> {
  const rows = await query<TransferRow>`
    select * from outgoing_transfer where network = ${network} and state = 'QUEUED'
     order by requested_at, id limit ${limit}`;
  return rows.map(toTransfer);
}

export async function transfersOf(query: Query, transactionId: string): Promise<StoredTransfer[]> {
  const rows = await query<TransferRow>`
    select * from outgoing_transfer where transaction_id = ${transactionId} order by requested_at, id`;
  return rows.map(toTransfer);
}

type OpenRow = Row & {
  tx_hash: string;
  raw: string;
  trace: Record<string, unknown>;
  claims: string[] | null;
  signed_at: Date;
  block_hash: string | null;
  block_height: string | null;
};

const toOutgoing = (row: OpenRow): OutgoingTransaction => ({
  txHash: row.tx_hash,
  raw: row.raw,
  trace: row.trace,
  claims: row.claims ?? [],
  signedAt: row.signed_at,
  block: row.block_hash === null ? null : { hash: row.block_hash, height: Number(row.block_height) },
});

/** Every generation that can still happen, or has happened and is not final. */
export async function openTransactions(query: Query, network: string): Promise<OutgoingTransaction[]> {
  const rows = await query<OpenRow>`
    select tx_hash, raw, trace, signed_at, block_hash, block_height,
           (select array_agg(claim) from outgoing_claim where transaction_id = outgoing_transaction.id) as claims
      from outgoing_transaction where network = ${network} and state in ('OPEN', 'INCLUDED')
     order by signed_at, id, generation`;
  return rows.map(toOutgoing);
}

/** Blocks that are no longer part of the chain: what they included waits again. */
export async function unincludeBlocks(tx: Tx, network: string, vanished: readonly BlockRef['hash'][]): Promise<void> {
  if (vanished.length === 0) return;
  await tx`
    update outgoing_transaction set state = 'OPEN', block_hash = null, block_height = null
     where network = ${network} and state = 'INCLUDED' and block_hash = any(${vanished})`;
}
