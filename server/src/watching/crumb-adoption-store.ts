/** All SQL of small payments that are taken as the operator's own together. Decides nothing. */
import type { Query, Tx } from '../db/database.ts';
import type { Actor } from '../http/actor.ts';
import type { CrumbAdoptionState } from './crumb-adoption-state.ts';
import type { CrumbRail } from './unmatched-crumb-store.ts';

export type CountedUnits = { readonly count: number; readonly units: bigint };

export type CrumbAdoption = CrumbRail &
  CountedUnits & {
    readonly id: string;
    /** What there was of them when it was decided; null: it was not, or refused. */
    readonly taken: CountedUnits | null;
    readonly reason: string;
    readonly state: CrumbAdoptionState;
    readonly requestedBy: Actor;
    readonly requestedAt: Date;
    readonly decidedAt: Date | null;
  };

/** Those up to one of them; null: to the newest. */
export type CrumbsUpTo = CrumbRail & { readonly upTo: string | null };

/** `ids`: the oldest first. */
export type FreeCrumbs = CountedUnits & { readonly ids: readonly string[] };

/** So many at once: strangers decide how many there are, and not how long others wait for the locks of them. */
export const crumbsTakenMost = 10_000;

/** The oldest that wait, and about which by itself nobody is asked. `among`: only these. */
export async function freeCrumbs(
  query: Query,
  { network, asset, upTo }: CrumbsUpTo,
  among: readonly string[] | null = null,
): Promise<FreeCrumbs> {
  const [row] = await query<{ ids: string[] | null; units: string }>`
    select array_agg(id order by seen_at, id) as ids, coalesce(sum(units), 0)::text as units
      from (select id, seen_at, units from unmatched_payment
             where is_crumb and assigned_at is null and returned_at is null and reversed_at is null and return_id is null
               and network = ${network} and asset = ${asset} and (${among}::text[] is null or id = any(${among}::text[]))
               and (${upTo}::text is null
                    or (seen_at, id) <= (select last.seen_at, last.id from unmatched_payment last where last.id = ${upTo}))
               and not exists (select from unmatched_return waiting
                                where waiting.unmatched_id = unmatched_payment.id and waiting.state = 'AWAITING_APPROVAL')
               and not exists (select from unmatched_adoption waiting
                                where waiting.unmatched_id = unmatched_payment.id and waiting.state = 'AWAITING_APPROVAL')
             order by seen_at, id limit ${crumbsTakenMost}) as free`;
  const ids = row?.ids ?? [];
  return { ids, count: ids.length, units: BigInt(row?.units ?? 0) };
}

/**
 * Whether they are free is asked again under these locks, by another statement: what somebody decides about one of them lies in
 * other rows, of which a statement that waited for a lock knows nothing.
 */
export async function lockCrumbs(tx: Tx, ids: readonly string[]): Promise<void> {
  await tx`select from unmatched_payment where id = any(${[...ids]}) order by seen_at, id for update`;
}

/** They are those of this adoption, which exists. */
export async function markCrumbs(tx: Tx, adoptionId: string, ids: readonly string[]): Promise<void> {
  await tx`update unmatched_payment set crumb_adoption_id = ${adoptionId} where id = any(${[...ids]})`;
}

/** Those that are still of this adoption, before the staff, as everybody else locks: two who decide do not wait for each other. */
export async function lockMarked(tx: Tx, id: string): Promise<void> {
  await tx`select from unmatched_payment where crumb_adoption_id = ${id} order by seen_at, id for update`;
}

