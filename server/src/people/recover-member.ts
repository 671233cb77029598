/**
 * An owner or admin lets somebody of the account in anew who has lost every way to sign in. The link goes by e-mail to the
 * address that this person has proven, and nobody else ever sees it: whoever asked for it could be them otherwise. Only for who
 * belongs to this account alone: what opens one account must not be for another to give. Whoever may move money waits a day,
 * all who could be harmed are told, and signing in by any other way ends it (`end-recovery`).
 */
import type { Query, Tx } from '../db/database.ts';
import { type Actor, personActor } from '../http/actor.ts';
import { enqueue } from '../jobs/enqueue.ts';
import { present } from '../lib/assert.ts';
import { addMs, hours } from '../lib/clock.ts';
import { notFound } from '../lib/errors.ts';
import { insertAudit, lockMerchant } from '../merchants/merchant-store.ts';
import type { MemberChange } from './change-member.ts';
import { newLink, type PeopleDeps } from './join-account.ts';
import { mailLink } from './mail-link.ts';
import { approves } from './new-hand.ts';
import { deleteRecovery } from './one-time-link-store.ts';
import { belongsElsewhere, notRecoverable, notYourself, onlyOwners } from './people-errors.ts';
import type { Person } from './person.ts';
import { findPerson, findRole, lockOwners, type Membership, membershipsOf, membersOf } from './person-store.ts';
import { grantOf, type Role } from './roles.ts';
import { findStaffRole } from './staff-store.ts';

const waitMs = hours(24);

const mayMoveMoney = (role: Role): boolean => grantOf('moveMoney', role) !== 'no' || grantOf('refund', role) !== 'no';

export async function recoverMember(
  deps: PeopleDeps & { readonly sendsEmail: boolean },
  change: MemberChange,
): Promise<string> {
  const { merchantId, by, personId } = change;
  return deps.db.begin(async (tx) => {
    if (personId === by) throw notYourself();
    const lost = await demandMayDecide(tx, change);
    if (!deps.sendsEmail || !lost.person.isProven) throw notRecoverable();
    if (await isElsewhere(tx, lost)) throw belongsElsewhere();
    await openRecovery(tx, { ...lost, merchantId, madeBy: personActor(by) }, deps.clock.now());
    return lost.person.email;
  });
}

type Lost = { readonly person: Person; readonly memberships: readonly Membership[] };

export const isElsewhere = async (tx: Tx, { person, memberships }: Lost): Promise<boolean> =>
  memberships.length > 1 || (await findStaffRole(tx, person.id)) !== undefined;

/** What is told to the others is enqueued together with the link. */
export async function openRecovery(
  tx: Tx,
  { person, memberships, merchantId, madeBy }: Lost & { readonly merchantId: string; readonly madeBy: Actor },
  now: Date,
): Promise<void> {
  const isAwaited = memberships.some(({ role }) => mayMoveMoney(role));
  const goodFrom = isAwaited ? addMs(now, waitMs) : now;
  await deleteRecovery(tx, person.id);
  const nobody = { email: person.email, merchantId, role: null, staffRole: null };
  const recovery = { ...newLink(nobody, 'recover', madeBy, now), personId: person.id };
  const expiresAt = addMs(recovery.expiresAt, goodFrom.getTime() - now.getTime());
  await mailLink(tx, { ...recovery, goodFrom, expiresAt }, person.language);
  const detail = { person: person.id, goodFrom: goodFrom.toISOString() };
  await insertAudit(tx, { merchantId, at: now, actor: madeBy, action: 'person.recovery_asked', detail });
  if (isAwaited) await announce(tx, merchantId, person, goodFrom, now);
}

async function announce(tx: Tx, merchantId: string, person: Person, goodFrom: Date, now: Date): Promise<void> {
  const told = (await membersOf(tx, merchantId)).filter((each) => approves(each.role) && each.personId !== person.id);
  await enqueue(
    tx,
    told.map(({ personId }) => ({
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
export async function findRecovering(query: Query, merchantId: string, personId: string): Promise<Lost | undefined> {
  const [person, memberships] = [await findPerson(query, personId), await membershipsOf(query, personId)];
  return person && memberships.some((each) => each.merchantId === merchantId) ? { person, memberships } : undefined;
}

async function demandMayDecide(tx: Tx, { merchantId, by, personId }: MemberChange): Promise<Lost> {
  await lockMerchant(tx, merchantId);
  const owners = await lockOwners(tx, merchantId);
  if ((await findRole(tx, merchantId, personId)) === undefined) throw notFound('member', personId);
  if (personId !== by && owners.includes(personId) && !owners.includes(by)) throw onlyOwners();
  return present(await findRecovering(tx, merchantId, personId), 'the member that was locked');
}

/** Only what this account asked for; also the one it is about, who has lost nothing. */
export async function takeBackRecovery({ db, clock }: PeopleDeps, change: MemberChange): Promise<void> {
  const at = clock.now();
  const { merchantId, by, personId } = change;
  await db.begin(async (tx) => {
    await demandMayDecide(tx, change);
    if (!(await deleteRecovery(tx, personId, merchantId))) throw notFound('recovery', personId);
    const [actor, detail] = [personActor(by), { person: personId }];
    await insertAudit(tx, { merchantId, at, actor, action: 'person.recovery_taken_back', detail });
  });
}
