import type { Query } from '../db/database.ts';
import { idsOf, listPage } from '../http/page-cursor.ts';
import type { Swap } from './swap.ts';
import { findSwaps, listSwapKeys } from './swap-store.ts';

/** A page, newest first. */
export const listSwaps = (
  query: Query,
  merchantId: string,
  page: { readonly limit: number; readonly cursor?: string; readonly from?: string; readonly to?: string },
  state: string | null,
): Promise<{ items: Swap[]; next: string | null }> =>
  listPage(
    page,
    (range) => listSwapKeys(query, merchantId, { ...range, state }),
    async (keys) => {
      const ids = idsOf(keys);
      const found = await findSwaps(query, merchantId, ids);
      return ids.map((id) => found.get(id));
    },
  );
