/**
 * Makes a payment file for who has only the database: the running service writes it, because that needs connectors. What became
 * of it is stored with it, in one transaction, so a job that runs twice makes one file.
 */
import type { Db } from '../db/database.ts';
import { enqueue } from '../jobs/enqueue.ts';
import type { JobCatalog } from '../jobs/job-catalog.ts';
import { GatewayError } from '../lib/errors.ts';
import { newId } from '../lib/ids.ts';
import { findMakeOrder, insertMakeOrder, saveMakeOutcome } from './make-order-store.ts';
import { type MadeFile, type MakeDeps, makePaymentFile } from './make-payment-file.ts';
import { shownMade } from './payment-file-words.ts';

/** Asks the service for a file; gives the id under which its outcome is found. */
export async function orderPaymentFile(db: Db, network: string | null, at: Date): Promise<string> {
  const id = newId();
  await db.begin(async (tx) => {
    await insertMakeOrder(tx, id, network, at);
    await enqueue(tx, [{ name: 'bank.file', payload: { orderId: id }, runAt: at }]);
  });
  return id;
}

export async function makeOrdered(deps: MakeDeps, { orderId }: JobCatalog['bank.file']): Promise<void> {
  const { db } = deps;
  const order = await findMakeOrder(db, orderId);
  if (!order || order.outcome !== null) return; // The job ran before and only its acknowledgement was lost.
  try {
    await makePaymentFile(deps, {
      network: order.network,
      actor: 'operator',
      begin: (work) =>
        db.begin(async (tx) => {
          const made: MadeFile = await work(tx);
          await saveMakeOutcome(tx, orderId, { made: shownMade(made) });
          return made;
        }),
    });
  } catch (error) {
    if (!(error instanceof GatewayError)) throw error;
    await saveMakeOutcome(db, orderId, { refused: error.message });
  }
}
