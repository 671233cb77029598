/** All SQL of transfers. Decides nothing. */
import type { Query, Row, Tx } from '../db/database.ts';
import { storedAsker } from '../http/actor.ts';
import { boundsOf, type PageKey, type PagePosition, type PageRange } from '../http/page-cursor.ts';
import { parseExactly } from '../http/parse-json.ts';
import type { Holder, NetworkAddress } from '../networks/port/sending.ts';
import type { SlotWait } from '../sending/slot-share.ts';
import type { Transfer } from './transfer.ts';
import { type TransferMove, type TransferState, transferStates } from './transfer-state.ts';

export async function insertTransfer(tx: Tx, transfer: Transfer): Promise<void> {
  const meta = transfer.meta === null ? null : JSON.stringify(transfer.meta);
  await tx`
    insert into transfer (merchant_id, id, api_key, requested_by, state, network, asset, units, network_fee_units,
                          service_fee_units, held_fee_units, address, memo, memo_type, holder, target_account_id, target_label, usable_from,
                          webhook, meta, created_at)
    values (${transfer.merchantId}, ${transfer.id}, ${transfer.apiKey}, ${transfer.requestedBy}, ${transfer.state},
            ${transfer.network}, ${transfer.asset}, ${transfer.units.toString()}, ${transfer.networkFeeUnits.toString()},
            ${transfer.serviceFeeUnits.toString()}, ${transfer.heldFeeUnits?.toString() ?? null}, ${transfer.address}, ${transfer.memo}, ${transfer.memoType},
            ${transfer.holder && JSON.stringify(transfer.holder)}::jsonb,
            ${transfer.targetAccountId}, ${transfer.targetLabel}, ${transfer.usableFrom}, ${transfer.webhook},
            ${meta}::json, ${transfer.createdAt})`;
}

/** In the order of the ids. */
export async function findTransfers(
  query: Query,
  merchantId: string,
  ids: readonly string[],
): Promise<(Transfer | undefined)[]> {
  const rows = await query<TransferRow>`
    select transfer.*, outgoing.state = 'SIGNED' as is_signed,
           case when outgoing.state = 'QUEUED' then outgoing.waits_for end as waits_for,
           coalesce(outgoing.tx_hash, (select tx_hash from outgoing_transaction
                                        where outgoing_transaction.id = outgoing.transaction_id
                                        order by generation desc limit 1)) as tx_hash
      from transfer left join outgoing_transfer outgoing on outgoing.id = transfer.id
     where transfer.merchant_id = ${merchantId} and transfer.id = any(${[...ids]})`;
  const found = new Map(rows.map((row) => [row.id, toTransfer(row)]));
  return ids.map((id) => found.get(id));
}

export async function findTransfer(query: Query, merchantId: string, id: string): Promise<Transfer | undefined> {
  return (await findTransfers(query, merchantId, [id]))[0];
}

/** Locks a transfer until the transaction ends. This lock comes before any ledger lock. */
export async function lockTransfer(tx: Tx, merchantId: string, id: string): Promise<Transfer | undefined> {
  // Both statements are sent at once and run one after the other: the second sees everything that the lock waited for.
  const [, transfer] = await Promise.all([
    tx`select from transfer where merchant_id = ${merchantId} and id = ${id} for update`,
    findTransfer(tx, merchantId, id),
  ]);
  return transfer;
}

