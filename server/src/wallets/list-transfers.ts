import type { TransfersQuery } from '@quittance/contract/transfer';
import { type AssetCatalog, findAsset } from '../catalog/asset-catalog.ts';
import type { Query } from '../db/database.ts';
import { listPage } from '../http/page-cursor.ts';
import type { Transfer } from './transfer.ts';
import { findTransfers, listTransferGroup, listTransferKeys, type TransferGroup } from './transfer-store.ts';

/** One tab of the account's list. */
export const listTransfersIn = (
  db: Query,
  merchantId: string,
  group: TransferGroup,
  page: { readonly limit: number; readonly cursor?: string },
): Promise<{ items: Transfer[]; next: string | null }> =>
  listPage(
    page,
    (range) => listTransferGroup(db, merchantId, group, range),
    (keys) =>
      findTransfers(
        db,
        merchantId,
        keys.map(({ id }) => id),
      ),
  );

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
