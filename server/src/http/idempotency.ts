/**
 * `Idempotency-Key`: a client that does not know whether its request arrived sends it again with the same key and gets
 * the first answer again, for a day.
 *
 * The answer is a row, written by the transaction that does the work: so there is a row exactly when it has happened,
 * and there cannot be two. An answer to what changed nothing, usually a refusal, is written afterwards: doing it again
 * changes nothing either. What is only true at this moment (a status of 500 or above, or a Retry-After) is not kept and
 * leaves the key free; nor is a refusal of the caller (401, 403).
 *
 * An answer may open something: a link to claim money, a secret that is shown once. So every answer is sealed with the
 * master key: whoever gets hold of the database alone can open nothing with it.
 *
 * See docs/decisions/0027 and 0142.
 */
import { createHash } from 'node:crypto';
import type { Db, Query, Tx } from '../db/database.ts';
import { addMs, type Clock, hours } from '../lib/clock.ts';
import { type Encryption, keptAnswerContext } from '../lib/encryption.ts';
import { GatewayError, invalidRequest } from '../lib/errors.ts';
import type { Log } from '../lib/log.ts';
import { Secret } from '../lib/secret.ts';
import type { KeyLocks } from './key-locks.ts';
import type { Answer } from './render-error.ts';

const keptMs = hours(24);
/** Longer answers have what was posted earlier in them, and count among what the merchant keeps (migration 0196). */
const countedFrom = 16 * 1024;
/**
 * The previous release wrote the row before the work, without an answer, and added the answer afterwards. For this long
 * such a row may belong to a request that is still running.
 */
const takeOverAfterMs = 60_000;

export type IdempotentRequest = {
  readonly merchantId: string;
  readonly key: string;
  readonly method: string;
  readonly path: string;
  readonly rawBody: Buffer;
};

/** Stores the answer that the caller will get, in the transaction that does the work. */
export type Keep = (tx: Tx, body: string) => Promise<void>;

type Deps = {
  readonly db: Db;
  readonly clock: Clock;
  readonly log: Log;
  readonly encryption: Encryption;
  readonly keyLocks: KeyLocks;
};
type Seal = Pick<Encryption, 'encrypt' | 'decrypt'>;
type KeptAnswer = Pick<Answer, 'status' | 'body'>;
type Named = Pick<IdempotentRequest, 'merchantId' | 'key'> & { readonly hash: Buffer };

export function readIdempotencyKey(header: string | string[] | undefined): string | null {
  if (header === undefined) return null;
  if (typeof header !== 'string' || !/^[\x21-\x7e]{1,255}$/.test(header))
    throw invalidRequest('The header Idempotency-Key must be 1 to 255 printable ASCII characters without spaces.');
  return header;
}

/**
 * `admit` is asked before the work, but not before a kept answer is given again. What it throws is not kept; nor is
 * what the work throws instead of answering. `recall`: what a process of the previous release did before it died; null:
 * nothing.
 */
export async function answerOnce(
  deps: Deps,
  request: IdempotentRequest,
  steps: {
    readonly recall: () => Promise<string | null>;
    readonly admit: () => Promise<void>;
    readonly work: (keep: Keep) => Promise<Answer>;
  },
): Promise<Answer> {
  const { db, clock, encryption, keyLocks } = deps;
  const named = { ...request, hash: hashOf(request) };
  const lock = await keyLocks.hold(`${request.merchantId} ${request.key}`);
  try {
    const found = await lookUp(db, encryption, named, clock.now());
    if (isKept(found)) return replayed(found);
    if (!lock || found === 'perhaps running') throw stillRunning();
    const recalled = found === 'left behind' ? await steps.recall() : null;
    if (recalled !== null) return replayed(await keepAfterwards(deps, named, { status: 200, body: recalled }));
    await steps.admit();
    return await workOnce(deps, named, steps.work);
  } catch (error) {
    if (!(error instanceof KeyTaken)) throw error;
    // Another request with the key came first, although we held the lock: our session was lost, or that one is of the
    // previous release. Our own work was rolled back.
    const found = await lookUp(db, encryption, named, clock.now());
    if (isKept(found)) return replayed(found);
    throw stillRunning();
  } finally {
    await lock?.release();
  }
}

async function workOnce(deps: Deps, named: Named, work: (keep: Keep) => Promise<Answer>): Promise<Answer> {
  let body: string | undefined;
  const answer = await work(async (tx, told) => {
    await keepAnswer(tx, deps.encryption, named, { status: 200, body: told }, deps.clock.now());
    body = told;
  });
  const isThere = answer.status === 200 && answer.body === body;
  if (!isThere && isAboutTheRequest(answer)) await keepAfterwards(deps, named, answer);
  return answer;
}

/**
 * Not a refusal of this API key, or that it is gone: an Idempotency-Key belongs to the merchant, and another API key of
 * the merchant may be allowed.
 */
const isAboutTheRequest = ({ status, headers }: Answer): boolean =>
  status !== 401 && status !== 403 && status < 500 && !('retry-after' in headers);

const replayed = ({ status, body }: KeptAnswer): Answer => ({
  status,
  body,
  headers: { 'idempotency-replayed': 'true' },
});

const isKept = (found: Found): found is KeptAnswer => typeof found === 'object';

