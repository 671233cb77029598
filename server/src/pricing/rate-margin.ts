/**
 * How much further off a price may be than its sources say: more for every minute that it is old, and for every source
 * that is missing to three. It is added to the buffer of a quote and to the spread of a swap, so nobody gains by
 * waiting until sources fall silent. Pure.
 */
import { type Decimal, decimal, fromUnits, plus, times } from '../money/decimal.ts';

/** As parts: 0.001 is 0.1 %. */
export type MarginPolicy = { readonly perMinute: Decimal; readonly perMissingSource: Decimal };

export const defaultMarginPolicy: MarginPolicy = { perMinute: decimal('0.001'), perMissingSource: decimal('0.001') };

/** From this many on, one liar is always outvoted. */
const sourcesEnough = 3;

/** Every minute that has begun counts. If a clock is a little ahead, the age is zero, not negative. */
export function rateMargin(
  { sources, at }: { readonly sources: readonly string[]; readonly at: Date },
  { perMinute, perMissingSource }: MarginPolicy,
  now: Date,
): Decimal {
  const minutesOld = Math.max(0, Math.ceil((now.getTime() - at.getTime()) / 60_000));
  const missing = Math.max(0, sourcesEnough - sources.length);
  const count = (many: number): Decimal => fromUnits(BigInt(many), 0);
  return plus(times(perMinute, count(minutesOld)), times(perMissingSource, count(missing)));
}
