/** The SQL of orders by the file that they are in, and of what waits for a file, for whoever makes files. Decides nothing. */
import type { Query, Row } from '../db/database.ts';
import type { OutgoingTransactionState } from './outgoing-transaction-state.ts';
import type { PayoutPurpose } from './payout-store.ts';

export type FiledOrder = {
  readonly txHash: string;
  readonly state: OutgoingTransactionState;
  readonly isReturned: boolean;
  /** What came back of it so far, where that was not all of it at once. */
  readonly cameBackUnits: bigint;
  readonly failure: string | null;
  readonly payoutId: string;
  readonly purpose: PayoutPurpose;
  readonly merchantId: string;
  readonly asset: string;
  readonly units: bigint;
  readonly address: string;
  readonly holder: string | null;
  /** Its merchant is suspended, or what it gives back is gone: it would be in no file that is made now. */
  readonly isHeld: boolean;
};

/** In the order in which they are in the file. */
export async function ordersOfFile(query: Query, network: string, fileId: string): Promise<FiledOrder[]> {
  const rows = await query<Row & Omit<FiledOrder, 'units' | 'cameBackUnits'> & { units: string; cameBack: string }>`
    select filed.tx_hash as "txHash", filed.state, filed.trace ? 'returnedAs' as "isReturned", filed.failure,
           payout.id as "payoutId", payout.purpose, payout.merchant_id as "merchantId", payout.asset, payout.units::text,
           payout.address, payout.holder ->> 'name' as holder,
           (select coalesce(sum(back.units), 0)::text from payout_comeback back where back.payout_id = payout.id) as "cameBack",
           is_held_back(payout) or not is_paid(payout) as "isHeld"
      from outgoing_transaction filed join outgoing_transfer payout on payout.id = filed.trace ->> 'payout'
     where filed.network = ${network} and filed.trace ? 'file' and filed.trace ->> 'file' = ${fileId}
     order by filed.position`;
  return rows.map(({ cameBack, ...row }) => ({ ...row, units: BigInt(row.units), cameBackUnits: BigInt(cameBack) }));
}

export type OrderTally = {
  readonly fileId: string;
  readonly state: OutgoingTransactionState;
  readonly isReturned: boolean;
  readonly count: number;
};

export async function countOrders(query: Query, network: string, fileIds: readonly string[]): Promise<OrderTally[]> {
  return query<Row & OrderTally>`
    select trace ->> 'file' as "fileId", state, trace ? 'returnedAs' as "isReturned", count(*)::integer as count
      from outgoing_transaction
     where network = ${network} and trace ? 'file' and trace ->> 'file' = any(${[...fileIds]})
     group by 1, 2, 3 order by 1, 2, 3`;
}

/** What orders may still take from the account, at the asset's ledger scale. */
export async function openOrderUnits(query: Query, network: string, asset: string): Promise<bigint> {
  const [row] = await query<{ units: string }>`
    select coalesce(sum(payout.units), 0)::text as units
      from outgoing_transaction filed join outgoing_transfer payout on payout.transaction_id = filed.id
     where filed.network = ${network} and filed.state = 'OPEN' and filed.trace ? 'file' and payout.asset = ${asset}`;
  return BigInt(row?.units ?? 0);
}

export type QueuedSum = {
  readonly asset: string;
  readonly count: number;
  readonly units: bigint;
  readonly since: Date;
};

/** What would go into the next file, by asset: without what waits for a payment, for its merchant, or for a later time. */
export async function sumQueued(query: Query, network: string, now: Date): Promise<QueuedSum[]> {
  const rows = await query<Row & Omit<QueuedSum, 'units'> & { units: string }>`
    select asset, count(*)::integer as count, sum(units)::text as units, min(requested_at) as since
      from outgoing_transfer
     where network = ${network} and state = 'QUEUED' and coalesce(held_until <= ${now}, true)
       and is_paid(outgoing_transfer) and not is_held_back(outgoing_transfer) and not is_in_doubt(outgoing_transfer)
     group by asset order by asset`;
  return rows.map((row) => ({ ...row, units: BigInt(row.units) }));
}

/** The file that a payout is in, while it has not ended, and whether the bank has booked it; null: it is in none. */
export async function fileOfPayout(
  query: Query,
  payoutId: string,
): Promise<{ readonly id: string; readonly isBooked: boolean } | null> {
  const [row] = await query<{ id: string; isBooked: boolean }>`
    select filed.trace ->> 'file' as id, filed.state = 'INCLUDED' as "isBooked"
      from outgoing_transfer payout join outgoing_transaction filed on filed.id = payout.transaction_id
     where payout.id = ${payoutId} and payout.state = 'SIGNED' and filed.trace ? 'file'
     order by filed.generation desc limit 1`;
  return row ?? null;
}

/** Files with orders of which nobody knows yet whether they happen. */
export async function openFiles(query: Query, network: string): Promise<string[]> {
  const rows = await query<{ file: string }>`
    select distinct trace ->> 'file' as file from outgoing_transaction
     where network = ${network} and state = 'OPEN' and trace ? 'file' order by 1`;
  return rows.map(({ file }) => file);
}

/** Those of these files in which an order has not ended. */
export async function filesWithUnendedOrders(query: Query, fileIds: readonly string[]): Promise<ReadonlySet<string>> {
  const rows = await query<{ file: string }>`
    select distinct trace ->> 'file' as file from outgoing_transaction
     where state in ('OPEN', 'INCLUDED') and trace ? 'file' and trace ->> 'file' = any(${[...fileIds]})`;
  return new Set(rows.map(({ file }) => file));
}
