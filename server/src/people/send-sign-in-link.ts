/**
 * A link in place of the password. Whether there is such a person is asked once more when the e-mail is written: the answer
 * here, and the time that it takes, are the same. Each request is counted like an attempt to sign in, so that nobody fills
 * another one's mailbox; apart from passwords, so that whoever guesses those does not keep the links away.
 */
import { enqueue } from '../jobs/enqueue.ts';
import { takeAttempt } from './guessing.ts';
import type { PeopleDeps } from './join-account.ts';
import { readEmail } from './person.ts';
import { findProvenPerson } from './person-store.ts';
import { attemptAt, type Visitor } from './sign-in.ts';

export async function sendSignInLink(
  { db, clock }: PeopleDeps,
  given: { readonly email: string; readonly browser: Buffer },
  visitor: Visitor,
): Promise<void> {
  const email = readEmail(given.email);
  const now = clock.now();
  const personId = (await findProvenPerson(db, email)) ?? null;
  await takeAttempt(db, await attemptAt(db, 'link', personId, email, visitor), now);
  const browserHash = given.browser.toString('hex');
  const payload = { kind: 'sign-in' as const, email, browserHash };
  await db.begin((tx) => enqueue(tx, [{ name: 'person.email', payload, runAt: now }]));
}
