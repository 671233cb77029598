/**
 * How many things wait, beside the menu of every page. Counting may take tens of milliseconds in a large account, so it is
 * counted once for all who look at the account, and again after a while, or when something happened in it.
 */
import { countNeeds, type NeedDeps, type NeedKind } from '../finding/needs-you.ts';

export type NeedCounts = {
  of(merchantId: string, kinds: readonly NeedKind[]): Promise<number>;
  /** Something happened: it is counted again. */
  forget(merchantId: string): void;
};

/** More are not told apart. */
export const waitingMax = 99;
const keptMs = 15_000;
const accountsMax = 10_000;

export function createNeedCounts(deps: NeedDeps): NeedCounts {
  const counted = new Map<string, { readonly until: number; readonly counts: ReturnType<typeof countNeeds> }>();

  function countsOf(merchantId: string): ReturnType<typeof countNeeds> {
    const now = deps.clock.now().getTime();
    const known = counted.get(merchantId);
    if (known && known.until > now && known.until <= now + keptMs) return known.counts;
    if (counted.size >= accountsMax) counted.clear();
    const counts = countNeeds(deps, merchantId, waitingMax + 1);
    counted.set(merchantId, { until: now + keptMs, counts });
    counts.catch(() => counted.delete(merchantId));
    return counts;
  }

  return {
    async of(merchantId, kinds) {
      const counts = await countsOf(merchantId);
      return kinds.reduce((sum, kind) => sum + (counts.get(kind) ?? 0), 0);
    },
    forget: (merchantId) => void counted.delete(merchantId),
  };
}
