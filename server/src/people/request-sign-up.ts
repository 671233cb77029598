/**
 * Somebody asks for an account of their own. The answer is the same whether the address is known or not, and whether it
 * has a request already: only its mailbox learns something. What is counted is counted alike for all of them.
 */
import { countedAddress } from '../http/client-address.ts';
import { enqueue } from '../jobs/enqueue.ts';
import { addMs, minutes } from '../lib/clock.ts';
import { newId } from '../lib/ids.ts';
import { neighbourhoodOf, takeAttempt } from './guessing.ts';
import type { PeopleDeps } from './join-account.ts';
import { signUpsFromHere, signUpsFull } from './people-errors.ts';
import { readBusiness, readEmail } from './person.ts';
import { waitingSignUpsMax } from './prove-sign-up.ts';
import { signUpStates } from './sign-up-state.ts';
import {
  countOpenSignUps,
  countWaitingSignUps,
  findOpenSignUp,
  insertSignUp,
  lockSignUps,
  updateSignUp,
} from './sign-up-store.ts';

/** Of one address, IPv6 by its /64; and of all around it. */
export const openPerNetworkMax = 5;
export const openNearbyMax = 20;
/** Once so many wait, a network has one, and those around it four: the rest is for people who come from elsewhere. */
const manyWaiting = waitingSignUpsMax / 2;
const openWhenMany = { network: 1, nearby: 4 } as const;
const mailAgainMs = minutes(10);

export async function requestSignUp(
  { db, clock }: PeopleDeps,
  given: { readonly email: string; readonly business: string; readonly language: string },
  address: string,
): Promise<void> {
  const email = readEmail(given.email);
  const business = readBusiness(given.business);
  const now = clock.now();
  const network = countedAddress(address);
  // Counted apart: else whoever asks for accounts in somebody's name would keep them from signing in.
  await takeAttempt(db, { subject: `sign-up ${email}`, address }, now);
  await db.begin(async (tx) => {
    await lockSignUps(tx);
    const waiting = await countWaitingSignUps(tx);
    if (waiting >= waitingSignUpsMax) throw signUpsFull();
    const most = waiting < manyWaiting ? { network: openPerNetworkMax, nearby: openNearbyMax } : openWhenMany;
    const there = await countOpenSignUps(tx, { network, nearby: neighbourhoodOf(network) }, email);
    if (there.network >= most.network || there.nearby >= most.nearby) throw signUpsFromHere();
    const open = await findOpenSignUp(tx, email);
    const isProven = open !== undefined && !signUpStates.can(open.state, 'prove');
    const isMailed = !isProven && (open === undefined || now >= addMs(open.askedAt, mailAgainMs));
    if (open === undefined)
      await insertSignUp(tx, { id: newId(), email, business, network, state: 'ASKED', askedAt: now });
    // It counts where it was asked for last. Else the limit would tell, by what it leaves, which addresses have a request.
    else
      await updateSignUp(tx, {
        id: open.id,
        // What somebody has proven, nobody else renames, nor what a message has just been sent about.
        business: isMailed ? business : open.business,
        network,
        askedAt: isMailed ? now : open.askedAt,
      });
    if (!isMailed) return;
    const payload = { kind: 'sign-up' as const, email, language: given.language };
    await enqueue(tx, [{ name: 'person.email', payload, runAt: now }]);
  });
}
