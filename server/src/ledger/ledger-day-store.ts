/**
 * The SQL of the ledger by days: closed days as they are kept, and sums over spans of time. Decides nothing.
 *
 * `offset 0` holds the order: first the entries of a span, then those of some kinds, then the lines of each. Left to
 * itself PostgreSQL begins with all lines of an account, which takes a second where there are a million, or with the
 * credits of all accounts in that span.
 */
import type { Query, Tx } from '../db/database.ts';
import type { DaySpan } from '../lib/local-day.ts';
import { merchantAccount, operatorAccount } from './chart-of-accounts.ts';
import { type EntryKind, reversalEnding, type SubjectKind } from './entry.ts';

const daysOf = (spans: readonly DaySpan[]): string[] => spans.map(({ day }) => day);
const beginningsOf = (spans: readonly DaySpan[]): string[] => spans.map(({ from }) => from.toISOString());
const endsOf = (spans: readonly DaySpan[]): string[] => spans.map(({ to }) => to.toISOString());

/** All accounts of a merchant begin with this. */
const beginningOf = (merchantId: string): string =>
  merchantAccount(merchantId, 'available', '').split('available')[0] ?? '';

/** Makes these days of the merchant's accounts anew. */
export async function foldLedgerDays(tx: Tx, merchantId: string, spans: readonly DaySpan[]): Promise<void> {
  await tx`delete from ledger_day where merchant_id = ${merchantId} and day = any(${daysOf(spans)}::date[])`;
  await tx`
    insert into ledger_day (merchant_id, day, account_id, units_in, units_out, lines)
    select ${merchantId}, span.day, account_id, coalesce(sum(units) filter (where units > 0), 0),
           coalesce(-sum(units) filter (where units < 0), 0), count(*)
      from unnest(${daysOf(spans)}::date[], ${beginningsOf(spans)}::timestamptz[], ${endsOf(spans)}::timestamptz[])
             as span (day, beginning, ending)
     cross join lateral (
       select reference from ledger_entry
        where merchant_id = ${merchantId} and posted_at >= span.beginning and posted_at < span.ending offset 0) as entry
     cross join lateral (
       select account_id, units from ledger_line
        where ledger_line.reference = entry.reference
          and starts_with(account_id, ${beginningOf(merchantId)}) offset 0) as line
     group by span.day, account_id
        on conflict (merchant_id, day, account_id) do update
       set units_in = excluded.units_in, units_out = excluded.units_out, lines = excluded.lines`;
}

/** What a span of time brought to each account of the merchant, less what it took. */
export async function sumSpan(
  query: Query,
  merchantId: string,
  { from, to }: { readonly from: Date; readonly to: Date },
): Promise<Map<string, bigint>> {
  const rows = await query<{ account_id: string; units: string }>`
    select account_id, sum(units)::text as units
      from (select reference from ledger_entry
             where merchant_id = ${merchantId} and posted_at >= ${from} and posted_at < ${to} offset 0) as entry
     cross join lateral (
       select account_id, units from ledger_line
        where ledger_line.reference = entry.reference
          and starts_with(account_id, ${beginningOf(merchantId)}) offset 0) as line
     group by account_id having sum(units) <> 0`;
  return new Map(rows.map(({ account_id, units }) => [account_id, BigInt(units)]));
}

export async function deleteLedgerDays(tx: Tx, merchantId: string): Promise<void> {
  await tx`delete from ledger_day where merchant_id = ${merchantId}`;
}

export type LedgerDay = {
  readonly day: string;
  readonly account: string;
  readonly unitsIn: bigint;
  readonly unitsOut: bigint;
  readonly lines: number;
};

/** The kept days from one up to another, without the latter. */
export async function listLedgerDays(
  query: Query,
  merchantId: string,
  { from, to }: { readonly from: string; readonly to: string },
): Promise<LedgerDay[]> {
  const rows = await query<{ day: string; account_id: string; units_in: string; units_out: string; lines: number }>`
    select day::text, account_id, units_in, units_out, lines from ledger_day
     where merchant_id = ${merchantId} and day >= ${from}::date and day < ${to}::date
     order by day, account_id`;
  return rows.map((row) => ({
    day: row.day,
    account: row.account_id,
    unitsIn: BigInt(row.units_in),
    unitsOut: BigInt(row.units_out),
    lines: row.lines,
  }));
}

