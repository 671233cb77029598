/**
 * What somebody signs in with: adding and taking away passkeys, the password, the app, the printed codes. Whatever is
 * taken away or changed ends all other sessions: whoever had it is out.
 */
import type { RegistrationResponseJSON } from '@simplewebauthn/server';
import type { Tx } from '../db/database.ts';
import { personActor } from '../http/actor.ts';
import { totpSecretContext } from '../lib/encryption.ts';
import { notFound } from '../lib/errors.ts';
import type { Secret } from '../lib/secret.ts';
import { auditSignIn } from './audit-sign-in.ts';
import { deletePasskey, insertPasskey, replaceCodes, savePassword, saveTotp } from './credential-store.ts';
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
    const isNew = await insertPasskey(tx, { ...made, personId, label: named, createdAt: deps.clock.now() });
    if (!isNew) throw passkeyRefused();
    const now = deps.clock.now();
    await auditSignIn(tx, personId, 'person.passkey_added', now);
    const token = await proveSession(deps, tx, session.id, 'passkey');
    await noteNewHand(tx, personId, now);
    return token;
  });
}

/**
 * A passkey may have been added by whoever found a browser open: as a hand they are as new as somebody who has just joined.
 * After the session, as where somebody is put out.
 */
async function noteNewHand(tx: Tx, personId: string, now: Date): Promise<void> {
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
  });
  return codes;
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
