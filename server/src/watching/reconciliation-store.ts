/** All SQL of the reconciliation: what the books say that we hold on a network, and what is not booked yet. */
import type { Query, Row, Tx } from '../db/database.ts';
import { operatorId } from '../deposits/deposit-target-store.ts';
import type { Cursor } from '../networks/port/receiving.ts';

export type Reconciliation = {
  readonly network: string;
  readonly asset: string;
  readonly held: bigint;
  readonly booked: bigint;
  readonly arriving: bigint;
  /** Payments too small to be booked one by one, and together not worth it yet. */
  readonly crumbs: bigint;
  readonly leaving: bigint;
  readonly underway: bigint;
  readonly difference: bigint;
  readonly checkedAt: Date;
  /** Up to which block, or document, it was read; null: of an older release. */
  readonly countedTo: number | null;
};

export type BookedHolding = Pick<
  Reconciliation,
  'asset' | 'booked' | 'arriving' | 'crumbs' | 'leaving' | 'underway'
> & {
  /** A payout has ended, and the job that books it will run soon. If that job was parked, it is a difference. */
  readonly isBeingBooked: boolean;
};

/** One statement, so everything is of one moment and fits together. */
export async function bookedHoldings(
  query: Query,
  network: string,
  assets: readonly string[],
): Promise<BookedHolding[]> {
  type HoldingRow = Row & Record<'asset' | 'booked' | 'arriving' | 'crumbs' | 'leaving' | 'underway', string>;
  const rows = await query<HoldingRow & { is_being_booked: boolean }>`
    select wanted.asset,
           exists (select from job join outgoing_transfer ended on ended.id = job.payload ->> 'transferId'
                    where job.parked_reason is null and job.name = ended.purpose || '.advance'
                      and ended.network = ${network} and ended.state in ('DONE', 'FAILED')) as is_being_booked,
           -coalesce((select balance from ledger_account
                       where id = 'operator/wallet-' || ${network} || '/' || wanted.asset), 0) as booked,
           coalesce((select sum(units) from payment
                      where network = ${network} and payment.asset = wanted.asset and purpose not in ('change', 'crumb')
                        and place = 'none' and block_height is not null
                        and state in ('SEEN', 'CONFIRMED', 'FINAL')), 0)
             + coalesce((select sum(taken_units) from payout_comeback
                          where network = ${network} and payout_comeback.asset = wanted.asset
                            and booked_at is null and taken_units > 0), 0) as arriving,
           coalesce((select sum(units) from payment
                      where network = ${network} and payment.asset = wanted.asset and purpose = 'crumb'
                        and place = 'none' and block_height is not null
                        and state in ('SEEN', 'CONFIRMED', 'FINAL')), 0)
             + coalesce((select sum(waiting_units) from crumb_heap
                          where network = ${network} and crumb_heap.asset = wanted.asset), 0) as crumbs,
           coalesce((select sum(payout.units) from outgoing_transfer payout
                       join outgoing_transaction own on own.id = payout.transaction_id
                      where own.network = ${network} and own.state = 'INCLUDED' and own.failure is null
                        and payout.asset = wanted.asset), 0)
             + coalesce((select sum(fee_units) from outgoing_transaction
                          where network = ${network} and state = 'INCLUDED' and fee_asset = wanted.asset), 0)
             + coalesce((select sum(kept_units) from outgoing_transaction
                          where network = ${network} and state = 'INCLUDED' and kept_asset = wanted.asset), 0) as leaving,
           coalesce((select sum(payout.units) from outgoing_transfer payout
                      where payout.network = ${network} and payout.state = 'SIGNED'
                        and payout.asset = wanted.asset
                        and not exists (select from outgoing_transaction own
                                         where own.id = payout.transaction_id and own.state = 'INCLUDED')), 0)
             + coalesce((select sum(fee_units) from outgoing_transaction waiting
                          where network = ${network} and state = 'OPEN' and fee_asset = wanted.asset
                            and not exists (select from outgoing_transaction booked
                                             where booked.id = waiting.id and booked.state = 'DONE')), 0) as underway
      from unnest(${assets}::text[]) as wanted (asset)`;
  return rows.map(({ asset, is_being_booked: isBeingBooked, ...units }) => ({
    asset,
    isBeingBooked,
    booked: BigInt(units.booked),
    arriving: BigInt(units.arriving),
    crumbs: BigInt(units.crumbs),
    leaving: BigInt(units.leaving),
    underway: BigInt(units.underway),
  }));
}

