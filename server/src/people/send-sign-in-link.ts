/**
 * A link in place of the password. Whether there is such a person is not asked here but when the e-mail is written: the
 * answer, and the time that it takes, are the same. Each request is counted like an attempt to sign in, so that nobody
 * fills another one's mailbox.
 */
import { enqueue } from '../jobs/enqueue.ts';
import { takeAttempt } from './guessing.ts';
import type { PeopleDeps } from './join-account.ts';
import { readEmail } from './person.ts';
import { hashOf } from './session.ts';

export async function sendSignInLink(
  { db, clock }: PeopleDeps,
  given: { readonly email: string; readonly browserToken: string },
  address: string,
): Promise<void> {
  const email = readEmail(given.email);
  const now = clock.now();
  await takeAttempt(db, email, address, now);
  const browserHash = hashOf(given.browserToken).toString('hex');
  const payload = { kind: 'sign-in' as const, email, browserHash };
  await db.begin((tx) => enqueue(tx, [{ name: 'person.email', payload, runAt: now }]));
}
