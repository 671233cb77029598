/** The SQL of payments that wait for blocks, of all merchants together. Decides nothing. */
import type { Query } from '../db/database.ts';

/** Of each network, counted up to a limit. Without crumbs, of which anybody can send any number. */
export async function countConfirming(
  query: Query,
  networks: readonly string[],
  limit: number,
): Promise<Map<string, number>> {
  const rows = await query<{ network: string; count: number }>`
    select wanted.network, counted.count
      from unnest(${[...networks]}::text[]) as wanted (network)
     cross join lateral (
       select count(*)::integer as count
         from (select from payment where payment.network = wanted.network and state = 'SEEN' and purpose <> 'crumb'
                limit ${limit}) as seen) as counted`;
  return new Map(rows.map(({ network, count }) => [network, count]));
}
