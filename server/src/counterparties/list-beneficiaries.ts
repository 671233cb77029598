import type { Query } from '../db/database.ts';
import { idsOf, listPage } from '../http/page-cursor.ts';
import { type Beneficiary, beneficiariesAfter, findBeneficiaries } from './beneficiary-store.ts';

/** A page, newest first. */
export const listBeneficiaries = (
  query: Query,
  merchantId: string,
  page: { readonly limit: number; readonly cursor?: string },
): Promise<{ items: Beneficiary[]; next: string | null }> =>
  listPage(
    page,
    ({ before, limit }) => beneficiariesAfter(query, merchantId, { position: before, limit }),
    (keys) => findBeneficiaries(query, merchantId, idsOf(keys)),
  );