/** What still waits of them, and nobody is asked about by itself. */
export async function takeMarked(tx: Tx, id: string, at: Date): Promise<CountedUnits> {
  const [row] = await tx<{ count: number; units: string }>`
    with taken as (
      update unmatched_payment set assigned_at = ${at}, own_at = ${at}
       where crumb_adoption_id = ${id} and assigned_at is null and returned_at is null and reversed_at is null
         and return_id is null
         and not exists (select from unmatched_return waiting
                          where waiting.unmatched_id = unmatched_payment.id and waiting.state = 'AWAITING_APPROVAL')
         and not exists (select from unmatched_adoption waiting
                          where waiting.unmatched_id = unmatched_payment.id and waiting.state = 'AWAITING_APPROVAL')
      returning units
    )
    select count(*)::integer as count, coalesce(sum(units), 0)::text as units from taken`;
  return { count: row?.count ?? 0, units: BigInt(row?.units ?? 0) };
}

export async function insertCrumbAdoption(tx: Tx, each: CrumbAdoption): Promise<void> {
  await tx`
    insert into crumb_adoption (id, network, asset, count, units, taken_count, taken_units, reason, state, requested_by,
                                requested_at, decided_at)
    values (${each.id}, ${each.network}, ${each.asset}, ${each.count}, ${each.units.toString()}, ${each.taken?.count ?? null},
            ${each.taken?.units.toString() ?? null}, ${each.reason}, ${each.state}, ${each.requestedBy}, ${each.requestedAt},
            ${each.decidedAt})`;
}

type AdoptionRow = {
  id: string;
  network: string;
  asset: string;
  count: number;
  units: string;
  taken_count: number | null;
  taken_units: string | null;
  reason: string;
  state: CrumbAdoptionState;
  requested_by: Actor;
  requested_at: Date;
  decided_at: Date | null;
};

const fromRow = (row: AdoptionRow): CrumbAdoption => ({
  id: row.id,
  network: row.network,
  asset: row.asset,
  count: row.count,
  units: BigInt(row.units),
  taken: row.taken_units === null ? null : { count: row.taken_count ?? 0, units: BigInt(row.taken_units) },
  reason: row.reason,
  state: row.state,
  requestedBy: row.requested_by,
  requestedAt: row.requested_at,
  decidedAt: row.decided_at,
});

export async function findCrumbAdoption(query: Query, id: string): Promise<CrumbAdoption | undefined> {
  const [row] = await query<AdoptionRow>`select * from crumb_adoption where id = ${id}`;
  return row && fromRow(row);
}

export async function lockCrumbAdoption(tx: Tx, id: string): Promise<CrumbAdoption | undefined> {
  const [row] = await tx<AdoptionRow>`select * from crumb_adoption where id = ${id} for update`;
  return row && fromRow(row);
}

/** By which this small payment is the operator's own; undefined: by none. */
export async function crumbAdoptionOf(query: Query, unmatchedId: string): Promise<CrumbAdoption | undefined> {
  const [row] = await query<AdoptionRow>`
    select crumb_adoption.* from crumb_adoption
      join unmatched_payment payment on payment.crumb_adoption_id = crumb_adoption.id
     where payment.id = ${unmatchedId} and payment.own_at = crumb_adoption.decided_at and state = 'APPROVED'`;
  return row && fromRow(row);
}

/** The oldest first: they wait for somebody. */
export async function waitingCrumbAdoptions(query: Query): Promise<CrumbAdoption[]> {
  const rows = await query<AdoptionRow>`
    select * from crumb_adoption where state = 'AWAITING_APPROVAL' order by requested_at, id`;
  return rows.map(fromRow);
}

export async function decideCrumbAdoption(
  tx: Tx,
  id: string,
  move: { readonly from: readonly CrumbAdoptionState[]; readonly to: CrumbAdoptionState },
  { by, at, taken }: { readonly by: Actor; readonly at: Date; readonly taken: CountedUnits | null },
): Promise<boolean> {
  const rows = await tx`
    update crumb_adoption
       set state = ${move.to}, decided_by = ${by}, decided_at = ${at}, taken_count = ${taken?.count ?? null},
           taken_units = ${taken?.units.toString() ?? null}
     where id = ${id} and state = any(${[...move.from]}) returning id`;
  return rows.length > 0;
}
