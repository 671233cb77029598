/** Asks for money to be sent, in the transaction that sets it aside: both happen or neither. */
import type { Tx } from '../db/database.ts';
import { insertTransfers, type NewTransfer } from './outgoing-store.ts';

/**
 * The id is the asker's own: asking twice sends once. When it has ended, the job `<purpose>.advance` runs with that id,
 * and `findTransfer` says how.
 */
export async function requestSending(tx: Tx, transfers: readonly NewTransfer[], at: Date): Promise<void> {
  await insertTransfers(tx, transfers, at);
}
