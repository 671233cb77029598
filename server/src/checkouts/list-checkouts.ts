import type { CheckoutsQuery } from '@quittance/contract/checkout';
import type { Db } from '../db/database.ts';
import { listPage } from '../http/page-cursor.ts';
import type { CheckoutDossier } from './checkout.ts';
import { findDossiers, listCheckouts as selectCheckouts } from './checkout-store.ts';

export const listCheckouts = (
  db: Db,
  merchant: { id: string },
  query: CheckoutsQuery,
): Promise<{ items: CheckoutDossier[]; next: string | null }> =>
  listPage(
    query,
    (range) =>
      selectCheckouts(db, merchant.id, { ...range, state: query.state ?? null, customerId: query.customerId ?? null }),
    (keys) => findDossiers(db, keys),
  );
