/**
 * The previous release made an invitation, or a link to sign in anew, when its e-mail was written. What it was asked for and
 * has not mailed becomes a link as this release makes them, whose e-mail is another job.
 */
import type { Tx } from '../db/database.ts';
import type { Actor } from '../http/actor.ts';
import type { JobCatalog } from '../jobs/job-catalog.ts';
import { GiveUp } from '../jobs/job-runner.ts';
import { mayInviteStaff } from '../people/change-staff.ts';
import { isOwned, mayLetIn, newLink } from '../people/join-account.ts';
import { mailLink } from '../people/mail-link.ts';
import { deleteInvitationsFor } from '../people/one-time-link-store.ts';
import { findRecovering, openRecovery } from '../people/recover-member.ts';
import { isRole, isStaffRole } from '../people/roles.ts';

type OfBefore = Extract<JobCatalog['person.email'], { kind: 'invitation' | 'staff-invitation' | 'recovery' }>;

/** Nothing is written here, so there is no message: null. */
export async function openLinkOfBefore(tx: Tx, payload: OfBefore, now: Date): Promise<null> {
  const madeBy = payload.madeBy as Actor;
  if (payload.kind === 'recovery') {
    const { merchantId } = payload;
    const lost = await findRecovering(tx, merchantId, payload.personId);
    const role = lost?.memberships.find((each) => each.merchantId === merchantId)?.role;
    if (lost && (await mayLetIn(tx, merchantId, madeBy, role)))
      await openRecovery(tx, { ...lost, merchantId, madeBy }, null, now);
    return null;
  }
  const { email, role } = payload;
  if (payload.kind === 'staff-invitation') {
    if (!isStaffRole(role)) throw new GiveUp(`there is no role ${role}`);
    if (!(await mayInviteStaff(tx, madeBy))) return null;
    await deleteInvitationsFor(tx, null, email);
    await mailLink(tx, newLink({ email, merchantId: null, role: null, staffRole: role }, 'join', madeBy, now), 'en');
    return null;
  }
  const { merchantId, isFirstOwner = false } = payload;
  if (!isRole(role)) throw new GiveUp(`there is no role ${role}`);
  if (!(await mayLetIn(tx, merchantId, madeBy, role))) return null;
  if (isFirstOwner && (await isOwned(tx, merchantId))) return null;
  await deleteInvitationsFor(tx, merchantId, email);
  const link = newLink({ email, merchantId, role, staffRole: null }, 'join', madeBy, now);
  await mailLink(tx, { ...link, isFirstOwner }, payload.language);
  return null;
}
