import type { TransfersQuery } from '@quittance/contract/transfer';
import { type AssetCatalog, findAsset } from '../catalog/asset-catalog.ts';
import type { Query } from '../db/database.ts';
import { listPage } from '../http/page-cursor.ts';
import type { Transfer } from './transfer.ts';
import { findTransfers, listTransferKeys } from './transfer-store.ts';

export function listTransfers(
  { db, assets }: { readonly db: Query; readonly assets: AssetCatalog },
  merchantId: string,
  query: TransfersQuery,
): Promise<{ items: Transfer[]; next: string | null }> {
  const { state = null, network = null } = query;
  const asset = query.asset === undefined ? null : (findAsset(assets, query.asset)?.id ?? query.asset);
  return listPage(
    query,
    (range) => listTransferKeys(db, { ...range, merchantId, state, network, asset }),
    (keys) =>
      findTransfers(
        db,
        merchantId,
        keys.map(({ id }) => id),
      ),
  );
}
