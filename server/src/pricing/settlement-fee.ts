/** What the service keeps of a credit, taken in the credited asset: the larger of a percentage and a minimum. */
import { type Decimal, decimal, divide, one, times, toUnits, zero } from '../money/decimal.ts';
import { isRate, type MissingRate } from './combine-rates.ts';
import type { Conversion, RateOf } from './conversion.ts';

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

/** Of what is already in the asset. The minimum alone needs a rate. */
export function feeInOwnAsset(
  units: bigint,
  { ledgerScale, currencyCode }: { readonly ledgerScale: number; readonly currencyCode: string },
  fees: FeeSchedule,
  rateOf: RateOf,
): bigint | MissingRate {
  if (fees.minimumUsd.digits === 0n) return settlementFee(units, ledgerScale, one, fees);
  const rate = rateOf(currencyCode);
  return isRate(rate) ? settlementFee(units, ledgerScale, rate.usd, fees) : rate;
}

/** The percentage alone. */
export const shareFee = (grossUnits: bigint, { percent }: FeeSchedule): bigint =>
  toUnits(times({ digits: grossUnits, scale: 0 }, percent), 0, 'up');

/** The minimum alone. */
export const leastFee = (ledgerScale: number, usd: Decimal, { minimumUsd }: FeeSchedule): bigint =>
  toUnits(divide(minimumUsd, usd, ledgerScale, 'up'), ledgerScale, 'up');

/** Likewise, at what one of the credited asset counts in a conversion. */
export const leastFeeAt = (ledgerScale: number, { toUsd }: Conversion, fees: FeeSchedule): bigint =>
  leastFee(ledgerScale, toUsd, fees);
