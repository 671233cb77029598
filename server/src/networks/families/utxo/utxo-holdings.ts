/** What our account holds by the node's set of unspent outputs. Nothing from our own database is used for it. */
import type { Holding, HoldingsContext } from '../../holdings.ts';
import { NetworkError } from '../../port/connector.ts';
import { type AccountForm, asNodesWriteIt, readAccountKey } from './utxo-account-key.ts';
import { type RpcAmount, unitsOf } from './utxo-block.ts';
import type { UtxoChain } from './utxo-parameters.ts';
import type { UtxoRpc } from './utxo-rpc.ts';

/** The names of scripts in output descriptors (BIP381, BIP382). */
const descriptorOf = { p2wpkh: 'wpkh', p2pkh: 'pkh' };

type Scan = { readonly success: boolean; readonly bestblock?: string; readonly total_amount: RpcAmount };

export async function utxoHoldings(
  rpc: UtxoRpc,
  account: AccountForm & { readonly xpub: string; readonly chain: UtxoChain; readonly assetCode: string },
  { tip, highestIndex }: HoldingsContext,
): Promise<readonly Holding[]> {
  const { xpub, chain, addressKind } = account;
  const key = asNodesWriteIt(readAccountKey(xpub, chain, account), chain);
  const descriptor = { desc: `${descriptorOf[addressKind]}(${key}/0/*)`, range: Math.max(1, highestIndex) };
  const scan = await rpc.call<Scan>('scantxoutset', 'start', [descriptor]);
  if (!scan.success) throw new NetworkError('The node could not read its unspent outputs.', { isRetryable: true });
  if (scan.bestblock !== undefined && scan.bestblock !== tip.hash)
    throw new NetworkError('A block came while the node counted: count again.', { isRetryable: true });
  return [{ assetCode: account.assetCode, units: unitsOf(scan.total_amount) }];
}
