/**
 * What became of an arrival that we saw and that is now neither waiting nor mined. The set of unspent outputs and the
 * newest blocks are enough: so the node needs no wallet and no index of all transactions, and may be pruned.
 */
import type { VanishedArrival } from '../../port/receiving.ts';
import { type RpcBlock, spentOutpoints } from './utxo-block.ts';
import { RpcRefusal, type UtxoRpc } from './utxo-rpc.ts';

export type Unconfirmed = { readonly txHash: string; readonly inputs: readonly string[] };

/** If we did not see a spender being mined, it came with a reorganisation, so it is in one of the newest blocks. */
const searchedBlocksMax = 20;

export function inputsOf(trace: { readonly [key: string]: unknown }): readonly string[] {
  return Array.isArray(trace['inputs']) ? (trace['inputs'] as string[]) : [];
}

/** By outpoint: which of our unconfirmed arrivals spend it. */
export function watchOutpoints(unconfirmed: readonly Unconfirmed[]): ReadonlyMap<string, readonly string[]> {
  const watched = new Map<string, string[]>();
  for (const { txHash, inputs } of unconfirmed) {
    for (const outpoint of inputs) watched.set(outpoint, [...(watched.get(outpoint) ?? []), txHash]);
  }
  return watched;
}

/** Unconfirmed arrivals that a mined transaction has made impossible. */
export function* conflictsWith(
  block: RpcBlock,
  watched: ReadonlyMap<string, readonly string[]>,
): Generator<VanishedArrival> {
  if (watched.size === 0) return;
  for (const tx of block.tx) {
    for (const outpoint of spentOutpoints(tx)) {
      for (const txHash of watched.get(outpoint) ?? []) if (txHash !== tx.txid) yield { txHash, replacedBy: tx.txid };
    }
  }
}

/**
 * What became of arrivals that have left the mempool, when no block told us why. 'look again': another transaction in
 * the mempool spends the same coins, but we read it before we asked about these coins.
 */
export async function fateOf(
  rpc: UtxoRpc,
  missing: readonly Unconfirmed[],
  newestBlocks: readonly string[],
): Promise<readonly VanishedArrival[] | 'look again'> {
  const inputs = missing.flatMap((arrival) => arrival.inputs);
  const withMempool = await unspentAmong(rpc, inputs, true);
  const spent = inputs.filter((outpoint) => !withMempool.has(outpoint));
  const unspentInChain = await unspentAmong(rpc, spent, false);
  if (unspentInChain.size > 0) return 'look again';

  const spenders =
    spent.length > 0 ? await searchSpenders(rpc, new Set(spent), newestBlocks) : new Map<string, string>();
  return missing.map(({ txHash, inputs: own }) => {
    const spender = own.map((outpoint) => spenders.get(outpoint)).find((txid) => txid !== undefined);
    return { txHash, replacedBy: spender ?? null };
  });
}

/** Which of these outpoints are unspent in the node's chain; if asked for, also the mempool is taken into account. */
export async function unspentAmong(
  rpc: UtxoRpc,
  outpoints: readonly string[],
  withMempool: boolean,
): Promise<ReadonlySet<string>> {
  const calls = outpoints.map((outpoint) => {
    const [txid, vout] = outpoint.split(':');
    return { method: 'gettxout', params: [txid, Number(vout), withMempool] };
  });
  const outputs = await rpc.batch<object | null>(calls);
  return new Set(outpoints.filter((_, at) => outputs[at] !== null && !(outputs[at] instanceof RpcRefusal)));
}

async function searchSpenders(
  rpc: UtxoRpc,
  outpoints: ReadonlySet<string>,
  newestBlocks: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const spenders = new Map<string, string>();
  for (const hash of newestBlocks.slice(-searchedBlocksMax).reverse()) {
    const block = await rpc.call<RpcBlock>('getblock', hash, 2);
    for (const tx of block.tx) {
      for (const outpoint of spentOutpoints(tx)) if (outpoints.has(outpoint)) spenders.set(outpoint, tx.txid);
    }
    if (spenders.size === outpoints.size) break;
  }
  return spenders;
}
