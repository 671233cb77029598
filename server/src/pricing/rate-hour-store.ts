/** All SQL of rates by the hour. Decides nothing. */
import type { Query } from '../db/database.ts';
import { type Decimal, decimal, formatDecimal } from '../money/decimal.ts';

export type HourRate = { readonly code: string; readonly usd: Decimal };

/** The first rate of an hour stays, whoever comes later. */
export async function insertRateHour(query: Query, hour: Date, rates: readonly HourRate[]): Promise<void> {
  await query`
    insert into rate_hour (code, hour, usd)
    select code, ${hour}::timestamptz, usd
      from unnest(${rates.map(({ code }) => code)}::text[], ${rates.map(({ usd }) => formatDecimal(usd))}::numeric[])
             as new_rate (code, usd)
     order by code
        on conflict do nothing`;
}

export type WantedRate = { readonly code: string; readonly hour: Date };
export type FoundRate = WantedRate & { readonly usd: Decimal };

/** Of each the newest one that is not newer than asked for, and not much older; those that are missing are left out. */
export async function findRateHours(
  query: Query,
  wanted: readonly WantedRate[],
  oldestHours: number,
): Promise<FoundRate[]> {
  const rows = await query<{ code: string; hour: Date; usd: string }>`
    select wanted.code, wanted.hour, found.usd::text as usd
      from unnest(${wanted.map(({ code }) => code)}::text[],
                  ${wanted.map(({ hour }) => hour.toISOString())}::timestamptz[]) as wanted (code, hour)
     cross join lateral (
       select usd from rate_hour
        where rate_hour.code = wanted.code and rate_hour.hour <= wanted.hour
          and rate_hour.hour > wanted.hour - ${oldestHours}::integer * interval '1 hour'
        order by rate_hour.hour desc limit 1) as found`;
  return rows.map(({ code, hour, usd }) => ({ code, hour, usd: decimal(usd) }));
}

/** The hours after this one, the oldest first. */
export async function findHoursSince(query: Query, codes: readonly string[], after: Date): Promise<FoundRate[]> {
  const rows = await query<{ code: string; hour: Date; usd: string }>`
    select code, hour, usd::text as usd from rate_hour
     where code = any(${codes}::text[]) and hour > ${after}
     order by hour, code`;
  return rows.map(({ code, hour, usd }) => ({ code, hour, usd: decimal(usd) }));
}
