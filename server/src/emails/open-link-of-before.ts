/**
 * The previous release made an invitation, or a link to sign in anew, when its e-mail was written. What it was asked for and
 * has not mailed becomes a link as this release makes them, whose e-mail is another job. A link that stands by then stays.
 */
import type { Tx } from '../db/database.ts';
import type { Actor } from '../http/actor.ts';
import type { JobCatalog } from '../jobs/job-catalog.ts';
import { GiveUp } from '../jobs/job-runner.ts';
import { mayInviteStaff } from '../people/change-staff.ts';
import { isOwned, mayLetIn, newLink } from '../people/join-account.ts';
import { mailLink, mailStandingLink } from '../people/mail-link.ts';
import { findWaitingLink, type OneTimeLink } from '../people/one-time-link-store.ts';
import { findRecovering, isElsewhere, openRecovery } from '../people/recover-member.ts';
import { isRole, isStaffRole } from '../people/roles.ts';

type OfBefore = Extract<JobCatalog['person.email'], { kind: 'invitation' | 'staff-invitation' | 'recovery' }>;

/** Nothing is written here, so there is no message: null. */
export async function openLinkOfBefore(tx: Tx, payload: OfBefore, now: Date): Promise<null> {
  const madeBy = payload.madeBy as Actor;
  if (payload.kind === 'recovery') {
    const { merchantId } = payload;
    const lost = await findRecovering(tx, merchantId, payload.personId);
    const role = lost?.memberships.find((each) => each.merchantId === merchantId)?.role;
    if (!lost || !(await mayLetIn(tx, merchantId, madeBy, role))) return null;
    if (!lost.person.isProven || (await isElsewhere(tx, lost))) return null;
    const { email, language } = lost.person;
    const link = newLink({ email, merchantId, role: null, staffRole: null }, 'recover', madeBy, now);
    if (!(await givesWay(tx, link, language))) await openRecovery(tx, { ...lost, merchantId, madeBy }, now);
    return null;
  }
  const { email, role } = payload;
  if (payload.kind === 'staff-invitation') {
    if (!isStaffRole(role)) throw new GiveUp(`there is no role ${role}`);
    if (!(await mayInviteStaff(tx, madeBy))) return null;
    const link = newLink({ email, merchantId: null, role: null, staffRole: role }, 'join', madeBy, now);
    if (!(await givesWay(tx, link, 'en'))) await mailLink(tx, link, 'en');
    return null;
  }
  const { merchantId, isFirstOwner = false } = payload;
  if (!isRole(role)) throw new GiveUp(`there is no role ${role}`);
  if (!(await mayLetIn(tx, merchantId, madeBy, role))) return null;
  if (isFirstOwner && (await isOwned(tx, merchantId))) return null;
  const link = { ...newLink({ email, merchantId, role, staffRole: null }, 'join', madeBy, now), isFirstOwner };
  if (!(await givesWay(tx, link, payload.language))) await mailLink(tx, link, payload.language);
  return null;
}

/**
 * When it was asked for is not known any more, so whatever stands counts as newer: in doubt nobody gets another role than
 * they were told. What says the same may be of an earlier try of the previous release, whose e-mail never went out.
 */
async function givesWay(tx: Tx, link: OneTimeLink, language: string): Promise<boolean> {
  const standing = await findWaitingLink(tx, link, link.createdAt);
  if (!standing) return false;
  const same = (['merchantId', 'role', 'staffRole', 'madeBy', 'isFirstOwner'] as const).every(
    (each) => standing[each] === link[each],
  );
  if (same) await mailStandingLink(tx, standing.id, language, link.createdAt);
  return true;
}
