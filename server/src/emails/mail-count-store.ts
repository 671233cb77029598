/** All SQL of how many mails were begun on a day. Decides nothing but what it is given to compare with. */
import type { Query, Tx } from '../db/database.ts';

export type MailCount = { readonly scope: string; readonly most: number };

/**
 * Counts one more in each, or in none. Returns the first that is full. The rows are locked in one order, so that two who
 * count over the same ones wait for each other.
 */
export async function countMail<C extends MailCount>(tx: Tx, counts: readonly C[], at: Date): Promise<C | null> {
  const sorted = counts.toSorted((a, b) => (a.scope < b.scope ? -1 : 1));
  const scopes = sorted.map(({ scope }) => scope);
  const day = at.toISOString().slice(0, 10);
  await tx`
    insert into mail_count (scope, day, mails) select scope, ${day}::date, 0 from unnest(${scopes}::text[]) as scope
    on conflict (scope, day) do nothing`;
  const rows = await tx<{ scope: string; mails: number }>`
    select scope, mails from mail_count where day = ${day}::date and scope = any(${scopes}::text[])
     order by scope for update`;
  const mails = new Map(rows.map((row) => [row.scope, row.mails]));
  const full = sorted.find(({ scope, most }) => (mails.get(scope) ?? 0) >= most);
  if (full) return full;
  await tx`update mail_count set mails = mails + 1 where day = ${day}::date and scope = any(${scopes}::text[])`;
  return null;
}

export async function forgetMailCounts(query: Query, before: Date): Promise<void> {
  await query`delete from mail_count where day < ${before.toISOString().slice(0, 10)}::date`;
}
