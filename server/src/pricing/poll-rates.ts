/**
 * Asks every source for its currencies and saves the answers. A source that fails is logged and missing in this round:
 * its last observation grows older until combine-rates no longer uses it.
 */
import type { Db } from '../db/database.ts';
import type { Clock } from '../lib/clock.ts';
import type { Log } from '../lib/log.ts';
import {
  coversKind,
  type FetchText,
  type PricedCurrency,
  type RateObservation,
  type RateSource,
} from './rate-source.ts';
import { saveRates } from './rate-store.ts';

export type PollDeps = {
  readonly db: Db;
  readonly clock: Clock;
  readonly log: Log;
  readonly fetchText: FetchText;
  readonly sources: readonly RateSource[];
  readonly currencies: readonly PricedCurrency[];
};

/** Returns what was saved, so that a process that also quotes need not load it. */
export async function pollRates(deps: PollDeps): Promise<readonly RateObservation[]> {
  const observations = (await Promise.all(deps.sources.map((source) => askSource(deps, source)))).flat();
  await saveRates(deps.db, observations);
  return observations;
}

async function askSource(
  { clock, log, fetchText, currencies }: PollDeps,
  source: RateSource,
): Promise<RateObservation[]> {
  const codes = currencies
    .filter(({ code, kind }) => code !== 'USD' && coversKind(source, kind))
    .map(({ code }) => code);
  // Taken before asking: an answer that took long must not look newer than it is.
  const askedAt = clock.now();
  try {
    const rates = await source.fetchRates(fetchText, codes);
    if (rates.length === 0 && codes.length > 0) log.warn({ source: source.name }, 'rate source knows no price');
    return rates.map(({ code, usd, publishedAt }) => ({
      source: source.name,
      code,
      usd,
      observedAt: publishedAt && publishedAt < askedAt ? publishedAt : askedAt,
    }));
  } catch (error) {
    log.warn({ err: error, source: source.name }, 'rate source failed');
    return [];
  }
}
