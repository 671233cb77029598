/**
 * An owner or admin lets somebody of the account in anew who has lost every way to sign in. The link goes to that
 * person's own address, and to nobody else where there is mail. Whoever may move money, in any account, waits a day, and
 * all owners are told: they can take the link back. So does who is of the staff, of whom those are told who move the
 * operator's money.
 */
import type { Query, Tx } from '../db/database.ts';
import { type Actor, personActor } from '../http/actor.ts';
import { enqueue } from '../jobs/enqueue.ts';
import { present } from '../lib/assert.ts';
import { addMs, hours } from '../lib/clock.ts';
import { notFound } from '../lib/errors.ts';
import { insertAudit, lockMerchant } from '../merchants/merchant-store.ts';
import { operatorId } from './audit-sign-in.ts';
import type { MemberChange } from './change-member.ts';
import { newLink, type PeopleDeps } from './join-account.ts';
import { mailLink } from './mail-link.ts';
import { deleteLinksFor, deleteRecovery, insertLink } from './one-time-link-store.ts';
import { belongsElsewhere, notYourself, onlyOwners } from './people-errors.ts';
import type { Person } from './person.ts';
import { findPerson, findRole, lockOwners, type Membership, membershipsOf, membersOf } from './person-store.ts';
import { grantOf, type Role } from './roles.ts';
import { hashOf, newToken } from './session.ts';
import { findStaffRole } from './staff-store.ts';
import { tellHands } from './tell-hands.ts';

const waitMs = hours(24);

const mayMoveMoney = (role: Role): boolean => grantOf('moveMoney', role) !== 'no' || grantOf('refund', role) !== 'no';

export type RecoveryLink = { readonly token: string; readonly goodFrom: Date; readonly email: string };

export async function recoverMemberByEmail(deps: PeopleDeps, change: MemberChange): Promise<string> {
  const { merchantId, by } = change;
  return deps.db.begin(async (tx) => {
    const lost = await demandMayRecover(tx, change);
    await openRecovery(tx, { ...lost, merchantId, madeBy: personActor(by) }, null, deps.clock.now());
    return lost.person.email;
  });
}

/**
 * Without mail the link is shown to whoever made it. Not for somebody who is more than a member of this account: who runs
 * one account would otherwise come into another.
 */
export async function recoverMember(deps: PeopleDeps, change: MemberChange): Promise<RecoveryLink> {
  return deps.db.begin(async (tx) => {
    const { person, memberships } = await demandMayRecover(tx, change);
    const isElsewhere = memberships.length > 1 || (await findStaffRole(tx, person.id)) !== undefined;
    if (isElsewhere) throw belongsElsewhere();
    const token = newToken();
    const asked = { person, memberships, merchantId: change.merchantId, madeBy: personActor(change.by) };
    const goodFrom = await openRecovery(tx, asked, token, deps.clock.now());
    return { token, goodFrom, email: person.email };
  });
}

/** `token`: where it is shown; null: an e-mail carries it. What is told to the owners is enqueued together with the link. */
export async function openRecovery(
  tx: Tx,
  asked: {
    readonly person: Person;
    readonly memberships: readonly Membership[];
    readonly merchantId: string;
    readonly madeBy: Actor;
  },
  token: string | null,
  now: Date,
): Promise<Date> {
  const { person, memberships, merchantId, madeBy } = asked;
  const isStaff = (await findStaffRole(tx, person.id)) !== undefined;
  const concerned = memberships.filter(({ role }) => mayMoveMoney(role));
  const isAwaited = isStaff || concerned.length > 0;
  const goodFrom = isAwaited ? addMs(now, waitMs) : now;
  await deleteLinksFor(tx, person.email, 'recover');
  const recovery = newLink({ email: person.email, merchantId, role: null, staffRole: null }, 'recover', madeBy, now);
  const expiresAt = addMs(recovery.expiresAt, goodFrom.getTime() - now.getTime());
  const link = { ...recovery, goodFrom, expiresAt };
  if (token === null) await mailLink(tx, link, person.language);
  else await insertLink(tx, hashOf(token), link);
  const detail = { person: person.id, goodFrom: goodFrom.toISOString() };
  const told = new Set([merchantId, ...concerned.map((each) => each.merchantId)]);
  for (const each of told) {
    await insertAudit(tx, { merchantId: each, at: now, actor: madeBy, action: 'person.recovery_asked', detail });
    if (isAwaited) await announce(tx, each, person, goodFrom, now);
  }
  if (isStaff) {
    await insertAudit(tx, { merchantId: operatorId, at: now, actor: madeBy, action: 'person.recovery_asked', detail });
    const news = { what: 'recovery-asked' as const, about: person.email, role: null };
    await tellHands(tx, news, { personId: person.id, actor: madeBy, now });
  }
  return goodFrom;
}

async function announce(tx: Tx, merchantId: string, person: Person, goodFrom: Date, now: Date): Promise<void> {
  const owners = (await membersOf(tx, merchantId)).filter(({ role }) => role === 'owner');
  await enqueue(
    tx,
    owners.map(({ personId }) => ({
      name: 'person.email' as const,
      payload: {
        kind: 'recovery-announced' as const,
        personId,
        merchantId,
        lost: person.id,
        goodFrom: goodFrom.toISOString(),
      },
      runAt: now,
    })),
  );
}

/** Undefined: they have left, or were changed, since it was asked for. */
export async function findRecovering(
  query: Query,
  merchantId: string,
  personId: string,
): Promise<{ readonly person: Person; readonly memberships: readonly Membership[] } | undefined> {
  const [person, memberships] = [await findPerson(query, personId), await membershipsOf(query, personId)];
  return person && memberships.some((each) => each.merchantId === merchantId) ? { person, memberships } : undefined;
}

async function demandMayRecover(tx: Tx, { merchantId, by, personId }: MemberChange) {
  await lockMerchant(tx, merchantId);
  const owners = await lockOwners(tx, merchantId);
  if ((await findRole(tx, merchantId, personId)) === undefined) throw notFound('member', personId);
  if (personId === by) throw notYourself();
  if (owners.includes(personId) && !owners.includes(by)) throw onlyOwners();
  return present(await findRecovering(tx, merchantId, personId), 'the member that was locked');
}

/** Whoever could have made it, in any account of that person. */
export async function takeBackRecovery({ db, clock }: PeopleDeps, change: MemberChange): Promise<void> {
  const at = clock.now();
  const { merchantId, by, personId } = change;
  await db.begin(async (tx) => {
    const { person } = await demandMayRecover(tx, change);
    if (!(await deleteRecovery(tx, person.email))) throw notFound('recovery', personId);
    const [actor, detail] = [personActor(by), { person: personId }];
    const isStaff = (await findStaffRole(tx, personId)) !== undefined;
    for (const each of isStaff ? [merchantId, operatorId] : [merchantId])
      await insertAudit(tx, { merchantId: each, at, actor, action: 'person.recovery_taken_back', detail });
  });
}
