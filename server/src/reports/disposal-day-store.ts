/** All SQL of the days of what left an account. Decides nothing. */
import type { Query, Tx } from '../db/database.ts';
import { type DisposalKind, disposalKindNamed } from './disposal-kinds.ts';

export type DisposalSum = {
  readonly asset: string;
  readonly kind: DisposalKind;
  readonly units: bigint;
  readonly entries: number;
  /** In the smallest unit of the account's currency; null: for some of it no rate is known. */
  readonly value: bigint | null;
};
export type DisposalDay = DisposalSum & { readonly day: string };

/** Puts these in the place of all that is kept of these days. */
export async function replaceDisposalDays(
  tx: Tx,
  merchantId: string,
  days: readonly string[],
  rows: readonly DisposalDay[],
): Promise<void> {
  await tx`delete from disposal_day where merchant_id = ${merchantId} and day = any(${[...days]}::date[])`;
  await tx`
    insert into disposal_day (merchant_id, day, asset, kind, units, entries, value)
    select ${merchantId}, * from unnest(${rows.map(({ day }) => day)}::date[], ${rows.map(({ asset }) => asset)}::text[],
      ${rows.map(({ kind }) => kind)}::text[], ${rows.map(({ units }) => units.toString())}::numeric[],
      ${rows.map(({ entries }) => entries)}::integer[], ${rows.map(({ value }) => value?.toString() ?? null)}::numeric[])
        on conflict (merchant_id, day, asset, kind) do update
       set units = excluded.units, entries = excluded.entries, value = excluded.value`;
}

export async function deleteDisposalDays(tx: Tx, merchantId: string): Promise<void> {
  await tx`delete from disposal_day where merchant_id = ${merchantId}`;
}

type SumRow = {
  asset: string;
  kind: string;
  units: string;
  entries: number;
  value: string | null;
  first: string;
  last: string;
};

/** The first and the last day on which there was some of it. */
export type DisposalSumOfDays = DisposalSum & { readonly first: string; readonly last: string };

/** The kept days from one up to another, without the latter, in one sum for each kind and asset. */
export async function sumDisposalDays(
  query: Query,
  merchantId: string,
  { from, to }: { readonly from: string; readonly to: string },
): Promise<DisposalSumOfDays[]> {
  const rows = await query<SumRow>`
    select asset, kind, sum(units)::text as units, sum(entries)::integer as entries, min(day)::text as first,
           max(day)::text as last, case when count(value) = count(*) then sum(value)::text end as value
      from disposal_day where merchant_id = ${merchantId} and day >= ${from}::date and day < ${to}::date
     group by asset, kind`;
  return rows.map(({ asset, kind, units, entries, value, first, last }) => ({
    asset,
    kind: disposalKindNamed(kind),
    units: BigInt(units),
    entries,
    value: value === null ? null : BigInt(value),
    first,
    last,
  }));
}
