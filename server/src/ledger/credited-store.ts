/** The SQL of what was credited to all merchants together. Decides nothing. */
import type { Query } from '../db/database.ts';

export type Credited = { readonly merchantId: string; readonly asset: string; readonly units: bigint };

/**
 * Since then, less what was taken back, of each merchant. The kinds of entries stand here as texts, because the index is of
 * just these; a debt that is repaid first is credited all the same.
 */
export async function creditedSince(query: Query, since: Date): Promise<Credited[]> {
  const rows = await query<{ merchant_id: string; asset: string; units: string }>`
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
  return rows.map(({ merchant_id, asset, units }) => ({ merchantId: merchant_id, asset, units: BigInt(units) }));
}
