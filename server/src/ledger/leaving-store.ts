/**
 * The SQL of what left an account or was given for something else: entry by entry in the order of time, and in sums. What an
 * entry took is said by `units_that_left` in the database. Decides nothing.
 */
import type { Query, Row } from '../db/database.ts';
import type { DaySpan } from '../lib/local-day.ts';
import type { EntryKind, Subject, SubjectKind } from './entry.ts';
import type { EntryPosition } from './entry-list-store.ts';
import type { MovementCut } from './movement-list-store.ts';

export type Leaving = EntryPosition & {
  readonly kind: string;
  readonly subject: Subject;
  readonly asset: string;
  /** What left of it; with a minus where that was undone. */
  readonly units: bigint;
  /** A refund of what had never been credited. */
  readonly isUncredited: boolean;
  /** When it was worth what it is: of what is undone, when it left. */
  readonly worthAt: Date;
};

type LeavingRow = Row &
  EntryPosition &
  Record<'kind' | 'subject_id' | 'asset' | 'units', string> & {
    subject_kind: SubjectKind;
    isUncredited: boolean;
    worthAt: Date;
  };

/** How many entries there are of those that `listLeaving` lists, at most `max`. */
export async function countLeaving(
  query: Query,
  merchantId: string,
  kinds: readonly EntryKind[],
  { from, to }: Pick<MovementCut, 'from' | 'to'>,
  max: number,
): Promise<number> {
  const [row] = await query<{ count: number }>`
    select count(*)::integer as count
      from (select from ledger_entry
             where merchant_id = ${merchantId} and kind = any(${kinds}::text[])
               and posted_at >= ${from} and posted_at < ${to} and exists (select from units_that_left(ledger_entry))
             limit ${max}) as gone`;
  return row?.count ?? 0;
}

/** As many entries of these kinds as the limit; one has a row for each asset that left. */
export async function listLeaving(
  query: Query,
  merchantId: string,
  kinds: readonly EntryKind[],
  { from, to, after, limit }: MovementCut,
): Promise<Leaving[]> {
  // `offset 0` holds the order: first the entries, and no further than the limit.
  const rows = await query<LeavingRow>`
    select reference, posted_at as "postedAt", kind, subject_kind, subject_id, asset, units::text, worth_at(entry.whole) as "worthAt",
           case when kind in ('refund_sent', 'refund_came_back') or (kind = 'refund_returned' and units < 0)
                then is_of_uncredited(entry.whole) else false end as "isUncredited"
      from (select ledger_entry as whole, reference, posted_at, kind, subject_kind, subject_id from ledger_entry
             where merchant_id = ${merchantId} and kind = any(${kinds}::text[])
               and (posted_at, reference) > (${(after?.postedAt ?? from).toISOString()}::timestamptz, ${after?.reference ?? ''})
               and posted_at >= ${from} and posted_at < ${to} and exists (select from units_that_left(ledger_entry))
             order by posted_at, reference limit ${limit} offset 0) as entry
     cross join lateral units_that_left(entry.whole) as gone
     order by posted_at, reference, asset`;
  return rows.map(({ reference, postedAt, kind, subject_kind, subject_id, asset, units, isUncredited, worthAt }) => ({
    reference,
    postedAt,
    kind,
    subject: { kind: subject_kind, id: subject_id },
    asset,
    units: BigInt(units),
    isUncredited,
    worthAt,
  }));
}

export type HourLeaving = Pick<Leaving, 'kind' | 'asset' | 'units' | 'isUncredited'> & {
  readonly day: string;
  readonly hour: Date;
  readonly entries: number;
};

/** The same in sums, by the hour of their worth, kind and asset: what left and what was undone apart. */
export async function sumLeaving(
  query: Query,
  merchantId: string,
  kinds: readonly EntryKind[],
  spans: readonly DaySpan[],
): Promise<HourLeaving[]> {
  const rows = await query<Omit<HourLeaving, 'units'> & { units: string }>`
    select span.day::text, date_trunc('hour', worth_at(entry.whole), 'UTC') as hour, kind, asset,
           case when kind in ('refund_sent', 'refund_came_back') or (kind = 'refund_returned' and units < 0)
                then is_of_uncredited(entry.whole) else false end as "isUncredited",
           sum(units)::text as units, count(*)::integer as entries
      from unnest(${spans.map(({ day }) => day)}::date[], ${spans.map(({ from }) => from.toISOString())}::timestamptz[],
                  ${spans.map(({ to }) => to.toISOString())}::timestamptz[]) as span (day, beginning, ending)
     cross join lateral (
       select ledger_entry as whole, posted_at, kind from ledger_entry
        where merchant_id = ${merchantId} and posted_at >= span.beginning and posted_at < span.ending
          and kind = any(${kinds}::text[]) offset 0) as entry
     cross join lateral units_that_left(entry.whole) as gone
     group by 1, 2, 3, 4, 5, units < 0`;
  return rows.map(({ units, ...row }) => ({ ...row, units: BigInt(units) }));
}
