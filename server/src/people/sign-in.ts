/**
 * Ways in. Each ends in a session with a new token, so that a cookie that somebody planted before is worth nothing.
 * Unknown e-mail addresses cost the same time and get the same sentence as wrong passwords.
 */
import type { AuthenticationResponseJSON } from '@simplewebauthn/server';
import type { Db, Query, Tx } from '../db/database.ts';
import type { Clock } from '../lib/clock.ts';
import { type Encryption, totpSecretContext } from '../lib/encryption.ts';
import { newId } from '../lib/ids.ts';
import type { Secret } from '../lib/secret.ts';
import {
  findPassword,
  findPasswordOf,
  findTotp,
  isKnownBrowser,
  saveKnownBrowser,
  useCode,
  useTotpStep,
} from './credential-store.ts';
import { endRecovery } from './end-recovery.ts';
import { type Attempt, succeeded, takeAttempt } from './guessing.ts';
import { findLink, useUpLink } from './one-time-link-store.ts';
import { checkPasskey, type PasskeyDeps } from './passkey-ceremony.ts';
import { isPassword } from './password.ts';
import { codeRefused, linkNotGood, signInRefused } from './people-errors.ts';
import { normalizedEmail, type Person } from './person.ts';
import { findPerson, findProvenPerson, membershipsOf } from './person-store.ts';
import { hashOfCode } from './recovery-codes.ts';
import { hashOf, newToken, type ProofKind, type Session } from './session.ts';
import { deleteSession, insertSession, renewSession } from './session-store.ts';
import { totpStep } from './totp.ts';

export type SignInDeps = PasskeyDeps & { readonly encryption: Encryption };

/** The browser that somebody signs in with. */
export type Visitor = {
  readonly address: string;
  readonly browser: string;
  /** The hash of a cookie that it keeps. */
  readonly knownBy: Buffer | null;
};

/** The token is for the cookie, and is nowhere else. */
export type SignedIn = { readonly token: string; readonly session: Session };

export async function signInWithPassword(
  deps: SignInDeps,
  given: { readonly email: string; readonly password: Secret },
  visitor: Visitor,
): Promise<SignedIn> {
  const { db, clock } = deps;
  const name = normalizedEmail(given.email);
  const known = await findPassword(db, name);
  // Counted by who it is, however the name is written: whoever knows a password takes back only what was about that person.
  const attempt = await attemptAt(db, 'password', known?.personId ?? null, name, visitor);
  await takeAttempt(db, attempt, clock.now());
  const isRight = await isPassword(given.password, known?.password ?? null);
  if (!known || !isRight) throw signInRefused();
  return enterWithout(deps, known.personId, 'password', visitor, async (tx, isAllTheWayIn) =>
    succeeded(tx, attempt, { isAllTheWayIn }),
  );
}

/** The same questions, whether there is such a person or not. */
export async function attemptAt(
  query: Query,
  what: 'password' | 'code' | 'link',
  personId: string | null,
  name: string,
  { address, knownBy }: Visitor,
): Promise<Attempt> {
  const isKnown = knownBy !== null && (await isKnownBrowser(query, personId, knownBy));
  return { subject: `${what} ${personId ?? name}`, address, knownBrowser: isKnown ? knownBy : null };
}

/** The password or a link was right: what is left to show is the second factor, where there is one. */
function enterWithout(
  deps: SignInDeps,
  personId: string,
  how: 'password' | 'link',
  visitor: Visitor,
  shown: (tx: Tx, isAllTheWayIn: boolean) => Promise<void>,
): Promise<SignedIn> {
  return deps.db.begin(async (tx) => {
    const person = await findPerson(tx, personId);
    if (!person) throw signInRefused();
    const isAllTheWayIn = !person.hasTotp && person.passkeys === 0;
    await shown(tx, isAllTheWayIn);
    if (isAllTheWayIn) await noteWayIn(deps, tx, personId, visitor);
    return openSession(deps, tx, personId, how, visitor);
  });
}

/** Whoever is all the way in has not lost every way, and is known in this browser from now on. */
export async function noteWayIn(
  { clock }: { readonly clock: Clock },
  tx: Tx,
  personId: string,
  { knownBy }: Pick<Visitor, 'knownBy'>,
): Promise<void> {
  await endRecovery(tx, personId, clock.now());
  if (knownBy !== null) await saveKnownBrowser(tx, personId, knownBy, clock.now());
}

/** For who has nothing but a password: shown once more, it is a proof. The session gets a new token. */
export async function showPassword(
  deps: SignInDeps,
  session: Session,
  { id }: Person,
  password: Secret,
  visitor: Visitor,
): Promise<string> {
  const { db, clock } = deps;
  const attempt = await attemptAt(db, 'password', id, id, visitor);
  await takeAttempt(db, attempt, clock.now());
  if (!(await isPassword(password, await findPasswordOf(db, id)))) throw signInRefused();
  return db.begin(async (tx) => {
    await succeeded(tx, attempt, { isAllTheWayIn: true });
    return proveSession(deps, tx, session.id, 'password');
  });
}

