/** What is over: sessions, links, challenges, failures that nobody counts any more, requests for accounts. */
import type { Db } from '../db/database.ts';
import { addMs, hours } from '../lib/clock.ts';
import { forgetOldChallenges, forgetOldFailures } from './challenge-store.ts';
import { forgetOldBrowsers } from './credential-store.ts';
import { rememberMs } from './guessing.ts';
import { forgetOldLinks } from './one-time-link-store.ts';
import { longestSession } from './session.ts';
import { forgetOldSessions } from './session-store.ts';
import { forgetSignUps } from './sign-up-store.ts';

/** A browser in which nobody signed in for so long is an unknown one. */
const knownMs = hours(24 * 180);

/** The link works for a day, and its e-mail may have been late. */
const unprovenMs = hours(48);

export async function forgetOldSignIns(db: Db, now: Date): Promise<void> {
  const { idleMs, mostMs } = longestSession;
  await Promise.all([
    forgetOldSessions(db, addMs(now, -idleMs), addMs(now, -mostMs)),
    forgetOldLinks(db, addMs(now, -hours(24 * 30))),
    forgetOldChallenges(db, addMs(now, -hours(1))),
    forgetOldFailures(db, addMs(now, -rememberMs)),
    forgetOldBrowsers(db, addMs(now, -knownMs)),
    forgetSignUps(db, ['ASKED'], addMs(now, -unprovenMs)),
    forgetSignUps(db, ['WAITING', 'APPROVED', 'REFUSED'], addMs(now, -hours(24 * 30))),
  ]);
}
