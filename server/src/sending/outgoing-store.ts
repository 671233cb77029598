/** All SQL of transfers: what was asked to be sent, and how that ended. Units are at the asset's ledger scale. */
import type { Query, Row, Tx } from '../db/database.ts';
import type { Destination } from '../networks/port/sending.ts';
import type { EndedTransaction } from './outgoing-transaction-store.ts';
import {
  moveWhenEnded,
  moveWhenRefused,
  type OutgoingTransferState,
  outgoingTransferStates,
} from './outgoing-transfer-state.ts';

/** Who asked for a transfer, and by which job (`<purpose>.advance`) is told when it has ended. */
export type TransferPurpose = 'transfer' | 'refund' | 'settlement' | 'return' | 'withdrawal' | 'bridge';

export type NewTransfer = Destination & {
  readonly id: string;
  readonly network: string;
  readonly asset: string;
  readonly units: bigint;
  readonly purpose: TransferPurpose;
  readonly merchantId: string;
  /** Exchanged with ourselves for at least so much of another asset. */
  readonly exchange?: { readonly asset: string; readonly leastUnits: bigint } | null;
  /** Brought into being by its issuer, which is us. */
  readonly isIssue?: boolean;
  /** What is set aside for the network's fee, in the asset of that fee. Null: the operator pays what it takes. */
  readonly heldFeeUnits?: bigint | null;
};

export type StoredTransfer = NewTransfer & {
  readonly state: OutgoingTransferState;
  readonly transactionId: string | null;
  readonly txHash: string | null;
  readonly failure: string | null;
  readonly requestedAt: Date;
  /** What an exchange gave, once it happened. */
  readonly receivedUnits: bigint | null;
  readonly heldFeeUnits: bigint | null;
  /** What the network took for an attempt that failed, in the asset of its fees. */
  readonly costUnits: bigint;
  /** It was announced as sent, so it will be sent, whatever it costs by now. */
  readonly wasDone: boolean;
};

/**
 * Asks for money to be sent, in the transaction that sets it aside: both happen or neither. The id is the asker's own:
 * asking twice sends once. When it has ended, the job `<purpose>.advance` runs with that id, and `findTransfer` says how.
 */
