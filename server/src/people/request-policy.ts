/**
 * Limits, the list of addresses and who approves cannot be changed by one person where there is a second one who
 * approves: then the change waits for that person. Where there is nobody else it is made at once.
 */
import type { Tx } from '../db/database.ts';
import { personActor } from '../http/actor.ts';
import { newId } from '../lib/ids.ts';
import { applyChange, type Changer } from '../merchants/change-settings.ts';
import { insertAudit, lockMerchant } from '../merchants/merchant-store.ts';
import { applyRole } from './change-member.ts';
import { demandMayGive, inviteIn, type PeopleDeps } from './join-account.ts';
import { type Member, membersOf } from './person-store.ts';
import { insertPolicyChange, type Policy, tryInVain } from './policy-change-store.ts';
import { grantOf, type Role } from './roles.ts';

export type PolicyAsker = {
  readonly merchantId: string;
  readonly personId: string;
} & Pick<Changer, 'address' | 'check'>;

/** The token is of an invitation that no e-mail carries. */
export type PolicyOutcome = { readonly isWaiting: boolean; readonly token: string | null };

export type PolicyDeps = PeopleDeps & { readonly sendsEmail: boolean };

const approves = (role: Role): boolean => grantOf('approve', role) !== 'no';

/**
 * Whether giving somebody this role adds one who approves, or one whose orders wait for approval: who invites oneself
 * under another name would be both.
 */
export const addsApprover = (role: Role): boolean => approves(role) || grantOf('moveMoney', role) !== 'no';

/** Whether anybody else could approve what this person asks for. Without a second factor nobody can. */
export const hasSecondApprover = (members: readonly Member[], personId: string): boolean =>
  members.some((each) => each.personId !== personId && approves(each.role) && each.hasSecondFactor);

export async function requestPolicy(deps: PolicyDeps, by: PolicyAsker, policy: Policy): Promise<PolicyOutcome> {
  const now = deps.clock.now();
  const { merchantId, personId } = by;
  return deps.db.begin(async (tx) => {
    await lockMerchant(tx, merchantId);
    if (!hasSecondApprover(await membersOf(tx, merchantId), personId))
      return { isWaiting: false, token: await applyPolicy(deps, tx, by, policy, now) };
    await demandPossible(deps, tx, by, policy, now);
    const change = { id: newId(), policy, state: 'WAITING' as const, requestedBy: personId, requestedAt: now };
    await insertPolicyChange(tx, merchantId, change);
    const detail = { id: change.id, ...policy };
    await insertAudit(tx, { merchantId, at: now, actor: personActor(personId), action: 'policy.requested', detail });
    return { isWaiting: true, token: null };
  });
}

/** What would be refused in the end is refused at once: it is tried, and undone. */
async function demandPossible(deps: PolicyDeps, tx: Tx, by: PolicyAsker, policy: Policy, now: Date): Promise<void> {
  await tryInVain(tx, () => applyPolicy(deps, tx, by, policy, now));
}

export async function applyPolicy(
  deps: PolicyDeps,
  tx: Tx,
  by: PolicyAsker & { readonly approvedBy?: string },
  policy: Policy,
  now: Date,
): Promise<string | null> {
  const { merchantId, personId, approvedBy, address = null, check } = by;
  const actor = personActor(personId);
  const approval = approvedBy === undefined ? {} : { approvedBy: personActor(approvedBy) };
  if (policy.kind === 'settings') {
    await applyChange(tx, { merchantId, actor, now, address, ...(check && { check }), ...approval }, policy.change);
    return null;
  }
  if (policy.kind === 'role') {
    await applyRole(tx, { merchantId, by: personId, personId: policy.personId }, policy.role, { now, ...approval });
    return null;
  }
  const { email, role, language } = policy;
  await demandMayGive(tx, merchantId, role, actor);
  return inviteIn(
    tx,
    { email, merchantId, role, language },
    { madeBy: actor, now, isByEmail: deps.sendsEmail, ...approval },
  );
}
