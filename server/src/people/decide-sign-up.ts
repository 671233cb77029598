/** The operator's yes or no to somebody who asked for an account. With a yes the account is there, and they own it. */
import type { Tx } from '../db/database.ts';
import { type Actor, personActor } from '../http/actor.ts';
import type { Begin } from '../http/effect.ts';
import { leavingNoTrail } from '../http/trail.ts';
import { enqueue } from '../jobs/enqueue.ts';
import type { Encryption } from '../lib/encryption.ts';
import { notFound } from '../lib/errors.ts';
import { openMerchant } from '../merchants/create-merchant.ts';
import { insertAudit } from '../merchants/merchant-store.ts';
import type { PeopleDeps } from './join-account.ts';
import { deleteRecovery } from './one-time-link-store.ts';
import { signUpNotWaiting } from './people-errors.ts';
import { lockPerson, saveMembership } from './person-store.ts';
import { signUpStates } from './sign-up-state.ts';
import { decideSignUpRow, findSignUp, type SignUp } from './sign-up-store.ts';

type Decided = SignUp & { readonly personId: string };

export async function approveSignUp(
  { db, clock, encryption }: PeopleDeps & { readonly encryption: Encryption },
  id: string,
  actor: Actor,
  begin: Begin<{ readonly merchantId: string; readonly signUp: SignUp }> = (work) => db.begin(work),
): Promise<{ readonly merchantId: string; readonly signUp: SignUp }> {
  const now = clock.now();
  return begin(async (tx) => {
    const signUp = await findToDecide(tx, id, 'approve');
    const { personId, business } = signUp;
    await lockPerson(tx, personId);
    const account = { name: business, detail: { signUp: id } };
    const merchantId = await leavingNoTrail(() => openMerchant(tx, encryption, account, { actor, now }));
    await decide(tx, signUp, 'approve', { merchantId, at: now });
    // Who made a way back in for somebody of one account has none into the next.
    await deleteRecovery(tx, personId);
    await saveMembership(tx, { merchantId, personId, role: 'owner' }, now);
    const detail = { person: personId, role: 'owner', invitedBy: actor };
    const joined = { merchantId, at: now, actor: personActor(personId), action: 'person.joined', detail };
    await leavingNoTrail(() => insertAudit(tx, joined));
    return { merchantId, signUp };
  });
}

export async function refuseSignUp(
  { db, clock }: PeopleDeps,
  id: string,
  begin: Begin<SignUp> = (work) => db.begin(work),
): Promise<SignUp> {
  return begin(async (tx) => {
    const signUp = await findToDecide(tx, id, 'refuse');
    await decide(tx, signUp, 'refuse', { merchantId: null, at: clock.now() });
    return signUp;
  });
}

type Decision = 'approve' | 'refuse';

async function findToDecide(tx: Tx, id: string, decision: Decision): Promise<Decided> {
  const signUp = await findSignUp(tx, id);
  if (!signUp) throw notFound('sign-up', id);
  const { personId, state } = signUp;
  if (!signUpStates.can(state, decision) || personId === null) throw signUpNotWaiting(state);
  return { ...signUp, personId };
}

async function decide(
  tx: Tx,
  { id, personId, business }: Decided,
  decision: Decision,
  { merchantId, at }: { readonly merchantId: string | null; readonly at: Date },
): Promise<void> {
  const move = { from: signUpStates.from(decision), to: signUpStates.to(decision) };
  // Somebody else decided at the same moment: nothing of this stays.
  if (!(await decideSignUpRow(tx, id, move, { merchantId, at }))) throw signUpNotWaiting('decided by now');
  const payload = { kind: 'sign-up-decided' as const, personId, business, isApproved: decision === 'approve' };
  await enqueue(tx, [{ name: 'person.email', payload, runAt: at }]);
}