/** The block up to which we have read a network, if it answers. */
export async function observedTip(
  query: Query,
  network: string,
): Promise<{ hash: string; height: number; cursor: Cursor | null } | undefined> {
  const [row] = await query<{ tip_hash: string | null; tip_height: string | null; cursor: Cursor | null }>`
    select tip_hash, tip_height, cursor from network_cursor where network = ${network}`;
  return row?.tip_hash ? { hash: row.tip_hash, height: Number(row.tip_height), cursor: row.cursor } : undefined;
}

export async function highestIndex(query: Query, network: string): Promise<number> {
  const [row] = await query<{ index: string | null }>`
    select max(index) as index from deposit_target where network = ${network}`;
  return Number(row?.index ?? 0);
}

export async function* usedTargets(query: Query, network: string): AsyncGenerator<string[]> {
  for (let after = ''; ; ) {
    const rows = await query<{ target_key: string }>`
      select distinct target_key from payment
       where network = ${network} and target_key > ${after}
         and not exists (select from crumb_heap where crumb_heap.id = target_key) -- Gathered crumbs lie where they came.
       order by target_key limit 500`;
    if (rows.length === 0) return;
    yield rows.map((row) => row.target_key);
    after = rows.at(-1)?.target_key ?? '';
  }
}

/** Assets that were counted before: what was there at the beginning is booked. */
export async function countedAssets(query: Query, network: string): Promise<Set<string>> {
  const rows = await query<{ asset: string }>`select asset from reconciliation where network = ${network}`;
  return new Set(rows.map(({ asset }) => asset));
}

/** What customers sent that is no asset of ours and no payment, by the network's name for it, in its own units. */
export async function customersStrays(query: Query, network: string): Promise<Map<string, bigint>> {
  const rows = await query<{ what: string; units: string }>`
    select what, sum(units) as units from stray_transfer stray
     where network = ${network} and vanished_at is null and merchant_id <> ${operatorId}
       and not exists (select from payment where payment.network = stray.network and payment.tx_hash = stray.tx_hash
                                             and payment.tx_index = stray.tx_index)
     group by what`;
  return new Map(rows.map(({ what, units }) => [what, BigInt(units)]));
}

export async function saveReconciliations(tx: Tx, found: readonly Reconciliation[]): Promise<void> {
  for (const each of found)
    await tx`
      insert into reconciliation (network, asset, held, booked, arriving, crumbs, leaving, underway, difference, checked_at,
                                  counted_to)
      values (${each.network}, ${each.asset}, ${each.held.toString()}, ${each.booked.toString()},
              ${each.arriving.toString()}, ${each.crumbs.toString()}, ${each.leaving.toString()},
              ${each.underway.toString()}, ${each.difference.toString()}, ${each.checkedAt}, ${each.countedTo})
          on conflict (network, asset) do update
         set held = excluded.held, booked = excluded.booked, arriving = excluded.arriving, crumbs = excluded.crumbs, leaving = excluded.leaving,
             underway = excluded.underway, difference = excluded.difference, checked_at = excluded.checked_at,
             counted_to = excluded.counted_to`;
}

type ReconciliationRow = Row &
  Record<
    'network' | 'asset' | 'held' | 'booked' | 'arriving' | 'crumbs' | 'leaving' | 'underway' | 'difference',
    string
  > & {
    checked_at: Date;
    counted_to: string | null;
  };

export async function lastReconciliations(query: Query): Promise<Reconciliation[]> {
  const rows = await query<ReconciliationRow>`select * from reconciliation order by network, asset`;
  return rows.map(toReconciliation);
}

export async function lockReconciliation(tx: Tx, network: string, asset: string): Promise<Reconciliation | undefined> {
  const [row] = await tx<ReconciliationRow>`
    select * from reconciliation where network = ${network} and asset = ${asset} for update`;
  return row && toReconciliation(row);
}

const toReconciliation = (row: ReconciliationRow): Reconciliation => ({
  network: row.network,
  asset: row.asset,
  held: BigInt(row.held),
  booked: BigInt(row.booked),
  arriving: BigInt(row.arriving),
  crumbs: BigInt(row.crumbs),
  leaving: BigInt(row.leaving),
  underway: BigInt(row.underway),
  difference: BigInt(row.difference),
  checkedAt: row.checked_at,
  countedTo: row.counted_to === null ? null : Number(row.counted_to),
});

/** The first half of the advisory lock that says "someone counts". */
export const countLockClass = 7_011;

export async function isBeingCounted(query: Query): Promise<boolean> {
  const rows = await query`
    select from pg_locks
     where locktype = 'advisory' and classid = ${countLockClass}::oid and granted
       and database = (select oid from pg_database where datname = current_database()) limit 1`;
  return rows.length > 0;
}
