/**
 * What became of a transfer that we saw and that is now neither waiting nor mined. Needs neither a wallet nor an index
 * of all transactions in the node: the set of unspent outputs and the newest blocks are enough, so it may be pruned.
 */
import type { VanishedTransfer } from '../../port/receiving.ts';
import { type RpcBlock, spentOutpoints } from './utxo-block.ts';
import { RpcRefusal, type UtxoRpc } from './utxo-rpc.ts';

export type Unconfirmed = { readonly txHash: string; readonly inputs: readonly string[] };

/** A spender that was mined while we were not watching came with a reorganisation, so it is among the newest blocks. */
const searchedBlocksMax = 20;

export function inputsOf(trace: { readonly [key: string]: unknown }): readonly string[] {
  return Array.isArray(trace['inputs']) ? (trace['inputs'] as string[]) : [];
}

/** Which of our unconfirmed transfers spend an outpoint. */
export function watchOutpoints(unconfirmed: readonly Unconfirmed[]): ReadonlyMap<string, readonly string[]> {
  const watched = new Map<string, string[]>();
  for (const { txHash, inputs } of unconfirmed) {
    for (const outpoint of inputs) watched.set(outpoint, [...(watched.get(outpoint) ?? []), txHash]);
  }
  return watched;
}

/** Unconfirmed transfers that a mined transaction has made impossible. */
export function* conflictsWith(
  block: RpcBlock,
  watched: ReadonlyMap<string, readonly string[]>,
): Generator<VanishedTransfer> {
  if (watched.size === 0) return;
  for (const tx of block.tx) {
    for (const outpoint of spentOutpoints(tx)) {
      for (const txHash of watched.get(outpoint) ?? []) if (txHash !== tx.txid) yield { txHash, replacedBy: tx.txid };
    }
  }
}

/**
 * The fate of transfers that have left the mempool for no reason we noticed. 'look again' means that the mempool holds
 * a spender that was examined before its inputs were of interest.
 */
export async function fateOf(
  rpc: UtxoRpc,
  missing: readonly Unconfirmed[],
  newestBlocks: readonly string[],
): Promise<readonly VanishedTransfer[] | 'look again'> {
  const inputs = missing.flatMap((transfer) => transfer.inputs);
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

/** Which of these outpoints the node has as unspent: in its chain, and with the mempool taken into account or not. */
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
