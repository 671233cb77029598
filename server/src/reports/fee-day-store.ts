/** All SQL of the days of fees. Decides nothing. */
import type { Query, Tx } from '../db/database.ts';
import { type FeeKind, feeKindNamed } from './fee-kinds.ts';

export type FeeSum = {
  readonly asset: string;
  readonly kind: FeeKind;
  /** What was taken, less what was given back. */
  readonly units: bigint;
  readonly entries: number;
  /** In the smallest unit of the account's currency; null: for some of it no rate is known. */
  readonly value: bigint | null;
};
export type FeeDay = FeeSum & { readonly day: string };
export type FeeMonth = FeeSum & { readonly month: string };

/** Puts these in the place of all that is kept of these days. */
export async function replaceFeeDays(
  tx: Tx,
  merchantId: string,
  days: readonly string[],
  rows: readonly FeeDay[],
): Promise<void> {
  await tx`delete from fee_day where merchant_id = ${merchantId} and day = any(${[...days]}::date[])`;
  await tx`
    insert into fee_day (merchant_id, day, asset, kind, units, entries, value)
    select ${merchantId}, * from unnest(${rows.map(({ day }) => day)}::date[], ${rows.map(({ asset }) => asset)}::text[],
      ${rows.map(({ kind }) => kind)}::text[], ${rows.map(({ units }) => units.toString())}::numeric[],
      ${rows.map(({ entries }) => entries)}::integer[], ${rows.map(({ value }) => value?.toString() ?? null)}::numeric[])
        on conflict (merchant_id, day, asset, kind) do update
       set units = excluded.units, entries = excluded.entries, value = excluded.value`;
}

export async function deleteFeeDays(tx: Tx, merchantId: string): Promise<void> {
  await tx`delete from fee_day where merchant_id = ${merchantId}`;
}

type MonthRow = { month: string; asset: string; kind: string; units: string; entries: number; value: string | null };

/** The kept days from one up to another, without the latter, in one sum for each month, kind and asset. */
export async function sumFeeDays(
  query: Query,
  merchantId: string,
  { from, to }: { readonly from: string; readonly to: string },
): Promise<FeeMonth[]> {
  const rows = await query<MonthRow>`
    select to_char(day, 'YYYY-MM') as month, asset, kind, sum(units)::text as units, sum(entries)::integer as entries,
           case when count(value) = count(*) then sum(value)::text end as value
      from fee_day where merchant_id = ${merchantId} and day >= ${from}::date and day < ${to}::date
     group by 1, 2, 3`;
  return rows.map(({ month, asset, kind, units, entries, value }) => ({
    month,
    asset,
    kind: feeKindNamed(kind),
    units: BigInt(units),
    entries,
    value: value === null ? null : BigInt(value),
  }));
}
