/** Files that came by the command line, until the service has looked at them, and what became of them. */
import type { Query, Tx } from '../db/database.ts';
import type { ImportOutcome } from './import-words.ts';

export type BankOrder = { readonly network: string | null; readonly fileName: string };

export async function insertBankOrder(tx: Tx, id: string, order: BankOrder, at: Date): Promise<void> {
  await tx`
    insert into bank_order (id, network, file_name, requested_at)
    values (${id}, ${order.network}, ${order.fileName}, ${at})`;
}

export async function insertOrderPiece(tx: Tx, orderId: string, number: number, sealed: Buffer): Promise<void> {
  await tx`insert into bank_order_piece (order_id, number, sealed) values (${orderId}, ${number}, ${sealed})`;
}

export async function orderPieces(query: Query, orderId: string): Promise<Buffer[]> {
  const rows = await query<{ sealed: Buffer }>`
    select sealed from bank_order_piece where order_id = ${orderId} order by number`;
  return rows.map(({ sealed }) => sealed);
}

/** `outcome` null: nobody has looked at it yet. Undefined: there is no such order. */
export async function findBankOrder(
  query: Query,
  id: string,
): Promise<(BankOrder & { readonly outcome: ImportOutcome | null }) | undefined> {
  const [row] = await query<{ network: string | null; file_name: string; outcome: string | null }>`
    select network, file_name, outcome from bank_order where id = ${id}`;
  if (!row) return undefined;
  const outcome = row.outcome === null ? null : (JSON.parse(row.outcome) as ImportOutcome);
  return { network: row.network, fileName: row.file_name, outcome };
}

export async function saveOutcome(tx: Tx, id: string, outcome: ImportOutcome): Promise<void> {
  await Promise.all([
    tx`update bank_order set outcome = ${JSON.stringify(outcome)} where id = ${id} and outcome is null`,
    tx`delete from bank_order_piece where order_id = ${id}`,
  ]);
}

/** What nobody has looked at stays: the service may have been away for long. */
export async function forgetBankOrders(query: Query, before: Date): Promise<void> {
  await query`delete from bank_order where requested_at < ${before} and outcome is not null`;
}
