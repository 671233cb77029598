/** All SQL of token buckets. PostgreSQL's clock is used, because the clocks of several machines differ. */
import type { Query } from '../db/database.ts';
import type { Rate } from './rate-limit.ts';

export type Advance = { readonly bucket: string; readonly wanted: number; readonly rate: Rate };
export type Granted = { readonly granted: number; readonly left: number };

/** Each bucket once. Gives as many tokens as are wanted, or as there are; in the order of the question. */
export async function takeTokens(query: Query, advances: readonly Advance[]): Promise<Granted[]> {
  const rows = await query<{ id: string; granted: number; tokens: number }>`
    insert into rate_bucket as bucket (id, tokens, granted, capacity, per_second, at)
    select id, capacity - wanted, wanted, capacity, per_second, clock_timestamp()
      from unnest(${advances.map(({ bucket }) => bucket)}::text[],
                  ${advances.map(({ wanted }) => wanted)}::double precision[],
                  ${advances.map(({ rate }) => rate.capacity)}::double precision[],
                  ${advances.map(({ rate }) => rate.perSecond)}::double precision[])
           as asked (id, wanted, capacity, per_second)
     order by id -- in one order, or two processes would wait for each other
        on conflict (id) do update
       set tokens = least(excluded.capacity, bucket.tokens + excluded.per_second
                          * greatest(0, extract(epoch from excluded.at - bucket.at)::double precision))
                    - least(excluded.granted, floor(least(excluded.capacity, bucket.tokens + excluded.per_second
                          * greatest(0, extract(epoch from excluded.at - bucket.at)::double precision)))),
           granted = least(excluded.granted, floor(least(excluded.capacity, bucket.tokens + excluded.per_second
                          * greatest(0, extract(epoch from excluded.at - bucket.at)::double precision)))),
           capacity = excluded.capacity,
           per_second = excluded.per_second,
           -- Whoever asked first may be served last, so a little earlier is normal. If it is more, the clock was set
           -- back, and nobody waits until it is where it was.
           at = case when excluded.at < bucket.at - interval '1 minute' then excluded.at
                     else greatest(bucket.at, excluded.at) end
    returning id, granted, tokens`;
  const byId = new Map(rows.map((row) => [row.id, row]));
  return advances.map(({ bucket }) => {
    const row = byId.get(bucket);
    return { granted: row?.granted ?? 0, left: row?.tokens ?? 0 };
  });
}

/**
 * For a job: a bucket that is full again says nothing and is deleted, so strangers can fill the table only with what
 * they asked lately. A bucket that somebody is using now is skipped: waiting for it, in another order than theirs,
 * could be a deadlock.
 */
export async function forgetFullBuckets(query: Query): Promise<void> {
  await query`
    delete from rate_bucket
     where id in (select id from rate_bucket
                   where tokens + per_second * extract(epoch from clock_timestamp() - at) >= capacity
                     for update skip locked)`;
}
