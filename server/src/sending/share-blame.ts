import { divideUnits } from '../money/decimal.ts';

type Failed = {
  /** What the network took for it, in the ledger's units. */
  readonly costUnits: bigint;
  readonly toBlame: readonly { readonly payoutId: string; readonly reason: string }[];
};

export type Blame = { readonly reason: string; readonly costUnits: bigint };

/**
 * When a batch had no effect, the payouts to blame share its cost, whichever version of it was carried out. Rounded up: together
 * they pay all of it.
 */
export function shareBlame(failed: readonly Failed[]): ReadonlyMap<string, Blame> {
  const found = new Map<string, Blame>();
  for (const { costUnits, toBlame } of failed)
    for (const { payoutId, reason } of toBlame) {
      const share = divideUnits(costUnits, BigInt(toBlame.length), 'up');
      found.set(payoutId, { reason, costUnits: (found.get(payoutId)?.costUnits ?? 0n) + share });
    }
  return found;
}
