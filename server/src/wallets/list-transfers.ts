import type { TransfersQuery } from '@quittance/contract/transfer';
import { type AssetCatalog, findAsset } from '../catalog/asset-catalog.ts';
import type { Query } from '../db/database.ts';
import { pageOf, readMoment, readPageCursor } from '../http/page-cursor.ts';
import type { Transfer } from './transfer.ts';
import { findTransfers, listTransferKeys } from './transfer-store.ts';

/** One page, newest first, and the cursor of the next one. */
export async function listTransfers(
  { db, assets }: { readonly db: Query; readonly assets: AssetCatalog },
  merchantId: string,
  filter: TransfersQuery,
): Promise<{ transfers: Transfer[]; next: string | null }> {
  const { asset } = filter;
  const keys = await listTransferKeys(db, {
    merchantId,
    state: filter.state ?? null,
    network: filter.network ?? null,
    asset: asset === undefined ? null : (findAsset(assets, asset)?.id ?? asset),
    from: readMoment('from', filter.from),
    to: readMoment('to', filter.to),
    before: readPageCursor(filter.cursor),
    limit: filter.limit + 1, // One more than asked for tells whether there is a next page.
  });
  const { items, next } = pageOf(keys, filter.limit);
  const found = await findTransfers(
    db,
    merchantId,
    items.map(({ id }) => id),
  );
  return { transfers: found.filter((transfer) => transfer !== undefined), next };
}
