/** The SQL of mail that does not go out, as the operator sees it. Decides nothing. */
import type { Query } from '../db/database.ts';

export type FailingMail = { readonly count: number; readonly since: Date; readonly error: string };

/** Messages that were tried several times and wait for another try. */
export async function failingMail(
  query: Query,
  { names, attempts, limit }: { readonly names: readonly string[]; readonly attempts: number; readonly limit: number },
): Promise<FailingMail | null> {
  const [row] = await query<{ count: number; since: Date | null; error: string | null }>`
    select count(*)::integer as count, min(run_at) as since, (array_agg(last_error order by run_at desc))[1] as error
      from (select name, attempts, run_at, last_error from job
             where claimed_by is null and parked_reason is null order by run_at, id limit ${limit}) as waiting
     where name = any(${[...names]}) and attempts >= ${attempts} and last_error is not null`;
  return row?.since ? { count: row.count, since: row.since, error: row.error ?? '' } : null;
}

/** Receipts whose address a mail server refused since then. */
export async function refusedMail(
  query: Query,
  since: Date,
): Promise<{ readonly count: number; readonly since: Date } | null> {
  const [row] = await query<{ count: number; since: Date | null }>`
    select count(*)::integer as count, min(ended_at) as since from email
     where outcome = 'refused' and ended_at >= ${since}`;
  return row?.since ? { count: row.count, since: row.since } : null;
}
