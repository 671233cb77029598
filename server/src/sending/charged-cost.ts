/**
 * What whoever asked for a transfer that failed pays for the attempt, in the asset that was to be sent: what the network
 * really took, by the rate at which the fee was quoted. Rounded up, and never more than was set aside. Pure.
 */
import { smaller } from '../money/amount.ts';
import { divideUnits } from '../money/decimal.ts';
import type { StoredTransfer } from './outgoing-store.ts';

export function chargedCost(
  { costUnits, heldFeeUnits }: Pick<StoredTransfer, 'costUnits' | 'heldFeeUnits'>,
  held: { readonly feeUnits: bigint; readonly totalUnits: bigint },
): bigint {
  if (costUnits === 0n || heldFeeUnits === null || heldFeeUnits === 0n) return 0n;
  return smaller(divideUnits(costUnits * held.feeUnits, heldFeeUnits, 'up'), held.totalUnits);
}
