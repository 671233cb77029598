/**
 * Somebody who can approve in an account, or ask for what others approve, and whom the others do not know as that yet: they
 * joined, got a larger role, were let in anew or added a passkey. For a day nothing is approved by them, nor what they asked
 * for; all others who approve are written to at once and see it on Home, so that they can stop what waits.
 */
import type { Query, Tx } from '../db/database.ts';
import { enqueue } from '../jobs/enqueue.ts';
import { addMs, hours } from '../lib/clock.ts';
import { type Member, membershipsOf, membersOf, restartHand } from './person-store.ts';
import { grantOf, type Role } from './roles.ts';

export const newHandMs = hours(24);

export const approves = (role: Role): boolean => grantOf('approve', role) !== 'no';

/**
 * Whether somebody with this role approves, or asks for what waits for approval: who is there under another name as well would
 * be both. Support is one, too: what is small for them may be above the limit from which on another approves.
 */
export const isHand = (role: Role): boolean =>
  approves(role) || grantOf('moveMoney', role) !== 'no' || grantOf('refund', role) !== 'no';

/** From when on they count. */
export const handFrom = ({ handSince }: Pick<Member, 'handSince'>): Date => addMs(handSince, newHandMs);

export async function newHandsOf(query: Query, merchantId: string, now: Date): Promise<Member[]> {
  return (await membersOf(query, merchantId)).filter((each) => isHand(each.role) && now < handFrom(each));
}

/** In one account: they joined, or got a role that makes them one. */
export async function noteNewHand(
  tx: Tx,
  { merchantId, personId, now }: { readonly merchantId: string; readonly personId: string; readonly now: Date },
): Promise<void> {
  await restartHand(tx, personId, merchantId, now);
  const members = await membersOf(tx, merchantId);
  const self = members.find((each) => each.personId === personId);
  if (!self || !isHand(self.role)) return;
  const told = members.filter((each) => each.personId !== personId && approves(each.role));
  const from = handFrom({ handSince: now }).toISOString();
  await enqueue(
    tx,
    told.map((each) => ({
      name: 'person.email' as const,
      payload: { kind: 'new-hand' as const, personId: each.personId, merchantId, about: personId, from },
      runAt: now,
    })),
  );
}

/** Everywhere: what opens for them is new. */
export async function noteNewHandEverywhere(tx: Tx, personId: string, now: Date): Promise<void> {
  for (const { merchantId } of await membershipsOf(tx, personId)) await noteNewHand(tx, { merchantId, personId, now });
}
