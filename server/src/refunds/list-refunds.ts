import { type FoundRefund, findRefunds, listRefundKeys } from '../checkouts/refund-store.ts';
import type { Query } from '../db/database.ts';
import { idsOf, listPage } from '../http/page-cursor.ts';

/** A page, newest first. */
export const listRefunds = (
  query: Query,
  merchantId: string,
  states: readonly string[],
  page: { readonly limit: number; readonly cursor?: string; readonly from?: string; readonly to?: string },
): Promise<{ items: FoundRefund[]; next: string | null }> =>
  listPage(
    page,
    (range) => listRefundKeys(query, merchantId, states, range),
    async (keys) => {
      const ids = idsOf(keys);
      const found = await findRefunds(query, merchantId, ids);
      return ids.map((id) => found.get(id));
    },
  );
