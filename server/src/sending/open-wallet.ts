/** What of our own money on a network can be spent, for whoever signs and for whoever asks what that would cost. */
import { type AssetCatalog, findAsset } from '../catalog/asset-catalog.ts';
import type { Query } from '../db/database.ts';
import { present } from '../lib/assert.ts';
import { rescale } from '../money/amount.ts';
import type { Connector } from '../networks/port/connector.ts';
import { networkAsset } from '../networks/port/definition.ts';
import type { SendContext } from '../networks/port/sending.ts';
import { unusedCoins } from './coin-store.ts';

export const openWallet = (
  { db, assets }: { readonly db: Query; readonly assets: AssetCatalog },
  { network, wallet }: Pick<Connector, 'network' | 'wallet'>,
): Pick<SendContext, 'unspent'> => ({
  async unspent({ assetCode, leastUnits, ...request }) {
    const { id: asset, ledgerScale } = present(findAsset(assets, assetCode), `asset ${assetCode}`);
    const { scale } = networkAsset(network, assetCode);
    const coins = await unusedCoins(db, {
      ...request,
      network: network.id,
      asset,
      exceptKey: wallet?.key ?? null,
      leastUnits: rescale(leastUnits ?? 0n, scale, ledgerScale, 'up'),
    });
    return coins.map((coin) => ({ ...coin, units: rescale(coin.units, ledgerScale, scale, 'down') }));
  },
});
