/**
 * The rates that a process quotes with, in memory: the latest observation of every source and the last good rate of
 * every currency. It uses only the sources it was made with, because stored observations may include those of a source
 * that was switched off, such as the sandbox's fixed prices.
 */
import { knownAssets } from '../catalog/known-assets.ts';
import { paymentUnits } from '../catalog/payment-units.ts';
import type { Clock } from '../lib/clock.ts';
import { type Decimal, decimal, divide, plus, times, zero } from '../money/decimal.ts';
import {
  type CombinedRate,
  combineRates,
  defaultRateLimits,
  isRate,
  type MissingRate,
  marginOf,
  type RateLimits,
} from './combine-rates.ts';
import { defaultMarginPolicy, type MarginPolicy, rateMargin } from './rate-margin.ts';
import { coversKind, type PricedCurrency, type RateObservation, type RateSource } from './rate-source.ts';

export type Price = { readonly price: Decimal; readonly sources: readonly string[]; readonly at: Date };

export type RateBook = {
  record(observations: readonly RateObservation[]): void;
  /** The dollar price of one unit. */
  rate(code: string): CombinedRate | MissingRate;
  /** What one unit of `from` costs in `to`, for showing: to convert amounts, use both rates and round once. */
  price(from: string, to: string): Price | MissingRate;
};

const one = decimal(1);

/** A coin by its other names: an account on Lightning holds BTCLN, a wallet shows satoshis, and both are bitcoin. */
const otherNames: ReadonlyMap<string, { readonly of: string; readonly unit: Decimal }> = new Map([
  ...knownAssets
    .filter(({ code, currencyCode }) => code !== currencyCode)
    .map(({ code, currencyCode }) => [code, { of: currencyCode, unit: one }] as const),
  ...Array.from(paymentUnits, ([code, { of, places }]) => [code, { of, unit: decimal(`1e-${places}`) }] as const),
]);

const inUnits = (rate: CombinedRate, unit: Decimal): CombinedRate => ({
  ...rate,
  usd: times(rate.usd, unit),
  ...(rate.range && { range: { low: times(rate.range.low, unit), high: times(rate.range.high, unit) } }),
});

/** Enough for the cheapest currency priced in the most expensive one. */
const priceScale = 24;

export function createRateBook(options: {
  readonly sources: readonly RateSource[];
  readonly currencies: readonly PricedCurrency[];
  readonly clock: Clock;
  readonly limits?: RateLimits;
  readonly margins?: MarginPolicy;
  /** How far the money of a state may have moved since the banks' table of it, as a part. Left out: it stands still. */
  readonly driftOf?: (code: string, ageMs: number) => Decimal;
}): RateBook {
  const { clock, limits = defaultRateLimits, margins = defaultMarginPolicy, driftOf = () => zero } = options;
  const sources = new Map(options.sources.map((source) => [source.name, source]));
  const kinds = new Map(options.currencies.map(({ code, kind }) => [code, kind]));
  const observed = new Map<string, Map<string, RateObservation>>();
  const lastGood = new Map<string, CombinedRate>();

  function recordOne(observation: RateObservation): void {
    const { source: name, code, observedAt } = observation;
    const source = sources.get(name);
    const kind = kinds.get(code);
    if (!source || !kind || !coversKind(source, kind)) return;
    const ofCode = observed.get(code) ?? new Map<string, RateObservation>();
    observed.set(code, ofCode);
    const held = ofCode.get(name);
    // At the same time the later report wins: the ECB corrects the rates of a day under the same date.
    if (held && held.observedAt > observedAt) return;
    ofCode.set(name, observation);
  }

  function rate(code: string): CombinedRate | MissingRate {
    const now = clock.now();
    if (code === 'USD') return { usd: one, sources: [], at: now };
    const other = otherNames.get(code);
    if (other) {
      const coin = rate(other.of);
      return isRate(coin) ? inUnits(coin, other.unit) : coin;
    }
    const kind = kinds.get(code);
    if (!kind) return { missing: `${code} is not a currency with a rate` };
    const observations = [...(observed.get(code)?.values() ?? [])];
    const final = observations.find(({ source }) => sources.get(source)?.isAuthoritative);
    if (final) return { usd: final.usd, sources: [final.source], at: final.observedAt };

    const combined = combineRates(observations, limits[kind], now, lastGood.get(code));
    if (!isRate(combined)) return combined;
    lastGood.set(code, combined);
    if (kind === 'crypto') return { ...combined, margin: rateMargin(combined, margins, now) };
    const ageMs = Math.max(0, now.getTime() - combined.at.getTime());
    return { ...combined, margin: plus(marginOf(combined), driftOf(code, ageMs)) };
  }

  return {
    record(observations) {
      for (const observation of observations) recordOne(observation);
      // Combined once now, so that a last good rate exists even if nobody asked before the sources fell silent.
      for (const code of new Set(observations.map((observation) => observation.code))) rate(code);
    },
    rate,
    price(from, to) {
      const fromRate = rate(from);
      const toRate = rate(to);
      if (!isRate(fromRate)) return fromRate;
      if (!isRate(toRate)) return toRate;
      return {
        price: from === to ? one : divide(fromRate.usd, toRate.usd, priceScale, 'half-up'),
        sources: [...new Set([...fromRate.sources, ...toRate.sources])].sort(),
        at: fromRate.at < toRate.at ? fromRate.at : toRate.at,
      };
    },
  };
}