/** Moves a transfer that is locked. */
export async function moveTransfer(
  tx: Tx,
  before: Transfer,
  move: TransferMove,
  change: Partial<
    Pick<
      Transfer,
      | 'approvedBy'
      | 'approvedAt'
      | 'canceledBy'
      | 'usableFrom'
      | 'failure'
      | 'costUnits'
      | 'cameBackUnits'
      | 'cameBackAt'
      | 'endedAt'
    >
  > = {},
): Promise<Transfer> {
  const after = { ...before, ...change, state: transferStates.moved(before.state, move) };
  const moved = await tx`
    update transfer
       set state = ${after.state}, approved_by = ${after.approvedBy}, approved_at = ${after.approvedAt},
           canceled_by = ${after.canceledBy},
           usable_from = ${after.usableFrom}, failure = ${after.failure},
           cost_units = ${after.costUnits.toString()}, came_back_units = ${after.cameBackUnits.toString()},
           came_back_at = ${after.cameBackAt}, ended_at = ${after.endedAt}
     where merchant_id = ${before.merchantId} and id = ${before.id} and state = ${before.state}
    returning id`;
  if (moved.length === 0) throw new Error(`the transfer ${before.id} is no longer ${before.state}`);
  return after;
}

/** What a process of the previous release ordered with this idempotency key, if that was since then. */
export async function findTransferAskedBy(
  query: Query,
  merchantId: string,
  idempotencyKey: string,
  since: Date,
): Promise<string | undefined> {
  const [row] = await query<{ id: string }>`
    select id from transfer
     where merchant_id = ${merchantId} and idempotency_key = ${idempotencyKey} and created_at > ${since}
     order by created_at desc limit 1`;
  return row?.id;
}

/** Whether money has arrived there before. */
export async function hasSentTo(
  query: Query,
  merchantId: string,
  network: string,
  { address, memo, memoType }: NetworkAddress,
): Promise<boolean> {
  const rows = await query`
    select from transfer
     where merchant_id = ${merchantId} and network = ${network} and address = ${address} and state = 'COMPLETED'
       and memo is not distinct from ${memo} and memo_type is not distinct from ${memoType} limit 1`;
  return rows.length > 0;
}

export type TransferFilter = PageRange & {
  readonly merchantId: string | null; // null: of all merchants, for the operator
  readonly state: string | null;
  readonly network: string | null;
  readonly asset: string | null;
};

export type TransferKey = PagePosition & { readonly merchantId: string };

/** Newest first. */
export async function listTransferKeys(query: Query, filter: TransferFilter): Promise<TransferKey[]> {
  const { merchantId, state, network, asset, from, to, before } = filter;
  return query<Row & TransferKey>`
    select transfer.id, created_at as "createdAt", transfer.merchant_id as "merchantId",
           coalesce(octet_length(meta::text), 0) as bytes
      from transfer left join outgoing_transfer outgoing on outgoing.id = transfer.id
     where (${merchantId}::text is null or transfer.merchant_id = ${merchantId})
       and (${state}::text is null
            or case when transfer.state = 'QUEUED' and outgoing.state = 'SIGNED' then 'SENT' else transfer.state end = ${state})
       and (${network}::text is null or transfer.network = ${network})
       and (${asset}::text is null or transfer.asset = ${asset})
       and (${from}::timestamptz is null or created_at >= ${from}) and (${to}::timestamptz is null or created_at < ${to})
       and (${before?.id ?? null}::text is null
            or (created_at, transfer.id) < (${before?.createdAt ?? null}::timestamptz, ${before?.id ?? null}::text))
     order by created_at desc, transfer.id desc limit ${filter.limit}`;
}

/** What a list of the account shows: those that wait for somebody, those on their way, and those that are over. */
export type TransferGroup = 'toApprove' | 'underWay' | 'over';

