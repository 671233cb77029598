/** What is signed and stored is broadcast again and again, until the watcher has seen what became of it. */
import type { Db } from '../db/database.ts';
import { addMs, type Clock, minutes } from '../lib/clock.ts';
import type { Log } from '../lib/log.ts';
import { NetworkError } from '../networks/port/connector.ts';
import type { Sender } from '../networks/port/sending.ts';
import { markBroadcast, openTransactions, type StoredTransaction } from './outgoing-transaction-store.ts';

/**
 * How long after a broadcast it is repeated, for a node that forgot the transaction or was away. A process that begins
 * to send repeats it at once: what ended the process before may have ended the node as well.
 */
const rebroadcastMs = minutes(1);

type BroadcastDeps = {
  readonly db: Db;
  readonly clock: Clock;
  readonly log: Log;
  readonly sender: Pick<Sender, 'broadcast'>;
};

/** `since`: when this process began to send on the network. Returns all that are open, for the caller to look at. */
export async function broadcastOpen(
  deps: BroadcastDeps,
  networkId: string,
  since: Date,
): Promise<readonly StoredTransaction[]> {
  const open = await openTransactions(deps.db, networkId);
  for (const { id } of open.filter(({ isLatest }) => isLatest)) {
    const versions = open.filter((version) => version.id === id);
    if (!versions.some(({ isIncluded }) => isIncluded)) await broadcastNewest(deps, versions, since);
  }
  return open;
}

/**
 * If the newest version cannot be broadcast, because a coin that only it spends is gone, the version before it will
 * do.
 */
async function broadcastNewest(
  deps: BroadcastDeps,
  versions: readonly StoredTransaction[],
  since: Date,
): Promise<void> {
  const before = addMs(deps.clock.now(), -rebroadcastMs);
  for (const version of versions.toReversed()) {
    const { broadcastAt } = version;
    const isOutThere = broadcastAt && broadcastAt > before && broadcastAt >= since;
    if (isOutThere || (await broadcast(deps, version))) return;
  }
}

/** Whatever goes wrong here leaves the outcome open: the transaction is stored and will be broadcast again. */
async function broadcast({ db, clock, log, sender }: BroadcastDeps, transaction: StoredTransaction): Promise<boolean> {
  try {
    await sender.broadcast(transaction);
    await markBroadcast(db, transaction, clock.now());
    return true;
  } catch (error) {
    if (!(error instanceof NetworkError)) throw error;
    log.warn({ err: error, tx: transaction.txHash }, 'broadcast is uncertain and will be repeated');
    return false;
  }
}