/** Only in the browser that asked: a link that was read by somebody else on its way does not help them. */
export async function signInWithLink(
  deps: SignInDeps,
  given: { readonly token: string; readonly browserToken: string | null },
  visitor: Visitor,
): Promise<SignedIn> {
  const now = deps.clock.now();
  const link = await findLink(deps.db, hashOf(given.token), now);
  if (link?.purpose !== 'sign-in' || link.email === null || link.browserHash === null) throw linkNotGood();
  if (given.browserToken === null || !link.browserHash.equals(hashOf(given.browserToken))) throw linkNotGood();
  const personId = await findProvenPerson(deps.db, link.email);
  if (personId === undefined) throw linkNotGood();
  return enterWithout(deps, personId, 'link', visitor, async (tx) => {
    if (!(await useUpLink(tx, hashOf(given.token), now))) throw linkNotGood();
  });
}

export const signInWithPasskey = (
  deps: SignInDeps,
  answer: AuthenticationResponseJSON,
  visitor: Visitor,
): Promise<SignedIn> =>
  deps.db.begin(async (tx) => {
    const { personId } = await checkPasskey(deps, tx, answer, { purpose: 'sign-in', personId: null });
    await noteWayIn(deps, tx, personId, visitor);
    return openSession(deps, tx, personId, 'passkey', visitor);
  });

/** `kinds`: which ones are taken; another one is not used up. */
type ShownCode = { readonly code: string; readonly kinds: readonly ProofKind[] };
export const anyCode: readonly ProofKind[] = ['totp', 'code'];

/** A code of an app, or one of the printed ones, for a session that is there already. It gets a new token. */
export async function showCode(
  deps: SignInDeps,
  session: Session,
  { code, kinds }: ShownCode,
  visitor: Visitor,
): Promise<{ readonly token: string; readonly how: ProofKind }> {
  const { db, clock } = deps;
  const person = await findPerson(db, session.personId);
  if (!person) throw codeRefused();
  const attempt = await attemptAt(db, 'code', person.id, person.id, visitor);
  await takeAttempt(db, attempt, clock.now());
  const proved = await db.begin(async (tx) => {
    const how = await useUpCode(deps, tx, session.personId, { code, kinds });
    if (how === null) return null;
    await noteWayIn(deps, tx, person.id, visitor);
    return { how, token: await proveSession(deps, tx, session.id, how) };
  });
  if (!proved) throw codeRefused();
  await succeeded(db, attempt, { isAllTheWayIn: true });
  return proved;
}

/** Which kind of code it was; null: none of this person's. */
async function useUpCode(
  { clock, encryption }: Pick<SignInDeps, 'clock' | 'encryption'>,
  tx: Tx,
  personId: string,
  { code, kinds }: ShownCode,
): Promise<'totp' | 'code' | null> {
  const now = clock.now();
  const stored = kinds.includes('totp') ? await findTotp(tx, personId) : undefined;
  if (stored?.totpSecret) {
    const secret = encryption.decrypt(stored.totpSecret, totpSecretContext(personId));
    const step = totpStep(secret, code, now, stored.totpStep);
    if (step !== null && (await useTotpStep(tx, personId, step))) return 'totp';
  }
  if (!kinds.includes('code')) return null;
  return (await useCode(tx, personId, hashOfCode(personId, code), now)) ? 'code' : null;
}

/** The session is good for more from now on, under another token. */
export async function proveSession(
  { clock }: { readonly clock: Clock },
  tx: Tx,
  sessionId: string,
  how: ProofKind,
): Promise<string> {
  const token = newToken();
  const proved = { tokenHash: hashOf(token), provedAt: clock.now(), provedHow: how };
  if (!(await renewSession(tx, sessionId, proved))) throw signInRefused();
  return token;
}

export async function openSession(
  { clock }: { readonly clock: Clock },
  tx: Tx,
  personId: string,
  provedHow: ProofKind,
  { address, browser }: Pick<Visitor, 'address' | 'browser'>,
): Promise<SignedIn> {
  const now = clock.now();
  const [first] = await membershipsOf(tx, personId);
  const token = newToken();
  const session: Session = {
    id: newId(),
    personId,
    merchantId: first?.merchantId ?? null,
    looksAt: null,
    notFor: [],
    createdAt: now,
    seenAt: now,
    provedAt: now,
    provedHow,
    address,
    browser: browser.slice(0, 300),
  };
  await insertSession(tx, hashOf(token), session);
  return { token, session };
}

export const signOut = async ({ db }: { readonly db: Db }, { personId, id }: Session): Promise<void> => {
  await deleteSession(db, personId, id);
};
