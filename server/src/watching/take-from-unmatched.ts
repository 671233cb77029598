/** A network takes money back that named no checkout. */
import type { Tx } from '../db/database.ts';
import type { Entry } from '../ledger/entry.ts';
import { smaller } from '../money/amount.ts';
import type { ArrivalName } from '../payments/reversal-store.ts';
import { ownTakenBackEntry } from './own-money-entries.ts';
import { whyNotFree } from './return-unmatched.ts';
import { isOwn, lockUnmatchedArrival, takeBackUnmatched } from './unmatched-store.ts';

export type TakenFromUnmatched = { readonly units: bigint; readonly entries: readonly Entry[] };

const nothing: TakenFromUnmatched = { units: 0n, entries: [] };

/**
 * How many units were taken of it, at most. None of what was sent back, or is on its way: that has left, or may at any
 * moment, and what the network took besides is another loss. What only waits for a second signature is taken: under this lock
 * nobody gives it meanwhile, and then it is refused. What was taken as the operator's own is taken from there.
 */
export async function takeFromUnmatched(
  tx: Tx,
  arrival: ArrivalName,
  movement: { readonly id: string; readonly asset: string; readonly units: bigint },
  at: Date,
): Promise<TakenFromUnmatched> {
  const unmatched = await lockUnmatchedArrival(tx, arrival);
  if (!unmatched || unmatched.asset !== movement.asset) return nothing;
  if (!isOwn(unmatched) && whyNotFree(unmatched) !== null) return nothing;
  const taken = smaller(unmatched.units, movement.units);
  await takeBackUnmatched(tx, unmatched.id, taken, at);
  return { units: taken, entries: isOwn(unmatched) ? [ownTakenBackEntry(unmatched, movement, taken)] : [] };
}
