/** All SQL of adoptions that what nobody asked for is the operator's own. Decides nothing. */
import type { Query, Tx } from '../db/database.ts';
import type { Actor } from '../http/actor.ts';
import type { UnmatchedAdoptionState } from './unmatched-adoption-state.ts';

export type UnmatchedAdoption = {
  readonly id: string;
  readonly unmatchedId: string;
  /** Why it is the operator's own. */
  readonly reason: string;
  readonly state: UnmatchedAdoptionState;
  readonly requestedBy: Actor;
  readonly requestedAt: Date;
  readonly decidedAt: Date | null;
};

type AdoptionRow = {
  id: string;
  unmatched_id: string;
  reason: string;
  state: UnmatchedAdoptionState;
  requested_by: Actor;
  requested_at: Date;
  decided_at: Date | null;
};

const fromRow = (row: AdoptionRow): UnmatchedAdoption => ({
  id: row.id,
  unmatchedId: row.unmatched_id,
  reason: row.reason,
  state: row.state,
  requestedBy: row.requested_by,
  requestedAt: row.requested_at,
  decidedAt: row.decided_at,
});

export async function insertAdoption(tx: Tx, each: UnmatchedAdoption): Promise<void> {
  await tx`
    insert into unmatched_adoption (id, unmatched_id, reason, state, requested_by, requested_at, decided_at)
    values (${each.id}, ${each.unmatchedId}, ${each.reason}, ${each.state}, ${each.requestedBy}, ${each.requestedAt},
            ${each.decidedAt})`;
}

export async function findAdoption(query: Query, id: string): Promise<UnmatchedAdoption | undefined> {
  const [row] = await query<AdoptionRow>`select * from unmatched_adoption where id = ${id}`;
  return row && fromRow(row);
}

/** Whoever decides it has the lock of its payment, so that a plain look is enough to see that it waits. */
export async function findWaitingAdoption(query: Query, unmatchedId: string): Promise<UnmatchedAdoption | undefined> {
  const [row] = await query<AdoptionRow>`
    select * from unmatched_adoption where unmatched_id = ${unmatchedId} and state = 'AWAITING_APPROVAL'`;
  return row && fromRow(row);
}

/** By which it is the operator's own; undefined: it is not. */
export async function findApprovedAdoption(query: Query, unmatchedId: string): Promise<UnmatchedAdoption | undefined> {
  const [row] = await query<AdoptionRow>`
    select * from unmatched_adoption where unmatched_id = ${unmatchedId} and state = 'APPROVED'`;
  return row && fromRow(row);
}

export type WaitingAdoption = UnmatchedAdoption & {
  readonly network: string;
  readonly asset: string;
  readonly units: bigint;
};

/** The oldest first: they wait for somebody. What the network took back meanwhile waits for nobody. */
export async function waitingAdoptions(query: Query): Promise<WaitingAdoption[]> {
  const rows = await query<AdoptionRow & { network: string; asset: string; units: string }>`
    select unmatched_adoption.*, payment.network, payment.asset, payment.units::text as units
      from unmatched_adoption join unmatched_payment payment on payment.id = unmatched_adoption.unmatched_id
     where state = 'AWAITING_APPROVAL' and payment.reversed_at is null order by requested_at, unmatched_adoption.id`;
  return rows.map((row) => ({
    ...fromRow(row),
    network: row.network,
    asset: row.asset,
    units: BigInt(row.units),
  }));
}

export async function decideAdoption(
  tx: Tx,
  id: string,
  move: { readonly from: readonly UnmatchedAdoptionState[]; readonly to: UnmatchedAdoptionState },
  { by, at }: { readonly by: Actor; readonly at: Date },
): Promise<boolean> {
  const rows = await tx`
    update unmatched_adoption set state = ${move.to}, decided_by = ${by}, decided_at = ${at}
     where id = ${id} and state = any(${[...move.from]}) returning id`;
  return rows.length > 0;
}
