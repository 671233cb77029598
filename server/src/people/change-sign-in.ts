/**
 * What somebody signs in with: adding and taking away passkeys, the password, the app, the printed codes. Whatever is
 * taken away or changed ends all other sessions: whoever had it is out. Whatever is added is told this person by e-mail, and
 * a passkey, by which one approves, makes a new hand: it may be of whoever found a browser open.
 */
import type { RegistrationResponseJSON } from '@simplewebauthn/server';
import type { Tx } from '../db/database.ts';
import { personActor } from '../http/actor.ts';
import { enqueue } from '../jobs/enqueue.ts';
import { totpSecretContext } from '../lib/encryption.ts';
import { notFound } from '../lib/errors.ts';
import type { Secret } from '../lib/secret.ts';
import { auditSignIn } from './audit-sign-in.ts';
import { deletePasskey, insertPasskey, replaceCodes, savePassword, saveTotp } from './credential-store.ts';
import { noteNewHandEverywhere } from './new-hand.ts';
import { checkRegistration } from './passkey-ceremony.ts';
import { demandGoodPassword, hashPassword } from './password.ts';
import { codeRefused, lastFactor, passkeyRefused } from './people-errors.ts';
import type { Person } from './person.ts';
import { findPerson, lockPerson, membershipsOf } from './person-store.ts';
import { hashOfCode, newCodes as makeCodes } from './recovery-codes.ts';
import { needsSecondFactor } from './roles.ts';
import { rememberLostPasskey } from './second-approver.ts';
import type { Session } from './session.ts';
import { deleteSessionsOf } from './session-store.ts';
import { proveSession, type SignInDeps } from './sign-in.ts';
import { movesMoney } from './staff-approvers.ts';
import { findStaffRole, restartStaffRole } from './staff-store.ts';
import { tellHands } from './tell-hands.ts';
import { newTotpSecret, totpStep } from './totp.ts';

const labelMax = 60;

/** Also proves who it is: the token of the session changes. */
export async function addPasskey(
  deps: SignInDeps,
  session: Session,
  { answer, label }: { readonly answer: RegistrationResponseJSON; readonly label: string },
): Promise<string> {
  const { personId } = session;
  const made = await checkRegistration(deps, personId, answer);
  const named = label.trim().slice(0, labelMax) || browserName(session.browser);
  return deps.db.begin(async (tx) => {
    await lockPerson(tx, personId);
    const before = await findPerson(tx, personId);
    const isNew = await insertPasskey(tx, { ...made, personId, label: named, createdAt: deps.clock.now() });
    if (!isNew) throw passkeyRefused();
    const now = deps.clock.now();
    await auditSignIn(tx, personId, 'person.passkey_added', now);
    const token = await proveSession(deps, tx, session.id, 'passkey');
    // Who had nothing to sign in with has just come, or was let in anew, and is new as it is.
    const isFirst = before !== undefined && hasNothing(before);
    if (!isFirst || isLetInAnew(session)) await tellOfCredential(tx, personId, 'passkey', now);
    if (!isFirst) await restartHands(tx, personId, now);
    return token;
  });
}

/** By a link for who lost everything, which somebody else may have used. Who joins sets up the first thing without being told of it. */
const isLetInAnew = ({ provedHow }: Session): boolean => provedHow === 'code';

const hasNothing = ({ passkeys, hasPassword, hasTotp, codesLeft }: Person): boolean =>
  passkeys === 0 && codesLeft === 0 && !hasPassword && !hasTotp;

/** In every account, and among the staff. After the session, as where somebody is put out. */
async function restartHands(tx: Tx, personId: string, now: Date): Promise<void> {
  await noteNewHandEverywhere(tx, personId, now);
  const role = await findStaffRole(tx, personId);
  if (role === undefined || !movesMoney(role)) return;
  await restartStaffRole(tx, personId, now);
  const about = (await findPerson(tx, personId))?.email ?? '';
  await tellHands(tx, { what: 'passkey-added', about, role }, { personId, actor: personActor(personId), now });
}

export async function removePasskey(deps: SignInDeps, session: Session, passkeyId: string): Promise<void> {
  const { personId } = session;
  await deps.db.begin(async (tx) => {
    await lockPerson(tx, personId);
    if (!(await deletePasskey(tx, personId, passkeyId))) throw notFound('passkey', passkeyId);
    await demandFactorLeft(tx, personId);
    if ((await findPerson(tx, personId))?.passkeys === 0) await rememberLostPasskey(tx, personId, deps.clock.now());
    await deleteSessionsOf(tx, personId, session.id);
    await auditSignIn(tx, personId, 'person.passkey_removed', deps.clock.now());
  });
}

