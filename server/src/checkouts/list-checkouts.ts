import type { CheckoutsQuery } from '@quittance/contract/checkout';
import type { Db } from '../db/database.ts';
import { pageOf, readMoment, readPageCursor } from '../http/page-cursor.ts';
import type { CheckoutDossier } from './checkout.ts';
import { findDossiers, listCheckouts as selectCheckouts } from './checkout-store.ts';

export type CheckoutPage = { readonly dossiers: readonly CheckoutDossier[]; readonly next: string | null };

/** One page, newest first, and the cursor of the next one. */
export async function listCheckouts(db: Db, merchant: { id: string }, query: CheckoutsQuery): Promise<CheckoutPage> {
  const found = await selectCheckouts(db, merchant.id, {
    state: query.state ?? null,
    customerId: query.customerId ?? null,
    from: readMoment('from', query.from),
    to: readMoment('to', query.to),
    before: readPageCursor(query.cursor),
    limit: query.limit + 1, // One more than asked for tells whether there is a next page.
  });
  const { items, next } = pageOf(found, query.limit);
  const dossiers = await findDossiers(db, items);
  return { dossiers: dossiers.filter((dossier) => dossier !== undefined), next };
}
