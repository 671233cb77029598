/** All SQL of withdrawals. Decides nothing. */
import type { Query, Tx } from '../db/database.ts';
import type { Actor } from '../http/actor.ts';
import type { NetworkAddress } from '../networks/port/sending.ts';
import type { WithdrawalState } from './withdrawal-state.ts';

export type Withdrawal = NetworkAddress & {
  readonly id: string;
  readonly network: string;
  readonly asset: string;
  readonly units: bigint;
  readonly state: WithdrawalState;
  readonly requestedBy: Actor;
  readonly requestedAt: Date;
  /** Null: nobody else had to, or nobody has yet. */
  readonly decidedBy: Actor | null;
  readonly decidedAt: Date | null;
};

type WithdrawalRow = {
  id: string;
  network: string;
  asset: string;
  units: string;
  address: string;
  memo: string | null;
  memo_type: string | null;
  state: WithdrawalState;
  requested_by: Actor;
  requested_at: Date;
  decided_by: Actor | null;
  decided_at: Date | null;
};

const toWithdrawal = (row: WithdrawalRow): Withdrawal => ({
  id: row.id,
  network: row.network,
  asset: row.asset,
  units: BigInt(row.units),
  address: row.address,
  memo: row.memo,
  memoType: row.memo_type,
  state: row.state,
  requestedBy: row.requested_by,
  requestedAt: row.requested_at,
  decidedBy: row.decided_by,
  decidedAt: row.decided_at,
});

/** False: there is one with this id. */
export async function insertWithdrawal(tx: Tx, each: Withdrawal): Promise<boolean> {
  const rows = await tx`
    insert into withdrawal (id, network, asset, units, address, memo, memo_type, state, requested_by, requested_at,
                            decided_by, decided_at)
    values (${each.id}, ${each.network}, ${each.asset}, ${each.units.toString()}, ${each.address}, ${each.memo},
            ${each.memoType}, ${each.state}, ${each.requestedBy}, ${each.requestedAt}, ${each.decidedBy},
            ${each.decidedAt})
    on conflict (id) do nothing returning id`;
  return rows.length > 0;
}

export async function findWithdrawal(query: Query, id: string): Promise<Withdrawal | undefined> {
  const [row] = await query<WithdrawalRow>`select * from withdrawal where id = ${id}`;
  return row && toWithdrawal(row);
}

export async function lockWithdrawal(tx: Tx, id: string): Promise<Withdrawal | undefined> {
  const [row] = await tx<WithdrawalRow>`select * from withdrawal where id = ${id} for update`;
  return row && toWithdrawal(row);
}

export async function decideWithdrawal(
  tx: Tx,
  id: string,
  move: { readonly from: readonly WithdrawalState[]; readonly to: WithdrawalState },
  { by, at }: { readonly by: Actor; readonly at: Date },
): Promise<boolean> {
  const rows = await tx`
    update withdrawal set state = ${move.to}, decided_by = ${by}, decided_at = ${at}
     where id = ${id} and state = any(${[...move.from]}) returning id`;
  return rows.length > 0;
}

/** The oldest first: they wait for somebody. */
export async function waitingWithdrawals(query: Query): Promise<Withdrawal[]> {
  const rows = await query<WithdrawalRow>`
    select * from withdrawal where state = 'AWAITING_APPROVAL' order by requested_at, id`;
  return rows.map(toWithdrawal);
}

/** The newest of those that wait for nobody. */
export async function decidedWithdrawals(query: Query, limit: number): Promise<Withdrawal[]> {
  const rows = await query<WithdrawalRow>`
    select * from withdrawal where state <> 'AWAITING_APPROVAL' order by requested_at desc, id desc limit ${limit}`;
  return rows.map(toWithdrawal);
}
