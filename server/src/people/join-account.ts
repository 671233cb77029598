/**
 * How people come in: by a link that is good once, made by somebody who may. Whoever opens it first names themselves and
 * is then asked for a passkey; who signs in already only says yes. What went by e-mail proves the address, and is for whose
 * it is. What somebody handed over proves nothing: it is for whoever opens it, who is nobody elsewhere by it
 * (docs/decisions/0137-a-person-is-who-has-proven-the-address.md).
 */
import type { Db, Tx } from '../db/database.ts';
import { type Actor, isPersonActor, personActor, personIdOf } from '../http/actor.ts';
import { present } from '../lib/assert.ts';
import { addMs, type Clock, hours, minutes } from '../lib/clock.ts';
import { newId } from '../lib/ids.ts';
import { insertAudit, lockMerchant } from '../merchants/merchant-store.ts';
import { operatorId } from './audit-sign-in.ts';
import { mailLink } from './mail-link.ts';
import { noteNewHand } from './new-hand.ts';
import {
  deleteFirstLinks,
  deleteInvitationsFor,
  deleteRecovery,
  findLink,
  insertLink,
  type LinkPurpose,
  type OneTimeLink,
  useUpLink,
} from './one-time-link-store.ts';
import { addressTaken, alreadyMember, emailTaken, linkNotGood, linkNotYetGood, onlyOwners } from './people-errors.ts';
import { type Person, readEmail, readName } from './person.ts';
import {
  findPerson,
  findProvenPerson,
  findRole,
  insertPerson,
  lockOwners,
  lockPerson,
  saveMembership,
  saveProof,
} from './person-store.ts';
import { proveSignUp } from './prove-sign-up.ts';
import { grantOf, type Role, type StaffRole } from './roles.ts';
import { hashOf, newToken, type Session } from './session.ts';
import { chooseAccount, letInAgain } from './session-store.ts';
import { openSession, type SignedIn, type Visitor } from './sign-in.ts';
import { findStaffRole, hasStaff, lockStaff, saveStaff } from './staff-store.ts';
import { tellHands } from './tell-hands.ts';

export type PeopleDeps = { readonly db: Db; readonly clock: Clock };

export const linkMs: Readonly<Record<LinkPurpose, number>> = {
  join: hours(24 * 7),
  'sign-in': minutes(15),
  recover: hours(48),
  'sign-up': hours(24),
  prove: hours(24),
};

/** The sandbox's first link is printed in a terminal: it is good for a moment. */
const firstLinkMs = minutes(30);

export type Invitation = {
  readonly email: string | null;
  readonly merchantId: string | null;
  readonly role: Role | null;
  readonly staffRole: StaffRole | null;
};

/** The token is returned here and never again. */
export async function invite(deps: PeopleDeps, invitation: Invitation, madeBy: Actor): Promise<string> {
  const now = deps.clock.now();
  const { merchantId, role } = invitation;
  const email = invitation.email === null ? null : readEmail(invitation.email);
  const token = newToken();
  await deps.db.begin(async (tx) => {
    if (merchantId !== null) await demandMayGive(tx, merchantId, role, madeBy);
    await deleteInvitationsFor(tx, merchantId, email);
    await insertLink(tx, hashOf(token), handedOver(newLink({ ...invitation, email }, 'join', madeBy, now)));
    const detail = { email, role, staffRole: invitation.staffRole };
    if (merchantId !== null)
      await insertAudit(tx, { merchantId, at: now, actor: madeBy, action: 'person.invited', detail });
    else if (invitation.staffRole !== null && email !== null) {
      const news = { what: 'invited' as const, about: email, role: invitation.staffRole };
      await tellHands(tx, news, { personId: null, actor: madeBy, now });
    }
  });
  return token;
}

export async function inviteByEmail(
  deps: PeopleDeps,
  invitation: { readonly email: string; readonly merchantId: string; readonly role: Role; readonly language: string },
  madeBy: Actor,
): Promise<void> {
  const now = deps.clock.now();
  const { merchantId, role, language } = invitation;
  const email = readEmail(invitation.email);
  await deps.db.begin(async (tx) => {
    await demandMayGive(tx, merchantId, role, madeBy);
    await inviteIn(tx, { email, merchantId, role, language }, { madeBy, now, isByEmail: true });
  });
}

