/** What single movements were worth in the account's currency: each at the rate of its hour, rounded once. */
import { type AssetCatalog, findAsset } from '../catalog/asset-catalog.ts';
import type { Query } from '../db/database.ts';
import { toUnits } from '../money/decimal.ts';
import { everHours, hourOf, ratesAtHours } from '../pricing/rate-hours.ts';
import { decimalsOf, worthOf } from './worth.ts';

export type Amount = { readonly asset: string; readonly units: bigint };

/** In the smallest unit of the currency; null: no rate was known. */
export type Valuer = (amount: Amount, at: Date) => bigint | null;

/** `wanted`: what will be asked for, so that all rates are read in one look. */
export async function createValuer(
  { db, assets }: { readonly db: Query; readonly assets: AssetCatalog },
  currency: string,
  wanted: readonly { readonly asset: string; readonly at: Date }[],
): Promise<Valuer> {
  const hours = wanted.flatMap(({ asset, at }) =>
    [findAsset(assets, asset)?.currencyCode ?? '', currency].map((code) => ({ code, hour: hourOf(at) })),
  );
  const rates = await ratesAtHours(db, hours, everHours);
  return (amount, at) => {
    const worth = worthOf({ assets, rates, currency }, amount, hourOf(at));
    return worth && toUnits(worth, decimalsOf(currency), 'half-up');
  };
}
