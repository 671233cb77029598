/** All SQL about changes that wait for a second person. Decides nothing. */
import type { Query, Tx } from '../db/database.ts';
import type { MovePairs } from '../lib/state-table.ts';
import type { AccountChange } from '../merchants/change-settings.ts';
import type { PolicyChangeState } from './policy-change-state.ts';
import type { Role } from './roles.ts';

/** What is asked for, as it is stored. */
export type Policy =
  | { readonly kind: 'settings'; readonly change: AccountChange }
  | { readonly kind: 'invitation'; readonly email: string; readonly role: Role; readonly language: string }
  | { readonly kind: 'role'; readonly personId: string; readonly role: Role }
  | { readonly kind: 'removal'; readonly personId: string };

export type PolicyChange = {
  readonly id: string;
  readonly policy: Policy;
  readonly state: PolicyChangeState;
  readonly requestedBy: string;
  readonly requestedAt: Date;
};

type PolicyChangeRow = {
  id: string;
  change: Policy;
  state: PolicyChangeState;
  requested_by: string;
  requested_at: Date;
};

const toChange = (row: PolicyChangeRow): PolicyChange => ({
  id: row.id,
  policy: row.change,
  state: row.state,
  requestedBy: row.requested_by,
  requestedAt: row.requested_at,
});

export async function insertPolicyChange(
  tx: Tx,
  merchantId: string,
  { id, policy, state, requestedBy, requestedAt }: PolicyChange,
): Promise<void> {
  await tx`
    insert into policy_change (merchant_id, id, change, state, requested_by, requested_at)
    values (${merchantId}, ${id}, ${JSON.stringify(policy)}, ${state}, ${requestedBy}, ${requestedAt})`;
}

export async function findPolicyChange(
  query: Query,
  merchantId: string,
  id: string,
): Promise<PolicyChange | undefined> {
  const [row] = await query<PolicyChangeRow>`
    select * from policy_change where merchant_id = ${merchantId} and id = ${id}`;
  return row && toChange(row);
}

/** Oldest first. */
export async function waitingPolicyChanges(query: Query, merchantId: string, limit: number): Promise<PolicyChange[]> {
  const rows = await query<PolicyChangeRow>`
    select * from policy_change where merchant_id = ${merchantId} and state = 'WAITING'
     order by requested_at, id limit ${limit}`;
  return rows.map(toChange);
}

/** False: it was decided before. */
export async function movePolicyChange(
  tx: Tx,
  merchantId: string,
  id: string,
  { from, to }: MovePairs<PolicyChangeState>,
  decision: { readonly by: string | null; readonly at: Date },
): Promise<boolean> {
  const rows = await tx`
    update policy_change
       set state = (${to}::text[])[array_position(${from}::text[], state)],
           decided_by = ${decision.by}, decided_at = ${decision.at}
     where merchant_id = ${merchantId} and id = ${id} and state = any(${from}::text[]) returning id`;
  return rows.length > 0;
}

/** What somebody has asked for who may not ask for it any more. */
export async function movePolicyChangesOf(
  tx: Tx,
  merchantId: string,
  requestedBy: string,
  { from, to }: MovePairs<PolicyChangeState>,
  at: Date,
): Promise<void> {
  await tx`
    update policy_change
       set state = (${to}::text[])[array_position(${from}::text[], state)], decided_at = ${at}
     where merchant_id = ${merchantId} and requested_by = ${requestedBy} and state = any(${from}::text[])`;
}

/** Does it and takes it back, to see whether it could be done. */
export async function tryInVain(tx: Tx, work: () => Promise<unknown>): Promise<void> {
  await tx`savepoint tried_in_vain`;
  await work();
  await tx`rollback to savepoint tried_in_vain`;
}
