/**
 * The SQL of what was credited to merchants, for the operator. Decides nothing. The kinds of entries stand here as texts,
 * because the index is of just these; a debt that is repaid first is credited all the same.
 */
import type { Query, Tx } from '../db/database.ts';
import type { Day } from '../lib/local-day.ts';

export type Credited = { readonly merchantId: string; readonly asset: string; readonly units: bigint };

type CreditedRow = { merchant_id: string; asset: string; units: string };

const toCredited = ({ merchant_id, asset, units }: CreditedRow): Credited => ({
  merchantId: merchant_id,
  asset,
  units: BigInt(units),
});

/** A day of the house, and when it began. */
export type HouseDay = { readonly day: Day; readonly from: Date };

/** What was credited on this day up to now, less what was taken back, of each merchant: what is counted, and what came since. */
export async function creditedOn(query: Query, { day, from }: HouseDay): Promise<Credited[]> {
  const rows = await query<CreditedRow>`
    select merchant_id, asset, sum(units)::text as units from (
      select merchant_id, asset, units from credited_today where day = ${day}::date
      union all
      select entry.merchant_id, account.asset, line.units
        from (select reference, merchant_id from ledger_entry
               where kind in ('settlement', 'settlement_reversed', 'excess_accepted') and merchant_id is not null
                 and posted_at >= greatest(${from}::timestamptz, (select counted_to from credited_position))
              offset 0) as entry
       cross join lateral (
         select account_id, units from ledger_line
          where ledger_line.reference = entry.reference
            and (starts_with(account_id, 'merchant/' || entry.merchant_id || '/available/')
                 or starts_with(account_id, 'merchant/' || entry.merchant_id || '/receivable/')) offset 0) as line
        join ledger_account as account on account.id = line.account_id) as credited
     group by 1, 2`;
  return rows.map(toCredited);
}

/**
 * The same of some merchants, by the list of their own entries. The kind is hidden from the planner, which would otherwise
 * read the newest entries of all merchants for each of them.
 */
export async function creditedToOn(
  query: Query,
  merchantIds: readonly string[],
  { day, from }: HouseDay,
): Promise<Credited[]> {
  const rows = await query<CreditedRow>`
    select merchant_id, asset, sum(units)::text as units from (
      select merchant_id, asset, units from credited_today
       where day = ${day}::date and merchant_id = any(${[...merchantIds]}::text[])
      union all
      select entry.merchant_id, account.asset, line.units
        from unnest(${[...merchantIds]}::text[]) as wanted (merchant_id)
       cross join lateral (
         select reference, merchant_id from ledger_entry
          where ledger_entry.merchant_id = wanted.merchant_id
            and posted_at >= greatest(${from}::timestamptz, (select counted_to from credited_position))
            and kind || '' in ('settlement', 'settlement_reversed', 'excess_accepted') offset 0) as entry
       cross join lateral (
         select account_id, units from ledger_line
          where ledger_line.reference = entry.reference
            and (starts_with(account_id, 'merchant/' || entry.merchant_id || '/available/')
                 or starts_with(account_id, 'merchant/' || entry.merchant_id || '/receivable/')) offset 0) as line
        join ledger_account as account on account.id = line.account_id) as credited
     group by 1, 2`;
  return rows.map(toCredited);
}

/** Up to when credits are counted; nobody else moves it until the end of the transaction. Null: nothing was counted ever. */
export async function lockCreditedPosition(tx: Tx): Promise<Date | null> {
  await tx`insert into credited_position (counted_to) values ('-infinity') on conflict do nothing`;
  const [row] = await tx<{ at: Date | null }>`
    select nullif(counted_to, '-infinity') as at from credited_position for update`;
  return row?.at ?? null;
}

/** Adds what was credited from one moment up to another to what is counted of this day, and forgets other days. */
export async function addCredited(
  tx: Tx,
  day: Day,
  { from, to }: { readonly from: Date; readonly to: Date },
): Promise<void> {
  await tx`delete from credited_today where day <> ${day}::date`;
  await tx`
    insert into credited_today (day, merchant_id, asset, units)
    select ${day}::date, entry.merchant_id, account.asset, sum(line.units)
      from (select reference, merchant_id from ledger_entry
             where kind in ('settlement', 'settlement_reversed', 'excess_accepted') and merchant_id is not null
               and posted_at >= ${from} and posted_at < ${to} offset 0) as entry
     cross join lateral (
       select account_id, units from ledger_line
        where ledger_line.reference = entry.reference
          and (starts_with(account_id, 'merchant/' || entry.merchant_id || '/available/')
               or starts_with(account_id, 'merchant/' || entry.merchant_id || '/receivable/')) offset 0) as line
      join ledger_account as account on account.id = line.account_id
     group by 2, 3
        on conflict (day, merchant_id, asset) do update set units = credited_today.units + excluded.units`;
  await tx`update credited_position set counted_to = ${to}`;
}