/** In the transaction of whoever decides it. The token is returned where no e-mail carries it, here and never again. */
export async function inviteIn(
  tx: Tx,
  invitation: { readonly email: string; readonly merchantId: string; readonly role: Role; readonly language: string },
  by: {
    readonly madeBy: Actor;
    readonly now: Date;
    readonly isByEmail: boolean;
    readonly approvedBy?: Actor;
    /** Worth nothing once somebody owns the account. */
    readonly isFirstOwner?: boolean;
    /** Left out: at once. */
    readonly goodFrom?: Date;
  },
): Promise<string | null> {
  const { email, merchantId, role } = invitation;
  const { madeBy, now, approvedBy, goodFrom = now, isFirstOwner = false } = by;
  const token = by.isByEmail ? null : newToken();
  await deleteInvitationsFor(tx, merchantId, email);
  const made = newLink({ email, merchantId, role, staffRole: null }, 'join', madeBy, now);
  const expiresAt = addMs(made.expiresAt, goodFrom.getTime() - now.getTime());
  const link = { ...made, goodFrom, expiresAt, isFirstOwner };
  if (token === null) await mailLink(tx, link, invitation.language);
  else await insertLink(tx, hashOf(token), handedOver(link));
  const detail = { email, role, ...(approvedBy && { approvedBy }) };
  await insertAudit(tx, { merchantId, at: now, actor: madeBy, action: 'person.invited', detail });
  return token;
}

/** Until the transaction ends nobody becomes the first one. */
export async function isOwned(tx: Tx, merchantId: string): Promise<boolean> {
  await lockMerchant(tx, merchantId);
  return (await lockOwners(tx, merchantId)).length > 0;
}

/** Only owners make owners. */
export async function demandMayGive(tx: Tx, merchantId: string, role: Role | null, giver: Actor): Promise<void> {
  if (role !== 'owner' || giver === 'operator' || !giver.startsWith('person:')) return;
  if ((await findRole(tx, merchantId, giver.slice('person:'.length))) !== 'owner') throw onlyOwners();
}

/**
 * Whether whoever said so may still let somebody in with this role. For what is carried out later: until the transaction
 * ends, nobody puts them out.
 */
export async function mayLetIn(tx: Tx, merchantId: string, madeBy: Actor, role: Role | undefined): Promise<boolean> {
  await lockMerchant(tx, merchantId);
  if (!isPersonActor(madeBy)) return true;
  const own = await findRole(tx, merchantId, personIdOf(madeBy));
  return own !== undefined && grantOf('people', own) !== 'no' && (role !== 'owner' || own === 'owner');
}

/**
 * For the first person of a sandbox: printed at every start until somebody is staff. Earlier ones are worth nothing then.
 * Null: somebody is.
 */
export async function inviteFirstPerson(deps: PeopleDeps, merchantId: string): Promise<string | null> {
  if (await hasStaff(deps.db)) return null;
  const now = deps.clock.now();
  const token = newToken();
  const link = newLink({ email: null, merchantId, role: 'owner', staffRole: 'operator' }, 'join', 'operator', now);
  await deps.db.begin(async (tx) => {
    await deleteFirstLinks(tx);
    await insertLink(tx, hashOf(token), handedOver({ ...link, expiresAt: addMs(now, firstLinkMs) }));
  });
  return token;
}

export const newLink = (
  { email, merchantId, role, staffRole }: Invitation,
  purpose: LinkPurpose,
  madeBy: Actor,
  now: Date,
): OneTimeLink => ({
  purpose,
  email,
  merchantId,
  role,
  staffRole,
  madeBy,
  browserHash: null,
  isProof: false,
  personId: null,
  isFirstOwner: false,
  createdAt: now,
  goodFrom: now,
  expiresAt: addMs(now, linkMs[purpose]),
});

/** What is shown to whoever made it proves nothing, unless that is the operator at the command line, whose word it is. */
export const handedOver = (link: OneTimeLink): OneTimeLink => ({ ...link, isProof: link.madeBy === 'operator' });

/**
 * Whom a link can be for, as far as it says so. `owner`: only who has proven the address. `anybody`: whoever opens it, as
 * somebody new, or as who is signed in.
 */
export type LinkReading = OneTimeLink & { readonly isFor: 'owner' | 'anybody' };

/** What a link is for, before it is used. */
export async function readLink(deps: PeopleDeps, token: string): Promise<LinkReading> {
  const now = deps.clock.now();
  const link = await findLink(deps.db, hashOf(token), now);
  if (!link || link.purpose === 'sign-in') throw linkNotGood();
  if (now < link.goodFrom) throw linkNotYetGood(link.goodFrom);
  const isOwned = link.isProof && link.email !== null && (await findProvenPerson(deps.db, link.email)) !== undefined;
  return { ...link, isFor: isOwned || link.purpose === 'prove' ? 'owner' : 'anybody' };
}

