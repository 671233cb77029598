/** All SQL of what Stellar says about our tokens. */
import type { Query, Row, Tx } from '../db/database.ts';
import { operatorAccount } from '../ledger/chart-of-accounts.ts';

export type TokenCount = {
  readonly asset: string;
  readonly supply: bigint;
  readonly booked: bigint;
  readonly landed: bigint;
  readonly underway: bigint;
  readonly countedAt: Date;
};

export type BridgeToken = {
  readonly asset: string;
  readonly count: TokenCount | null;
  readonly levelAt: Date | null;
};

export async function saveTokenCounts(tx: Tx, counts: readonly TokenCount[]): Promise<void> {
  for (const { asset, supply, booked, landed, underway, countedAt } of counts)
    await tx`
      insert into bridge_token (asset, supply, booked, landed, underway, counted_at)
      values (${asset}, ${supply.toString()}, ${booked.toString()}, ${landed.toString()}, ${underway.toString()},
              ${countedAt})
          on conflict (asset) do update
         set supply = excluded.supply, booked = excluded.booked, landed = excluded.landed,
             underway = excluded.underway, counted_at = excluded.counted_at`;
}

/** At this time there was a token for every coin. */
export async function markLevel(tx: Tx, asset: string, at: Date): Promise<void> {
  await tx`
    insert into bridge_token (asset, level_at) values (${asset}, ${at})
        on conflict (asset) do update set level_at = greatest(bridge_token.level_at, excluded.level_at)`;
}

type TokenRow = Row &
  Record<'supply' | 'booked' | 'landed' | 'underway', string | null> &
  Record<'counted_at' | 'level_at', Date | null> & { asset: string };

/** All assets that were ever issued, or are to be. */
export async function bridgeTokens(query: Query): Promise<BridgeToken[]> {
  const rows = await query<TokenRow>`
    select asset, supply, booked, landed, underway, counted_at, level_at
      from bridge_token
      full join (select asset from ledger_account where id like ${operatorAccount('bridge', '%')}) issued using (asset)
     order by asset`;
  return rows.map(({ asset, supply, counted_at: countedAt, ...row }) => ({
    asset,
    levelAt: row.level_at,
    count:
      supply === null || countedAt === null
        ? null
        : {
            asset,
            countedAt,
            supply: BigInt(supply),
            booked: BigInt(row.booked ?? 0),
            landed: BigInt(row.landed ?? 0),
            underway: BigInt(row.underway ?? 0),
          },
  }));
}
