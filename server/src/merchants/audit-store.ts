/** Reading the audit log of an account. It is written by whoever does something: `insertAudit`. */
import type { Query } from '../db/database.ts';
import { addMs, hours } from '../lib/clock.ts';

export type AuditRow = {
  readonly id: string;
  readonly at: Date;
  readonly actor: string;
  readonly action: string;
  readonly detail: Readonly<Record<string, unknown>>;
  readonly address: string | null;
  readonly proof: string | null;
};

export type AuditFilter = {
  /** An actor; null: everybody. */
  readonly actor: string | null;
  /** What actions begin with, such as `transfer.`; null: all of them. */
  readonly beginnings: readonly string[] | null;
  readonly from: Date | null;
  readonly to: Date | null;
  /** The id of the last row of the page before; null: the newest. */
  readonly before: string | null;
  readonly limit: number;
};

/** The newest first. Rows are numbered as they are written, so that a page ends at a number and none is lost. */
export async function listAudit(query: Query, merchantId: string, filter: AuditFilter): Promise<AuditRow[]> {
  const { actor, beginnings, limit } = filter;
  const { first, last, from, to } = await boundsOf(query, merchantId, filter);
  if (actor === null && beginnings === null)
    return query<AuditRow>`
      select id::text, at, actor, action, detail, address, proof from audit_log
       where merchant_id = ${merchantId} and audit_log.id between ${first}::bigint and ${last}::bigint
         and at >= ${from}::timestamptz and at < ${to}::timestamptz
       order by audit_log.id desc limit ${limit}`;
  const patterns = beginnings && beginnings.map((beginning) => `${beginning}%`);
  // Of every deed of every actor the newest: there are few deeds, and each has its place in the index.
  return query<AuditRow>`
    with recursive deed as (
      (select actor, action from audit_log where merchant_id = ${merchantId} order by actor, action limit 1)
      union all
      select next.actor, next.action from deed cross join lateral (
        select actor, action from audit_log
         where merchant_id = ${merchantId} and (actor, action) > (deed.actor, deed.action)
         order by actor, action limit 1) as next)
    select found.id::text, at, found.actor, found.action, detail, address, proof
      from deed cross join lateral (
        select * from audit_log
         where merchant_id = ${merchantId} and actor = deed.actor and action = deed.action
           and id between ${first}::bigint and ${last}::bigint
           and at >= ${from}::timestamptz and at < ${to}::timestamptz
         order by id desc limit ${limit}) as found
     where (${actor}::text is null or deed.actor = ${actor})
       and (${patterns}::text[] is null or deed.action like any(${patterns}::text[]))
     order by found.id desc limit ${limit}`;
}

type Span = { readonly from: Date; readonly to: Date };
export type AuditText = { readonly id: string; readonly at: Date; readonly text: string };

/** Each row between two moments as one text, in the order of time, after one up to so many. */
export async function listAuditTexts(
  query: Query,
  merchantId: string,
  { from, to }: Span,
  { after, limit }: { readonly after: AuditText | null; readonly limit: number },
): Promise<AuditText[]> {
  return query<AuditText>`
    select id::text, audit_log.at,
           jsonb_build_array(id, to_char(audit_log.at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'), actor, action,
                             detail, session_id, address, proof)::text as text
      from audit_log
     where merchant_id = ${merchantId} and audit_log.at >= ${from} and audit_log.at < ${to}
       and (audit_log.at, id) > (${after?.at ?? from}::timestamptz, ${after?.id ?? '-1'}::bigint)
     order by audit_log.at, id limit ${limit}`;
}

/** How many `listAuditTexts` would list. */
export async function countAuditTexts(query: Query, merchantId: string, { from, to }: Span): Promise<number> {
  const [row] = await query<{ count: number }>`
    select count(*)::integer as count from audit_log
     where merchant_id = ${merchantId} and audit_log.at >= ${from} and audit_log.at < ${to}`;
  return row?.count ?? 0;
}

/**
 * Between which numbers a page can be. Rows are numbered nearly in the order of their times, but not quite: one that had
 * to wait for another is later than its number.
 */
async function boundsOf(query: Query, merchantId: string, { from, to, before }: AuditFilter) {
  return {
    first: from === null ? '0' : await firstSince(query, merchantId, addMs(from, -hours(1))),
    last: before === null ? largestId : String(BigInt(before) - 1n),
    from: from ?? '-infinity',
    to: to ?? 'infinity',
  };
}

async function firstSince(query: Query, merchantId: string, since: Date): Promise<string> {
  const [row] = await query<{ id: string }>`
    select id::text from audit_log where merchant_id = ${merchantId} and at >= ${since}
     order by at, audit_log.id limit 1`;
  return row?.id ?? largestId;
}

const largestId = '9223372036854775807';

/**
 * Everybody who has done something in the account, the newest first. The order of the inner query is that of one index: by
 * the id alone it would look through all newer rows for what somebody did once, years ago.
 */
export async function auditActors(query: Query, merchantId: string): Promise<string[]> {
  const rows = await query<{ actor: string }>`
    with recursive deed as (
      (select actor, action from audit_log where merchant_id = ${merchantId} order by actor, action limit 1)
      union all
      select next.actor, next.action from deed cross join lateral (
        select actor, action from audit_log
         where merchant_id = ${merchantId} and (actor, action) > (deed.actor, deed.action)
         order by actor, action limit 1) as next)
    select deed.actor from deed cross join lateral (
        select id from audit_log
         where merchant_id = ${merchantId} and (actor, action, id) <= (deed.actor, deed.action, ${largestId}::bigint)
         order by actor desc, action desc, id desc limit 1) as newest
     group by deed.actor order by max(newest.id) desc limit 200`;
  return rows.map(({ actor }) => actor);
}