/** Newest first. A statement for each group, so that each has its index. */
export async function listTransferGroup(
  query: Query,
  merchantId: string,
  group: TransferGroup,
  range: PageRange,
): Promise<PageKey[]> {
  const { at, id } = boundsOf(range);
  if (group === 'toApprove')
    return query<Row & PageKey>`
      select id, created_at as "createdAt", coalesce(octet_length(meta::text), 0) as bytes from transfer
       where merchant_id = ${merchantId} and state = 'AWAITING_APPROVAL' and (created_at, id) < (${at}::timestamptz, ${id})
       order by created_at desc, id desc limit ${range.limit}`;
  if (group === 'underWay')
    return query<Row & PageKey>`
      select id, created_at as "createdAt", coalesce(octet_length(meta::text), 0) as bytes from transfer
       where merchant_id = ${merchantId} and state in ('WAITING', 'QUEUED') and (created_at, id) < (${at}::timestamptz, ${id})
       order by created_at desc, id desc limit ${range.limit}`;
  return query<Row & PageKey>`
    select id, created_at as "createdAt", coalesce(octet_length(meta::text), 0) as bytes from transfer
     where merchant_id = ${merchantId} and state in ('COMPLETED', 'FAILED', 'CANCELED')
       and (created_at, id) < (${at}::timestamptz, ${id})
     order by created_at desc, id desc limit ${range.limit}`;
}

/** What was asked for with this API key and nobody has signed yet: it can still be cancelled. Oldest first. */
export async function unsentTransfers(query: Query, merchantId: string, apiKey: string): Promise<Transfer[]> {
  const rows = await query<{ id: string }>`
    select transfer.id from transfer left join outgoing_transfer outgoing on outgoing.id = transfer.id
     where transfer.merchant_id = ${merchantId} and api_key = ${apiKey}
       and transfer.state = any(${transferStates.from('cancel')}) and coalesce(outgoing.state, 'QUEUED') = 'QUEUED'
     order by created_at, transfer.id`;
  const ids = rows.map(({ id }) => id);
  return (await findTransfers(query, merchantId, ids)).filter((transfer) => transfer !== undefined);
}

/** For the operator, who has an id and no merchant. */
export async function merchantOfTransfer(query: Query, id: string): Promise<string | undefined> {
  const [row] = await query<{ merchant_id: string }>`select merchant_id from transfer where id = ${id}`;
  return row?.merchant_id;
}

type TransferRow = Row &
  Record<'merchant_id' | 'id' | 'network' | 'asset' | 'units' | 'address', string> &
  Record<'network_fee_units' | 'service_fee_units' | 'cost_units' | 'came_back_units', string> &
  Record<'api_key' | 'requested_by' | 'memo' | 'memo_type' | 'target_account_id' | 'target_label', string | null> &
  Record<'approved_by' | 'canceled_by' | 'webhook' | 'meta' | 'failure' | 'tx_hash' | 'held_fee_units', string | null> &
  Record<'approved_at' | 'ended_at' | 'came_back_at', Date | null> &
  Record<'usable_from' | 'created_at', Date> & {
    state: TransferState;
    is_signed: boolean | null;
    waits_for: SlotWait | null;
    holder: Holder | null;
  };

const toTransfer = (row: TransferRow): Transfer => ({
  merchantId: row.merchant_id,
  id: row.id,
  apiKey: row.api_key,
  requestedBy: storedAsker(row.requested_by, row.api_key),
  state: row.state,
  network: row.network,
  asset: row.asset,
  units: BigInt(row.units),
  networkFeeUnits: BigInt(row.network_fee_units),
  serviceFeeUnits: BigInt(row.service_fee_units),
  heldFeeUnits: row.held_fee_units === null ? null : BigInt(row.held_fee_units),
  costUnits: BigInt(row.cost_units),
  cameBackUnits: BigInt(row.came_back_units),
  cameBackAt: row.came_back_at,
  address: row.address,
  memo: row.memo,
  memoType: row.memo_type,
  holder: row.holder,
  targetAccountId: row.target_account_id,
  targetLabel: row.target_label,
  usableFrom: row.usable_from,
  approvedBy: row.approved_by,
  approvedAt: row.approved_at,
  canceledBy: row.canceled_by,
  webhook: row.webhook,
  meta: row.meta === null ? null : parseExactly(row.meta),
  failure: row.failure,
  createdAt: row.created_at,
  endedAt: row.ended_at,
  waitsFor: row.waits_for,
  isSigned: row.is_signed === true,
  txHash: row.tx_hash,
});
