/** Which coins can be spent now: they are in a block of the node's chain, and no waiting transaction spends them. */
import { type RpcCall, RpcRefusal, type UtxoRpc } from './utxo-rpc.ts';

export async function livingCoins(rpc: UtxoRpc, outpoints: readonly string[]): Promise<ReadonlySet<string>> {
  const calls = outpoints.map((outpoint): RpcCall => {
    const [txid, vout] = outpoint.split(':');
    return { method: 'gettxout', params: [txid, Number(vout), true] };
  });
  const outputs = await rpc.batch<{ confirmations: number } | null>(calls);
  return new Set(
    outpoints.filter((_, at) => {
      const output = outputs[at];
      return output && !(output instanceof RpcRefusal) && output.confirmations > 0;
    }),
  );
}
