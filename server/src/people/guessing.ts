/**
 * Whoever guesses waits, and nobody else. Failures are counted in the database, so that asking many processes does not help:
 * of one network (IPv6 by its /64) about one person, from the fifth on a wait that doubles up to a quarter of an hour; of one
 * network about all people. So somebody who guesses elsewhere holds up no one. Only after many failures from wherever is a
 * password refused from browsers in which this person was never signed in: there a passkey goes on, and a link by e-mail, each
 * counted apart. A browser that is known counts by itself alone (docs/decisions/0139-who-guesses-waits.md).
 */
import type { Db, Query } from '../db/database.ts';
import { countedAddress } from '../http/client-address.ts';
import { present } from '../lib/assert.ts';
import { addMs, hours, minutes } from '../lib/clock.ts';
import { type Failures, forgetFailures, lockFailures, saveFailures, takeBackFailure } from './challenge-store.ts';
import { tooManyElsewhere, waitBeforeTrying } from './people-errors.ts';

/** From one network (or one known browser) about one subject; from one network about all of them. */
const freeFailures = { here: 4, network: 49 } as const;
/** From all unknown browsers together, about one subject. */
export const mostFromElsewhere = 50;
const longestMs = minutes(15);
/** After a day without a failure the count begins anew. */
export const rememberMs = hours(24);

/** Pure: how long after the last failure nothing is tried. */
export const waitMs = (failures: number, free: number): number =>
  failures <= free ? 0 : Math.min(longestMs, 1000 * 2 ** Math.min(failures - free - 1, 20));

/** Pure: how many failures still count. */
export const countedFailures = ({ failures, lastAt }: Failures, now: Date): number =>
  now >= addMs(lastAt, rememberMs) ? 0 : failures;

/**
 * How the networks around one begin, as they are written: IPv4 by its /24, IPv6 by its /48. One customer of a provider has
 * that much; who has less shares it with few.
 */
export const neighbourhoodOf = (network: string): string =>
  network.includes(':')
    ? `${network.split(':').slice(0, 3).join(':')}:`
    : network.slice(0, network.lastIndexOf('.') + 1);

export type Attempt = {
  /** What is guessed, and about whom: a password, a code, a link. */
  readonly subject: string;
  readonly address: string;
  /** A browser in which this person was all the way in before, by the hash of its cookie; null: an unknown one. */
  readonly knownBrowser?: Buffer | null;
};

/** What is longer than an address can be is counted too, by its beginning. */
function subjectsOf({ subject: given, address, knownBrowser = null }: Attempt) {
  const subject = given.slice(0, 300);
  if (knownBrowser !== null) return { here: `${subject} in ${knownBrowser.toString('base64url')}` };
  const network = countedAddress(address);
  return { here: `${subject} from ${network}`, network: `address ${network}`, everywhere: subject };
}

/**
 * Counts the attempt as a failure before it is made, so that a thousand at once are not all the first one. `succeeded`
 * takes it back.
 */
export async function takeAttempt(db: Db, attempt: Attempt, now: Date): Promise<void> {
  const subjects = subjectsOf(attempt);
  await db.begin(async (tx) => {
    const known = await lockFailures(tx, Object.values(subjects), now);
    const counted = Object.entries(subjects).map(([kind, subject]) => {
      const stored = present(known.get(subject), 'the row that was locked');
      return {
        kind: kind as keyof typeof subjects,
        subject,
        lastAt: stored.lastAt,
        before: countedFailures(stored, now),
      };
    });
    const waits = counted.map(({ kind, lastAt, before }) => {
      if (kind === 'everywhere') return 0;
      return addMs(lastAt, waitMs(before, freeFailures[kind])).getTime() - now.getTime();
    });
    const leftMs = Math.max(...waits);
    if (leftMs > 0) throw waitBeforeTrying(Math.ceil(leftMs / 1000));
    if (counted.some(({ kind, before }) => kind === 'everywhere' && before >= mostFromElsewhere))
      throw tooManyElsewhere();
    for (const { subject, before } of counted) await saveFailures(tx, subject, { failures: before + 1, lastAt: now });
  });
}

/**
 * The attempt was none. Earlier ones from here are forgotten only for who is all the way in: somebody who knows the password
 * could otherwise guess codes for ever, with the password in between. What came from elsewhere goes on counting: else whoever
 * guesses there would begin anew each time that the right person signs in.
 */
export async function succeeded(
  query: Query,
  attempt: Attempt,
  { isAllTheWayIn }: { readonly isAllTheWayIn: boolean },
): Promise<void> {
  const { here, ...others } = subjectsOf(attempt);
  await (isAllTheWayIn ? forgetFailures(query, here) : takeBackFailure(query, here));
  for (const subject of Object.values(others)) await takeBackFailure(query, subject);
}
