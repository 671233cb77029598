/** Roles of those who belong to an account. Admins leave owners alone, nobody changes themselves, one owner stays. */
import type { Tx } from '../db/database.ts';
import { type Actor, personActor } from '../http/actor.ts';
import { notFound } from '../lib/errors.ts';
import { insertAudit, lockMerchant } from '../merchants/merchant-store.ts';
import type { PeopleDeps } from './join-account.ts';
import { deleteInvitation, deleteInvitationsBy } from './one-time-link-store.ts';
import { lastOwner, notYourself, onlyOwners } from './people-errors.ts';
import { deleteMembership, findRole, lockOwners, saveMembership } from './person-store.ts';
import { policyChangeStates } from './policy-change-state.ts';
import { movePolicyChangesOf } from './policy-change-store.ts';
import type { Role } from './roles.ts';
import { deleteSessionsOf } from './session-store.ts';

export type MemberChange = {
  readonly merchantId: string;
  /** Who changes it. */
  readonly by: string;
  readonly personId: string;
};

/** Ends the sessions of whoever was changed: what they may do from now on is asked anew. */
export const changeRole = ({ db, clock }: PeopleDeps, change: MemberChange, role: Role): Promise<void> =>
  db.begin((tx) => applyRole(tx, change, role, { now: clock.now() }));

export const removeMember = ({ db, clock }: PeopleDeps, change: MemberChange): Promise<void> =>
  db.begin((tx) => changeMember(tx, change, null, { now: clock.now() }));

type ChangedAt = { readonly now: Date; readonly approvedBy?: Actor };

export const applyRole = (tx: Tx, change: MemberChange, role: Role, at: ChangedAt): Promise<void> =>
  changeMember(tx, change, role, at);

async function changeMember(
  tx: Tx,
  { merchantId, by, personId }: MemberChange,
  role: Role | null,
  { now, approvedBy }: ChangedAt,
): Promise<void> {
  await lockMerchant(tx, merchantId);
  const owners = await lockOwners(tx, merchantId);
  if ((await findRole(tx, merchantId, personId)) === undefined) throw notFound('member', personId);
  if (personId === by) throw notYourself();
  const touchesOwner = owners.includes(personId) || role === 'owner';
  if (touchesOwner && !owners.includes(by)) throw onlyOwners();
  if (role !== 'owner' && owners.length === 1 && owners.includes(personId)) throw lastOwner();
  if (role === null) await deleteMembership(tx, merchantId, personId);
  else await saveMembership(tx, { merchantId, personId, role }, now);
  await deleteSessionsOf(tx, personId, null);
  await deleteInvitationsBy(tx, merchantId, personActor(personId));
  await movePolicyChangesOf(tx, merchantId, personId, policyChangeStates.pairs('withdraw'), now);
  const action = role === null ? 'person.removed' : 'person.role_changed';
  const detail = { person: personId, ...(role !== null && { role }), ...(approvedBy && { approvedBy }) };
  await insertAudit(tx, { merchantId, at: now, actor: personActor(by), action, detail });
}

export async function takeBackInvitation(
  { db, clock }: PeopleDeps,
  { merchantId, by, hash }: { merchantId: string; by: string; hash: Buffer },
): Promise<void> {
  const at = clock.now();
  await db.begin(async (tx) => {
    if (!(await deleteInvitation(tx, merchantId, hash)))
      throw notFound('invitation', hash.toString('hex').slice(0, 12));
    await insertAudit(tx, {
      merchantId,
      at,
      actor: personActor(by),
      action: 'person.invitation_taken_back',
      detail: {},
    });
  });
}
