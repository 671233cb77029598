/** A network takes money back that named no checkout. */
import type { Tx } from '../db/database.ts';
import type { Entry } from '../ledger/entry.ts';
import { smaller } from '../money/amount.ts';
import { ownTakenBackEntry } from './own-money-entries.ts';
import { whyNotFree } from './return-unmatched.ts';
import { isOwn, takeBackUnmatched, type UnmatchedPayment } from './unmatched-store.ts';

export type TakenFromUnmatched = {
  readonly units: bigint;
  readonly entries: readonly Entry[];
  /** The payout that sends back what cannot be taken: it would leave twice, so it waits until a person has said what it was. */
  readonly doubted: readonly string[];
};

const nothing: TakenFromUnmatched = { units: 0n, entries: [], doubted: [] };

/**
 * How many units were taken of it, at most. None of what was sent back, or is on its way: that has left, or may at any
 * moment, and what the network took besides is another loss. What only waits for a second signature is taken: while it is locked
 * nobody gives it, and then it is refused. What was taken as the operator's own is taken from there.
 */
export async function takeFromUnmatched(
  tx: Tx,
  unmatched: UnmatchedPayment | undefined,
  movement: { readonly id: string; readonly asset: string; readonly units: bigint },
  at: Date,
): Promise<TakenFromUnmatched> {
  if (unmatched?.asset !== movement.asset) return nothing;
  const { id, returnId, returnedTx } = unmatched;
  if (returnId !== null && returnedTx === null) return { ...nothing, doubted: [returnId] };
  if (!isOwn(unmatched) && whyNotFree(unmatched) !== null) return nothing;
  const taken = smaller(unmatched.units, movement.units);
  await takeBackUnmatched(tx, id, taken, at);
  return { ...nothing, units: taken, entries: isOwn(unmatched) ? [ownTakenBackEntry(unmatched, movement, taken)] : [] };
}
