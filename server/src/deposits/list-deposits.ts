import type { DepositsQuery } from '@quittance/contract/deposit';
import type { Query } from '../db/database.ts';
import { listPage } from '../http/page-cursor.ts';
import { addMs, type Clock } from '../lib/clock.ts';
import { openMs } from './create-deposit.ts';
import type { DepositDossier } from './custom-deposit.ts';
import { findDeposits, listDepositKeys, openDepositIds } from './custom-deposit-store.ts';

/** Those that count as open, newest first. */
export async function listOpenDeposits(
  { db, clock }: { readonly db: Query; readonly clock: Clock },
  merchantId: string,
  limit: number,
): Promise<DepositDossier[]> {
  const ids = await openDepositIds(db, merchantId, addMs(clock.now(), -openMs), limit);
  return (await findDeposits(db, merchantId, ids)).filter((dossier) => dossier !== undefined);
}

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
