/** On which network and in which asset a deposit is to come, and how its amount is counted there. */
import {
  type AssetCatalog,
  type CatalogAsset,
  findAsset,
  isAvailable,
  isCreditable,
} from '../catalog/asset-catalog.ts';
import { present } from '../lib/assert.ts';
import type { Merchant } from '../merchants/merchant.ts';
import { formatUnits, rescale } from '../money/amount.ts';
import type { Connector } from '../networks/port/connector.ts';
import type { NetworkAsset } from '../networks/port/definition.ts';

export type DepositMethod = {
  readonly connector: Connector;
  readonly asset: CatalogAsset;
  readonly carried: NetworkAsset;
  /** The scale of amounts in the request: that of the asset, or that of the payer's wallet if its name was used. */
  readonly requestScale: number;
};

/** A deposit is credited as it was paid, so only what the account wants to hold is offered. */
type Risking = Pick<Merchant, 'highRiskAssets' | 'riskTolerance'>;

/** A satoshi is the eighth place of a bitcoin. */
const paymentScale = ({ paymentUnit, scale }: NetworkAsset): number => scale - (paymentUnit?.places ?? 0);

export const offeredAssets = (assets: AssetCatalog, { network }: Connector, merchant: Risking): CatalogAsset[] =>
  network.assets
    .map(({ assetCode }) => present(findAsset(assets, assetCode), `asset ${assetCode}`))
    .filter((asset) => isAvailable(asset, new Set(merchant.highRiskAssets)))
    .filter((asset) => isCreditable(asset, merchant.riskTolerance));

/** `wanted`: an asset id, its code, or what the payer's wallet calls it; undefined: the network's default. */
export function findDepositMethod(
  assets: AssetCatalog,
  connector: Connector,
  wanted: string | undefined,
  merchant: Risking,
): DepositMethod | undefined {
  const offered = offeredAssets(assets, connector, merchant);
  for (const asset of offered) {
    const carried = present(
      connector.network.assets.find(({ assetCode }) => assetCode === asset.assetCode),
      'the asset on its network',
    );
    const isMeant = wanted === undefined || wanted === asset.id || wanted === asset.assetCode;
    if (isMeant) return { connector, asset, carried, requestScale: carried.scale };
    if (wanted === carried.paymentCode) return { connector, asset, carried, requestScale: paymentScale(carried) };
  }
  return undefined;
}

/** An amount as the payer's wallet shows it. */
export const paymentAmount = ({ asset, carried }: DepositMethod, ledgerUnits: bigint): string =>
  formatUnits(rescale(ledgerUnits, asset.ledgerScale, carried.scale, 'up'), paymentScale(carried));
