/**
 * The treasury's stock as every process knows it, in memory: read every few seconds, so that pricing a checkout needs
 * no query. It may be a little old, and that is harmless: a quote promises nothing, and the commit decides under the
 * lock.
 */
import type { AssetCatalog, CatalogAsset } from '../catalog/asset-catalog.ts';
import type { ToldProblem } from '../lib/errors.ts';
import { decimal } from '../money/decimal.ts';
import { ableVenues, type VenueDeps } from './able-venues.ts';
import { backingOf } from './backing-asset.ts';
import type { Stocks } from './load-stock.ts';
import { noStock, promisableUnits, shortageOf } from './treasury-stock.ts';

export type StockBook = {
  record(stocks: Stocks): void;
  current(): Stocks;
};

export function createStockBook(): StockBook {
  let known: Stocks = { byBacking: new Map(), share: decimal(1) };
  return {
    record(stocks) {
      known = stocks;
    },
    current: () => known,
  };
}

type Deps = VenueDeps & { readonly assets: AssetCatalog };

/** Whether the treasury may have to give this out of its stock. Not if the payment itself brings it. */
export const takesStock = (deps: Deps, paid: CatalogAsset, credited: CatalogAsset): boolean =>
  backingOf(deps.assets, paid).id !== backingOf(deps.assets, credited).id &&
  ableVenues(deps, paid, credited).includes('treasury');

/** Whether there is no other way: no market could give it instead. */
export const dependsOnStock = (deps: Deps, paid: CatalogAsset, credited: CatalogAsset): boolean =>
  takesStock(deps, paid, credited) && !ableVenues(deps, paid, credited).some((venue) => venue !== 'treasury');

export type StockWish = {
  readonly merchantId: string;
  readonly paid: CatalogAsset;
  readonly credited: CatalogAsset;
  readonly units: bigint;
  /** What the same checkout was promised already: it must not count twice. */
  readonly heldUnits: bigint;
};

/** Why a method cannot be offered, in one sentence; null: it can. */
export function offerShortage(deps: Deps & { readonly stock: StockBook }, wish: StockWish): ToldProblem | null {
  if (!dependsOnStock(deps, wish.paid, wish.credited)) return null;
  return promiseShortage(deps, deps.stock.current(), wish);
}

export function promiseShortage({ assets }: { readonly assets: AssetCatalog }, stocks: Stocks, wish: StockWish) {
  const { merchantId, credited, units, heldUnits } = wish;
  const stock = stocks.byBacking.get(backingOf(assets, credited).id) ?? noStock;
  const moreUnits = promisableUnits(stock, merchantId, stocks.share);
  return units <= heldUnits ? null : shortageOf(heldUnits + moreUnits, units, credited);
}
