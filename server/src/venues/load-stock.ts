/** What the treasury has of each asset and has promised of it, as the books say now. */
import type { AssetCatalog, CatalogAsset } from '../catalog/asset-catalog.ts';
import type { Query } from '../db/database.ts';
import { type Decimal, decimal } from '../money/decimal.ts';
import { backedBy, backingOf } from './backing-asset.ts';
import { readStock } from './treasury-promise-store.ts';
import { positionAccounts, type Stock, stockBeyond, type TreasuryLimits } from './treasury-stock.ts';

export type StockDeps = {
  readonly assets: AssetCatalog;
  readonly treasuryLimits: TreasuryLimits;
  /** A part: how much one merchant may have promised of what the others leave. */
  readonly treasuryShare: Decimal;
};

/** By the id of the asset that a credit stands for. `share`: 1 if there is only one merchant. */
export type Stocks = { readonly byBacking: ReadonlyMap<string, Stock>; readonly share: Decimal };

const whole = decimal(1);

export async function loadStock(
  { assets, treasuryLimits, treasuryShare }: StockDeps,
  query: Query,
  wanted: readonly CatalogAsset[] = assets.assets,
): Promise<Stocks> {
  const backings = new Map(wanted.map((asset) => backingOf(assets, asset)).map((asset) => [asset.id, asset]));
  const members = new Map(
    [...backings.values()].flatMap((backing) => backedBy(assets, backing).map(({ id }) => [id, backing.id])),
  );
  const ids = [...members.keys()];
  const { rows, hasManyMerchants } = await readStock(query, ids, ids.flatMap(positionAccounts));
  const own = new Map<string, bigint>();
  const promised = new Map<string, Map<string, bigint>>();
  for (const { asset, merchantId, units } of rows) {
    const backing = members.get(asset) ?? asset;
    if (merchantId === null) own.set(backing, (own.get(backing) ?? 0n) + units);
    else {
      const ofBacking = promised.get(backing) ?? new Map<string, bigint>();
      ofBacking.set(merchantId, (ofBacking.get(merchantId) ?? 0n) + units);
      promised.set(backing, ofBacking);
    }
  }
  return {
    byBacking: new Map(
      Array.from(backings, ([id, backing]) => [
        id,
        {
          units: stockBeyond(treasuryLimits, backing, own.get(id) ?? 0n),
          promised: promised.get(id) ?? new Map(),
        },
      ]),
    ),
    share: hasManyMerchants ? treasuryShare : whole,
  };
}
