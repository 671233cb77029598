/** The SQL of searching payouts by their transaction. */
import type { Query, Row } from '../db/database.ts';

export type SentPayout = { readonly id: string; readonly purpose: string };

/** The merchant's payouts that these transactions carry, or carried in an earlier version. */
export async function payoutsSentBy(
  query: Query,
  merchantId: string,
  networks: readonly string[],
  hashes: readonly string[],
): Promise<SentPayout[]> {
  return query<Row & SentPayout>`
    select distinct payout.id, payout.purpose
      from outgoing_transaction sent join outgoing_transfer payout on payout.transaction_id = sent.id
     where sent.network = any(${networks}) and sent.tx_hash = any(${hashes}) and payout.merchant_id = ${merchantId}
     order by 1 limit 100`;
}
