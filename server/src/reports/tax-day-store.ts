/** All SQL of the days of taxes. Decides nothing. */
import type { Query, Tx } from '../db/database.ts';

/** What a row is about; empty: it has none. */
export type TaxKey = {
  readonly country: string;
  readonly tax: string;
  readonly rate: string;
  readonly currency: string;
};

/** Amounts in the smallest unit of the billing currency, values in that of the account's; null: no rate is known. */
export type TaxSum = TaxKey & {
  readonly entries: number;
  readonly base: bigint;
  /** The same, but of a charge with several taxes only in the row of one: these and the taxes come to what was paid. */
  readonly countedBase: bigint;
  readonly amount: bigint;
  readonly baseValue: bigint | null;
  readonly countedBaseValue: bigint | null;
  readonly amountValue: bigint | null;
};
export type TaxDay = TaxSum & { readonly day: string };

/** Puts these in the place of all that is kept of these days. */
export async function replaceTaxDays(
  tx: Tx,
  merchantId: string,
  days: readonly string[],
  rows: readonly TaxDay[],
): Promise<void> {
  const texts = (of: (row: TaxDay) => bigint | null): (string | null)[] =>
    rows.map((row) => of(row)?.toString() ?? null);
  await tx`delete from tax_day where merchant_id = ${merchantId} and day = any(${[...days]}::date[])`;
  await tx`
    insert into tax_day (merchant_id, day, country, tax, rate, currency, entries, base, counted_base, amount, base_value,
                         counted_base_value, amount_value)
    select ${merchantId}, * from unnest(${rows.map(({ day }) => day)}::date[], ${rows.map(({ country }) => country)}::text[],
      ${rows.map(({ tax }) => tax)}::text[], ${rows.map(({ rate }) => rate)}::text[],
      ${rows.map(({ currency }) => currency)}::text[], ${rows.map(({ entries }) => entries)}::integer[],
      ${texts(({ base }) => base)}::numeric[], ${texts(({ countedBase }) => countedBase)}::numeric[],
      ${texts(({ amount }) => amount)}::numeric[], ${texts(({ baseValue }) => baseValue)}::numeric[],
      ${texts(({ countedBaseValue }) => countedBaseValue)}::numeric[], ${texts(({ amountValue }) => amountValue)}::numeric[])
        on conflict (merchant_id, day, country, tax, rate, currency) do update
       set entries = excluded.entries, base = excluded.base, counted_base = excluded.counted_base,
           amount = excluded.amount, base_value = excluded.base_value, counted_base_value = excluded.counted_base_value,
           amount_value = excluded.amount_value`;
}

export async function deleteTaxDays(tx: Tx, merchantId: string): Promise<void> {
  await tx`delete from tax_day where merchant_id = ${merchantId}`;
}

type Amounts = Record<'base' | 'countedBase' | 'amount', string> &
  Record<'baseValue' | 'countedBaseValue' | 'amountValue', string | null>;

/** The kept days from one up to another, without the latter, in one sum for each country, tax, rate and currency. */
export async function sumTaxDays(
  query: Query,
  merchantId: string,
  { from, to }: { readonly from: string; readonly to: string },
): Promise<TaxSum[]> {
  const rows = await query<TaxKey & { entries: number } & Amounts>`
    select country, tax, rate, currency, sum(entries)::integer as entries, sum(base)::text as base,
           sum(counted_base)::text as "countedBase", sum(amount)::text as amount,
           case when count(base_value) = count(*) then sum(base_value)::text end as "baseValue",
           case when count(counted_base_value) = count(*) then sum(counted_base_value)::text end as "countedBaseValue",
           case when count(amount_value) = count(*) then sum(amount_value)::text end as "amountValue"
      from tax_day where merchant_id = ${merchantId} and day >= ${from}::date and day < ${to}::date
     group by country, tax, rate, currency
     order by country = '', country, currency, tax = '', tax, rate::text`;
  const value = (text: string | null): bigint | null => (text === null ? null : BigInt(text));
  return rows.map((row) => ({
    country: row.country,
    tax: row.tax,
    rate: row.rate,
    currency: row.currency,
    entries: row.entries,
    base: BigInt(row.base),
    countedBase: BigInt(row.countedBase),
    amount: BigInt(row.amount),
    baseValue: value(row.baseValue),
    countedBaseValue: value(row.countedBaseValue),
    amountValue: value(row.amountValue),
  }));
}
