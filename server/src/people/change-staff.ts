/** Who runs the installation: inviting, roles, putting out, ending sessions. Nobody changes themselves, one operator stays. */
import type { Tx } from '../db/database.ts';
import { type Actor, isPersonActor, personActor, personIdOf } from '../http/actor.ts';
import { GatewayError, notFound } from '../lib/errors.ts';
import { insertAudit } from '../merchants/merchant-store.ts';
import { operatorId } from './audit-sign-in.ts';
import { handedOver, newLink } from './join-account.ts';
import { mailLink } from './mail-link.ts';
import {
  deleteFirstOwnerLinksBy,
  deleteInvitationsBy,
  deleteInvitationsFor,
  deleteRecovery,
  deleteStaffInvitation,
  insertLink,
} from './one-time-link-store.ts';
import { readEmail } from './person.ts';
import type { StaffRole } from './roles.ts';
import { hashOf, newToken } from './session.ts';
import { shutOut } from './session-store.ts';
import { movesMoney } from './staff-approvers.ts';
import { type StaffPermission, staffGrantOf } from './staff-roles.ts';
import {
  deleteStaff,
  findStaffRole,
  listStaff,
  lockStaff,
  lockStaffChanges,
  saveLostStaff,
  saveStaff,
} from './staff-store.ts';
import { tellHands } from './tell-hands.ts';

type By = { readonly actor: Actor; readonly now: Date };

type StaffInvited = { readonly email: string; readonly role: StaffRole };

/** The newest one is good; it ends with the place of whoever made it. The token is returned where no e-mail carries it, once. */
export async function inviteStaff(
  tx: Tx,
  invitation: StaffInvited,
  { actor, now, isByEmail }: By & { readonly isByEmail: boolean },
): Promise<string | null> {
  const invited = { email: readEmail(invitation.email), role: invitation.role };
  const token = isByEmail ? null : newToken();
  const { email, role } = invited;
  await deleteInvitationsFor(tx, null, email);
  const link = newLink({ email, merchantId: null, role: null, staffRole: role }, 'join', actor, now);
  if (token === null) await mailLink(tx, link, 'en');
  else await insertLink(tx, hashOf(token), handedOver(link));
  await note(tx, { actor, now }, 'staff.invited', invited);
  await tellHands(tx, { what: 'invited', about: invited.email, role: invited.role }, { personId: null, actor, now });
  return token;
}

/** For what is carried out later: until the transaction ends, nobody puts them out. */
export const mayInviteStaff = (tx: Tx, actor: Actor): Promise<boolean> => mayOfStaff(tx, actor, 'staff');

export const mayInviteFirstOwner = (tx: Tx, actor: Actor): Promise<boolean> => mayOfStaff(tx, actor, 'merchants');

async function mayOfStaff(tx: Tx, actor: Actor, permission: StaffPermission): Promise<boolean> {
  if (!isPersonActor(actor)) return true;
  await lockStaff(tx);
  const role = await findStaffRole(tx, personIdOf(actor));
  return role !== undefined && staffGrantOf(permission, role) !== 'no';
}

export async function takeBackStaffInvitation(tx: Tx, id: string, by: By): Promise<void> {
  if (!(await deleteStaffInvitation(tx, id))) throw notFound('invitation', id.slice(0, 40));
  await note(tx, by, 'staff.invitation_taken_back', {});
}

/** Null: they leave the staff. Whoever was changed is signed out of the operator's area. */
export async function changeStaff(tx: Tx, personId: string, role: StaffRole | null, by: By): Promise<void> {
  await lockStaffChanges(tx);
  // Before the lock of the staff, for which somebody may wait who is about to do something in one of them, or to join.
  await shutOut(tx, personId, operatorId);
  await deleteInvitationsBy(tx, null, personActor(personId));
  await deleteFirstOwnerLinksBy(tx, personActor(personId));
  await lockStaff(tx);
  const staff = await listStaff(tx);
  const member = staff.find((each) => each.personId === personId);
  if (!member) throw notFound('member of the staff', personId);
  if (personActor(personId) === by.actor) throw notYourself();
  const operators = staff.filter((each) => each.role === 'operator');
  if (role !== 'operator' && member.role === 'operator' && operators.length === 1) throw lastOperator();
  if (role === null) await deleteStaff(tx, personId);
  else await saveStaff(tx, personId, role, by.now);
  // Nobody comes back by what was open for them, nor into a larger role by a link that was good for a small one.
  if (role === null) await deleteInvitationsFor(tx, null, member.email);
  else await deleteRecovery(tx, personId);
  if (movesMoney(member.role) && !(role !== null && movesMoney(role))) await saveLostStaff(tx, by.now);
  const detail = { person: personId, ...(role !== null && { role }) };
  await note(tx, by, role === null ? 'staff.removed' : 'staff.role_changed', detail);
  const what = role === null ? 'removed' : 'role-changed';
  await tellHands(tx, { what, about: member.email, role }, { personId, actor: by.actor, now: by.now });
}

/** Out of the operator's area; in accounts they stay, which are others' to say. They sign in again, if they can. */
export async function endStaffSessions(tx: Tx, personId: string, by: By): Promise<void> {
  const staff = await listStaff(tx);
  if (!staff.some((each) => each.personId === personId)) throw notFound('member of the staff', personId);
  await shutOut(tx, personId, operatorId);
  await note(tx, by, 'staff.signed_out', { person: personId });
}

const note = (tx: Tx, { actor, now: at }: By, action: string, detail: Record<string, unknown>): Promise<void> =>
  insertAudit(tx, { merchantId: operatorId, at, actor, action, detail });

const refusal = (code: string, message: string): GatewayError => new GatewayError({ code, httpStatus: 409, message });
const notYourself = () => refusal('not_yourself_staff', 'Nobody changes their own place among the staff.');
const lastOperator = () =>
  refusal('last_operator', 'The staff has at least one operator: give somebody else this role first.');
