/**
 * Digest authentication (spec §5.1): hex(hmac_sha256(secret, path + timestamp + METHOD + body)), pure.
 *
 * The interface says that the path is in lower case, but no existing client does that; some write their query string
 * into the path. PHP sends `[]` and Ruby `{}` for "no parameters", and both sign the empty text. All of these are
 * accepted.
 */
import { createHmac, timingSafeEqual } from 'node:crypto';
import type { Secret } from '../lib/secret.ts';

export type SignedRequest = {
  readonly method: string;
  /** As received, without /api/v1. */
  readonly path: string;
  /** As received, with its question mark. */
  readonly search: string;
  readonly rawBody: Buffer;
};

const ageSecondsMax = 30;
const nothing = Buffer.alloc(0);

/** Undefined when the timestamp is valid, otherwise what is wrong with it. */
export function timestampProblem(timestamp: string, now: Date): string | undefined {
  if (!/^\d{1,12}$/.test(timestamp)) return 'The header X-Digest-Timestamp must be a Unix timestamp in whole seconds.';
  const age = Math.floor(now.getTime() / 1000) - Number(timestamp);
  if (Math.abs(age) < ageSecondsMax) return undefined;
  const direction = age > 0 ? 'old' : 'ahead of our clock';
  return `The timestamp in X-Digest-Timestamp is ${Math.abs(age)} seconds ${direction}; less than ${ageSecondsMax} are allowed. GET /time tells the server time.`;
}

export function isSignatureGood(request: SignedRequest, timestamp: string, signature: string, secret: Secret): boolean {
  if (!/^[0-9a-f]{64}$/i.test(signature)) return false;
  const given = Buffer.from(signature.toLowerCase(), 'latin1');
  for (const path of signedPaths(request))
    for (const body of signedBodies(request.rawBody)) {
      const hmac = createHmac('sha256', secret.key()).update(`${path}${timestamp}${request.method.toUpperCase()}`);
      if (body.length > 0) hmac.update(body);
      // Compared as text: to get the digest as a Buffer costs more than the hashing.
      if (timingSafeEqual(Buffer.from(hmac.digest('hex'), 'latin1'), given)) return true;
    }
  return false;
}

/** First the form that nearly everybody signs; the others are made only when it does not match. */
function* signedPaths({ path, search }: SignedRequest): Generator<string> {
  yield path;
  const lowerPath = path.toLowerCase();
  if (lowerPath !== path) yield lowerPath;
  if (search === '') return;
  yield path + search;
  yield (path + search).toLowerCase();
}

function signedBodies(rawBody: Buffer): Buffer[] {
  if (rawBody.length !== 2) return [rawBody];
  const text = rawBody.toString('latin1');
  return text === '[]' || text === '{}' ? [rawBody, nothing] : [rawBody];
}
