/**
 * From what the sources say to the one rate we quote with, or the reason why there is none. Pure.
 *
 * The rate is the median of all fresh sources, and more than half of them must stand close to it. The median itself is
 * returned, not a second median of those close to it: dropping first and averaging again would let two colluding
 * sources push honest ones out and then pull the result past every honest price.
 */
import { hours, minutes } from '../lib/clock.ts';
import { compare, type Decimal, decimal, isLess, minus, negate, plus, times } from '../money/decimal.ts';
import type { CurrencyKind, RateObservation } from './rate-source.ts';

export type CombinedRate = {
  readonly usd: Decimal;
  readonly sources: readonly string[];
  /** Of the oldest observation that the rate rests on: the rate is at least as good as its age says. */
  readonly at: Date;
};

export type MissingRate = { readonly missing: string };

export const isRate = (rate: CombinedRate | MissingRate): rate is CombinedRate => 'usd' in rate;

export type KindLimits = {
  readonly ageMaxMs: number;
  /** As a part of the median: 0.02 is 2 %. */
  readonly deviationMax: Decimal;
  readonly sourcesMin: number;
  /** How long the last good rate stands in while sources are silent. */
  readonly lastGoodAgeMaxMs: number;
};

export type RateLimits = Readonly<Record<CurrencyKind, KindLimits>>;

/** Fiat is published once a day and disagrees by a day's movement; it rests at weekends. */
export const defaultRateLimits: RateLimits = {
  crypto: {
    ageMaxMs: minutes(5),
    deviationMax: decimal('0.02'),
    sourcesMin: 2,
    lastGoodAgeMaxMs: minutes(15),
  },
  fiat: { ageMaxMs: hours(72), deviationMax: decimal('0.05'), sourcesMin: 1, lastGoodAgeMaxMs: hours(72) },
};

/** Clocks of two machines differ a little; an observation from further ahead comes from a broken one. */
const clockSkewMaxMs = minutes(1);

/** `observations` holds the latest of each source for one currency. */
export function combineRates(
  observations: readonly RateObservation[],
  limits: KindLimits,
  now: Date,
  lastGood?: CombinedRate,
): CombinedRate | MissingRate {
  const fresh = observations.filter(
    ({ usd, observedAt }) => usd.digits > 0n && isFresh(observedAt, now, limits.ageMaxMs),
  );
  if (fresh.length < limits.sourcesMin) {
    if (lastGood && standsIn(lastGood, fresh, limits, now)) return lastGood;
    return { missing: `${fresh.length} of at least ${limits.sourcesMin} sources have a fresh price` };
  }

  const middle = median(fresh.map(({ usd }) => usd));
  const agreeing = fresh.filter(({ usd }) => isClose(usd, middle, limits.deviationMax));
  if (agreeing.length < limits.sourcesMin || agreeing.length * 2 <= fresh.length)
    return { missing: `the sources disagree: ${agreeing.length} of ${fresh.length} are close to the median` };

  return {
    usd: middle,
    sources: agreeing.map(({ source }) => source).sort(),
    at: new Date(Math.min(...agreeing.map(({ observedAt }) => observedAt.getTime()))),
  };
}

/** Silence is bridged with the last good rate; a source that contradicts it is not silence. */
const standsIn = (lastGood: CombinedRate, fresh: readonly RateObservation[], limits: KindLimits, now: Date): boolean =>
  isFresh(lastGood.at, now, limits.lastGoodAgeMaxMs) &&
  fresh.every(({ usd }) => isClose(usd, lastGood.usd, limits.deviationMax));

const isFresh = (at: Date, now: Date, ageMaxMs: number): boolean => {
  const ageMs = now.getTime() - at.getTime();
  return ageMs <= ageMaxMs && ageMs >= -clockSkewMaxMs;
};

function isClose(value: Decimal, middle: Decimal, deviationMax: Decimal): boolean {
  const difference = minus(value, middle);
  const distance = difference.digits < 0n ? negate(difference) : difference;
  return !isLess(times(middle, deviationMax), distance);
}

function median(values: readonly Decimal[]): Decimal {
  const sorted = values.toSorted(compare);
  const upper = sorted[Math.floor(sorted.length / 2)] as Decimal;
  const lower = sorted[Math.floor((sorted.length - 1) / 2)] as Decimal;
  return times(plus(lower, upper), decimal('0.5'));
}
