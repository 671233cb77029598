/** Orders to make a payment file that came by the command line, until the service has looked at them, and what became of them. */
import type { Query, Tx } from '../db/database.ts';
import type { MakeOutcome } from './payment-file-words.ts';

export async function insertMakeOrder(tx: Tx, id: string, network: string | null, at: Date): Promise<void> {
  await tx`insert into payment_file_order (id, network, requested_at) values (${id}, ${network}, ${at})`;
}

/** `outcome` null: nobody has looked at it yet. Undefined: there is no such order. */
export async function findMakeOrder(
  query: Query,
  id: string,
): Promise<{ readonly network: string | null; readonly outcome: MakeOutcome | null } | undefined> {
  const [row] = await query<{ network: string | null; outcome: string | null }>`
    select network, outcome from payment_file_order where id = ${id}`;
  return (
    row && { network: row.network, outcome: row.outcome === null ? null : (JSON.parse(row.outcome) as MakeOutcome) }
  );
}

export async function saveMakeOutcome(query: Query, id: string, outcome: MakeOutcome): Promise<void> {
  await query`
    update payment_file_order set outcome = ${JSON.stringify(outcome)} where id = ${id} and outcome is null`;
}

/** What nobody has looked at stays: the service may have been away for long. */
export async function forgetMakeOrders(query: Query, before: Date): Promise<void> {
  await query`delete from payment_file_order where requested_at < ${before} and outcome is not null`;
}
