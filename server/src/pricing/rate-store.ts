/** The latest observation of every source, shared by all processes: the worker saves, every process loads. */
import type { Query } from '../db/database.ts';
import { decimal, formatDecimal } from '../money/decimal.ts';
import type { RateObservation } from './rate-source.ts';

/** An older observation never replaces a newer one, so that two workers can poll at once. */
export async function saveRates(query: Query, observations: readonly RateObservation[]): Promise<void> {
  if (observations.length === 0) return;
  // In the order of their keys: so two workers that save the same rows wait for each other instead of deadlocking.
  const rows = observations.toSorted((a, b) => (rowKey(a) < rowKey(b) ? -1 : 1));
  await query`
    insert into rate_observation (source, code, usd, observed_at)
    select * from unnest(${rows.map(({ source }) => source)}::text[],
                         ${rows.map(({ code }) => code)}::text[],
                         ${rows.map(({ usd }) => formatDecimal(usd))}::numeric[],
                         ${rows.map(({ observedAt }) => observedAt.toISOString())}::timestamptz[])
    on conflict (source, code) do update
       set usd = excluded.usd, observed_at = excluded.observed_at
     where rate_observation.observed_at <= excluded.observed_at`;
}

/** Only of these sources: one that was switched off leaves its last observation in the table. */
export async function loadRates(query: Query, sources: readonly string[]): Promise<RateObservation[]> {
  const rows = await query<{ source: string; code: string; usd: string; observed_at: Date }>`
    select source, code, usd::text, observed_at from rate_observation where source = any(${sources}::text[])`;
  return rows.map(({ source, code, usd, observed_at }) => ({
    source,
    code,
    usd: decimal(usd),
    observedAt: observed_at,
  }));
}

const rowKey = ({ source, code }: RateObservation): string => `${source} ${code}`;