/** What these kept days brought to each account of the merchant, less what they took: up to a day its balance. */
export async function sumLedgerDays(query: Query, merchantId: string, to: string): Promise<Map<string, bigint>> {
  const rows = await query<{ account_id: string; units: string }>`
    select account_id, sum(units_in - units_out)::text as units from ledger_day
     where merchant_id = ${merchantId} and day < ${to}::date group by account_id`;
  return new Map(rows.map(({ account_id, units }) => [account_id, BigInt(units)]));
}

export async function findFirstPosting(query: Query, merchantId: string): Promise<Date | null> {
  const [row] = await query<{ at: Date }>`
    select posted_at as at from ledger_entry where merchant_id = ${merchantId} order by posted_at limit 1`;
  return row?.at ?? null;
}

/** When the next one was posted after so many from a moment on; null: there are no more than so many. */
export async function findPostingAfter(
  query: Query,
  merchantId: string,
  { from, count }: { readonly from: Date; readonly count: number },
): Promise<Date | null> {
  const [row] = await query<{ at: Date }>`
    select posted_at as at from ledger_entry
     where merchant_id = ${merchantId} and posted_at >= ${from} order by posted_at offset ${count} limit 1`;
  return row?.at ?? null;
}

export type HourSum = { readonly day: string; readonly hour: Date; readonly account: string; readonly units: bigint };

/**
 * What entries of these kinds brought to these accounts of the merchant, less what they took, by the hour: of an entry
 * that takes another one back, the hour of the other.
 */
export async function sumByHour(
  query: Query,
  merchantId: string,
  { kinds, accounts }: { readonly kinds: readonly EntryKind[]; readonly accounts: readonly string[] },
  spans: readonly DaySpan[],
): Promise<HourSum[]> {
  const rows = await query<{ day: string; hour: Date; account_id: string; units: string }>`
    select span.day::text, date_trunc('hour', entry.worth_at, 'UTC') as hour, account_id, sum(units)::text as units
      from unnest(${daysOf(spans)}::date[], ${beginningsOf(spans)}::timestamptz[], ${endsOf(spans)}::timestamptz[])
             as span (day, beginning, ending)
     cross join lateral (
       select reference, kind,
              case when right(reference, ${reversalEnding.length}) = ${reversalEnding}
                   then coalesce((select original.posted_at from ledger_entry as original
                                   where original.reference = left(ledger_entry.reference, ${-reversalEnding.length})
                                     and original.merchant_id = ${merchantId}), posted_at)
                   else posted_at end as worth_at
         from ledger_entry
        where merchant_id = ${merchantId} and posted_at >= span.beginning and posted_at < span.ending offset 0) as entry
     cross join lateral (
       select account_id, units from ledger_line where ledger_line.reference = entry.reference offset 0) as line
     -- Beside the few lines of an entry, not in the index: there the names would be put in order for every entry.
     where kind = any(${kinds}::text[]) and account_id = any(${accounts}::text[])
     group by 1, 2, 3 having sum(units) <> 0`;
  return rows.map(({ day, hour, account_id, units }) => ({ day, hour, account: account_id, units: BigInt(units) }));
}

export type HourMovement = {
  readonly day: string;
  readonly hour: Date;
  readonly kind: string;
  /** The kind of what it was about. */
  readonly subject: string;
  readonly asset: string;
  readonly available: bigint;
  readonly receivable: bigint;
  /** What came to the operator's fees with it. */
  readonly fee: bigint;
  readonly entries: number;
  readonly withDebt: number;
  readonly withFee: number;
};

