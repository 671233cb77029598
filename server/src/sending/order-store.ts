/**
 * All SQL of orders: transactions of our own that a person hands to the network in a file (`networks/port/orders.ts`). They
 * name their file in their trace.
 */
import type { Query, Row, Tx } from '../db/database.ts';
import type { DeclaredVoid, KnownOrder, OrderFate, OrdersAsked } from '../networks/port/orders.ts';
import type { OutgoingTransactionState } from './outgoing-transaction-state.ts';

const fates: Readonly<Record<OutgoingTransactionState, OrderFate>> = {
  OPEN: 'open',
  INCLUDED: 'booked',
  DONE: 'done',
  FAILED: 'failed',
  EXPIRED: 'void',
  REPLACED: 'void', // No order has a second version.
};

type OrderRow = Row &
  Record<'tx_hash' | 'raw' | 'file_id' | 'payout_id', string> & {
    trace: KnownOrder['trace'];
    state: OutgoingTransactionState;
    failure: string | null;
  };

/** What is known of it here; what else may be about it is known to `payments`. */
export type StoredOrder = Omit<KnownOrder, 'wasDoubted'>;

/** One that came back is failed from the moment on at which we know it, not only when it ends. */
const toOrder = (row: OrderRow): StoredOrder => ({
  txHash: row.tx_hash,
  payoutId: row.payout_id,
  fileId: row.file_id,
  raw: row.raw,
  trace: row.trace,
  fate: row.state === 'INCLUDED' && row.failure !== null ? 'failed' : fates[row.state],
});

export async function findOrders(
  query: Query,
  network: string,
  { hashes, fileIds }: OrdersAsked,
): Promise<StoredOrder[]> {
  const rows = await query<OrderRow>`
    select tx_hash, raw, trace, state, failure, trace ->> 'file' as file_id, trace ->> 'payout' as payout_id
      from outgoing_transaction
     where network = ${network} and trace ? 'file'
       and (tx_hash = any(${[...hashes]}) or trace ->> 'file' = any(${[...fileIds]}))
     order by position`;
  return rows.map(toOrder);
}

/** The operator says that this file was never handed over. Whether that is so, the network's next words must show. */
export async function declareOrdersVoid(tx: Tx, network: string, fileId: string, at: Date): Promise<void> {
  await tx`
    update outgoing_transaction set trace = trace || jsonb_build_object('voidDeclaredAt', ${at.toISOString()}::text)
     where network = ${network} and trace ? 'file' and trace ->> 'file' = ${fileId} and state = 'OPEN'`;
}

export async function ordersDeclaredVoid(query: Query, network: string): Promise<DeclaredVoid[]> {
  const rows = await query<{ tx_hash: string; payout_id: string; declared_at: string }>`
    select tx_hash, trace ->> 'payout' as payout_id, trace ->> 'voidDeclaredAt' as declared_at from outgoing_transaction
     where network = ${network} and state = 'OPEN' and trace ? 'voidDeclaredAt'
     order by position`;
  return rows.map((row) => ({
    txHash: row.tx_hash,
    payoutId: row.payout_id,
    declaredAt: new Date(row.declared_at),
  }));
}