/** It changed nothing, so if this fails only the answer is lost. */
async function keepAfterwards(
  { db, clock, log, encryption }: Deps,
  named: Named,
  answer: KeptAnswer,
): Promise<KeptAnswer> {
  try {
    await keepAnswer(db, encryption, named, answer, clock.now());
  } catch (error) {
    if (error instanceof KeyTaken) throw error;
    log.warn({ err: error, merchantId: named.merchantId }, 'the answer for an idempotency key was not kept');
  }
  return answer;
}

/** Thrown inside a transaction, which is then rolled back. */
export class KeyTaken extends Error {}

async function keepAnswer(
  query: Query,
  encryption: Seal,
  { merchantId, key, hash }: Named,
  { status, body }: KeptAnswer,
  now: Date,
): Promise<void> {
  const sealed = encryption.encrypt(new Secret(body), keptAnswerContext(merchantId, key));
  const counted = sealed.length > countedFrom ? sealed.length : null;
  const kept = await query`
    insert into idempotency_key (merchant_id, key, request_hash, counted_bytes, status, sealed_body, created_at)
    values (${merchantId}, ${key}, ${hash}, ${counted}, ${status}, ${sealed}, ${now})
    on conflict (merchant_id, key) do update
       set request_hash = excluded.request_hash, status = excluded.status, body = null,
           sealed_body = excluded.sealed_body, counted_bytes = excluded.counted_bytes, created_at = excluded.created_at
     where idempotency_key.created_at <= ${addMs(now, -keptMs)}
        or (idempotency_key.request_hash = excluded.request_hash
            and (idempotency_key.status >= 500
                 or (idempotency_key.status is null
                     and idempotency_key.created_at <= ${addMs(now, -takeOverAfterMs)})))
    returning key`;
  if (kept.length === 0) throw new KeyTaken('another request with this key has come first');
}

/**
 * `left behind`, `perhaps running`: by a process of the previous release. A stored failure counts too: that release
 * wrote that it had failed, but a commit whose answer was lost has happened all the same.
 */
type Found = KeptAnswer | 'free' | 'left behind' | 'perhaps running';

async function lookUp(query: Query, encryption: Seal, { merchantId, key, hash }: Named, now: Date): Promise<Found> {
  const [row] = await query<{
    request_hash: Buffer;
    status: number | null;
    body: string | null;
    sealed_body: Buffer | null;
    created_at: Date;
  }>`
    select request_hash, status, body, sealed_body, created_at from idempotency_key
     where merchant_id = ${merchantId} and key = ${key} and created_at > ${addMs(now, -keptMs)}`;
  if (!row) return 'free';
  if (!row.request_hash.equals(hash)) throw keyUsedOtherwise();
  const { status, sealed_body: sealed } = row;
  // Only the previous release writes answers that are not sealed.
  const body = sealed === null ? row.body : encryption.decrypt(sealed, keptAnswerContext(merchantId, key)).reveal();
  if (status === null) return row.created_at <= addMs(now, -takeOverAfterMs) ? 'left behind' : 'perhaps running';
  return body === null || status >= 500 ? 'left behind' : { status, body };
}

/**
 * A form that a person sends: it names itself, and its answer is where the browser goes next. Kept like the answers of
 * the API, under names that no header can carry: they have a space.
 */
export type SentForm = { readonly merchantId: string; readonly name: string; readonly content: string };

const namedForm = ({ merchantId, name, content }: SentForm) => ({
  merchantId,
  key: `form ${name}`,
  hash: createHash('sha256').update(content).digest(),
});

/** Null: it was not sent yet, or what it asked for has not happened. Throws when it was sent with another content. */
export async function placeAfterForm(
  { db, encryption }: { readonly db: Query; readonly encryption: Seal },
  form: SentForm,
  now: Date,
): Promise<string | null> {
  const found = await lookUp(db, encryption, namedForm(form), now);
  return isKept(found) ? found.body : null;
}

/** In the transaction that does what the form asks for. Throws `KeyTaken` when the same form has done it before. */
export const keepPlaceAfterForm = (tx: Tx, encryption: Seal, form: SentForm, place: string, now: Date): Promise<void> =>
  keepAnswer(tx, encryption, namedForm(form), { status: 303, body: place }, now);

/** How long a form is remembered, and so how long it can be sent after it was shown. */
export const formKeptMs = keptMs;

/** For a job: deletes answers after a day. */
export async function forgetOldIdempotencyKeys(query: Query, now: Date): Promise<void> {
  await query`delete from idempotency_key where created_at <= ${addMs(now, -keptMs)}`;
}

const hashOf = ({ method, path, rawBody }: IdempotentRequest): Buffer =>
  createHash('sha256').update(`${method} ${path}\n`).update(rawBody).digest();

const keyUsedOtherwise = () =>
  new GatewayError({
    code: 'idempotency_key_reused',
    httpStatus: 422,
    message: 'This Idempotency-Key was used for another request. Use a new key for a new request.',
  });

const stillRunning = () =>
  new GatewayError({
    code: 'idempotency_key_in_use',
    httpStatus: 409,
    message: 'The request with this Idempotency-Key is still running. Try again in a moment.',
    headers: { 'retry-after': '1' },
  });
