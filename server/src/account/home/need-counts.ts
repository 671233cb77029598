/**
 * How many things wait, beside the menu of every page. Counting may take tens of milliseconds in a large account, so it is
 * counted once for all who look at the account, and again after a while, or when something happened in it.
 */
import { type CountedNeeds, countNeeds, type NeedDeps, type NeedKind } from '../../finding/needs-you.ts';

export type NeedCounts = {
  /** Of these kinds, for this person. */
  of(merchantId: string, kinds: readonly NeedKind[], personId: string): Promise<number>;
  /** Something happened: it is counted again. */
  forget(merchantId: string): void;
};

/** More are not told apart. */
export const waitingMax = 99;
const keptMs = 15_000;
const accountsMax = 10_000;

export function createNeedCounts(deps: NeedDeps): NeedCounts {
  const counted = new Map<string, { readonly until: number; readonly counts: Promise<CountedNeeds> }>();

  function countsOf(merchantId: string): Promise<CountedNeeds> {
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
    of: async (merchantId, kinds, personId) => (await countsOf(merchantId))(kinds, personId),
    forget: (merchantId) => void counted.delete(merchantId),
  };
}
