/** Roles of those who belong to an account. Admins leave owners alone, nobody changes themselves, one owner stays. */
import type { Tx } from '../db/database.ts';
import { type Actor, personActor } from '../http/actor.ts';
import { enqueue } from '../jobs/enqueue.ts';
import { notFound } from '../lib/errors.ts';
import { insertAudit, lockMerchant } from '../merchants/merchant-store.ts';
import { operatorId } from './audit-sign-in.ts';
import type { PeopleDeps } from './join-account.ts';
import { saveLostApprover } from './lost-approver-store.ts';
import { approves, isHand, noteNewHand } from './new-hand.ts';
import { deleteInvitation, deleteInvitationsBy, deleteInvitationsFor, deleteRecovery } from './one-time-link-store.ts';
import { lastOwner, notYourself, onlyOwners } from './people-errors.ts';
import { normalizedEmail } from './person.ts';
import { deleteMembership, findPerson, findRole, lockOwners, membersOf, saveMembership } from './person-store.ts';
import { policyChangeStates } from './policy-change-state.ts';
import { movePolicyChangesOf } from './policy-change-store.ts';
import type { Role } from './roles.ts';
import { canApprove } from './second-approver.ts';
import { shutOut } from './session-store.ts';

export type MemberChange = {
  readonly merchantId: string;
  /** Who changes it. */
  readonly by: string;
  readonly personId: string;
};

type ChangedAt = { readonly now: Date; readonly approvedBy?: Actor };

/**
 * The operator gives another role, or puts somebody out (null), for who is alone with somebody who is gone for good: nobody
 * waits after that.
 */
export const changeByOperator = (
  { db, clock }: PeopleDeps,
  member: { readonly merchantId: string; readonly personId: string },
  role: Role | null,
): Promise<void> => db.begin((tx) => changeMember(tx, { ...member, by: 'operator' }, role, { now: clock.now() }));

/**
 * Null: they leave the account. Whoever was changed is signed out of it: what they may do from now on is asked anew. What they
 * do elsewhere goes on.
 * Whether a second person has to agree is for `request-policy` to say.
 */
export async function applyRole(tx: Tx, change: MemberChange, role: Role | null, at: ChangedAt): Promise<void> {
  const { merchantId, personId } = change;
  const before = (await membersOf(tx, merchantId)).find((each) => each.personId === personId);
  await changeMember(tx, { merchantId, by: personActor(change.by), personId }, role, at);
  const isLost = before && canApprove(before) && !(role !== null && approves(role));
  if (!isLost) return;
  await saveLostApprover(tx, merchantId, at.now);
  const payload = { kind: 'approver-lost' as const, personId, merchantId };
  await enqueue(tx, [{ name: 'person.email', payload, runAt: at.now }]);
}

async function changeMember(
  tx: Tx,
  { merchantId, by, personId }: Omit<MemberChange, 'by'> & { readonly by: Actor },
  role: Role | null,
  { now, approvedBy }: ChangedAt,
): Promise<void> {
  await lockMerchant(tx, merchantId);
  const owners = await lockOwners(tx, merchantId);
  const person = await findPerson(tx, personId);
  if (!person || (await findRole(tx, merchantId, personId)) === undefined) throw notFound('member', personId);
  if (personActor(personId) === by) throw notYourself();
  const touchesOwner = owners.includes(personId) || role === 'owner';
  if (touchesOwner && by !== 'operator' && !owners.some((owner) => personActor(owner) === by)) throw onlyOwners();
  if (role !== 'owner' && owners.length === 1 && owners.includes(personId)) throw lastOwner();
  const before = (await findRole(tx, merchantId, personId)) ?? 'viewer';
  if (role === null) await deleteMembership(tx, merchantId, personId);
  else await saveMembership(tx, { merchantId, personId, role }, now);
  // Not for less: who gives back what they had is known.
  const gains = (is: (each: Role) => boolean): boolean => role !== null && is(role) && !is(before);
  if (gains(approves) || gains(isHand)) await noteNewHand(tx, { merchantId, personId, now });
  await endWhatTheyBegan(tx, { merchantId, personId }, now);
  await shutOut(tx, personId, merchantId);
  // Nobody comes back by what was open for them, nor into a larger role by a link that was good for a small one.
  await deleteRecovery(tx, personId, merchantId);
  if (role === null) await deleteInvitationsFor(tx, merchantId, person.email);
  const action = role === null ? 'person.removed' : 'person.role_changed';
  const detail = { person: personId, ...(role !== null && { role }), ...(approvedBy && { approvedBy }) };
  await insertAudit(tx, { merchantId, at: now, actor: by, action, detail });
}