export async function insertTransfers(tx: Tx, transfers: readonly NewTransfer[], at: Date): Promise<void> {
  if (transfers.length === 0) return;
  const [opening] = outgoingTransferStates.first;
  const rows = transfers.map(({ memoType, merchantId, units, exchange, isIssue, heldFeeUnits, ...transfer }) => ({
    ...transfer,
    units: units.toString(),
    memo_type: memoType,
    merchant_id: merchantId,
    exchange_asset: exchange?.asset ?? null,
    exchange_least_units: exchange?.leastUnits.toString() ?? null,
    is_issue: isIssue ?? false,
    held_fee_units: heldFeeUnits?.toString() ?? null,
  }));
  await tx`
    insert into outgoing_transfer (id, network, asset, units, address, memo, memo_type, purpose, merchant_id, state,
                                   requested_at, exchange_asset, exchange_least_units, is_issue, held_fee_units)
    select id, network, asset, units, address, memo, memo_type, purpose, merchant_id, ${opening}, ${at}::timestamptz,
           exchange_asset, exchange_least_units, is_issue, held_fee_units
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
  state: OutgoingTransferState;
  transaction_id: string | null;
  tx_hash: string | null;
  failure: string | null;
  exchange_asset: string | null;
  exchange_least_units: string | null;
  received_units: string | null;
  is_issue: boolean;
  requested_at: Date;
  held_fee_units: string | null;
  cost_units: string;
  was_done: boolean;
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
  exchange:
    row.exchange_asset === null
      ? null
      : { asset: row.exchange_asset, leastUnits: BigInt(row.exchange_least_units ?? 0) },
  receivedUnits: row.received_units === null ? null : BigInt(row.received_units),
  isIssue: row.is_issue,
  requestedAt: row.requested_at,
  heldFeeUnits: row.held_fee_units === null ? null : BigInt(row.held_fee_units),
  costUnits: BigInt(row.cost_units),
  wasDone: row.was_done,
});

export async function findTransfer(query: Query, id: string): Promise<StoredTransfer | undefined> {
  const [row] = await query<TransferRow>`select * from outgoing_transfer where id = ${id}`;
  return row && toTransfer(row);
}

export async function findTransfers(query: Query, ids: readonly string[]): Promise<StoredTransfer[]> {
  const rows = await query<TransferRow>`select * from outgoing_transfer where id = any(${ids})`;
  return rows.map(toTransfer);
}

/**
 * In the order in which they were asked for, without those that wait for a payment to be confirmed again, or were held
 * back for a while. So many of every asset: however many wait for one that is short, the others are seen, and so is what
 * would bring it into being.
 */
export async function queuedTransfers(
  query: Query,
  network: string,
  now: Date,
  limitEach: number,
): Promise<StoredTransfer[]> {
  const rows = await query<TransferRow>`
    select transfer.*
      from (select distinct asset, is_issue from outgoing_transfer
             where network = ${network} and state = 'QUEUED') as wanted
     cross join lateral
           (select * from outgoing_transfer
             where network = ${network} and state = 'QUEUED' and asset = wanted.asset and is_issue = wanted.is_issue
               and coalesce(held_until <= ${now}, true) and is_paid(outgoing_transfer)
             order by requested_at, id limit ${limitEach}) as transfer
     order by transfer.requested_at, transfer.id`;
  return rows.map(toTransfer);
}

/**
 * Their transaction is signed: a new one, of what waits and is paid for, or another version of the one that they have.
 * False when one of them is not as it was any more; then nothing of the caller's transaction may be kept.
 */
export async function signTransfers(tx: Tx, ids: readonly string[], transactionId: string): Promise<boolean> {
  const { pairs, from, to } = outgoingTransferStates;
  const again = pairs('signAgain');
  // In this order: what is signed now must not be taken for another version of itself.
  const [signedAgain, signed] = await Promise.all([
    tx`
      update outgoing_transfer set state = move.after
        from unnest(${again.from}::text[], ${again.to}::text[]) as move (before, after)
       where id = any(${ids}) and state = move.before and transaction_id = ${transactionId}
      returning id`,
    tx`
      update outgoing_transfer set state = ${to('sign')}, transaction_id = ${transactionId}
       where id = any(${ids}) and state = any(${from('sign')}) and is_paid(outgoing_transfer)
      returning id`,
  ]);
  return signedAgain.length + signed.length === ids.length;
}

const promiseLockClass = 7_005; // The first half of the advisory lock: "someone promises some of this asset here".

/**
 * Until the transaction ends, nobody else who asks for this lock promises any of an asset on a network. It comes after
 * the lock of what is to be paid and before any lock of the ledger.
 */
export async function lockPromises(tx: Tx, network: string, asset: string): Promise<void> {
  await tx`select pg_advisory_xact_lock(${promiseLockClass}::integer, hashtext(${`${network} ${asset}`}))`;
}

/** What was asked for and has not left yet, as far as the watcher knows. What is issued is not spent. */
export async function promisedUnits(query: Query, network: string, asset: string): Promise<bigint> {
  const [row] = await query<{ units: string }>`
    select coalesce(sum(units), 0) as units from outgoing_transfer
     where network = ${network} and asset = ${asset} and state in ('QUEUED', 'SIGNED') and not is_issue
       and not exists (select from outgoing_transaction carrier
                        where carrier.id = outgoing_transfer.transaction_id and carrier.state in ('INCLUDED', 'DONE'))`;
  return BigInt(row?.units ?? 0);
}

/** Takes back what nobody has signed yet. False: too late. */
export async function withdrawTransfer(tx: Tx, id: string, at: Date): Promise<boolean> {
  const { from, to } = outgoingTransferStates;
  const rows = await tx`
    update outgoing_transfer set state = ${to('withdraw')}, failure = 'It was cancelled.', ended_at = ${at}
     where id = ${id} and state = any(${from('withdraw')}) returning id`;
  return rows.length === 1;
}

/**
 * A transfer that no transaction can carry, or none together with others, has failed before it left. Not so if it was
 * announced as sent: it is held back for a while. `costUnits`: what the network took for the attempt. Empty: too late.
 */
export async function refuseTransfer(
  tx: Tx,
  id: string,
  reason: string,
  at: Date,
  costUnits = 0n,
): Promise<StoredTransfer[]> {
  const [found] = await tx<TransferRow>`select * from outgoing_transfer where id = ${id} for update`;
  if (!found) return [];
  const move = moveWhenRefused(found.was_done);
  const endedAt = move === 'refuse' ? at : null;
  const rows = await tx<TransferRow>`
    update outgoing_transfer
       set state = ${outgoingTransferStates.to(move)}, failure = ${reason}, ended_at = ${endedAt},
           cost_units = cost_units + ${costUnits.toString()}, held_until = next_try(outgoing_transfer, ${at})
     where id = ${id} and state = any(${outgoingTransferStates.from(move)}) returning *`;
  return rows.map(toTransfer);
}

/** They are not looked at again before then. */
export async function holdTransfers(query: Query, ids: readonly string[], until: Date): Promise<void> {
  await query`
    update outgoing_transfer set held_until = ${until} where id = any(${[...ids]}) and state = 'QUEUED'`;
}

/** Since when the oldest transfer of each network waits: to be signed, or to be done. */
export async function oldestTransfers(
  query: Query,
): Promise<{ network: string; state: OutgoingTransferState; since: Date }[]> {
  return query<Row & { network: string; state: OutgoingTransferState; since: Date }>`
    select network, state, min(requested_at) as since from outgoing_transfer
     where state in ('QUEUED', 'SIGNED') group by network, state order by network, state`;
}

/**
 * Back to the queue: their transaction can never happen, and nothing was sent. Also what was done until its block was
 * given up: for whoever asked it stays done, and is sent once more because it never arrived. If that came to nothing too,
 * it is held back like one that is refused. Returns those that were done.
 */
export async function requeueTransfers(tx: Tx, transactionId: string, at: Date): Promise<StoredTransfer[]> {
  const { from, to } = outgoingTransferStates;
  const rows = await tx<TransferRow>`
    update outgoing_transfer
       set state = ${to('requeue')}, transaction_id = null, tx_hash = null, ended_at = null,
           was_done = was_done or state = 'DONE',
           held_until = next_try(outgoing_transfer, ${at})
     where transaction_id = ${transactionId} and state = any(${from('requeue')})
    returning *`;
  return rows.filter((row) => row.was_done).map(toTransfer);
}

/**
 * What was announced as sent does not fail: it is left for another transaction. Those that failed share what their
 * transaction cost.
 */
export async function endTransfers(tx: Tx, ended: EndedTransaction, at: Date): Promise<StoredTransfer[]> {
  const lost = ended.failure === null ? 0n : ended.feeUnits;
  const move = moveWhenEnded(ended.failure);
  const rows = await tx<TransferRow>`
    update outgoing_transfer
       set state = ${outgoingTransferStates.to(move)}, failure = ${ended.failure}, tx_hash = ${ended.txHash},
           ended_at = ${at},
           cost_units = cost_units + ceil(${lost.toString()}::numeric / (select count(*) from outgoing_transfer sharing
                                                                          where sharing.transaction_id = ${ended.id}))
     where transaction_id = ${ended.id} and state = any(${outgoingTransferStates.from(move)})
       and (${ended.failure}::text is null or not was_done)
    returning *`;
  return rows.map(toTransfer);
}

/** Done before, and as it turned out by another transaction. */
export async function renameTransfers(tx: Tx, { id, txHash }: EndedTransaction): Promise<StoredTransfer[]> {
  const rows = await tx<TransferRow>`
    update outgoing_transfer set tx_hash = ${txHash}
     where transaction_id = ${id} and state = 'DONE' and tx_hash <> ${txHash} returning *`;
  return rows.map(toTransfer);
}
