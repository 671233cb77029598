/**
 * The treasury promises what a committed checkout will be credited, under the lock of its stock. What was promised is
 * given; what cannot be given is refused before anybody pays.
 */
import type { CatalogAsset } from '../catalog/asset-catalog.ts';
import type { Tx } from '../db/database.ts';
import type { ToldProblem } from '../lib/errors.ts';
import type { VenueDeps } from './able-venues.ts';
import { backingOf } from './backing-asset.ts';
import { loadStock, type StockDeps, type Stocks } from './load-stock.ts';
import { dependsOnStock, promiseShortage, takesStock } from './stock-book.ts';
import { lockStock, promisesOf, type StockPromise } from './treasury-promise-store.ts';

export type PromiseDeps = VenueDeps & StockDeps;

export type PromiseWish = {
  readonly merchantId: string;
  readonly checkoutId: string;
  readonly paid: CatalogAsset;
  readonly credited: CatalogAsset;
  readonly units: bigint;
};

export type Promiser = {
  /** Why it cannot be promised; null: it is promised, or a market will give it. */
  ask(wish: PromiseWish): ToldProblem | null;
  /** What was promised so far: to be saved. */
  made(): readonly StockPromise[];
};

/** For locked checkouts. `wishes`: all that may be asked for. */
export async function openStock(deps: PromiseDeps, tx: Tx, wishes: readonly PromiseWish[]): Promise<Promiser> {
  const taking = wishes.filter(({ paid, credited }) => takesStock(deps, paid, credited));
  if (taking.length === 0) return { ask: () => null, made: () => [] };
  const credited = taking.map((wish) => wish.credited);
  await lockStock(
    tx,
    credited.map((asset) => backingOf(deps.assets, asset).id),
  );
  const [stocks, standing] = await Promise.all([loadStock(deps, tx, credited), promisesOf(tx, taking)]);
  return createPromiser(deps, stocks, standing);
}

/** `standing`: what the same checkouts were promised before. */
export function createPromiser(
  deps: VenueDeps & Pick<StockDeps, 'assets'>,
  stocks: Stocks,
  standing: readonly StockPromise[],
): Promiser {
  const promised = new Map(
    Array.from(stocks.byBacking, ([id, stock]) => [id, { ...stock, promised: new Map(stock.promised) }]),
  );
  const held = new Map(standing.map((promise) => [keyOf(promise), promise.units]));
  const made = new Map<string, StockPromise>();

  return {
    ask({ merchantId, checkoutId, paid, credited: asset, units }) {
      if (!takesStock(deps, paid, asset)) return null;
      const promise = { merchantId, checkoutId, asset: asset.id, units };
      const heldUnits = held.get(keyOf(promise)) ?? 0n;
      const wish = { merchantId, paid, credited: asset, units, heldUnits };
      const shortage = promiseShortage(deps, { byBacking: promised, share: stocks.share }, wish);
      if (shortage !== null) return dependsOnStock(deps, paid, asset) ? shortage : null;
      if (units <= heldUnits) return null;
      const ofBacking = promised.get(backingOf(deps.assets, asset).id)?.promised;
      ofBacking?.set(merchantId, (ofBacking.get(merchantId) ?? 0n) + units - heldUnits);
      held.set(keyOf(promise), units);
      made.set(keyOf(promise), promise);
      return null;
    },
    made: () => [...made.values()],
  };
}

const keyOf = ({ merchantId, checkoutId, asset }: Pick<StockPromise, 'merchantId' | 'checkoutId' | 'asset'>): string =>
  `${merchantId}/${checkoutId}/${asset}`;
