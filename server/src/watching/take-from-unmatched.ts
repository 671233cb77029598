/** A network takes money back that named no checkout. */
import type { Tx } from '../db/database.ts';
import { smaller } from '../money/amount.ts';
import type { ArrivalName } from '../payments/reversal-store.ts';
import { whyNotFree } from './return-unmatched.ts';
import { findWaitingReturn } from './unmatched-return-store.ts';
import { lockUnmatchedArrival, takeBackUnmatched } from './unmatched-store.ts';

/**
 * Returns how many units were taken of it, at most. None of what was sent back, or shall be: that has left, or may at any
 * moment, and what the network took besides is another loss.
 */
export async function takeFromUnmatched(
  tx: Tx,
  arrival: ArrivalName,
  { asset, units }: { readonly asset: string; readonly units: bigint },
  at: Date,
): Promise<bigint> {
  const unmatched = await lockUnmatchedArrival(tx, arrival);
  if (!unmatched || unmatched.asset !== asset || whyNotFree(unmatched) !== null) return 0n;
  if (await findWaitingReturn(tx, unmatched.id)) return 0n;
  const taken = smaller(unmatched.units, units);
  await takeBackUnmatched(tx, unmatched.id, taken, at);
  return taken;
}
