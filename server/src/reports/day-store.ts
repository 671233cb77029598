/** All SQL of the days of checkouts, and of how far the days of an account are made. Decides nothing. */
import type { Query, Tx } from '../db/database.ts';
import { type Decimal, decimal, formatDecimal } from '../money/decimal.ts';

export type CheckoutDay = {
  readonly day: string;
  readonly created: number;
  readonly paid: number;
  readonly credited: Decimal;
  readonly isValued: boolean;
};

/** Puts these in the place of all that is kept of these days. */
export async function replaceCheckoutDays(
  tx: Tx,
  merchantId: string,
  days: readonly string[],
  rows: readonly CheckoutDay[],
): Promise<void> {
  await tx`delete from checkout_day where merchant_id = ${merchantId} and day = any(${[...days]}::date[])`;
  await tx`
    insert into checkout_day (merchant_id, day, created, paid, credited, is_valued)
    select ${merchantId}, * from unnest(${rows.map(({ day }) => day)}::date[], ${rows.map(({ created }) => created)}::integer[],
      ${rows.map(({ paid }) => paid)}::integer[], ${rows.map(({ credited }) => formatDecimal(credited))}::numeric[],
      ${rows.map(({ isValued }) => isValued)}::boolean[])
        on conflict (merchant_id, day) do update
       set created = excluded.created, paid = excluded.paid, credited = excluded.credited, is_valued = excluded.is_valued`;
}

export async function deleteCheckoutDays(tx: Tx, merchantId: string): Promise<void> {
  await tx`delete from checkout_day where merchant_id = ${merchantId}`;
}

/** The kept days from one up to another, without the latter. */
export async function listCheckoutDays(
  query: Query,
  merchantId: string,
  { from, to }: { readonly from: string; readonly to: string },
): Promise<CheckoutDay[]> {
  const rows = await query<{ day: string; created: number; paid: number; credited: string; is_valued: boolean }>`
    select day::text, created, paid, credited::text, is_valued from checkout_day
     where merchant_id = ${merchantId} and day >= ${from}::date and day < ${to}::date order by day`;
  return rows.map(({ day, created, paid, credited, is_valued }) => ({
    day,
    created,
    paid,
    credited: decimal(credited),
    isValued: is_valued,
  }));
}

/** What days depend on, as an account has it set. */
export type DaySettings = { readonly timeZone: string; readonly currency: string };

export type DayPosition = DaySettings & {
  /** The days before this one are made. */
  readonly foldedTo: string;
};

export async function findDayPosition(query: Query, merchantId: string): Promise<DayPosition | null> {
  const [row] = await query<{ time_zone: string; currency: string; folded_to: string }>`
    select time_zone, currency, reports_to::text as folded_to from day_position
     where merchant_id = ${merchantId} and reports_to is not null`;
  return row ? { timeZone: row.time_zone, currency: row.currency, foldedTo: row.folded_to } : null;
}

export async function saveDayPosition(
  tx: Tx,
  merchantId: string,
  { timeZone, currency, foldedTo, dueAt }: DayPosition & { readonly dueAt: Date },
): Promise<void> {
  await tx`
    insert into day_position (merchant_id, time_zone, currency, folded_to, statement_to, reports_to, due_at)
    values (${merchantId}, ${timeZone}, ${currency}, ${foldedTo}::date, ${foldedTo}::date, ${foldedTo}::date, ${dueAt})
        on conflict (merchant_id) do update
       set time_zone = excluded.time_zone, currency = excluded.currency, folded_to = excluded.folded_to,
           statement_to = excluded.statement_to, reports_to = excluded.reports_to, due_at = excluded.due_at`;
}

/** As if nothing had been made. Null: of all accounts. */
export async function deleteDayPositions(tx: Tx, merchantId: string | null): Promise<number> {
  const gone = await tx`
    delete from day_position where ${merchantId}::text is null or merchant_id = ${merchantId} returning merchant_id`;
  return gone.length;
}

/**
 * Accounts with a closed day that is not made, or was made for other settings. The time zone is as it was written, also
 * where it makes no sense.
 */
export async function accountsWithOpenDays(
  query: Query,
  now: Date,
  limit: number,
): Promise<(DaySettings & { merchantId: string })[]> {
  return query<DaySettings & { merchantId: string }>`
    select merchant.id as "merchantId", account_currency as currency, setting.time_zone as "timeZone"
      from merchant
     cross join lateral (select case when jsonb_typeof(page_settings -> 'timeZone') = 'string'
                                     then page_settings ->> 'timeZone' else 'UTC' end as time_zone) as setting
      left join day_position as position on position.merchant_id = merchant.id
     where position.merchant_id is null or position.due_at <= ${now} or position.currency <> account_currency
        or position.time_zone <> setting.time_zone
        or coalesce(position.reports_to < position.folded_to, true)
     order by position.due_at nulls first, merchant.id limit ${limit}`;
}
