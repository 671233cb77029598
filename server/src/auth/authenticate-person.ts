/**
 * The other half of the one decision about who may do something: a session of a browser instead of a key. Says who it
 * is, in which account, how far signed in, and what the role allows there and in the operator's area.
 */
import type { Query } from '../db/database.ts';
import { addMs, minutes } from '../lib/clock.ts';
import type { Merchant } from '../merchants/merchant.ts';
import { findMerchant } from '../merchants/merchant-store.ts';
import { operatorId } from '../people/audit-sign-in.ts';
import { lookedAt } from '../people/look-at-merchant.ts';
import type { Person } from '../people/person.ts';
import { findPerson, type Membership, membershipsOf } from '../people/person-store.ts';
import {
  type AccountPermission,
  type Grant,
  grantOf,
  needsSecondFactor,
  type Role,
  type StaffRole,
} from '../people/roles.ts';
import { hashOf, isOver, type Session, standingOf } from '../people/session.ts';
import { deleteSession, findSession, markSeen } from '../people/session-store.ts';
import { grantToLooker, type StaffGrant, type StaffPermission, staffGrantOf } from '../people/staff-roles.ts';
import { findStaffRole } from '../people/staff-store.ts';

export type SignedInPerson = {
  readonly session: Session;
  readonly person: Person;
  readonly memberships: readonly Membership[];
  readonly staffRole: StaffRole | null;
  /** The account that is looked at, and the role in it; null: this person belongs to none. */
  readonly merchant: Merchant | null;
  /** Somebody of the staff, who does not belong to this account and changes nothing in it. */
  readonly isLooking: boolean;
  readonly role: Role | null;
  readonly standing: 'in' | 'code' | 'setUp';
  readonly grant: (permission: AccountPermission) => Grant;
  readonly staffGrant: (permission: StaffPermission) => StaffGrant;
};

/** Written at most so often: a page costs no write. */
const seenEveryMs = minutes(1);

/**
 * Undefined: nobody, or a session whose time is over. `isUse`: false for what a page asks by itself, which does not keep a
 * session from idling out.
 */
export async function authenticatePerson(
  query: Query,
  token: string,
  now: Date,
  { isUse = true }: { readonly isUse?: boolean } = {},
): Promise<SignedInPerson | undefined> {
  const session = await findSession(query, hashOf(token));
  if (!session) return undefined;
  const [person, all, ownStaffRole = null] = await Promise.all([
    findPerson(query, session.personId),
    membershipsOf(query, session.personId),
    findStaffRole(query, session.personId),
  ]);
  const { notFor } = session;
  const memberships = all.filter(({ merchantId }) => !notFor.includes(merchantId));
  const staffRole = notFor.includes(operatorId) ? null : ownStaffRole;
  // Of nothing that this person belongs to is it good any more.
  const isShutOut = notFor.length > 0 && memberships.length === 0 && staffRole === null;
  if (!person || isShutOut || isOver(session, staffRole !== null, now)) {
    await deleteSession(query, session.personId, session.id);
    return undefined;
  }
  if (isUse && now >= addMs(session.seenAt, seenEveryMs)) await markSeen(query, session.id, now);
  // Asked for at every request: whoever was put out of an account, or got another role, notices at once.
  const membership = memberships.find(({ merchantId }) => merchantId === session.merchantId) ?? memberships[0];
  const mayLook = staffRole !== null && staffGrantOf('lookAtMerchants', staffRole) !== 'no';
  const looked = mayLook ? lookedAt(session, now) : null;
  const isLooking = looked !== null;
  const merchantId = looked ?? membership?.merchantId;
  const merchant = merchantId === undefined ? undefined : await findMerchant(query, merchantId);
  const role = isLooking ? 'viewer' : (membership?.role ?? null);
  const needsMore = staffRole !== null || memberships.some((each) => needsSecondFactor(each.role));
  return {
    session,
    person,
    memberships,
    staffRole,
    merchant: merchant ?? null,
    isLooking,
    role,
    standing: standingOf(session, person, needsMore),
    grant: (permission) => (isLooking ? grantToLooker(permission) : role === null ? 'no' : grantOf(permission, role)),
    staffGrant: (permission) => (staffRole === null ? 'no' : staffGrantOf(permission, staffRole)),
  };
}
