/** What the service took in some closed days: by month, kind and asset, and what all of it comes to. */
import { type AssetCatalog, type CatalogAsset, findAsset } from '../catalog/asset-catalog.ts';
import type { Query } from '../db/database.ts';
import { type Covered, madeUpTo } from './covered-days.ts';
import { type FeeMonth, type FeeSum, sumFeeDays } from './fee-day-store.ts';
import { feeKinds } from './fee-kinds.ts';

export type FeeTotal = Omit<FeeSum, 'kind' | 'entries'>;

export type Fees = {
  readonly rows: readonly FeeMonth[];
  /** Of each asset what its line of fees in the statement says, without its minus. */
  readonly totals: readonly FeeTotal[];
};

/** Whoever asks does it in one moment, for days may be made again meanwhile. */
export async function readFees(
  { db, assets }: { readonly db: Query; readonly assets: AssetCatalog },
  merchantId: string,
  covered: Covered,
  only: Pick<CatalogAsset, 'id'> | null = null,
): Promise<Fees> {
  await madeUpTo(db, merchantId, covered);
  const codeOf = (asset: string): string => findAsset(assets, asset)?.assetCode ?? asset;
  const place = ({ month, kind, asset }: FeeMonth): string =>
    `${month} ${feeKinds.indexOf(kind)} ${codeOf(asset)} ${asset}`;
  const found = (await sumFeeDays(db, merchantId, covered)).filter(({ asset }) => only === null || asset === only.id);
  const rows = found.toSorted((a, b) => (place(a) < place(b) ? -1 : 1));
  const totals = new Map<string, FeeTotal>();
  for (const { asset, units, value } of rows) {
    const sum = totals.get(asset) ?? { asset, units: 0n, value: 0n };
    const both = sum.value !== null && value !== null ? sum.value + value : null;
    totals.set(asset, { asset, units: sum.units + units, value: both });
  }
  return {
    rows,
    totals: [...totals.values()].toSorted((a, b) => (codeOf(a.asset) < codeOf(b.asset) ? -1 : 1)),
  };
}
