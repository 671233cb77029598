/** The network's fee for a payer: two coins in, the payment and the change out, at the rate that the node estimates. */
import type { NetworkFacts } from '../../port/receiving.ts';
import { unitsOf } from './utxo-block.ts';
import type { AddressKind } from './utxo-parameters.ts';
import { RpcRefusal, type UtxoRpc } from './utxo-rpc.ts';
import { feeFor, ownScriptLength, vsizeOf } from './utxo-transaction-size.ts';

/** Wallets usually choose a fee for one of the next blocks. */
const targetBlocks = 3;

type PayerCost = NonNullable<NetworkFacts['payerCost']>;

/** Asked once per block. Undefined: the node cannot tell. This is no error, because watching must go on without it. */
export function createPayerCost(
  rpc: UtxoRpc,
  assetCode: string,
  kind: AddressKind,
): (tipHash: string) => Promise<PayerCost | undefined> {
  const typicalVsize = vsizeOf(kind, 2, [ownScriptLength(kind), ownScriptLength(kind)]);
  let known: { readonly tipHash: string; readonly cost: PayerCost | undefined } | undefined;
  return async (tipHash) => {
    if (known?.tipHash === tipHash) return known.cost;
    const [reply] = await rpc.batch<{ readonly feerate?: number }>([
      { method: 'estimatesmartfee', params: [targetBlocks, 'ECONOMICAL'] },
    ]);
    const rate = reply instanceof RpcRefusal ? undefined : reply?.feerate;
    const units = rate === undefined ? undefined : feeFor(typicalVsize, unitsOf(rate));
    known = { tipHash, cost: units === undefined ? undefined : { [assetCode]: { assetCode, units: String(units) } } };
    return known.cost;
  };
}