/** What they had a hand in and nobody has decided ends with what they were. */
export async function endWhatTheyBegan(
  tx: Tx,
  { merchantId, personId }: { readonly merchantId: string; readonly personId: string },
  now: Date,
): Promise<void> {
  await deleteInvitationsBy(tx, merchantId, personActor(personId));
  await movePolicyChangesOf(tx, merchantId, personId, policyChangeStates.pairs('withdraw'), now);
  await enqueue(tx, [{ name: 'export.review', payload: { merchantId }, runAt: now }]);
}

/** Out of this account, wherever they are signed in: they sign in again, if they can. Admins leave owners alone here, too. */
export async function signMemberOut(tx: Tx, { merchantId, by, personId }: MemberChange, now: Date): Promise<string> {
  await lockMerchant(tx, merchantId);
  const owners = await lockOwners(tx, merchantId);
  if (personId === by) throw notYourself();
  if (owners.includes(personId) && !owners.includes(by)) throw onlyOwners();
  return endSessions(tx, { merchantId, personId, actor: personActor(by) }, now);
}

/** By a command: whoever of the account it is. */
export const signOutByOperator = (
  { db, clock }: PeopleDeps,
  member: { readonly merchantId: string; readonly personId: string },
): Promise<string> => db.begin((tx) => endSessions(tx, { ...member, actor: 'operator' }, clock.now()));

async function endSessions(
  tx: Tx,
  { merchantId, personId, actor }: { readonly merchantId: string; readonly personId: string; readonly actor: Actor },
  now: Date,
): Promise<string> {
  const member = (await membersOf(tx, merchantId)).find((each) => each.personId === personId);
  if (!member) throw notFound('member', personId);
  await shutOut(tx, personId, merchantId);
  await insertAudit(tx, { merchantId, at: now, actor, action: 'person.signed_out', detail: { person: personId } });
  return member.name;
}

export async function takeBackInvitation(
  { db, clock }: PeopleDeps,
  { merchantId, by, id }: { merchantId: string; by: string; id: string },
): Promise<void> {
  const at = clock.now();
  await db.begin(async (tx) => {
    if (!(await deleteInvitation(tx, merchantId, id))) throw notFound('invitation', id.slice(0, 40));
    await insertAudit(tx, {
      merchantId,
      at,
      actor: personActor(by),
      action: 'person.invitation_taken_back',
      detail: {},
    });
  });
}

/** By whom it is for: the operator sees no list of them. Null: to the staff. */
export async function takeBackInvitationsFor(
  { db, clock }: PeopleDeps,
  { merchantId, email: given }: { readonly merchantId: string | null; readonly email: string },
  actor: Actor,
): Promise<void> {
  const [at, email] = [clock.now(), normalizedEmail(given)];
  await db.begin(async (tx) => {
    if (!(await deleteInvitationsFor(tx, merchantId, email))) throw notFound('invitation', email);
    const [log, what] = merchantId === null ? [operatorId, 'staff'] : [merchantId, 'person'];
    await insertAudit(tx, { merchantId: log, at, actor, action: `${what}.invitation_taken_back`, detail: {} });
  });
}
