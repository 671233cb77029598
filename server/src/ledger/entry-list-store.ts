/** The SQL of the entries of an account, newest first. Decides nothing. */
import type { Query, Row } from '../db/database.ts';
import type { Line, Subject, SubjectKind } from './entry.ts';

export type EntryPosition = { readonly postedAt: Date; readonly reference: string };

export type EntryCut = {
  readonly from: Date | null;
  readonly to: Date | null;
  readonly before: EntryPosition | null;
  readonly limit: number;
};

/** One upper bound and not two: see `boundsOf` in `http/page-cursor`. */
function entryBounds({ from, to, before }: EntryCut) {
  const isBeforeTo = before !== null && (to === null || before.postedAt < to);
  return {
    from: from?.toISOString() ?? '-infinity',
    at: (isBeforeTo ? before.postedAt : to)?.toISOString() ?? 'infinity',
    reference: isBeforeTo ? before.reference : '',
  };
}

/** All that was posted about the merchant. */
export async function listEntryPositions(query: Query, merchantId: string, cut: EntryCut): Promise<EntryPosition[]> {
  const { from, at, reference } = entryBounds(cut);
  return query<Row & EntryPosition>`
    select reference, posted_at as "postedAt" from ledger_entry
     where merchant_id = ${merchantId} and posted_at >= ${from}::timestamptz
       and (posted_at, reference) < (${at}::timestamptz, ${reference})
     order by posted_at desc, reference desc limit ${cut.limit}`;
}

/** References of what was posted to these accounts, in no order; as many as `limit`: there may be more. */
export async function referencesOfAccounts(
  query: Query,
  accounts: readonly string[],
  limit: number,
): Promise<string[]> {
  const rows = await query<{ reference: string }>`
    select reference from ledger_line where account_id = any(${accounts}) limit ${limit}`;
  return rows.map(({ reference }) => reference);
}

/**
 * How many entries moved something in these accounts, at most `max`. So many lines are looked at as so many entries can have:
 * one in each account.
 */
export async function countEntriesOfAccounts(query: Query, accounts: readonly string[], max: number): Promise<number> {
  const [row] = await query<{ count: number }>`
    select least(count(distinct reference), ${max})::integer as count
      from (select reference from ledger_line where account_id = any(${accounts})
             limit ${max * accounts.length}) as found`;
  return row?.count ?? 0;
}

/** Of these. */
export async function sortEntryPositions(
  query: Query,
  merchantId: string,
  references: readonly string[],
  cut: EntryCut,
): Promise<EntryPosition[]> {
  const { from, at, reference } = entryBounds(cut);
  return query<Row & EntryPosition>`
    select reference, posted_at as "postedAt" from ledger_entry
     where reference = any(${references}) and merchant_id = ${merchantId}
       and posted_at >= ${from}::timestamptz
       and (posted_at, reference) < (${at}::timestamptz, ${reference})
     order by posted_at desc, reference desc limit ${cut.limit}`;
}

export type ListedEntry = EntryPosition & {
  readonly kind: string;
  readonly subject: Subject;
  readonly lines: readonly Line[];
};

type ListedRow = {
  reference: string;
  kind: string;
  subject_kind: SubjectKind;
  subject_id: string;
  posted_at: Date;
  account_id: string;
  units: string;
};

/** Entries with their lines in these accounts, by reference; those without any are left out. */
export async function loadEntries(
  query: Query,
  references: readonly string[],
  accounts: readonly string[],
): Promise<Map<string, ListedEntry>> {
  const rows = await query<ListedRow>`
    select entry.reference, kind, subject_kind, subject_id, posted_at, account_id, units
      from ledger_entry entry join ledger_line using (reference)
     where entry.reference = any(${references}) and account_id = any(${accounts})
     order by entry.reference, account_id`;
  const entries = new Map<string, ListedEntry & { lines: Line[] }>();
  for (const { reference, kind, subject_kind, subject_id, posted_at, account_id, units } of rows) {
    const subject = { kind: subject_kind, id: subject_id };
    const entry = entries.get(reference) ?? { reference, kind, subject, postedAt: posted_at, lines: [] };
    entry.lines.push({ account: account_id, units: BigInt(units) });
    entries.set(reference, entry);
  }
  return entries;
}

/** When each of these accounts fell below zero for the last time; those that never did are left out. */
export async function fellBelowZero(query: Query, accounts: readonly string[]): Promise<Map<string, Date>> {
  // By moments, because what is posted in one has no order.
  const rows = await query<{ account_id: string; since: Date }>`
    with moment as (
      select account_id, posted_at, sum(units) as units,
             sum(sum(units)) over (partition by account_id order by posted_at) as balance
        from ledger_line join ledger_entry using (reference)
       where account_id = any(${[...accounts]}) group by account_id, posted_at)
    select account_id, max(posted_at) as since from moment
     where balance < 0 and balance - units >= 0 group by account_id`;
  return new Map(rows.map(({ account_id, since }) => [account_id, since]));
}
