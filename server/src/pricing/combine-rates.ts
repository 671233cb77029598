/**
 * Makes one rate of what the sources say, or says why there is none. Pure.
 *
 * With three sources or more the rate is the median of all fresh ones, and more than half of them must be close to it.
 * The median itself is returned, not a second median of those close to it: if we first dropped some and then averaged
 * again, two sources that work together could push honest ones out and move the result past every honest price.
 *
 * With only two sources, one may lie and nobody can say which. They must agree closely, and whoever uses the rate takes
 * the side that is safe (`lowUsd`, `highUsd`). So a liar can make a price a little worse for whoever asks, but never
 * better.
 */
import { hours, minutes } from '../lib/clock.ts';
import { compare, type Decimal, decimal, divide, isLess, minus, negate, plus, times, zero } from '../money/decimal.ts';
import type { CurrencyKind, RateObservation } from './rate-source.ts';

export type CombinedRate = {
  readonly usd: Decimal;
  readonly sources: readonly string[];
  /** The time of the oldest observation that the rate is made of. */
  readonly at: Date;
  /** What the two sources say. Left out: there were three or more. */
  readonly range?: { readonly low: Decimal; readonly high: Decimal };
  /** How much further off the price may be, because it is old or has few sources, as a part. Left out: nothing. */
  readonly margin?: Decimal;
  /** Out of a table that is published once a day: there is none of this moment to wait for. */
  readonly isOfDay?: true;
};

/** For what is given to us: it is worth at least this. */
export const lowUsd = ({ usd, range }: CombinedRate): Decimal => range?.low ?? usd;
/** For what we give: it costs us at most this. */
export const highUsd = ({ usd, range }: CombinedRate): Decimal => range?.high ?? usd;
export const marginOf = ({ margin }: CombinedRate): Decimal => margin ?? zero;

export type MissingRate = { readonly missing: string };

export const isRate = (rate: CombinedRate | MissingRate): rate is CombinedRate => 'usd' in rate;

export type KindLimits = {
  readonly ageMaxMs: number;
  /** As a part of the median: 0.02 is 2 %. */
  readonly deviationMax: Decimal;
  /** How far apart two sources may be if there are only two, as a part of the lower one. Null: like any others. */
  readonly pairDeviationMax: Decimal | null;
  readonly sourcesMin: number;
  /** How long the last good rate is used while sources are silent. */
  readonly lastGoodAgeMaxMs: number;
};

export type RateLimits = Readonly<Record<CurrencyKind, KindLimits>>;

/**
 * Sources of crypto prices are asked every 30 seconds, so one that said nothing for two minutes is silent. Fiat rates
 * are published once a day, differ by a day's movement, and pause at weekends.
 */
export const defaultRateLimits: RateLimits = {
  crypto: {
    ageMaxMs: minutes(2),
    deviationMax: decimal('0.02'),
    pairDeviationMax: decimal('0.005'),
    sourcesMin: 2,
    lastGoodAgeMaxMs: minutes(5),
  },
  fiat: {
    ageMaxMs: hours(72),
    deviationMax: decimal('0.05'),
    pairDeviationMax: null,
    sourcesMin: 1,
    lastGoodAgeMaxMs: hours(72),
  },
};

const marginScale = 6;

/** The clocks of two machines differ a little; an observation from further in the future comes from a broken clock. */
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

  const [one, other] = agreeing.map(({ usd }) => usd).sort(compare);
  const isPair = agreeing.length === 2 && limits.pairDeviationMax !== null;
  if (isPair && one && other && !isWithin(one, other, limits.pairDeviationMax))
    return { missing: 'only two sources vouch for a price, and they disagree' };

  return {
    usd: middle,
    ...(isPair && one && other && { usd: median([one, other]), range: { low: one, high: other } }),
    ...(limits.pairDeviationMax === null && { margin: farthest(agreeing, middle), isOfDay: true }),
    sources: agreeing.map(({ source }) => source).sort(),
    at: new Date(Math.min(...agreeing.map(({ observedAt }) => observedAt.getTime()))),
  };
}

/** The last good rate is used when sources are silent; a source that contradicts it is not silent. */
const standsIn = (lastGood: CombinedRate, fresh: readonly RateObservation[], limits: KindLimits, now: Date): boolean =>
  isFresh(lastGood.at, now, limits.lastGoodAgeMaxMs) &&
  fresh.every(({ usd }) => isClose(usd, lastGood.usd, limits.pairDeviationMax ?? limits.deviationMax));

const isFresh = (at: Date, now: Date, ageMaxMs: number): boolean => {
  const ageMs = now.getTime() - at.getTime();
  return ageMs <= ageMaxMs && ageMs >= -clockSkewMaxMs;
};

function isClose(value: Decimal, middle: Decimal, deviationMax: Decimal): boolean {
  const difference = minus(value, middle);
  const distance = difference.digits < 0n ? negate(difference) : difference;
  return !isLess(times(middle, deviationMax), distance);
}

const isWithin = (low: Decimal, high: Decimal, part: Decimal | null): boolean =>
  part === null || !isLess(times(low, part), minus(high, low));

/** How far from the middle one of them is, as a part: so far off is the middle at most, if one of them is right. */
function farthest(observations: readonly RateObservation[], middle: Decimal): Decimal {
  const sorted = observations.map(({ usd }) => usd).sort(compare);
  const [low = middle, high = middle] = [sorted[0], sorted.at(-1)];
  const [below, above] = [minus(middle, low), minus(high, middle)];
  return divide(isLess(below, above) ? above : below, middle, marginScale, 'up');
}

function median(values: readonly Decimal[]): Decimal {
  const sorted = values.toSorted(compare);
  const upper = sorted[Math.floor(sorted.length / 2)] as Decimal;
  const lower = sorted[Math.floor((sorted.length - 1) / 2)] as Decimal;
  return times(plus(lower, upper), decimal('0.5'));
}
