/** All SQL about what a reorganisation could still take away from merchants. Decides nothing. */
import type { Query, Tx } from '../db/database.ts';
import { merchantAccount } from '../ledger/chart-of-accounts.ts';
import type { UnfinalBlock } from './unfinal-credits.ts';

const exposureLockClass = 7_006; // The first half of the advisory lock: "someone takes out what is not final here".

/** The networks on which payments brought something that is not final: also what is pending may be given back. */
export async function unfinalNetworks(query: Query, merchantId: string): Promise<string[]> {
  const rows = await query<{ network: string }>`
    select distinct network from payment
     where merchant_id = ${merchantId} and state in ('SEEN', 'CONFIRMED') and place in ('pending', 'settled', 'suspense')
     order by network`;
  return rows.map(({ network }) => network);
}

/** Whoever takes out what is not final on these networks at this moment waits until that is over. */
export async function lockExposure(tx: Tx, networks: readonly string[]): Promise<void> {
  for (const network of [...networks].sort())
    await tx`select pg_advisory_xact_lock(${exposureLockClass}::integer, hashtext(${network}))`;
}

export type StoredHeights = {
  readonly network: string;
  readonly tip: number;
  readonly safe: number | null;
  readonly final: number | null;
};

export async function readHeights(query: Query, networks: readonly string[]): Promise<StoredHeights[]> {
  const rows = await query<
    Record<'network' | 'tip_height', string> & Record<'safe_height' | 'final_height', string | null>
  >`
    select network, tip_height, safe_height, final_height from network_cursor
     where network = any(${[...networks]}) and tip_height is not null`;
  return rows.map((row) => ({
    network: row.network,
    tip: Number(row.tip_height),
    safe: row.safe_height === null ? null : Number(row.safe_height),
    final: row.final_height === null ? null : Number(row.final_height),
  }));
}

/** Where there is one, all that there is room for is its own. */
export async function hasManyMerchants(query: Query): Promise<boolean> {
  return (await query`select from merchant limit 2`).length > 1;
}

/** In one statement, hence of one moment. */
export async function readUnfinalBlocks(query: Query, merchantId: string): Promise<Map<string, UnfinalBlock[]>> {
  const rows = await query<{
    what: 'paid' | 'credited';
    network: string;
    height: string | null;
    asset: string;
    units: string;
  }>`
    select 'paid' as what, network, block_height as height, asset, sum(units)::text as units from payment
     where merchant_id = ${merchantId} and state in ('SEEN', 'CONFIRMED') and place in ('settled', 'suspense')
       and purpose in ('checkout', 'deposit')
     group by 2, 3, 4
    union all
    select 'credited', network, block_height, asset, sum(units)::text from unfinal_credit
     where merchant_id = ${merchantId} group by 2, 3, 4`;
  const byNetwork = new Map<string, Map<string | null, { paid: Map<string, bigint>; credited: Map<string, bigint> }>>();
  for (const { what, network, height, asset, units } of rows) {
    const blocks =
      byNetwork.get(network) ?? new Map<string | null, { paid: Map<string, bigint>; credited: Map<string, bigint> }>();
    const block = blocks.get(height) ?? { paid: new Map<string, bigint>(), credited: new Map<string, bigint>() };
    block[what].set(asset, BigInt(units));
    blocks.set(height, block);
    byNetwork.set(network, blocks);
  }
  return new Map(
    [...byNetwork].map(([network, blocks]) => [
      network,
      [...blocks].map(([height, block]) => ({ height: height === null ? null : Number(height), ...block })),
    ]),
  );
}

/** In which blocks the payments of a checkout are that are not final. */
export async function blocksOfPayments(
  query: Query,
  owner: { readonly merchantId: string; readonly ownerId: string },
  ids: readonly string[],
): Promise<{ id: string; network: string; height: number | null; isCounted: boolean }[]> {
  const rows = await query<{ id: string; network: string; height: string | null; isCounted: boolean }>`
    select id, network, block_height as height, place in ('settled', 'suspense') as "isCounted" from payment
     where merchant_id = ${owner.merchantId} and owner_id = ${owner.ownerId} and id = any(${[...ids]})
       and state in ('SEEN', 'CONFIRMED')`;
  return rows.map(({ height, ...row }) => ({ ...row, height: height === null ? null : Number(height) }));
}

/**
 * What would be missing, of each asset, if the blocks of a network above each of these heights were undone: what was
 * credited for them, less what each account still has. Without one account, whose own is about to change.
 */
export async function uncoveredUnits(
  query: Query,
  network: string,
  heights: readonly number[],
  without: { readonly merchantId: string; readonly asset: string } | null,
): Promise<{ step: number; asset: string; units: bigint }[]> {
  const account = merchantAccount('%1$s', 'available', '%2$s');
  const rows = await query<{ step: number; asset: string; units: string }>`
    with credit as materialized (
      select merchant_id, asset, block_height, sum(units) as units from unfinal_credit
       where network = ${network} group by 1, 2, 3
    ), risk as (
      select cut.step, merchant_id, asset, sum(units) as units
        from unnest(${heights.map((_, step) => step)}::integer[], ${[...heights]}::bigint[]) as cut (step, height)
        join credit on credit.block_height is null or credit.block_height > cut.height
       group by 1, 2, 3
    )
    select step, risk.asset, sum(greatest(risk.units - coalesce(account.balance, 0), 0))::text as units
      from risk left join ledger_account account on account.id = format(${account}, risk.merchant_id, risk.asset)
     where risk.merchant_id is distinct from ${without?.merchantId ?? null}
        or risk.asset is distinct from ${without?.asset ?? null}
     group by 1, 2`;
  return rows.map(({ step, asset, units }) => ({ step, asset, units: BigInt(units) }));
}
