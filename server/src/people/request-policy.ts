/**
 * Limits, the list of addresses and who approves cannot be changed by one person where there is a second one who
 * approves: then the change waits for that person. Where there is nobody else it is made at once, unless there was
 * somebody until a short time ago. Every change of roles comes through here, and is looked at under the lock.
 */
import type { Tx } from '../db/database.ts';
import { personActor } from '../http/actor.ts';
import { newId } from '../lib/ids.ts';
import { applyChange, type Changer } from '../merchants/change-settings.ts';
import { insertAudit, lockMerchant } from '../merchants/merchant-store.ts';
import { applyRole } from './change-member.ts';
import { mayStill } from './demand-asker.ts';
import { demandMayGive, inviteIn, type PeopleDeps } from './join-account.ts';
import { approves, isHand } from './new-hand.ts';
import { notYours } from './people-errors.ts';
import { type Member, membersOf } from './person-store.ts';
import { insertPolicyChange, type Policy, tryInVain } from './policy-change-store.ts';
import type { AccountPermission, Role } from './roles.ts';
import { canApprove, demandAloneForLong, hasSecondApprover } from './second-approver.ts';

export type PolicyAsker = {
  readonly merchantId: string;
  readonly personId: string;
} & Pick<Changer, 'address' | 'check'>;

/** The token is of an invitation that no e-mail carries. */
export type PolicyOutcome = { readonly isWaiting: boolean; readonly token: string | null };

export type PolicyDeps = PeopleDeps & { readonly sendsEmail: boolean };

/** `fewer`: somebody approves no more. `more`: somebody new approves, or asks for what others approve. */
type Effect = 'none' | 'limits' | 'more' | 'fewer';

function effectOf(policy: Policy, members: readonly Member[]): Effect {
  if (policy.kind === 'settings') return 'limits';
  if (policy.kind === 'invitation') return isHand(policy.role) ? 'more' : 'none';
  const before = members.find(({ personId }) => personId === policy.personId);
  if (!before) return 'none'; // Which is refused when it is done.
  if (policy.kind === 'removal') return canApprove(before) ? 'fewer' : 'none';
  if (canApprove(before) && !approves(policy.role)) return 'fewer';
  const isNew = (gains: (role: Role) => boolean): boolean => gains(policy.role) && !gains(before.role);
  return isNew(approves) || isNew(isHand) ? 'more' : 'none';
}

/** Whom it is about does not count: there must be somebody to ask besides the two. */
const subjectOf = (policy: Policy): string[] => ('personId' in policy ? [policy.personId] : []);

export async function requestPolicy(deps: PolicyDeps, by: PolicyAsker, policy: Policy): Promise<PolicyOutcome> {
  const now = deps.clock.now();
  const { merchantId, personId } = by;
  return deps.db.begin(async (tx) => {
    await lockMerchant(tx, merchantId);
    if (!(await mayStill(tx, merchantId, personId, permissionFor(policy)))) throw notYours();
    const members = await membersOf(tx, merchantId);
    const effect = effectOf(policy, members);
    if (effect === 'none' || !hasSecondApprover(members, personId, ...subjectOf(policy))) {
      // To put somebody out is possible at any time. It is what comes afterwards that has to wait.
      if (effect === 'limits' || effect === 'more') await demandAloneForLong(tx, merchantId, now);
      return { isWaiting: false, token: await applyPolicy(deps, tx, by, policy, now) };
    }
    await demandPossible(deps, tx, by, policy, now);
    const change = { id: newId(), policy, state: 'WAITING' as const, requestedBy: personId, requestedAt: now };
    await insertPolicyChange(tx, merchantId, change);
    const detail = { id: change.id, ...policy };
    await insertAudit(tx, { merchantId, at: now, actor: personActor(personId), action: 'policy.requested', detail });
    return { isWaiting: true, token: null };
  });
}

export const permissionFor = ({ kind }: Policy): AccountPermission => (kind === 'settings' ? 'limits' : 'people');

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
  if (policy.kind === 'role' || policy.kind === 'removal') {
    const role = policy.kind === 'role' ? policy.role : null;
    await applyRole(tx, { merchantId, by: personId, personId: policy.personId }, role, { now, ...approval });
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
