/** What the house holds, owes and owns, asset by asset, and whether the networks agree. */
import { type CatalogAsset, findAsset } from '../catalog/asset-catalog.ts';
import type { Db } from '../db/database.ts';
import { type BookTotal, readBookTotals } from '../ledger/book-totals-store.ts';
import { type OperatorPurpose, operatorAccount } from '../ledger/chart-of-accounts.ts';
import type { StockDeps } from '../venues/load-stock.ts';
import { freeUnits } from '../wallets/own-money.ts';
import { isSound } from '../watching/reconcile.ts';
import { lastReconciliations, type Reconciliation } from '../watching/reconciliation-store.ts';

export type AssetMoney = {
  readonly asset: CatalogAsset;
  readonly held: bigint;
  /** To merchants. */
  readonly owed: bigint;
  /** By merchants. */
  readonly owing: bigint;
  readonly suspense: bigint;
  /** Brought in and earned, less what networks took. */
  readonly own: bigint;
  /** Bought or sold in conversions. */
  readonly fx: bigint;
  /** Of the own: what may be taken out. */
  readonly free: bigint;
};

export type HouseMoney = {
  readonly assets: readonly AssetMoney[];
  readonly counted: readonly Reconciliation[];
  readonly differing: readonly Reconciliation[];
};

const ownPurposes: readonly OperatorPurpose[] = ['equity', 'fees', 'costs', 'reserved'];

export async function findMoney(deps: StockDeps & { readonly db: Db }): Promise<HouseMoney> {
  const [totals, counted] = await Promise.all([readBookTotals(deps.db), lastReconciliations(deps.db)]);
  const ids = [...new Set(totals.map(({ asset }) => asset))];
  const known = ids.flatMap((id) => findAsset(deps.assets, id) ?? []);
  const assets = await Promise.all(known.map((asset) => moneyOf(deps, asset, totals)));
  return { assets, counted, differing: counted.filter((each) => !isSound(each)) };
}

async function moneyOf(
  deps: StockDeps & { readonly db: Db },
  asset: CatalogAsset,
  totals: readonly BookTotal[],
): Promise<AssetMoney> {
  const units = (purpose: string): bigint =>
    totals.find((total) => total.asset === asset.id && total.purpose === purpose)?.units ?? 0n;
  const purposes: readonly OperatorPurpose[] = ['equity', 'fees', 'costs', 'fx'];
  const books = new Map(purposes.map((purpose) => [operatorAccount(purpose, asset.id), units(purpose)]));
  const owing = -units('receivable');
  const free = await freeUnits(deps, deps.db, { asset, books, owedByMerchants: owing });
  return {
    asset,
    held: -units('wallet'),
    owed: units('owed'),
    owing,
    suspense: units('suspense'),
    own: ownPurposes.reduce((sum, purpose) => sum + units(purpose), 0n),
    fx: units('fx'),
    free: free < 0n ? 0n : free,
  };
}
