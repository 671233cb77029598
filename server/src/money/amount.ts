/**
 * Money is an integer with its asset. `asset` is an asset id (`BTC:G…`); `units` counts the smallest unit of the
 * asset's ledger scale, the largest number of decimals that the asset has on any network.
 */
import { divideUnits, formatDecimal, fromUnits, power10, type Rounding } from './decimal.ts';

export type Amount = { readonly asset: string; readonly units: bigint };

/** How an amount is written outside the service: plain decimal, no trailing zeros. */
export const formatUnits = (units: bigint, scale: number): string => formatDecimal(fromUnits(units, scale));

/** The same value at another scale. Fewer decimals need a direction; more decimals are exact. */
export const rescale = (units: bigint, from: number, to: number, rounding: Rounding): bigint =>
  to >= from ? units * power10(to - from) : divideUnits(units, power10(from - to), rounding);

/** units × numerator ÷ denominator, in one rounding. */
export const proportion = (units: bigint, numerator: bigint, denominator: bigint, rounding: Rounding): bigint =>
  divideUnits(units * numerator, denominator, rounding);

export const smaller = (a: bigint, b: bigint): bigint => (a < b ? a : b);
