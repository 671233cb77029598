/**
 * What a browser is asked for when a passkey is made or used, and whether its answer is right. Every challenge is a row
 * that is good for one answer; for an order it is a digest of the order itself, so that the answer to one order is
 * worth nothing for another.
 */
import { createHash, randomBytes } from 'node:crypto';
import type {
  AuthenticationResponseJSON,
  PublicKeyCredentialCreationOptionsJSON,
  PublicKeyCredentialRequestOptionsJSON,
  RegistrationResponseJSON,
} from '@simplewebauthn/server';
import type { Db, Tx } from '../db/database.ts';
import { addMs, type Clock, minutes } from '../lib/clock.ts';
import { type ChallengePurpose, insertChallenge, useUpChallenge } from './challenge-store.ts';
import { findPasskey, passkeysOf, usePasskey } from './credential-store.ts';
import { challengeNotGood, passkeyRefused } from './people-errors.ts';
import type { Person } from './person.ts';

/** Loaded with the first passkey: it brings megabytes of X.509 along. */
const webauthn = () => import('@simplewebauthn/server');

export type PasskeyDeps = {
  readonly db: Db;
  readonly clock: Clock;
  /** The origin of the account: passkeys are made for its host name. */
  readonly accountUrl: string;
};

const challengeMs = minutes(5);

export const rpIdOf = (accountUrl: string): string => new URL(accountUrl).hostname;

export async function askToRegister(
  deps: PasskeyDeps,
  person: Pick<Person, 'id' | 'email' | 'name'>,
): Promise<PublicKeyCredentialCreationOptionsJSON> {
  const challenge = await ask(deps, { purpose: 'register', personId: person.id, digest: null });
  const known = await passkeysOf(deps.db, person.id);
  const { generateRegistrationOptions } = await webauthn();
  return generateRegistrationOptions({
    rpName: 'Quittance',
    rpID: rpIdOf(deps.accountUrl),
    userName: person.email,
    userDisplayName: person.name,
    userID: new Uint8Array(createHash('sha256').update(`person ${person.id}`).digest()),
    challenge: new Uint8Array(challenge),
    excludeCredentials: known.map(({ id }) => ({ id })),
    authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
    attestationType: 'none',
  });
}

export type NewPasskey = {
  readonly id: string;
  readonly publicKey: Buffer;
  readonly counter: bigint;
  readonly rpId: string;
};

export async function checkRegistration(
  deps: PasskeyDeps,
  personId: string,
  answer: RegistrationResponseJSON,
): Promise<NewPasskey> {
  const challenge = challengeIn(answer);
  const asked = await useUpChallenge(deps.db, challenge, deps.clock.now());
  if (asked?.purpose !== 'register' || asked.personId !== personId) throw challengeNotGood();
  const { verifyRegistrationResponse } = await webauthn();
  const checked = await verifyRegistrationResponse({
    response: answer,
    expectedChallenge: challenge.toString('base64url'),
    expectedOrigin: new URL(deps.accountUrl).origin,
    expectedRPID: rpIdOf(deps.accountUrl),
    requireUserVerification: true,
  }).catch(() => null);
  if (!checked?.verified) throw passkeyRefused();
  const { id, publicKey, counter } = checked.registrationInfo.credential;
  return { id, publicKey: Buffer.from(publicKey), counter: BigInt(counter), rpId: rpIdOf(deps.accountUrl) };
}

/** Null: anybody may answer, with whichever passkey the browser has for us. */
export async function askForPasskey(
  deps: PasskeyDeps,
  { purpose, personId, order }: { purpose: 'sign-in' | 'prove' | 'order'; personId: string | null; order?: string },
): Promise<PublicKeyCredentialRequestOptionsJSON> {
  const digest = order === undefined ? null : digestOf(order);
  const challenge = await ask(deps, { purpose, personId, digest });
  const known = personId === null ? [] : await passkeysOf(deps.db, personId);
  const { generateAuthenticationOptions } = await webauthn();
  return generateAuthenticationOptions({
    rpID: rpIdOf(deps.accountUrl),
    challenge: new Uint8Array(challenge),
    allowCredentials: known.map(({ id }) => ({ id })),
    userVerification: 'required',
  });
}

/**
 * Who answered. In the transaction of what the answer allows: so it is used up exactly when that happens. `order`: the
 * text of the order that is about to be carried out.
 */
export async function checkPasskey(
  deps: PasskeyDeps,
  tx: Tx,
  answer: AuthenticationResponseJSON,
  expected: { purpose: 'sign-in' | 'prove' | 'order'; personId: string | null; order?: string },
): Promise<{ readonly personId: string; readonly passkeyId: string }> {
  const now = deps.clock.now();
  const challenge = challengeIn(answer);
  const asked = await useUpChallenge(tx, challenge, now);
  if (asked?.purpose !== expected.purpose || asked.personId !== expected.personId) throw challengeNotGood();
  if (expected.order !== undefined && !asked.digest?.equals(digestOf(expected.order))) throw challengeNotGood();
  const passkey = await findPasskey(tx, answer.id);
  if (!passkey || (expected.personId !== null && passkey.personId !== expected.personId)) throw passkeyRefused();
  const { verifyAuthenticationResponse } = await webauthn();
  const checked = await verifyAuthenticationResponse({
    response: answer,
    expectedChallenge: challenge.toString('base64url'),
    expectedOrigin: new URL(deps.accountUrl).origin,
    expectedRPID: passkey.rpId,
    requireUserVerification: true,
    credential: { id: passkey.id, publicKey: new Uint8Array(passkey.publicKey), counter: Number(passkey.counter) },
  }).catch(() => null);
  if (!checked?.verified) throw passkeyRefused();
  const newCounter = BigInt(checked.authenticationInfo.newCounter);
  if (!(await usePasskey(tx, { id: passkey.id, counter: passkey.counter, newCounter }, now))) throw passkeyRefused();
  return { personId: passkey.personId, passkeyId: passkey.id };
}

async function ask(
  { db, clock }: PasskeyDeps,
  asked: { purpose: ChallengePurpose; personId: string | null; digest: Buffer | null },
): Promise<Buffer> {
  const nonce = randomBytes(32);
  const challenge = asked.digest ? createHash('sha256').update(nonce).update(asked.digest).digest() : nonce;
  await insertChallenge(db, { ...asked, challenge, expiresAt: addMs(clock.now(), challengeMs) });
  return challenge;
}

const digestOf = (order: string): Buffer => createHash('sha256').update(`quittance order\n${order}`).digest();

/** What the browser says that it answers. Whether it does is checked with the signature. */
function challengeIn(answer: { readonly response?: { readonly clientDataJSON?: unknown } }): Buffer {
  try {
    const text = Buffer.from(String(answer.response?.clientDataJSON), 'base64url').toString('utf8');
    const { challenge } = JSON.parse(text) as { challenge?: unknown };
    return Buffer.from(String(challenge), 'base64url');
  } catch {
    throw passkeyRefused();
  }
}
