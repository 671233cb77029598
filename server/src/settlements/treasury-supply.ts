/**
 * What the treasury can give to checkouts that are about to be settled: what each was promised when it was committed,
 * and beyond that what was promised to nobody. A promise ends with the window. What is paid late, added later or
 * accepted comes out of what is free, and waits when that is too little. Otherwise somebody could commit, wait until
 * the window is over, then pay and take what belongs to others.
 */
import { type CatalogAsset, findAsset } from '../catalog/asset-catalog.ts';
import type { CheckoutDossier, SettledPart } from '../checkouts/checkout.ts';
import { factsOf } from '../checkouts/checkout-facts.ts';
import { deriveCheckout } from '../checkouts/checkout-state.ts';
import type { Tx } from '../db/database.ts';
import { present } from '../lib/assert.ts';
import type { VenueDeps } from '../venues/able-venues.ts';
import { backingOf } from '../venues/backing-asset.ts';
import { loadStock, type StockDeps } from '../venues/load-stock.ts';
import { takesStock } from '../venues/stock-book.ts';
import { lockStock, promisesOf, type StockPromise } from '../venues/treasury-promise-store.ts';
import { freeUnits } from '../venues/treasury-stock.ts';

export type SupplyDeps = VenueDeps & StockDeps;

export type TreasurySupply = {
  /** How much of the credited asset this checkout can get. Null: as much as it wants, because its payment brings it. */
  unitsFor(dossier: CheckoutDossier, paidAsset: string, creditedAsset: string): bigint | null;
  /** These parts were credited: what they took is no longer there for the next checkout. */
  take(dossier: CheckoutDossier, parts: readonly SettledPart[]): void;
  /** What a reversed settlement gave back is promised again, because the checkout will ask for it again. */
  promisedAgain(dossier: CheckoutDossier, parts: readonly SettledPart[]): StockPromise[];
};

/** Called before any lock of the ledger. `due`: checkouts that may be settled, locked. */
export async function openSupply(
  deps: SupplyDeps,
  tx: Tx,
  due: readonly CheckoutDossier[],
  now: Date,
): Promise<TreasurySupply> {
  const assetOf = (id: string): CatalogAsset => present(findAsset(deps.assets, id), `asset ${id}`);
  const isTaken = (paid: string, credited: string): boolean => takesStock(deps, assetOf(paid), assetOf(credited));
  const taking = due.filter(({ commitments }) =>
    commitments.some(({ asset, quote }) => isTaken(asset, quote.settlement.assetId)),
  );
  const promises = await promisesOf(tx, taking.map(ownerOf));
  const promised = new Map(promises.map((promise) => [keyOf(promise, promise.asset), promise.units]));
  const free = new Map<string, bigint>();
  const beyond = taking.filter((dossier) => mayNeedMore(dossier, promised, now)).flatMap(creditedAssets);
  if (beyond.length > 0) {
    const wanted = beyond.map(assetOf);
    await lockStock(
      tx,
      wanted.map((asset) => backingOf(deps.assets, asset).id),
    );
    const { byBacking } = await loadStock(deps, tx, wanted);
    for (const [id, stock] of byBacking) free.set(id, freeUnits(stock));
  }
  const backingId = (asset: string): string => backingOf(deps.assets, assetOf(asset)).id;
  const freeOf = (asset: string): bigint => {
    const units = free.get(backingId(asset)) ?? 0n;
    return units > 0n ? units : 0n;
  };

  return {
    unitsFor(dossier, paidAsset, creditedAsset) {
      if (!isTaken(paidAsset, creditedAsset)) return null;
      return (promised.get(keyOf(ownerOf(dossier), creditedAsset)) ?? 0n) + freeOf(creditedAsset);
    },
    take(dossier, parts) {
      for (const [asset, units] of takenBy(parts, isTaken)) {
        const more = units - (promised.get(keyOf(ownerOf(dossier), asset)) ?? 0n);
        if (more > 0n) free.set(backingId(asset), freeOf(asset) - more);
      }
    },
    promisedAgain: (dossier, parts) =>
      Array.from(takenBy(parts, isTaken), ([asset, units]) => ({ ...ownerOf(dossier), asset, units })),
  };
}

const ownerOf = ({ checkout }: CheckoutDossier) => ({ merchantId: checkout.merchantId, checkoutId: checkout.id });

const keyOf = ({ merchantId, checkoutId }: ReturnType<typeof ownerOf>, asset: string): string =>
  `${merchantId}/${checkoutId}/${asset}`;

const creditedAssets = ({ commitments }: CheckoutDossier): string[] => [
  ...new Set(commitments.map(({ quote }) => quote.settlement.assetId)),
];

/**
 * A credit by a quote is never more than its promise: parts of a price add up to the price at most. Any other credit
 * may be more. A checkout that had to wait looks again under the lock, whatever it waited for.
 */
function mayNeedMore(dossier: CheckoutDossier, promised: ReadonlyMap<string, bigint>, now: Date): boolean {
  const { checkout } = dossier;
  const { exceptions, isAcceptanceDue } = deriveCheckout(factsOf(dossier), now);
  return (
    !creditedAssets(dossier).some((asset) => promised.has(keyOf(ownerOf(dossier), asset))) ||
    isAcceptanceDue ||
    checkout.acceptedAt !== null ||
    exceptions.includes('LATE') ||
    checkout.exceptions.includes('NO_MARKET')
  );
}

/** What parts took from the treasury, by asset, before the fee: as a promise is counted. */
function takenBy(
  parts: readonly SettledPart[],
  isTaken: (paid: string, credited: string) => boolean,
): Map<string, bigint> {
  const taken = new Map<string, bigint>();
  for (const { paidAsset, creditedAsset, grossUnits, tx } of parts)
    if (tx === undefined && BigInt(grossUnits) > 0n && isTaken(paidAsset, creditedAsset))
      taken.set(creditedAsset, (taken.get(creditedAsset) ?? 0n) + BigInt(grossUnits));
  return taken;
}
