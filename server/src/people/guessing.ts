/**
 * Whoever guesses waits. Failures are counted in the database, so that asking many processes does not help: per e-mail
 * address, from the fifth on a wait that doubles up to a quarter of an hour; per network address, IPv6 by its /64, for
 * those who try one password with many e-mail addresses. A passkey cannot be guessed and is never held up.
 */
import type { Db, Query } from '../db/database.ts';
import { countedAddress } from '../http/client-address.ts';
import { present } from '../lib/assert.ts';
import { addMs, hours, minutes } from '../lib/clock.ts';
import { forgetFailures, lockFailures, saveFailures, takeBackFailure } from './challenge-store.ts';
import { waitBeforeTrying } from './people-errors.ts';

const freeFailures = { email: 4, address: 49 } as const;
const longestMs = minutes(15);
/** After a day without a failure the count begins anew. */
export const rememberMs = hours(24);

/** Pure: how long after the last failure nothing is tried. */
export const waitMs = (failures: number, free: number): number =>
  failures <= free ? 0 : Math.min(longestMs, 1000 * 2 ** Math.min(failures - free - 1, 20));

/**
 * How the networks around one begin, as they are written: IPv4 by its /24, IPv6 by its /48. One customer of a provider has
 * that much; who has less shares it with few.
 */
export const neighbourhoodOf = (network: string): string =>
  network.includes(':') ? `${network.split(':').slice(0, 3).join(':')}:` : network.replace(/[^.]*$/, '');

/** What is longer than an address can be is counted too, by its beginning. */
const subjectsOf = (email: string, address: string) => ({
  email: `email ${email.slice(0, 254)}`,
  address: `address ${countedAddress(address)}`,
});

/**
 * Counts the attempt as a failure before it is made, so that a thousand at once are not all the first one. `succeeded`
 * takes it back.
 */
export async function takeAttempt(db: Db, email: string, address: string, now: Date): Promise<void> {
  const subjects = subjectsOf(email, address);
  await db.begin(async (tx) => {
    const known = await lockFailures(tx, Object.values(subjects), now);
    const counted = (['email', 'address'] as const).map((kind) => {
      const subject = subjects[kind];
      const { failures, lastAt } = present(known.get(subject), 'the row that was locked');
      const isForgotten = now >= addMs(lastAt, rememberMs);
      const before = isForgotten ? 0 : failures;
      const goodFrom = addMs(lastAt, waitMs(before, freeFailures[kind]));
      return { subject, failures: before + 1, lastAt: now, leftMs: goodFrom.getTime() - now.getTime() };
    });
    const leftMs = Math.max(...counted.map((each) => each.leftMs));
    if (leftMs > 0) throw waitBeforeTrying(Math.ceil(leftMs / 1000));
    for (const { subject, failures, lastAt } of counted) await saveFailures(tx, subject, { failures, lastAt });
  });
}

/**
 * The attempt was none. All earlier failures are forgotten only by who is all the way in: somebody who knows the password
 * could otherwise guess codes for ever, with the password in between.
 */
export async function succeeded(
  query: Query,
  { email, address, isAllTheWayIn }: { email: string; address: string; isAllTheWayIn: boolean },
): Promise<void> {
  const subjects = subjectsOf(email, address);
  await (isAllTheWayIn ? forgetFailures(query, subjects.email) : takeBackFailure(query, subjects.email));
  await takeBackFailure(query, subjects.address);
}
