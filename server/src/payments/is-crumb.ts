/**
 * Which payments are crumbs: too small to be looked at one by one. Anybody can send any number of them, so whatever
 * strangers send, the number of payments that a look at a checkout has to read is bounded:
 *
 * - What lies below the network's minimum is a crumb.
 * - The first five hundred payments to a checkout or single-use deposit are payments. After so many, only those are that are
 *   at least a twentieth of what is asked for and of all that came before, whatever became of it: each of them adds so
 *   much to the sum that there cannot be many, also for somebody who replaces the same transaction again and again.
 *
 * A reusable deposit is meant to be paid any number of times: there only the minimum counts, and a look at it does not
 * read what is done. Rejected: a share of the price from the first payment on, because the rest of an underpayment may
 * be any part of it.
 */
export type Arrivals = {
  readonly isReusable: boolean;
  /** Payments so far, whatever became of them. */
  count: number;
  /** By asset, on this network: all that came, and the most that was asked for. */
  readonly units: Map<string, bigint>;
  readonly askedUnits: ReadonlyMap<string, bigint>;
};

export type Arriving = { readonly asset: string; readonly units: bigint; readonly leastUnits: bigint };

export const paymentsAlwaysTold = 500;
const leastShare = 20n;

/** Tells whether this one is a crumb, and counts it if it is none. `arrivals` of null: of the operator's own money. */
export function isCrumb({ asset, units, leastUnits }: Arriving, arrivals: Arrivals | null): boolean {
  if (arrivals === null) return false;
  if (units < leastUnits) return true;
  if (arrivals.isReusable) return false;
  const before = arrivals.units.get(asset) ?? 0n;
  const asked = arrivals.askedUnits.get(asset) ?? 0n;
  const isLarge = units * leastShare >= (before > asked ? before : asked);
  if (arrivals.count >= paymentsAlwaysTold && !isLarge) return true;
  arrivals.count += 1;
  arrivals.units.set(asset, before + units);
  return false;
}
