/**
 * Transactions that are in no block yet. The node lists only their ids; each transaction is fetched once and then
 * remembered, in memory only: after a restart they are fetched again, and no payment is lost.
 */
import type { ObserveContext } from '../../port/receiving.ts';
import { type Candidate, candidatesOf, type RpcTransaction, spentOutpoints } from './utxo-block.ts';
import type { AddressKind } from './utxo-parameters.ts';
import { RpcRefusal, type UtxoRpc } from './utxo-rpc.ts';

const fetchesMax = 5_000; // per round, so that a full mempool does not delay the blocks when we start
const batchSize = 100;
const batchesAtOnce = 4;

export type MempoolView = {
  readonly txids: ReadonlySet<string>;
  /** Outputs to targets of ours. */
  readonly ours: readonly Candidate[];
  /** By outpoint that was asked about: the transaction that spends it. */
  readonly spenders: ReadonlyMap<string, string>;
  /** False when there are transactions that we have not fetched yet. */
  readonly isComplete: boolean;
};

export type MempoolReader = {
  read(context: ObserveContext, watchedOutpoints: ReadonlySet<string>): Promise<MempoolView>;
  forget(): void;
};

export function createMempoolReader(rpc: UtxoRpc, addressKind: AddressKind): MempoolReader {
  const examined = new Set<string>();
  const oursByTxid = new Map<string, readonly Candidate[]>();
  const spenders = new Map<string, string>();

  function forgetGone(txids: ReadonlySet<string>, watchedOutpoints: ReadonlySet<string>): void {
    for (const txid of examined) if (!txids.has(txid)) examined.delete(txid);
    for (const txid of oursByTxid.keys()) if (!txids.has(txid)) oursByTxid.delete(txid);
    for (const [outpoint, txid] of spenders) {
      if (!txids.has(txid) || !watchedOutpoints.has(outpoint)) spenders.delete(outpoint);
    }
  }

  return {
    async read(context, watchedOutpoints) {
      const txids = new Set(await rpc.call<string[]>('getrawmempool'));
      forgetGone(txids, watchedOutpoints);
      const fresh = [...txids].filter((txid) => !examined.has(txid));
      const fetched = await fetchTransactions(rpc, fresh.slice(0, fetchesMax));

      const candidates = fetched.flatMap((tx) => candidatesOf(tx, addressKind));
      const known = await knownAmong(context, candidates);
      for (const candidate of candidates.filter(({ address }) => known.has(address))) {
        oursByTxid.set(candidate.tx.txid, [...(oursByTxid.get(candidate.tx.txid) ?? []), candidate]);
      }
      for (const tx of fetched) {
        for (const outpoint of spentOutpoints(tx)) if (watchedOutpoints.has(outpoint)) spenders.set(outpoint, tx.txid);
        examined.add(tx.txid);
      }
      return { txids, ours: [...oursByTxid.values()].flat(), spenders, isComplete: fresh.length <= fetchesMax };
    },

    forget() {
      examined.clear();
      oursByTxid.clear();
      spenders.clear();
    },
  };
}

/** One look-up for all candidates, and none when there are no candidates. */
export async function knownAmong(
  context: ObserveContext,
  candidates: readonly Candidate[],
): Promise<ReadonlySet<string>> {
  if (candidates.length === 0) return new Set();
  return context.knownTargets([...new Set(candidates.map(({ address }) => address))]);
}

async function fetchTransactions(rpc: UtxoRpc, txids: readonly string[]): Promise<RpcTransaction[]> {
  const batches: string[][] = [];
  for (let at = 0; at < txids.length; at += batchSize) batches.push(txids.slice(at, at + batchSize));
  const fetched: RpcTransaction[] = [];
  const work = batches.values();
  async function fetchNext(): Promise<void> {
    for (const batch of work) {
      const calls = batch.map((txid) => ({ method: 'getrawtransaction', params: [txid, true] }));
      for (const tx of await rpc.batch<RpcTransaction>(calls)) {
        // Refused: it has left the mempool since. If it was mined, we find it in its block.
        if (!(tx instanceof RpcRefusal)) fetched.push(tx);
      }
    }
  }
  await Promise.all(Array.from({ length: batchesAtOnce }, fetchNext));
  return fetched;
}
