/**
 * Which payments are crumbs: too small to be looked at one by one. Anybody can send any number of them, so whatever
 * strangers send, the number of payments that a look at a checkout has to read is bounded:
 *
 * - What lies below the network's minimum is a crumb.
 * - The first five hundred payments to a checkout or single-use deposit on a network are payments. After so many, only
 *   those are that are at least a twentieth of what is asked for and of all that came before, or the rest of what is
 *   asked for: each of them adds so much to the sum that there cannot be many.
 *
 * What is in no block yet is held against all that was ever seen, whatever became of it, because the same coins can be
 * sent and replaced again and again. What is in a block is held against what is in blocks: else a flood that its sender
 * takes back would make a crumb of what the customer really pays. So a payment may be a crumb until its block.
 *
 * A reusable deposit is meant to be paid any number of times: there only the minimum counts, and a look at it does not
 * read what is done. Rejected: a share of the price from the first payment on, because the rest of an underpayment may
 * be any part of it.
 */
export type Arrivals = {
  readonly isReusable: boolean;
  /** Payments so far, whatever became of them. */
  readonly seen: Tally;
  /** Those in blocks. */
  readonly mined: Tally;
  /** By asset, on this network: the most that was asked for. */
  readonly askedUnits: ReadonlyMap<string, bigint>;
};

/** Of this network only: elsewhere a hundred payments may cost almost nothing. `units`: by asset. */
export type Tally = { count: number; readonly units: Map<string, bigint> };

export type Arriving = {
  readonly asset: string;
  readonly units: bigint;
  readonly leastUnits: bigint;
  readonly isInBlock: boolean;
};

export const paymentsAlwaysTold = 500;
const leastShare = 20n;

/**
 * Tells whether this payment is a crumb; if not, counts it in `arrivals`. Null: it is the operator's own money, and
 * never a crumb.
 */
export function isCrumb({ asset, units, leastUnits, isInBlock }: Arriving, arrivals: Arrivals | null): boolean {
  if (arrivals === null) return false;
  if (units < leastUnits) return true;
  if (arrivals.isReusable) return false;
  const { seen, mined } = arrivals;
  const { count, units: sums } = isInBlock ? mined : seen;
  const before = sums.get(asset) ?? 0n;
  const asked = arrivals.askedUnits.get(asset) ?? 0n;
  const isLarge = units * leastShare >= (before > asked ? before : asked);
  const isTheRest = before < asked && units >= asked - before;
  if (count >= paymentsAlwaysTold && !isLarge && !isTheRest) return true;
  for (const tally of isInBlock ? [seen, mined] : [seen]) {
    tally.count += 1;
    tally.units.set(asset, (tally.units.get(asset) ?? 0n) + units);
  }
  return false;
}
