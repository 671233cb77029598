/** All SQL of the days of statements. Decides nothing. */
import type { Query, Tx } from '../db/database.ts';
import type { SubjectKind } from '../ledger/entry.ts';
import { lineNamed, type StatementLine } from './statement-lines.ts';

export type LineSum = {
  readonly asset: string;
  readonly line: StatementLine;
  readonly units: bigint;
  readonly entries: number;
  /** In the smallest unit of the account's currency; null: for some of it no rate is known. */
  readonly value: bigint | null;
};
export type StatementDay = LineSum & { readonly day: string };
/** As it is kept: by the kind of what it was about, too. */
export type KeptDay = StatementDay & { readonly subject: string };

type Days = { readonly from: string; readonly to: string };

/** Puts these in the place of all that is kept of these days. */
export async function replaceStatementDays(
  tx: Tx,
  merchantId: string,
  days: readonly string[],
  rows: readonly KeptDay[],
): Promise<void> {
  await tx`delete from statement_day where merchant_id = ${merchantId} and day = any(${[...days]}::date[])`;
  await tx`
    insert into statement_day (merchant_id, day, asset, line, subject, units, entries, value)
    select ${merchantId}, * from unnest(${rows.map(({ day }) => day)}::date[], ${rows.map(({ asset }) => asset)}::text[],
      ${rows.map(({ line }) => line)}::text[], ${rows.map(({ subject }) => subject)}::text[],
      ${rows.map(({ units }) => units.toString())}::numeric[], ${rows.map(({ entries }) => entries)}::integer[],
      ${rows.map(({ value }) => value?.toString() ?? null)}::numeric[])
        on conflict (merchant_id, day, asset, line, subject) do update
       set units = excluded.units, entries = excluded.entries, value = excluded.value`;
}

export async function deleteStatementDays(tx: Tx, merchantId: string): Promise<void> {
  await tx`delete from statement_day where merchant_id = ${merchantId}`;
}

type SumRow = { asset: string; line: string; units: string; entries: number; value: string | null };

const sumOf = ({ asset, line, units, entries, value }: SumRow): LineSum => ({
  asset,
  line: lineNamed(line),
  units: BigInt(units),
  entries,
  value: value === null ? null : BigInt(value),
});

/**
 * The kept days from one up to another, without the latter, in one sum for each asset and line: of all that happened, or of what
 * was about such subjects.
 */
export async function sumStatementDays(
  query: Query,
  merchantId: string,
  { from, to }: Days,
  subjects: readonly SubjectKind[] | null = null,
): Promise<LineSum[]> {
  const rows = await query<SumRow>`
    select asset, line, sum(units)::text as units, sum(entries)::integer as entries,
           case when count(value) = count(*) then sum(value)::text end as value
      from statement_day where merchant_id = ${merchantId} and day >= ${from}::date and day < ${to}::date
       and (${subjects}::text[] is null or subject = any(${subjects}::text[]))
     group by asset, line order by asset, line`;
  return rows.map(sumOf);
}

/** The same day by day, in their order. */
export async function listStatementDays(query: Query, merchantId: string, { from, to }: Days): Promise<StatementDay[]> {
  const rows = await query<SumRow & { day: string }>`
    select day::text, asset, line, sum(units)::text as units, sum(entries)::integer as entries,
           case when count(value) = count(*) then sum(value)::text end as value
      from statement_day where merchant_id = ${merchantId} and day >= ${from}::date and day < ${to}::date
     group by day, asset, line order by day, asset, line`;
  return rows.map((row) => ({ day: row.day, ...sumOf(row) }));
}
