import type { Query } from '../db/database.ts';

/** What all accounts of each asset add up to. Anything but zero means that money appeared or vanished. */
export async function ledgerImbalance(query: Query): Promise<{ asset: string; units: bigint }[]> {
  const rows = await query<{ asset: string; units: string }>`
    select asset, sum(balance) as units from ledger_account group by asset order by asset`;
  return rows.map(({ asset, units }) => ({ asset, units: BigInt(units) }));
}
