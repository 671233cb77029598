/** Roles of those who belong to an account. Admins leave owners alone, nobody changes themselves, one owner stays. */
import type { Tx } from '../db/database.ts';
import { personActor } from '../http/actor.ts';
import { notFound } from '../lib/errors.ts';
import { insertAudit, lockMerchant } from '../merchants/merchant-store.ts';
import type { PeopleDeps } from './join-account.ts';
import { deleteInvitation, deleteInvitationsBy } from './one-time-link-store.ts';
import { lastOwner, notYourself, onlyOwners } from './people-errors.ts';
import { deleteMembership, findRole, lockOwners, saveMembership } from './person-store.ts';
import type { Role } from './roles.ts';
import { deleteSessionsOf } from './session-store.ts';

export type MemberChange = {
  readonly merchantId: string;
  /** Who changes it. */
  readonly by: string;
  readonly personId: string;
};

/** Ends the sessions of whoever was changed: what they may do from now on is asked anew. */
export const changeRole = (deps: PeopleDeps, change: MemberChange, role: Role): Promise<void> =>
  changeMember(deps, change, role, async (tx, now) => {
    await saveMembership(tx, { ...change, role }, now);
    return { action: 'person.role_changed', detail: { person: change.personId, role } };
  });

export const removeMember = (deps: PeopleDeps, change: MemberChange): Promise<void> =>
  changeMember(deps, change, null, async (tx) => {
    await deleteMembership(tx, change.merchantId, change.personId);
    return { action: 'person.removed', detail: { person: change.personId } };
  });

async function changeMember(
  { db, clock }: PeopleDeps,
  { merchantId, by, personId }: MemberChange,
  role: Role | null,
  act: (tx: Tx, now: Date) => Promise<{ action: string; detail: Record<string, unknown> }>,
): Promise<void> {
  const now = clock.now();
  await db.begin(async (tx) => {
    await lockMerchant(tx, merchantId);
    const owners = await lockOwners(tx, merchantId);
    if ((await findRole(tx, merchantId, personId)) === undefined) throw notFound('member', personId);
    if (personId === by) throw notYourself();
    const touchesOwner = owners.includes(personId) || role === 'owner';
    if (touchesOwner && !owners.includes(by)) throw onlyOwners();
    if (role !== 'owner' && owners.length === 1 && owners.includes(personId)) throw lastOwner();
    const { action, detail } = await act(tx, now);
    await deleteSessionsOf(tx, personId, null);
    await deleteInvitationsBy(tx, merchantId, personActor(personId));
    await insertAudit(tx, { merchantId, at: now, actor: personActor(by), action, detail });
  });
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
