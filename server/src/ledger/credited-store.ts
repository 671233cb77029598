/** The SQL of what was credited to merchants, for the operator. Decides nothing. */
import type { Query } from '../db/database.ts';

export type Credited = { readonly merchantId: string; readonly asset: string; readonly units: bigint };

type CreditedRow = { merchant_id: string; asset: string; units: string };

const toCredited = ({ merchant_id, asset, units }: CreditedRow): Credited => ({
  merchantId: merchant_id,
  asset,
  units: BigInt(units),
});

/**
 * Since then, less what was taken back, of each merchant. The kinds of entries stand here as texts, because the index is of
 * just these; a debt that is repaid first is credited all the same.
 */
export async function creditedSince(query: Query, since: Date): Promise<Credited[]> {
  const rows = await query<CreditedRow>`
    select entry.merchant_id, account.asset, sum(line.units)::text as units
      from (select reference, merchant_id from ledger_entry
             where kind in ('settlement', 'settlement_reversed', 'excess_accepted') and posted_at >= ${since}
               and merchant_id is not null offset 0) as entry
     cross join lateral (
       select account_id, units from ledger_line
        where ledger_line.reference = entry.reference
          and (starts_with(account_id, 'merchant/' || entry.merchant_id || '/available/')
               or starts_with(account_id, 'merchant/' || entry.merchant_id || '/receivable/')) offset 0) as line
      join ledger_account as account on account.id = line.account_id
     group by 1, 2`;
  return rows.map(toCredited);
}

/**
 * The same of some merchants, by the list of their own entries. The kind is hidden from the planner, which would otherwise
 * read today's entries of all merchants for each of them.
 */
export async function creditedToSince(query: Query, merchantIds: readonly string[], since: Date): Promise<Credited[]> {
  const rows = await query<CreditedRow>`
    select entry.merchant_id, account.asset, sum(line.units)::text as units
      from unnest(${[...merchantIds]}::text[]) as wanted (merchant_id)
     cross join lateral (
       select reference, merchant_id from ledger_entry
        where ledger_entry.merchant_id = wanted.merchant_id and posted_at >= ${since}
          and kind || '' in ('settlement', 'settlement_reversed', 'excess_accepted') offset 0) as entry
     cross join lateral (
       select account_id, units from ledger_line
        where ledger_line.reference = entry.reference
          and (starts_with(account_id, 'merchant/' || entry.merchant_id || '/available/')
               or starts_with(account_id, 'merchant/' || entry.merchant_id || '/receivable/')) offset 0) as line
      join ledger_account as account on account.id = line.account_id
     group by 1, 2`;
  return rows.map(toCredited);
}
