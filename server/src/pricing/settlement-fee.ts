/** What the service keeps of a credit, taken in the credited asset: the larger of a percentage and a minimum. */
import { type Decimal, decimal, divide, times, toUnits, zero } from '../money/decimal.ts';

export type FeeSchedule = {
  /** As a part of the gross: 0.005 is half a percent. */
  readonly percent: Decimal;
  /** In dollars, converted at the credited asset's rate. */
  readonly minimumUsd: Decimal;
};

export const noFees: FeeSchedule = { percent: zero, minimumUsd: zero };

/** What was agreed with one merchant; null: the usual fees. In percent and in dollars. */
export type AgreedFees = { readonly feePercent: string | null; readonly feeMinimumUsd: string | null };

export const agreedFees = (usual: FeeSchedule, { feePercent, feeMinimumUsd }: AgreedFees): FeeSchedule => ({
  percent: feePercent === null ? usual.percent : times(decimal(feePercent), decimal('0.01')),
  minimumUsd: feeMinimumUsd === null ? usual.minimumUsd : decimal(feeMinimumUsd),
});

/** Rounded up, so that the net is rounded down, and never more than the gross. */
export function settlementFee(grossUnits: bigint, ledgerScale: number, usd: Decimal, fees: FeeSchedule): bigint {
  const share = shareFee(grossUnits, fees);
  const least = leastFee(ledgerScale, usd, fees);
  const fee = share > least ? share : least;
  return fee < grossUnits ? fee : grossUnits;
}

/** The percentage alone. */
export const shareFee = (grossUnits: bigint, { percent }: FeeSchedule): bigint =>
  toUnits(times({ digits: grossUnits, scale: 0 }, percent), 0, 'up');

/** The minimum alone. */
export const leastFee = (ledgerScale: number, usd: Decimal, { minimumUsd }: FeeSchedule): bigint =>
  toUnits(divide(minimumUsd, usd, ledgerScale, 'up'), ledgerScale, 'up');
