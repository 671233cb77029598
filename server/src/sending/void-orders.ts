/** Orders of a file that nobody has seen can never happen: their payouts wait for another one. */
import type { Tx } from '../db/database.ts';
import { enqueue } from '../jobs/enqueue.ts';
import { findOrders } from './order-store.ts';
import { requeuePayouts, type StoredPayout } from './payout-store.ts';
import { advanceJob } from './record-sent.ts';
import { endUnincluded } from './transaction-fate-store.ts';

/** Only for a file whose bytes never left: otherwise `declareOrdersVoid`. Returns how many payouts are queued again. */
export async function voidOrders(tx: Tx, network: string, fileId: string, at: Date): Promise<number> {
  const orders = await findOrders(tx, network, { hashes: [], fileIds: [fileId] });
  const toAdvance: StoredPayout[] = [];
  let count = 0;
  for (const { txHash } of orders.filter(({ fate }) => fate === 'open')) {
    const end = await endUnincluded(tx, network, { txHash, isExpired: true, failure: null }, at);
    if (!end) continue;
    count += 1;
    toAdvance.push(...(await requeuePayouts(tx, end.gone.id, at)));
  }
  await enqueue(
    tx,
    toAdvance.map((payout) => advanceJob(payout, at)),
  );
  return count;
}
