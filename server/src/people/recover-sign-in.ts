/**
 * For who has lost every way to sign in: a link that counts like a printed code. Whoever uses it begins with nothing that was
 * there before: no passkey, password, app, printed code or link of theirs opens anything any more, and no session is left. As a
 * hand they are as new, wherever they belong, as somebody who has just joined: whoever has the mailbox may have the link.
 */
import { type Actor, personActor } from '../http/actor.ts';
import { notFound } from '../lib/errors.ts';
import { auditSignIn, auditWhereverTheyAre } from './audit-sign-in.ts';
import { deleteCredentials } from './credential-store.ts';
import { newLink, type PeopleDeps } from './join-account.ts';
import { noteNewHandEverywhere } from './new-hand.ts';
import { deleteLinksFor, deleteRecovery, insertLink, useUpLink } from './one-time-link-store.ts';
import { linkNotGood } from './people-errors.ts';
import { normalizedEmail } from './person.ts';
import { findPerson, findPersonId, lockPerson } from './person-store.ts';
import { rememberLostPasskey } from './second-approver.ts';
import { hashOf, newToken } from './session.ts';
import { deleteSessionsOf } from './session-store.ts';
import { openSession, type SignedIn, type Visitor } from './sign-in.ts';
import { findStaffRole, restartStaffRole } from './staff-store.ts';
import { tellHands } from './tell-hands.ts';

/** By the name that the person signs in by. The token is returned here and never again. */
export async function makeRecoveryLink(deps: PeopleDeps, given: string, madeBy: Actor): Promise<string> {
  const now = deps.clock.now();
  const name = normalizedEmail(given);
  const token = newToken();
  await deps.db.begin(async (tx) => {
    const personId = await findPersonId(tx, name);
    if (personId === undefined) throw notFound('person', name);
    await deleteRecovery(tx, personId);
    const nobody = { email: name, merchantId: null, role: null, staffRole: null };
    await insertLink(tx, hashOf(token), { ...newLink(nobody, 'recover', madeBy, now), personId });
    const action = 'person.recovery_asked';
    await auditWhereverTheyAre(tx, personId, { at: now, actor: madeBy, action, detail: { person: personId } });
    if ((await findStaffRole(tx, personId)) === undefined) return;
    await tellHands(tx, { what: 'recovery-asked', about: name, role: null }, { personId, actor: madeBy, now });
  });
  return token;
}

/** Whoever made it. Seen by all accounts of that person. */
export async function takeBackRecoveryLink(deps: PeopleDeps, given: string, actor: Actor): Promise<void> {
  const at = deps.clock.now();
  const name = normalizedEmail(given);
  await deps.db.begin(async (tx) => {
    const personId = await findPersonId(tx, name);
    if (personId === undefined || !(await deleteRecovery(tx, personId))) throw notFound('link', name);
    const detail = { person: personId };
    await auditWhereverTheyAre(tx, personId, { at, actor, action: 'person.recovery_taken_back', detail });
  });
}

export async function recoverSignIn(deps: PeopleDeps, token: string, visitor: Visitor): Promise<SignedIn> {
  const now = deps.clock.now();
  return deps.db.begin(async (tx) => {
    const link = await useUpLink(tx, hashOf(token), now);
    // What the previous release made does not say whom it is for.
    if (link?.purpose !== 'recover' || link.personId === null) throw linkNotGood();
    const { personId } = link;
    await lockPerson(tx, personId);
    const person = await findPerson(tx, personId);
    if (!person) throw linkNotGood();
    await deleteSessionsOf(tx, personId, null);
    // Where they approved, nobody becomes alone by that.
    if (person.passkeys > 0) await rememberLostPasskey(tx, personId, now);
    await deleteCredentials(tx, personId);
    // Somebody who read their mail may hold one that was asked for before.
    await deleteLinksFor(tx, person.email, 'sign-in');
    await auditSignIn(tx, personId, 'person.recovered', now);
    await noteNewHandEverywhere(tx, personId, now);
    if (await restartStaffRole(tx, personId, now)) {
      const news = { what: 'recovered' as const, about: person.email, role: null };
      await tellHands(tx, news, { personId, actor: personActor(personId), now });
    }
    return openSession(deps, tx, personId, 'code', visitor);
  });
}
