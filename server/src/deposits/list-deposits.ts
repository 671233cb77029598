import type { DepositsQuery } from '@quittance/contract/deposit';
import type { Query } from '../db/database.ts';
import { listPage } from '../http/page-cursor.ts';
import type { DepositDossier } from './custom-deposit.ts';
import { findDeposits, listDepositKeys } from './custom-deposit-store.ts';

export const listDeposits = (
  db: Query,
  merchantId: string,
  query: DepositsQuery,
): Promise<{ items: DepositDossier[]; next: string | null }> =>
  listPage(
    query,
    (range) =>
      listDepositKeys(db, merchantId, { ...range, state: query.state ?? null, network: query.network ?? null }),
    (keys) =>
      findDeposits(
        db,
        merchantId,
        keys.map(({ id }) => id),
      ),
  );
