/**
 * The one decision about who may call, at every entry: which credentials, which merchant, with which permission, from
 * which address. An unknown key and a wrong signature get the same answer.
 */
import { randomBytes } from 'node:crypto';
import { isGranted, scopesFor } from '@quittance/contract/permissions';
import type { Db } from '../db/database.ts';
import { keyActor } from '../http/actor.ts';
import type { Authenticate, AuthMethod, IncomingRequest, KeyCaller } from '../http/caller.ts';
import { isInRanges } from '../http/client-address.ts';
import type { Clock } from '../lib/clock.ts';
import type { Encryption } from '../lib/encryption.ts';
import { isId } from '../lib/ids.ts';
import { Secret } from '../lib/secret.ts';
import { basicDigest, basicValue } from '../merchants/api-credentials.ts';
import { holdSecret, markSecretUsed } from '../merchants/api-key-store.ts';
import type { Merchant } from '../merchants/merchant.ts';
import { notAllowed, notAuthenticated } from './auth-errors.ts';
import {
  type ApiSecret,
  type Credentials,
  type RememberedCredentials,
  rememberCredentials,
} from './remembered-credentials.ts';
import { demandKeyWorks } from './suspended.ts';
import type { UsedKeys } from './used-keys.ts';
import { basicProblem, digestOfBasicHeader } from './verify-basic.ts';
import { isSignatureGood, timestampProblem } from './verify-digest.ts';

export function createAuthenticate(
  deps: { db: Db; clock: Clock; encryption: Encryption; usedKeys: UsedKeys },
  nowMs?: () => number,
): Authenticate<Merchant> {
  const remembered = rememberCredentials(deps, nowMs);
  /** Now we know that the shop has this secret, and webhooks are signed with it. The last use is for people to see. */
  async function noteUse(proof: Proof): Promise<Proof> {
    const { secret } = proof;
    const { merchant, apiKey } = proof.credentials;
    deps.usedKeys.note(merchant.id, apiKey, deps.clock.now());
    if (!secret.stored.isUsed) await markSecretUsed(deps.db, merchant.id, apiKey, secret.stored.secret);
    return proof;
  }
  return async (request) => {
    const key = header(request, 'x-digest-key');
    const signature = header(request, 'x-digest-signature');
    const timestamp = header(request, 'x-digest-timestamp');
    const basic = header(request, 'x-basic');
    const now = deps.clock.now();

    if (key === undefined && signature === undefined && timestamp === undefined) {
      if (basic === undefined)
        throw notAuthenticated(
          'This endpoint needs authentication: send the headers X-Digest-Key, X-Digest-Signature and X-Digest-Timestamp.',
        );
      return decide(request, await noteUse(await checkBasic(remembered, basic, request, now)), 'basic', null);
    }
    for (const [name, value] of Object.entries({ Key: key, Signature: signature, Timestamp: timestamp }))
      if (value === undefined) throw notAuthenticated(`The header X-Digest-${name} is missing.`);
    const digest = { key: key as string, signature: signature as string, timestamp: timestamp as string };
    const proof = await checkDigest(remembered, digest, request, now);
    return decide(request, await noteUse(proof), 'digest', digest.signature);
  };
}

/** Who it is, and which secret of the key was used. */
type Proof = { readonly credentials: Credentials; readonly secret: ApiSecret };

type DigestHeaders = { readonly key: string; readonly signature: string; readonly timestamp: string };

/** There is no such key, but the work takes as long. Random, so that nobody can sign with it. */
const nobodysSecret = new Secret(randomBytes(32).toString('hex'));

async function checkDigest(
  remembered: RememberedCredentials,
  { key, signature, timestamp }: DigestHeaders,
  request: IncomingRequest,
  now: Date,
): Promise<Proof> {
  const problem = timestampProblem(timestamp, now);
  if (problem !== undefined) throw notAuthenticated(problem);
  if (!isId(key)) throw wrongDigest();
  // Where money leaves nothing is remembered: so an address that was taken off the list does not help any more.
  const credentials = await remembered.byKey(key, request.isMoneyMoving || request.needsAllowedAddress);
  if (!credentials) {
    isSignatureGood(request, timestamp, signature, nobodysSecret);
    throw wrongDigest();
  }
  const secret = credentials.secrets.find(
    (each) => isGoodAt(each, now) && isSignatureGood(request, timestamp, signature, each.secret),
  );
  if (!secret) throw wrongDigest();
  return { credentials, secret };
}

const isGoodAt = ({ goodUntil }: ApiSecret, now: Date): boolean => goodUntil === null || now < goodUntil;

const wrongDigest = () =>
  notAuthenticated('The API key is unknown or the signature in X-Digest-Signature does not match the request.');

const wrongBasic = () =>
  notAuthenticated('The header X-Basic is not the SHA-256 hash of a known API key and its secret.');

async function checkBasic(
  remembered: RememberedCredentials,
  value: string,
  request: IncomingRequest,
  now: Date,
): Promise<Proof> {
  const digest = digestOfBasicHeader(value);
  if (!digest) throw wrongBasic();
  const credentials = await remembered.byBasicDigest(digest);
  const secret = credentials?.secrets.find(({ secret: apiSecret }) =>
    basicDigest(basicValue({ apiKey: credentials.apiKey, apiSecret })).equals(digest),
  );
  if (!credentials || !secret || !isGoodAt(secret, now)) throw wrongBasic();
  const problem = basicProblem(credentials.merchant.isBasicAllowed, request.isMoneyMoving);
  if (problem !== undefined) throw notAllowed(problem);
  return { credentials, secret };
}

function decide(
  request: IncomingRequest,
  { credentials, secret }: Proof,
  method: AuthMethod,
  signature: string | null,
): KeyCaller<Merchant> {
  const { merchant, apiKey, scopes, allowedRanges } = credentials;
  if (!isGranted(request.permission, scopes)) {
    const enough = scopesFor[request.permission];
    throw notAllowed(
      `This API key lacks the scope ${enough.join(' or ')}; it has ${scopes.join(', ')}. The operator makes a key that ` +
        `has it with npx quittance key create ${merchant.id} --scope ${enough[0]}`,
    );
  }
  demandKeyWorks(merchant, request.permission);
  if (merchant.isAddressListEnforced || request.needsAllowedAddress)
    if (!isInRanges(request.address, allowedRanges))
      throw notAllowed(
        `Requests from ${request.address} are not allowed: the address is not on the account's list. The operator adds it ` +
          `with npx quittance merchant settings ${merchant.id} --allow-address ${request.address}`,
      );
  return {
    merchant,
    actor: keyActor(apiKey),
    method,
    signature,
    may: (permission) => isGranted(permission, scopes),
    async hold(tx) {
      if (!(await holdSecret(tx, merchant.id, apiKey, secret.stored.secret))) throw wrongDigest();
    },
  };
}

function header(request: IncomingRequest, name: string): string | undefined {
  const value = request.headers[name];
  return typeof value === 'string' && value !== '' ? value : undefined;
}