export async function changePassword(
  deps: SignInDeps,
  session: Session,
  person: Person,
  password: Secret,
): Promise<void> {
  demandGoodPassword(password, person);
  const hash = await hashPassword(password);
  await deps.db.begin(async (tx) => {
    await lockPerson(tx, person.id);
    await savePassword(tx, person.id, hash);
    await deleteSessionsOf(tx, person.id, session.id);
    await auditSignIn(tx, person.id, 'person.password_changed', deps.clock.now());
    if (!hasNothing(person) || isLetInAnew(session))
      await tellOfCredential(tx, person.id, 'password', deps.clock.now());
  });
}

/** The app shows the right code: only then the secret is kept. Also proves who it is. */
export async function setUpTotp(
  deps: SignInDeps,
  session: Session,
  { secret, code }: { readonly secret: Secret; readonly code: string },
): Promise<string> {
  const { personId } = session;
  // As long as we made it: an empty one has codes too, the same for everybody.
  const isWhole = secret.reveal().length === newTotpSecret().reveal().length;
  const step = isWhole ? totpStep(secret, code, deps.clock.now(), null) : null;
  if (step === null) throw codeRefused();
  const sealed = deps.encryption.encrypt(secret, totpSecretContext(personId));
  return deps.db.begin(async (tx) => {
    await lockPerson(tx, personId);
    await saveTotp(tx, personId, sealed, step);
    await deleteSessionsOf(tx, personId, session.id);
    await auditSignIn(tx, personId, 'person.app_set_up', deps.clock.now());
    await tellOfCredential(tx, personId, 'app', deps.clock.now());
    return proveSession(deps, tx, session.id, 'totp');
  });
}

export async function removeTotp(deps: SignInDeps, session: Session): Promise<void> {
  await deps.db.begin(async (tx) => {
    await lockPerson(tx, session.personId);
    await saveTotp(tx, session.personId, null, null);
    await demandFactorLeft(tx, session.personId);
    await deleteSessionsOf(tx, session.personId, session.id);
    await auditSignIn(tx, session.personId, 'person.app_removed', deps.clock.now());
  });
}

/** Shown once; the earlier ones are worth nothing from now on. */
export async function printCodes(deps: SignInDeps, { personId }: Session): Promise<string[]> {
  const codes = makeCodes();
  await deps.db.begin(async (tx) => {
    await lockPerson(tx, personId);
    await replaceCodes(
      tx,
      personId,
      codes.map((code) => hashOfCode(personId, code)),
    );
    await auditSignIn(tx, personId, 'person.codes_printed', deps.clock.now());
    await tellOfCredential(tx, personId, 'codes', deps.clock.now());
  });
  return codes;
}

type Credential = 'passkey' | 'password' | 'app' | 'codes';

/** To the person: it may have been somebody else who found their browser open. */
async function tellOfCredential(tx: Tx, personId: string, what: Credential, now: Date): Promise<void> {
  const payload = { kind: 'credential-added' as const, personId, what, at: now.toISOString() };
  await enqueue(tx, [{ name: 'person.email', payload, runAt: now }]);
}

/** Whoever needs a second factor keeps one. */
async function demandFactorLeft(tx: Tx, personId: string): Promise<void> {
  const person = await findPerson(tx, personId);
  if (person && (person.hasTotp || person.passkeys > 0)) return;
  const memberships = await membershipsOf(tx, personId);
  const isStaff = (await findStaffRole(tx, personId)) !== undefined;
  if (isStaff || memberships.some(({ role }) => needsSecondFactor(role))) throw lastFactor();
}

/** What people call it: `Chrome on Android`. */
export function browserName(userAgent: string): string {
  const browsers: [RegExp, string][] = [
    [/Edg\//, 'Edge'],
    [/Firefox\//, 'Firefox'],
    [/OPR\//, 'Opera'],
    [/Chrome\//, 'Chrome'],
    [/Safari\//, 'Safari'],
  ];
  const systems: [RegExp, string][] = [
    [/iPhone|iPad/, 'iOS'],
    [/Android/, 'Android'],
    [/Windows/, 'Windows'],
    [/Mac OS/, 'macOS'],
    [/Linux/, 'Linux'],
  ];
  const find = (known: [RegExp, string][]) => known.find(([form]) => form.test(userAgent))?.[1];
  const parts = [find(browsers), find(systems)].filter((part) => part !== undefined);
  return parts.join(' · ') || '–';
}