/** What the merchant's entries did to what is available and what is owed, with their fees, by hour, kind, subject and asset. */
export async function sumMovements(
  query: Query,
  merchantId: string,
  spans: readonly DaySpan[],
): Promise<HourMovement[]> {
  const [available, receivable] = (['available', 'receivable'] as const).map((purpose) =>
    merchantAccount(merchantId, purpose, ''),
  );
  type Sums = { available: string; receivable: string; fee: string };
  const rows = await query<Omit<HourMovement, keyof Sums> & Sums>`
    select span.day::text, date_trunc('hour', entry.posted_at, 'UTC') as hour, kind, subject, asset,
           sum(available)::text as available, sum(receivable)::text as receivable, sum(fee)::text as fee,
           count(*)::integer as entries, (count(*) filter (where receivable <> 0))::integer as "withDebt",
           (count(*) filter (where fee <> 0))::integer as "withFee"
      from unnest(${daysOf(spans)}::date[], ${beginningsOf(spans)}::timestamptz[], ${endsOf(spans)}::timestamptz[])
             as span (day, beginning, ending)
     cross join lateral (
       select reference, kind, coalesce(subject_kind, '') as subject, posted_at from ledger_entry
        where merchant_id = ${merchantId} and posted_at >= span.beginning and posted_at < span.ending offset 0) as entry
     cross join lateral (
       select substring(account_id from '[^/]*$') as asset,
              coalesce(sum(units) filter (where starts_with(account_id, ${available})), 0) as available,
              coalesce(sum(units) filter (where starts_with(account_id, ${receivable})), 0) as receivable,
              coalesce(sum(units) filter (where starts_with(account_id, ${operatorAccount('fees', '')})), 0) as fee
         from ledger_line
        where ledger_line.reference = entry.reference
          and (starts_with(account_id, ${available}) or starts_with(account_id, ${receivable})
               or starts_with(account_id, ${operatorAccount('fees', '')}))
        group by 1 offset 0) as moved
     group by 1, 2, 3, 4, 5`;
  return rows.map((row) => ({
    ...row,
    available: BigInt(row.available),
    receivable: BigInt(row.receivable),
    fee: BigInt(row.fee),
  }));
}

/** How many entries of the one kind were posted, less those of the other, by day; days without any are left out. */
export async function countEntries(
  query: Query,
  merchantId: string,
  { kind, less }: { readonly kind: EntryKind; readonly less: EntryKind },
  spans: readonly DaySpan[],
): Promise<Map<string, number>> {
  const rows = await query<{ day: string; count: number }>`
    select span.day::text, sum(case when kind = ${kind} then 1 else -1 end)::integer as count
      from unnest(${daysOf(spans)}::date[], ${beginningsOf(spans)}::timestamptz[], ${endsOf(spans)}::timestamptz[])
             as span (day, beginning, ending)
     cross join lateral (
       select kind from ledger_entry
        where merchant_id = ${merchantId} and posted_at >= span.beginning and posted_at < span.ending offset 0) as entry
     where kind = any(${[kind, less]}::text[]) group by 1`;
  return new Map(rows.map(({ day, count }) => [day, count]));
}

/** What entries of these kinds were about in a span of time, the newest first. */
export async function listSubjects(
  query: Query,
  merchantId: string,
  { kinds, subjectKind }: { readonly kinds: readonly EntryKind[]; readonly subjectKind: SubjectKind },
  { from, to }: { readonly from: Date; readonly to: Date },
): Promise<string[]> {
  const rows = await query<{ id: string }>`
    select subject_id as id
      from (select kind, subject_kind, subject_id, posted_at from ledger_entry
             where merchant_id = ${merchantId} and posted_at >= ${from} and posted_at < ${to} offset 0) as entry
     where kind = any(${kinds}::text[]) and subject_kind = ${subjectKind}
     group by subject_id order by max(posted_at) desc, subject_id`;
  return rows.map(({ id }) => id);
}

export type Rebooked = {
  readonly day: string;
  readonly at: Date;
  readonly kind: 'payment_received' | 'payment_reversed';
  readonly paymentId: string;
  readonly subjectId: string;
  readonly account: string;
};

/**
 * Payments of checkouts that left the books and came again, where that moved something on these accounts. What came for
 * the first time is left out: nothing had been done with it.
 */
export async function listRebooked(
  query: Query,
  merchantId: string,
  accounts: readonly string[],
  spans: readonly DaySpan[],
): Promise<Rebooked[]> {
  return query<Rebooked>`
    select span.day::text, entry.at, entry.kind, split_part(entry.reference, ':', 2) as "paymentId",
           entry.subject_id as "subjectId", min(line.account_id) as account
      from unnest(${daysOf(spans)}::date[], ${beginningsOf(spans)}::timestamptz[], ${endsOf(spans)}::timestamptz[])
             as span (day, beginning, ending)
     cross join lateral (
       select reference, kind, posted_at as at, subject_id from ledger_entry
        where merchant_id = ${merchantId} and posted_at >= span.beginning and posted_at < span.ending
          and kind in ('payment_received', 'payment_reversed') and subject_kind = 'checkout'
          and split_part(reference, ':', 3) <> '1' offset 0) as entry
     cross join lateral (
       select account_id from ledger_line
        where ledger_line.reference = entry.reference and account_id = any(${accounts}::text[]) offset 0) as line
     group by span.day, entry.at, entry.kind, entry.reference, entry.subject_id`;
}
