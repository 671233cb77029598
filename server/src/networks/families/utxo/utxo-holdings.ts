/** What the node's set of unspent outputs says that our account holds: nothing of what we believe goes into it. */
import { HDKey } from '@scure/bip32';
import { present } from '../../../lib/assert.ts';
import type { Holding, HoldingsContext } from '../../holdings.ts';
import { NetworkError } from '../../port/connector.ts';
import { readAccountKey } from './utxo-account-key.ts';
import type { UtxoChain } from './utxo-address.ts';
import { unitsOf } from './utxo-block.ts';
import type { UtxoRpc } from './utxo-rpc.ts';

const nodeVersions = {
  main: { public: 0x0488b21e, private: 0x0488ade4 },
  test: { public: 0x043587cf, private: 0x04358394 },
  regtest: { public: 0x043587cf, private: 0x04358394 },
};

type Scan = { readonly success: boolean; readonly bestblock?: string; readonly total_amount: number };

export async function utxoHoldings(
  rpc: UtxoRpc,
  account: { readonly xpub: string; readonly chain: UtxoChain; readonly assetCode: string },
  { tip, highestIndex }: HoldingsContext,
): Promise<readonly Holding[]> {
  const { publicKey, chainCode, depth, index, parentFingerprint } = readAccountKey(account.xpub, account.chain);
  const versions = nodeVersions[account.chain];
  const { publicExtendedKey } = new HDKey({
    ...{ versions, depth, index, parentFingerprint },
    publicKey: present(publicKey, 'public key'),
    chainCode: present(chainCode, 'chain code'),
  });
  const descriptor = { desc: `wpkh(${publicExtendedKey}/0/*)`, range: Math.max(1, highestIndex) };
  const scan = await rpc.call<Scan>('scantxoutset', 'start', [descriptor]);
  if (!scan.success) throw new NetworkError('The node could not read its unspent outputs.', { isRetryable: true });
  if (scan.bestblock !== undefined && scan.bestblock !== tip.hash)
    throw new NetworkError('A block came while the node counted: count again.', { isRetryable: true });
  return [{ assetCode: account.assetCode, units: unitsOf(scan.total_amount) }];
}
