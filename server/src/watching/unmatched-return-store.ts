/** All SQL of orders to send back what nobody asked for. Decides nothing. */
import type { Query, Tx } from '../db/database.ts';
import type { Actor } from '../http/actor.ts';
import type { Destination, Holder } from '../networks/port/sending.ts';
import type { UnmatchedReturnState } from './unmatched-return-state.ts';

export type UnmatchedReturn = Destination & {
  /** Also of its payout. */
  readonly id: string;
  readonly unmatchedId: string;
  readonly units: bigint;
  readonly feeUnits: bigint;
  readonly state: UnmatchedReturnState;
  readonly requestedBy: Actor;
  readonly requestedAt: Date;
  readonly decidedAt: Date | null;
};

type ReturnRow = {
  id: string;
  unmatched_id: string;
  address: string;
  memo: string | null;
  memo_type: string | null;
  holder: Holder | null;
  units: string;
  fee_units: string;
  state: UnmatchedReturnState;
  requested_by: Actor;
  requested_at: Date;
  decided_at: Date | null;
};

const fromRow = (row: ReturnRow): UnmatchedReturn => ({
  id: row.id,
  unmatchedId: row.unmatched_id,
  address: row.address,
  memo: row.memo,
  memoType: row.memo_type,
  holder: row.holder,
  units: BigInt(row.units),
  feeUnits: BigInt(row.fee_units),
  state: row.state,
  requestedBy: row.requested_by,
  requestedAt: row.requested_at,
  decidedAt: row.decided_at,
});

export async function insertReturn(tx: Tx, each: UnmatchedReturn): Promise<void> {
  await tx`
    insert into unmatched_return (id, unmatched_id, address, memo, memo_type, holder, units, fee_units, state, requested_by,
                                  requested_at, decided_at)
    values (${each.id}, ${each.unmatchedId}, ${each.address}, ${each.memo}, ${each.memoType},
            ${each.holder && JSON.stringify(each.holder)}::jsonb, ${each.units.toString()},
            ${each.feeUnits.toString()}, ${each.state}, ${each.requestedBy}, ${each.requestedAt}, ${each.decidedAt})`;
}

export async function findReturn(query: Query, id: string): Promise<UnmatchedReturn | undefined> {
  const [row] = await query<ReturnRow>`select * from unmatched_return where id = ${id}`;
  return row && fromRow(row);
}

/** Whoever locks it has the lock of its payment, so that a plain look is enough to see that it waits. */
export async function findWaitingReturn(query: Query, unmatchedId: string): Promise<UnmatchedReturn | undefined> {
  const [row] = await query<ReturnRow>`
    select * from unmatched_return where unmatched_id = ${unmatchedId} and state = 'AWAITING_APPROVAL'`;
  return row && fromRow(row);
}

export type WaitingReturn = UnmatchedReturn & { readonly network: string; readonly asset: string };

/** The oldest first: they wait for somebody. */
export async function waitingReturns(query: Query): Promise<WaitingReturn[]> {
  const rows = await query<ReturnRow & { network: string; asset: string }>`
    select unmatched_return.*, payment.network, payment.asset
      from unmatched_return join unmatched_payment payment on payment.id = unmatched_return.unmatched_id
     where state = 'AWAITING_APPROVAL' order by requested_at, unmatched_return.id`;
  return rows.map((row) => ({ ...fromRow(row), network: row.network, asset: row.asset }));
}

export async function decideReturn(
  tx: Tx,
  id: string,
  move: { readonly from: readonly UnmatchedReturnState[]; readonly to: UnmatchedReturnState },
  { by, at }: { readonly by: Actor; readonly at: Date },
): Promise<boolean> {
  const rows = await tx`
    update unmatched_return set state = ${move.to}, decided_by = ${by}, decided_at = ${at}
     where id = ${id} and state = any(${[...move.from]}) returning id`;
  return rows.length > 0;
}
