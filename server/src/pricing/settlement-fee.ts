/** What the service keeps of a credit, taken in the credited asset: the larger of a percentage and a minimum. */
import { type Decimal, divide, times, toUnits } from '../money/decimal.ts';

export type FeeSchedule = {
  /** As a part of the gross: 0.005 is half a percent. */
  readonly percent: Decimal;
  /** In dollars, converted at the credited asset's rate. */
  readonly minimumUsd: Decimal;
};

/** Rounded up, so that the net is rounded down, and never more than there is to take it from. */
export function settlementFee(grossUnits: bigint, ledgerScale: number, usd: Decimal, fees: FeeSchedule): bigint {
  const share = toUnits(times({ digits: grossUnits, scale: 0 }, fees.percent), 0, 'up');
  const least = toUnits(divide(fees.minimumUsd, usd, ledgerScale, 'up'), ledgerScale, 'up');
  const fee = share > least ? share : least;
  return fee < grossUnits ? fee : grossUnits;
}
