import type { DepositsQuery } from '@quittance/contract/deposit';
import type { Query } from '../db/database.ts';
import { pageOf, readMoment, readPageCursor } from '../http/page-cursor.ts';
import type { DepositDossier } from './custom-deposit.ts';
import { findDeposits, listDepositKeys } from './custom-deposit-store.ts';

/** One page, newest first, and the cursor of the next one. */
export async function listDeposits(
  query: Query,
  merchantId: string,
  filter: DepositsQuery,
): Promise<{ dossiers: DepositDossier[]; next: string | null }> {
  const found = await listDepositKeys(query, merchantId, {
    state: filter.state ?? null,
    network: filter.network ?? null,
    from: readMoment('from', filter.from),
    to: readMoment('to', filter.to),
    before: readPageCursor(filter.cursor),
    limit: filter.limit + 1, // One more than asked for tells whether there is a next page.
  });
  const { items, next } = pageOf(found, filter.limit);
  const dossiers = await findDeposits(
    query,
    merchantId,
    items.map(({ id }) => id),
  );
  return { dossiers: dossiers.filter((dossier) => dossier !== undefined), next };
}
