/**
 * A network takes a payment back, whole or in part, as a bank does weeks after it was final: its units are taken from the payment
 * or, where it named nobody, from what waits in suspense or was taken as the operator's own.
 */
import type { Tx } from '../db/database.ts';
import type { Entry } from '../ledger/entry.ts';
import { smaller } from '../money/amount.ts';
import type { NewMovement } from '../payments/movement-store.ts';
import { lockStanding, reverseUnits, type TakenUnits } from '../payments/reversal-store.ts';
import { takeFromUnmatched } from './take-from-unmatched.ts';
import { lockUnmatchedArrival } from './unmatched-store.ts';

export type ReversedPayment = TakenUnits & { readonly reason: string | null };

type Taken = {
  readonly ofPayment: bigint;
  /** What named nobody lies in suspense, as what is open does: nothing is to be booked. */
  readonly ofUnmatched: bigint;
  /** What named nobody and was taken as the operator's own is in suspense no more: equity makes up for it. */
  readonly ofOwn: readonly Entry[];
  /** Payouts that may send the same once more. */
  readonly doubted: readonly string[];
  readonly reversed: readonly ReversedPayment[];
};

const nothing: Taken = { ofPayment: 0n, ofUnmatched: 0n, ofOwn: [], doubted: [], reversed: [] };

/** `units`: negative, as they left. What was taken is positive. */
export async function takeBackPayment(tx: Tx, movement: NewMovement, units: bigint, at: Date): Promise<Taken> {
  const { network, txHash, txIndex, asset, note: reason } = movement;
  if (txHash === null || txIndex === null) return nothing;
  const arrival = { network, txHash, txIndex };
  // Locked first: whoever assigns it at this moment makes a payment of it.
  const unmatched = await lockUnmatchedArrival(tx, arrival);
  const standing = await lockStanding(tx, arrival);
  if (!standing) {
    const taken = await takeFromUnmatched(tx, unmatched, { id: movement.id, asset, units: -units }, at);
    return { ...nothing, ofUnmatched: taken.units, ofOwn: taken.entries, doubted: taken.doubted };
  }
  if (standing.asset !== asset) return nothing; // It takes back what was never paid: a person must look at it.
  const taken = await reverseUnits(tx, standing, smaller(BigInt(standing.units), -units));
  return { ...nothing, ofPayment: taken.units, reversed: taken.changed.map((each) => ({ ...each, reason })) };
}
