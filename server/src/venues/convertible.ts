/**
 * Whether one asset can be exchanged for another in this installation, whatever is in stock now. The catalogue says so,
 * and swaps and checkouts follow it: an asset that cannot come in, and that the operator has not allowed to be short,
 * can never be in stock.
 */
import type { AssetCatalog, CatalogAsset } from '../catalog/asset-catalog.ts';
import { ableVenues, type VenueDeps } from './able-venues.ts';
import { backingOf } from './backing-asset.ts';
import { limitOf, type TreasuryLimits } from './treasury-stock.ts';

export type ConvertibleDeps = VenueDeps & { readonly assets: AssetCatalog; readonly treasuryLimits: TreasuryLimits };

export function isConvertible(deps: ConvertibleDeps, given: CatalogAsset, wanted: CatalogAsset): boolean {
  if (given.id === wanted.id) return false;
  return ableVenues(deps, given, wanted).some(
    (venue) =>
      venue !== 'treasury' ||
      backingOf(deps.assets, given).id === backingOf(deps.assets, wanted).id ||
      canStock(deps, wanted),
  );
}

/** A network brings it, or the operator has it elsewhere: then its limit is below zero. */
function canStock({ assets, connectors, treasuryLimits }: ConvertibleDeps, asset: CatalogAsset): boolean {
  const backing = backingOf(assets, asset);
  const comesIn = [...connectors.values()].some(({ network }) =>
    network.assets.some(({ assetCode }) => assetCode === backing.assetCode),
  );
  return comesIn || limitOf(treasuryLimits, backing).digits < 0n;
}
