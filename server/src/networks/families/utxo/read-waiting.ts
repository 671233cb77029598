/** Called when every block is read: what waits in the mempool, and which arrivals no longer wait there. */
import type { ObserveContext, VanishedArrival } from '../../port/receiving.ts';
import { fateOf, type Unconfirmed } from './arrival-fate.ts';
import type { MempoolReader } from './read-mempool.ts';
import type { Candidate } from './utxo-block.ts';
import type { UtxoCursor } from './utxo-cursor.ts';
import type { UtxoRpc } from './utxo-rpc.ts';

export type Waiting = {
  readonly txids: ReadonlySet<string>;
  readonly ours: readonly Candidate[];
  readonly vanished: readonly VanishedArrival[];
  /** False when the chain or the mempool changed while we looked: then we should look again at once. */
  readonly isSettled: boolean;
};

export async function readWaiting(
  rpc: UtxoRpc,
  mempool: MempoolReader,
  context: ObserveContext,
  position: {
    /** Unconfirmed arrivals that the blocks just read have neither confirmed nor made impossible. */
    readonly undecided: readonly Unconfirmed[];
    readonly watched: ReadonlyMap<string, readonly string[]>;
    readonly cursor: UtxoCursor;
  },
): Promise<Waiting> {
  // Asked before the mempool is read: a node that has just started is still filling it from disk.
  const { loaded: isLoaded = true } = await rpc.call<{ loaded?: boolean }>('getmempoolinfo');
  const { txids, ours, spenders, isComplete } = await mempool.read(context, new Set(position.watched.keys()));

  // A transaction also leaves the mempool when it is mined. If the tip is still the block that we have read, no block
  // came while we read the mempool: only then does a missing transaction mean that it is gone.
  const isTipStill = (await rpc.call<string>('getbestblockhash')) === position.cursor.hash;
  if (!isTipStill || !isComplete) return { txids, ours, vanished: [], isSettled: false };
  if (!isLoaded) return { txids, ours, vanished: [], isSettled: true };

  const replaced: VanishedArrival[] = [];
  const missing: Unconfirmed[] = [];
  for (const arrival of position.undecided.filter(({ txHash }) => !txids.has(txHash))) {
    const replacedBy = arrival.inputs.map((outpoint) => spenders.get(outpoint)).find((txid) => txid !== undefined);
    if (replacedBy === undefined) missing.push(arrival);
    else replaced.push({ txHash: arrival.txHash, replacedBy });
  }
  if (missing.length === 0) return { txids, ours, vanished: replaced, isSettled: true };

  const newestBlocks = position.cursor.recent.map(([, hash]) => hash);
  const fates = await fateOf(rpc, missing, newestBlocks);
  if (fates === 'look again') {
    mempool.forget();
    return { txids, ours, vanished: replaced, isSettled: false };
  }
  return { txids, ours, vanished: [...replaced, ...fates], isSettled: true };
}
