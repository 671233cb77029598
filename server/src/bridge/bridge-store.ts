/** All SQL of the bridge. */
import type { Query, Row, Tx } from '../db/database.ts';
import { chainWallet, operatorAccount } from '../ledger/chart-of-accounts.ts';

export type BridgeBooks = {
  readonly asset: string;
  /** Coins on networks other than Stellar. */
  readonly heldUnits: bigint;
  readonly issuedUnits: bigint;
  /** Tokens that are our own, in our account on Stellar. */
  readonly ownUnits: bigint;
};

/** What the books say, per asset. */
export async function bridgeBooks(query: Query, assets: readonly string[]): Promise<BridgeBooks[]> {
  const rows = await query<{ asset: string; held: string; issued: string; own: string }>`
    select wanted.asset,
           coalesce(-sum(balance) filter (where id like ${chainWallet('%', '%')}
                                            and id <> ${chainWallet('STELLAR', '')} || wanted.asset), 0) as held,
           coalesce(sum(balance) filter (where id = ${operatorAccount('bridge', '')} || wanted.asset), 0) as issued,
           coalesce(-sum(balance) filter (where id = ${chainWallet('STELLAR', '')} || wanted.asset), 0) as own
      from unnest(${[...assets]}::text[]) as wanted (asset)
      left join ledger_account on ledger_account.asset = wanted.asset and id like 'operator/%'
     group by wanted.asset order by wanted.asset`;
  return rows.map((row) => ({
    asset: row.asset,
    heldUnits: BigInt(row.held),
    issuedUnits: BigInt(row.issued),
    ownUnits: BigInt(row.own),
  }));
}

/** Tokens that are being issued or burned. */
export type BridgeMovement = {
  readonly id: string;
  readonly units: bigint;
  readonly isIssue: boolean;
  /** SIGNED: it may happen at any moment. LANDED: it is in a ledger, but not booked yet. */
  readonly state: 'QUEUED' | 'SIGNED' | 'LANDED';
};

export type BridgeActivity = {
  readonly asset: string;
  /** Only one at a time. */
  readonly movement: BridgeMovement | null;
  readonly failedAt: Date | null;
  /** What exchanges will give away, and what will go back to whoever paid with it. */
  readonly unsentUnits: bigint;
};

type ActivityRow = Row & { asset: string; failed_at: Date | null; unsent: string } & {
  id: string | null;
  units: string | null;
  is_issue: boolean | null;
  state: BridgeMovement['state'] | null;
};

/**
 * The movement at work, and when the last try failed. While one is at work no other is asked for, so it is among the
 * newest: the hour is for clocks that differ. Looking further back would cost more with every movement ever made.
 */
export async function bridgeActivity(query: Query, assets: readonly string[]): Promise<BridgeActivity[]> {
  const rows = await query<ActivityRow>`
    with recent as (
      select payout.* from unnest(${[...assets]}::text[]) as wanted (asset)
        join outgoing_transfer payout on payout.purpose = 'bridge' and payout.asset = wanted.asset
       where payout.requested_at >= (select max(requested_at) - interval '1 hour' from outgoing_transfer newest
                                        where newest.purpose = 'bridge' and newest.asset = wanted.asset)
    )
    select wanted.asset, movement.id, movement.units, movement.is_issue, movement.state,
           (select max(ended_at) from recent where recent.asset = wanted.asset and state = 'FAILED') as failed_at,
           (select coalesce(sum(units), 0) from outgoing_transfer
             where network = 'STELLAR' and asset = wanted.asset and purpose <> 'bridge'
               and state in ('QUEUED', 'SIGNED')) as unsent
      from unnest(${[...assets]}::text[]) as wanted (asset)
      left join lateral (
        select id, units, is_issue,
               case when state = 'QUEUED' then 'QUEUED'
                    when state = 'DONE' or exists (select from outgoing_transaction own
                                                    where own.id = recent.transaction_id
                                                      and own.state = 'INCLUDED' and own.failure is null)
                    then 'LANDED' else 'SIGNED' end as state
          from recent
         where recent.asset = wanted.asset
           and (state in ('QUEUED', 'SIGNED')
                or (state = 'DONE' and not exists (select from ledger_entry where reference = recent.id)))
      ) movement on true
     order by wanted.asset`;
  return rows.map(({ asset, id, units, is_issue, state, failed_at, unsent }) => ({
    asset,
    movement:
      id === null || units === null || state === null
        ? null
        : { id, units: BigInt(units), isIssue: is_issue === true, state },
    failedAt: failed_at,
    unsentUnits: BigInt(unsent),
  }));
}

/** If two processes both believe that they lead the bridge, they take turns. Released at the end of the transaction. */
export async function takeTurns(tx: Tx, lockClass: number): Promise<void> {
  await tx`select pg_advisory_xact_lock(${lockClass}::integer, 0)`;
}
