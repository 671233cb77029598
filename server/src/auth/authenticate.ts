/**
 * The one decision about who may call, for every entry point: which credentials, which merchant, from which address.
 * An unknown key and a wrong signature get the same answer.
 */
import { randomBytes } from 'node:crypto';
import type { Db } from '../db/database.ts';
import type { Authenticate, AuthMethod, Caller, IncomingRequest } from '../http/caller.ts';
import { isInRanges } from '../http/client-address.ts';
import type { Clock } from '../lib/clock.ts';
import type { Encryption } from '../lib/encryption.ts';
import { isId } from '../lib/ids.ts';
import { Secret } from '../lib/secret.ts';
import { notAllowed, notAuthenticated } from './auth-errors.ts';
import { type Credentials, type RememberedCredentials, rememberCredentials } from './remembered-credentials.ts';
import { basicProblem, digestOfBasicHeader } from './verify-basic.ts';
import { isSignatureGood, timestampProblem } from './verify-digest.ts';

export function createAuthenticate(
  deps: { db: Db; clock: Clock; encryption: Encryption },
  nowMs?: () => number,
): Authenticate {
  const remembered = rememberCredentials(deps, nowMs);
  return async (request) => {
    const key = header(request, 'x-digest-key');
    const signature = header(request, 'x-digest-signature');
    const timestamp = header(request, 'x-digest-timestamp');
    const basic = header(request, 'x-basic');

    if (key === undefined && signature === undefined && timestamp === undefined) {
      if (basic === undefined)
        throw notAuthenticated(
          'This endpoint needs authentication: send the headers X-Digest-Key, X-Digest-Signature and X-Digest-Timestamp.',
        );
      return decide(request, await checkBasic(remembered, basic, request), 'basic', null);
    }
    for (const [name, value] of Object.entries({ Key: key, Signature: signature, Timestamp: timestamp }))
      if (value === undefined) throw notAuthenticated(`The header X-Digest-${name} is missing.`);
    const digest = { key: key as string, signature: signature as string, timestamp: timestamp as string };
    const credentials = await checkDigest(remembered, digest, request, deps.clock.now());
    return decide(request, credentials, 'digest', digest.signature);
  };
}

type DigestHeaders = { readonly key: string; readonly signature: string; readonly timestamp: string };

/** There is no such key, but the work is the same. Random, so that nobody can sign with it. */
const nobodysSecret = new Secret(randomBytes(32).toString('hex'));

async function checkDigest(
  remembered: RememberedCredentials,
  { key, signature, timestamp }: DigestHeaders,
  request: IncomingRequest,
  now: Date,
): Promise<Credentials> {
  const problem = timestampProblem(timestamp, now);
  if (problem !== undefined) throw notAuthenticated(problem);

  const isGood = (credentials: Credentials | undefined): credentials is Credentials => {
    const isMatch = isSignatureGood(request, timestamp, signature, credentials?.secret ?? nobodysSecret);
    return credentials !== undefined && isMatch;
  };
  if (!isId(key)) throw wrongDigest();
  // Where money leaves nothing is remembered: a revoked secret, or an address taken off the list, is of no use any more.
  const first = await remembered.byKey(key, request.isMoneyMoving || request.needsAllowedAddress);
  if (isGood(first.credentials)) return first.credentials;
  // The secret may have been rotated since it was remembered: the new one works at once.
  const fresh = first.isRemembered ? (await remembered.byKey(key, true)).credentials : undefined;
  if (!isGood(fresh)) throw wrongDigest();
  return fresh;
}

const wrongDigest = () =>
  notAuthenticated('The API key is unknown or the signature in X-Digest-Signature does not match the request.');

async function checkBasic(
  remembered: RememberedCredentials,
  value: string,
  request: IncomingRequest,
): Promise<Credentials> {
  const digest = digestOfBasicHeader(value);
  const credentials = digest && (await remembered.byBasicDigest(digest)).credentials;
  if (!credentials)
    throw notAuthenticated('The header X-Basic is not the SHA-256 hash of a known API key and its secret.');
  const problem = basicProblem(credentials.merchant.isBasicAllowed, request.isMoneyMoving);
  if (problem !== undefined) throw notAllowed(problem);
  return credentials;
}

function decide(
  request: IncomingRequest,
  credentials: Credentials,
  method: AuthMethod,
  signature: string | null,
): Caller {
  const { merchant, apiKey, allowedRanges } = credentials;
  if (merchant.isAddressListEnforced || request.needsAllowedAddress)
    if (!isInRanges(request.address, allowedRanges))
      throw notAllowed(
        `Requests from ${request.address} are not allowed: the address is not on the account's list. The operator adds it ` +
          `with npx quittance merchant settings ${merchant.id} --allow-address ${request.address}`,
      );
  return { merchant, apiKey, method, signature };
}

function header(request: IncomingRequest, name: string): string | undefined {
  const value = request.headers[name];
  return typeof value === 'string' && value !== '' ? value : undefined;
}
