/**
 * For who has lost every way to sign in: a link that counts like a printed code. All earlier ones of this person are
 * worth nothing then, and all sessions end when it is used.
 */
import { type Actor, personActor } from '../http/actor.ts';
import { notFound } from '../lib/errors.ts';
import { auditSignIn, auditWhereverTheyAre } from './audit-sign-in.ts';
import { newLink, type PeopleDeps } from './join-account.ts';
import { deleteLinksFor, deleteRecovery, insertLink, useUpLink } from './one-time-link-store.ts';
import { linkNotGood } from './people-errors.ts';
import { normalizedEmail } from './person.ts';
import { findPersonId } from './person-store.ts';
import { hashOf, newToken } from './session.ts';
import { deleteSessionsOf } from './session-store.ts';
import { openSession, type SignedIn, type Visitor } from './sign-in.ts';
import { findStaffRole, restartStaffRole } from './staff-store.ts';
import { tellHands } from './tell-hands.ts';

/** The token is returned here and never again. */
export async function makeRecoveryLink(deps: PeopleDeps, given: string, madeBy: Actor): Promise<string> {
  const now = deps.clock.now();
  const email = normalizedEmail(given);
  const token = newToken();
  await deps.db.begin(async (tx) => {
    const personId = await findPersonId(tx, email);
    if (personId === undefined) throw notFound('person', email);
    await deleteLinksFor(tx, email, 'recover');
    const nobody = { email, merchantId: null, role: null, staffRole: null };
    await insertLink(tx, hashOf(token), newLink(nobody, 'recover', madeBy, now));
    const action = 'person.recovery_asked';
    await auditWhereverTheyAre(tx, personId, { at: now, actor: madeBy, action, detail: { person: personId } });
    if ((await findStaffRole(tx, personId)) === undefined) return;
    await tellHands(tx, { what: 'recovery-asked', about: email, role: null }, { personId, actor: madeBy, now });
  });
  return token;
}

/** Whoever made it. Seen by all accounts of that person. */
export async function takeBackRecoveryLink(deps: PeopleDeps, given: string, actor: Actor): Promise<void> {
  const at = deps.clock.now();
  const email = normalizedEmail(given);
  await deps.db.begin(async (tx) => {
    const personId = await findPersonId(tx, email);
    if (personId === undefined || !(await deleteRecovery(tx, email))) throw notFound('link', email);
    const detail = { person: personId };
    await auditWhereverTheyAre(tx, personId, { at, actor, action: 'person.recovery_taken_back', detail });
  });
}

export async function recoverSignIn(deps: PeopleDeps, token: string, visitor: Visitor): Promise<SignedIn> {
  const now = deps.clock.now();
  return deps.db.begin(async (tx) => {
    const link = await useUpLink(tx, hashOf(token), now);
    if (link?.purpose !== 'recover' || link.email === null) throw linkNotGood();
    const personId = await findPersonId(tx, link.email);
    if (personId === undefined) throw linkNotGood();
    await deleteSessionsOf(tx, personId, null);
    await auditSignIn(tx, personId, 'person.recovered', now);
    // Whoever has the mailbox may have the link: as a hand they are as new as somebody who has just joined.
    if (await restartStaffRole(tx, personId, now)) {
      const news = { what: 'recovered' as const, about: link.email, role: null };
      await tellHands(tx, news, { personId, actor: personActor(personId), now });
    }
    return openSession(deps, tx, personId, 'code', visitor);
  });
}
