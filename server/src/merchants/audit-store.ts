/** Reading the audit log of an account. It is written by whoever does something: `insertAudit`. */
import type { Query } from '../db/database.ts';

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
  const { actor, beginnings, from, to, before, limit } = filter;
  const patterns = beginnings && beginnings.map((beginning) => `${beginning}%`);
  return query<AuditRow>`
    select id::text, at, actor, action, detail, address, proof from audit_log
     where merchant_id = ${merchantId} and audit_log.id < coalesce(${before}::bigint, 9223372036854775807)
       and (${actor}::text is null or actor = ${actor})
       and (${patterns}::text[] is null or action like any(${patterns}::text[]))
       and at >= coalesce(${from}::timestamptz, '-infinity') and at < coalesce(${to}::timestamptz, 'infinity')
     order by audit_log.id desc limit ${limit}`;
}

/** Each row between two moments as one text, in the order in which they were written. */
export async function listAuditTexts(
  query: Query,
  merchantId: string,
  { from, to }: { readonly from: Date; readonly to: Date },
): Promise<string[]> {
  const rows = await query<{ text: string }>`
    select jsonb_build_array(id, to_char(audit_log.at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'), actor, action,
                             detail, session_id, address, proof)::text as text
      from audit_log where merchant_id = ${merchantId} and audit_log.at >= ${from} and audit_log.at < ${to} order by id`;
  return rows.map(({ text }) => text);
}

/** Everybody who has done something in the account and is not a key, the newest first. */
export async function auditActors(query: Query, merchantId: string): Promise<string[]> {
  const rows = await query<{ actor: string }>`
    select actor from audit_log where merchant_id = ${merchantId} group by actor order by max(id) desc limit 200`;
  return rows.map(({ actor }) => actor);
}
