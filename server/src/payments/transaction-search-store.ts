/** The SQL of searching payments by their transaction. */
import type { Query, Row } from '../db/database.ts';

export type PaidOwner = { readonly ownerId: string; readonly purpose: string };

/** The merchant's checkouts and deposits that these transactions paid. */
export async function ownersPaidBy(
  query: Query,
  merchantId: string,
  networks: readonly string[],
  hashes: readonly string[],
): Promise<PaidOwner[]> {
  return query<Row & PaidOwner>`
    select distinct owner_id as "ownerId", purpose from payment
     where network = any(${networks}) and tx_hash = any(${hashes}) and merchant_id = ${merchantId}
     order by 1 limit 100`;
}
