/**
 * What rates were. Of every hour the first good rate is kept, of what is asked for anyway; it never changes afterwards,
 * so that what was once worth something is worth the same in every report.
 */
import type { Query } from '../db/database.ts';
import type { Clock } from '../lib/clock.ts';
import { hours } from '../lib/clock.ts';
import { type Decimal, one } from '../money/decimal.ts';
import { isRate } from './combine-rates.ts';
import type { RateBook } from './rate-book.ts';
import { findRateHours, insertRateHour, type WantedRate } from './rate-hour-store.ts';
import type { PricedCurrency } from './rate-source.ts';

export const hourOf = (moment: Date): Date => new Date(Math.floor(moment.getTime() / hours(1)) * hours(1));

/** Where sources were silent, the last rate counts for so long: over a weekend, for which banks publish nothing. */
const oldestHours = 72;

/** Keeps what is missing of the present hour. What this process has kept is remembered: an hour costs one statement. */
export function createRateKeeper(deps: {
  readonly db: Query;
  readonly clock: Clock;
  readonly rates: RateBook;
  readonly currencies: readonly PricedCurrency[];
}): () => Promise<void> {
  const { db, clock, rates, currencies } = deps;
  let kept: { readonly hour: number; readonly codes: ReadonlySet<string> } = { hour: 0, codes: new Set() };
  return async () => {
    const hour = hourOf(clock.now());
    const known = kept.hour === hour.getTime() ? kept.codes : new Set<string>();
    const missing = currencies.flatMap(({ code }) => {
      const rate = code === 'USD' || known.has(code) ? null : rates.rate(code);
      return rate && isRate(rate) ? [{ code, usd: rate.usd }] : [];
    });
    if (missing.length === 0) return;
    await insertRateHour(db, hour, missing);
    kept = { hour: hour.getTime(), codes: new Set([...known, ...missing.map(({ code }) => code)]) };
  };
}

/** The dollar price of one unit at that hour; null: nobody knows. */
export type RatesAtHours = (code: string, moment: Date) => Decimal | null;

/** However old: for who would rather have the last rate that anybody knew than none. */
export const everHours = 1_000_000;

/** What each of these was worth then, in one look. */
export async function ratesAtHours(
  query: Query,
  wanted: readonly WantedRate[],
  oldest = oldestHours,
): Promise<RatesAtHours> {
  const nameOf = (code: string, moment: Date): string => `${code} ${hourOf(moment).getTime()}`;
  const each = new Map(
    wanted
      .filter(({ code }) => code !== 'USD')
      .map(({ code, hour }) => [nameOf(code, hour), { code, hour: hourOf(hour) }]),
  );
  const found = each.size === 0 ? [] : await findRateHours(query, [...each.values()], oldest);
  const rates = new Map(found.map(({ code, hour, usd }) => [nameOf(code, hour), usd]));
  return (code, moment) => (code === 'USD' ? one : (rates.get(nameOf(code, moment)) ?? null));
}