/** Whether somebody who is signed in may say yes to it. */
export const isFor = ({ isProof, email, personId, purpose }: OneTimeLink, person: Person): boolean => {
  if (purpose === 'prove') return personId === person.id;
  return isProof ? email === person.email : true;
};

/** Somebody new. The session can set up how to sign in, and nothing else before that where the role is a strong one. */
export async function joinAsNew(
  deps: PeopleDeps,
  given: { readonly token: string; readonly email: string; readonly name: string; readonly language: string },
  visitor: Visitor,
): Promise<SignedIn> {
  const now = deps.clock.now();
  const name = readName(given.name);
  return deps.db.begin(async (tx) => {
    const link = await useUpJoiningLink(tx, given.token, now);
    if (link.purpose === 'prove') throw linkNotGood();
    const email = link.email ?? readEmail(given.email);
    const person = { id: newId(), email, name, language: given.language, isProven: link.isProof };
    if (!(await insertPerson(tx, person, now))) throw emailTaken();
    await carryOutLink(tx, link, person.id, now);
    return openSession(deps, tx, person.id, 'link', visitor);
  });
}

async function useUpJoiningLink(tx: Tx, token: string, now: Date): Promise<OneTimeLink> {
  const hash = hashOf(token);
  const seen = await findLink(tx, hash, now);
  // Before the row of the link, which whoever writes the next invitation deletes under this lock.
  if (seen?.isFirstOwner && seen.merchantId !== null && (await isOwned(tx, seen.merchantId))) throw linkNotGood();
  const link = await useUpLink(tx, hash, now);
  if (!link || !bringsIn(link)) throw linkNotGood();
  return link;
}

const bringsIn = ({ purpose }: OneTimeLink): boolean => purpose !== 'sign-in' && purpose !== 'recover';

/** Somebody who signs in already: by what was mailed whose address it is, by what was handed over anybody. Gives what it was for. */
export async function joinAsKnown(deps: PeopleDeps, session: Session, token: string): Promise<LinkPurpose> {
  const now = deps.clock.now();
  return deps.db.begin(async (tx) => {
    await lockPerson(tx, session.personId);
    const link = await useUpJoiningLink(tx, token, now);
    const person = await findPerson(tx, session.personId);
    if (link.email === null || !person || !isFor(link, person)) throw linkNotGood();
    if (link.isProof && !person.isProven && !(await saveProof(tx, person.id, link.email, now))) throw addressTaken();
    // Who made a way back in for somebody of one account has none into the next. Nobody needs it: this is somebody who signs in.
    await deleteRecovery(tx, person.id);
    await carryOutLink(tx, link, person.id, now);
    if (link.staffRole !== null) await letInAgain(tx, session.id, operatorId);
    if (link.merchantId === null) return link.purpose;
    await letInAgain(tx, session.id, link.merchantId);
    await chooseAccount(tx, session.id, link.merchantId);
    return link.purpose;
  });
}

async function carryOutLink(tx: Tx, link: OneTimeLink, personId: string, now: Date): Promise<void> {
  const { merchantId, role, staffRole } = link;
  if (link.purpose === 'sign-up') await proveSignUp(tx, link, personId);
  if (staffRole !== null) await joinStaff(tx, { personId, role: staffRole, invitedBy: link.madeBy }, now);
  if (merchantId === null || role === null) return;
  // A role is changed by who may change it, not by an invitation: an admin's would make less of an owner.
  if ((await findRole(tx, merchantId, personId)) !== undefined) throw alreadyMember();
  await saveMembership(tx, { merchantId, personId, role }, now);
  const detail = { person: personId, role, invitedBy: link.madeBy };
  await insertAudit(tx, { merchantId, at: now, actor: personActor(personId), action: 'person.joined', detail });
  await noteNewHand(tx, { merchantId, personId, now });
}

async function joinStaff(
  tx: Tx,
  { personId, role, invitedBy }: { readonly personId: string; readonly role: StaffRole; readonly invitedBy: Actor },
  now: Date,
): Promise<void> {
  await lockStaff(tx);
  // A role is changed by who may change it, not by an invitation; the operator's command may do all.
  if (invitedBy !== 'operator' && (await findStaffRole(tx, personId)) !== undefined) throw alreadyMember();
  await saveStaff(tx, personId, role, now);
  const entry = { merchantId: operatorId, at: now, actor: personActor(personId), action: 'staff.joined' };
  await insertAudit(tx, { ...entry, detail: { role, invitedBy } });
  const { email } = present(await findPerson(tx, personId), 'whoever joins');
  await tellHands(tx, { what: 'joined', about: email, role }, { personId, actor: invitedBy, now });
}
