/** Everybody can leave an account by themselves, and whatever they do elsewhere goes on. Its last owner cannot: nobody would be left. */
import type { Db } from '../db/database.ts';
import { personActor } from '../http/actor.ts';
import type { Clock } from '../lib/clock.ts';
import { notFound } from '../lib/errors.ts';
import { insertAudit, lockMerchant } from '../merchants/merchant-store.ts';
import { endWhatTheyBegan } from './change-member.ts';
import { saveLostApprover } from './lost-approver-store.ts';
import { lastOwner } from './people-errors.ts';
import { deleteMembership, lockOwners, membersOf } from './person-store.ts';
import { canApprove } from './second-approver.ts';

export async function leaveAccount(
  { db, clock }: { readonly db: Db; readonly clock: Clock },
  { merchantId, personId }: { readonly merchantId: string; readonly personId: string },
): Promise<void> {
  const now = clock.now();
  await db.begin(async (tx) => {
    await lockMerchant(tx, merchantId);
    const owners = await lockOwners(tx, merchantId);
    const self = (await membersOf(tx, merchantId)).find((each) => each.personId === personId);
    if (!self) throw notFound('account', merchantId);
    if (owners.length === 1 && owners.includes(personId)) throw lastOwner();
    // Who is left alone by it waits as if somebody had been put out: it may not have been their own wish.
    if (canApprove(self)) await saveLostApprover(tx, merchantId, now);
    await deleteMembership(tx, merchantId, personId);
    await endWhatTheyBegan(tx, { merchantId, personId }, now);
    const actor = personActor(personId);
    await insertAudit(tx, { merchantId, at: now, actor, action: 'person.left', detail: {} });
  });
}
