/**
 * The SQL of what a signed day says about the ledger. Decides nothing. The order of texts is that of their bytes, in whatever
 * order a database puts letters. `offset 0` as in `ledger-day-store`.
 */
import type { Query } from '../db/database.ts';
import { merchantAccount } from './chart-of-accounts.ts';

type Span = { readonly from: Date; readonly to: Date };
export type EntryText = { readonly postedAt: Date; readonly reference: string; readonly text: string };

const beginningOf = (merchantId: string): string =>
  merchantAccount(merchantId, 'available', '').split('available')[0] ?? '';

/** Each entry as one text with the lines in the merchant's own accounts, in the order of time, after one up to so many. */
export async function listEntryTexts(
  query: Query,
  merchantId: string,
  { from, to }: Span,
  { after, limit }: { readonly after: EntryText | null; readonly limit: number },
): Promise<EntryText[]> {
  return query<EntryText>`
    select posted_at as "postedAt", entry.reference,
           jsonb_build_array(entry.reference, kind, subject_kind, subject_id,
             to_char(posted_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
             (select jsonb_agg(jsonb_build_array(account_id, units::text) order by account_id collate "C")
                from ledger_line where ledger_line.reference = entry.reference
                 and starts_with(account_id, ${beginningOf(merchantId)})))::text as text
      from ledger_entry as entry
     where merchant_id = ${merchantId} and posted_at >= ${from} and posted_at < ${to}
       and posted_at >= ${after?.postedAt ?? from}::timestamptz
       and (posted_at, entry.reference collate "C") > (${after?.postedAt ?? new Date(0)}::timestamptz, ${after?.reference ?? ''})
     order by posted_at, entry.reference collate "C" limit ${limit}`;
}

/** How many `listEntryTexts` would list. */
export async function countEntryTexts(query: Query, merchantId: string, { from, to }: Span): Promise<number> {
  const [row] = await query<{ count: number }>`
    select count(*)::integer as count from ledger_entry
     where merchant_id = ${merchantId} and posted_at >= ${from} and posted_at < ${to}`;
  return row?.count ?? 0;
}

/** What each of these accounts of the merchant held at a moment: what it holds now, less what was posted since. */
export async function balancesAt(
  query: Query,
  merchantId: string,
  accounts: readonly string[],
  moment: Date,
): Promise<Map<string, bigint>> {
  const rows = await query<{ id: string; units: string }>`
    with since as (
      select account_id, sum(units) as units
        from (select reference from ledger_entry
               where merchant_id = ${merchantId} and posted_at >= ${moment} offset 0) as entry
       cross join lateral (
         select account_id, units from ledger_line where ledger_line.reference = entry.reference offset 0) as line
       where account_id = any(${accounts}::text[])
       group by account_id)
    select id, (balance - coalesce(since.units, 0))::text as units
      from ledger_account left join since on since.account_id = id
     where id = any(${accounts}::text[]) and starts_with(id, ${beginningOf(merchantId)})`;
  return new Map(rows.map(({ id, units }) => [id, BigInt(units)]));
}
