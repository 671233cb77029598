/**
 * The blocks in which coins came to be. A node says of an output that it does not have only that it does not have it:
 * spent, or never made. While the block that made it is part of the chain, it was spent.
 */
import { type RpcCall, RpcRefusal, type UtxoRpc } from './utxo-rpc.ts';

/** By outpoint; without those that the node has not, or that something in its mempool spends. */
export async function coinOrigins(rpc: UtxoRpc, outpoints: readonly string[]): Promise<ReadonlyMap<string, string>> {
  const calls = outpoints.map((outpoint): RpcCall => {
    const [txid, vout] = outpoint.split(':');
    return { method: 'gettxout', params: [txid, Number(vout), true] };
  });
  const height = await rpc.call<number>('getblockcount');
  const outputs = await rpc.batch<{ confirmations: number } | null>(calls);
  const confirmed = outpoints.flatMap((outpoint, at) => {
    const output = outputs[at];
    const confirmations = output && !(output instanceof RpcRefusal) ? output.confirmations : 0;
    return confirmations > 0 ? [{ outpoint, height: height - confirmations + 1 }] : [];
  });
  const hashes = await rpc.batch<string>(confirmed.map((coin) => ({ method: 'getblockhash', params: [coin.height] })));
  const origins = new Map<string, string>();
  for (const [at, { outpoint }] of confirmed.entries()) {
    const hash = hashes[at];
    if (typeof hash === 'string') origins.set(outpoint, hash);
  }
  return origins;
}

/** Whether one of these blocks is part of the node's chain now. */
export async function isAnyInChain(rpc: UtxoRpc, blocks: readonly string[]): Promise<boolean> {
  const calls = blocks.map((hash) => ({ method: 'getblockheader', params: [hash] }));
  const headers = await rpc.batch<{ confirmations: number }>(calls);
  return headers.some((header) => !(header instanceof RpcRefusal) && header.confirmations > 0);
}
