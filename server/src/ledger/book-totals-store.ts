/** What the books say of the whole house: of each asset, the sum of every kind of account. Decides nothing. */
import type { Query } from '../db/database.ts';

/** `purpose`: of the operator's accounts their own; `owed` and `receivable` for all merchants together; `wallet` on all networks. */
export type BookTotal = { readonly asset: string; readonly purpose: string; readonly units: bigint };

export async function readBookTotals(query: Query): Promise<BookTotal[]> {
  const rows = await query<{ asset: string; purpose: string; units: string }>`
    select asset, purpose, sum(balance)::text as units
      from (select asset, balance,
                   case when starts_with(id, 'merchant/')
                        then case when split_part(id, '/', 3) = 'receivable' then 'receivable' else 'owed' end
                        when starts_with(id, 'operator/wallet-') then 'wallet'
                        else split_part(id, '/', 2) end as purpose
              from ledger_account where balance <> 0) as account
     group by asset, purpose order by asset, purpose`;
  return rows.map(({ units, ...total }) => ({ ...total, units: BigInt(units) }));
}
