/**
 * What a failed payout costs whoever asked for it, in the asset that was to be sent: what the network really took for
 * the attempt, by the rate at which the fee was quoted. Rounded up, and never more than was set aside. Pure.
 */
import { smaller } from '../money/amount.ts';
import { divideUnits } from '../money/decimal.ts';
import type { StoredPayout } from './payout-store.ts';

export function chargedCost(
  { costUnits, heldFeeUnits }: Pick<StoredPayout, 'costUnits' | 'heldFeeUnits'>,
  held: { readonly feeUnits: bigint; readonly totalUnits: bigint },
): bigint {
  if (costUnits === 0n || heldFeeUnits === null || heldFeeUnits === 0n) return 0n;
  return smaller(divideUnits(costUnits * held.feeUnits, heldFeeUnits, 'up'), held.totalUnits);
}
