/**
 * `Idempotency-Key`: a client that does not know whether its request arrived sends it again with the same key and gets
 * the answer of the first time.
 *
 * The row is written before the work and completed after it. A process that dies in between leaves the row open;
 * after a minute the next request with the key takes it over and does the work again. So work that must not happen
 * twice (sending money) has to carry a key of its own besides.
 *
 * A failure on our side is no answer, so the same request may be sent again at once. But it may have happened all the
 * same, so its key is never free for another request: that would be told what the first one did.
 */
import { createHash } from 'node:crypto';
import type { Db } from '../db/database.ts';
import { addMs, type Clock, hours } from '../lib/clock.ts';
import { GatewayError, invalidRequest } from '../lib/errors.ts';
import type { Log } from '../lib/log.ts';
import type { Answer } from './render-error.ts';

const takeOverAfterMs = 60_000;
const keptMs = hours(24);

export type IdempotentRequest = {
  readonly merchantId: string;
  readonly key: string;
  readonly method: string;
  readonly path: string;
  readonly rawBody: Buffer;
};

type Deps = { readonly db: Db; readonly clock: Clock; readonly log: Log };
type StoredRow = { request_hash: Buffer; status: number | null; body: string | null; created_at: Date };

export function readIdempotencyKey(header: string | string[] | undefined): string | null {
  if (header === undefined) return null;
  if (typeof header !== 'string' || !/^[\x21-\x7e]{1,255}$/.test(header))
    throw invalidRequest('The header Idempotency-Key must be 1 to 255 printable ASCII characters without spaces.');
  return header;
}

/**
 * `admit` is asked before the work, not before a stored answer is given again. What it throws is not stored, nor what
 * the work throws instead of answering.
 */
export async function answerOnce(
  { db, clock, log }: Deps,
  request: IdempotentRequest,
  { admit, work }: { readonly admit: () => Promise<void>; readonly work: () => Promise<Answer> },
): Promise<Answer> {
  const { merchantId, key } = request;
  const hash = hashOf(request);
  const startedAt = clock.now();
  const claimed = await claim(db, request, hash, startedAt);
  if ('body' in claimed) return { ...claimed, headers: { 'idempotency-replayed': 'true' } };

  // `created_at` is the fence: if another process has taken the key over, its answer stands.
  const store = (status: number, body: string | null) => db`
    update idempotency_key set status = ${status}, body = ${body}
     where merchant_id = ${merchantId} and key = ${key} and status is null and created_at = ${startedAt}`;
  const forget = () => db`
    delete from idempotency_key
     where merchant_id = ${merchantId} and key = ${key} and status is null and created_at = ${startedAt}`;
  const answer = await admit()
    .then(work)
    .catch(async (error: unknown) => {
      await (claimed.isFirst ? forget() : store(500, null));
      throw error;
    });
  try {
    await store(answer.status, answer.status < 500 ? answer.body : null);
  } catch (error) {
    // The work is done and the client should know. A retry will find the key open and take it over.
    log.error({ err: error, merchantId }, 'the answer for an idempotency key was not stored');
  }
  return answer;
}

/** Makes the key ours, for the first time or once more, or returns the answer that is stored for it, or throws. */
async function claim(
  db: Db,
  { merchantId, key }: IdempotentRequest,
  hash: Buffer,
  now: Date,
): Promise<Omit<Answer, 'headers'> | { readonly isFirst: boolean }> {
  // `xmax` is zero in a row that was inserted, not updated.
  const [claimed] = await db<{ is_first: boolean }>`
    insert into idempotency_key (merchant_id, key, request_hash, created_at)
    values (${merchantId}, ${key}, ${hash}, ${now})
    on conflict (merchant_id, key) do update
       set request_hash = excluded.request_hash, created_at = excluded.created_at, status = null, body = null
     where idempotency_key.created_at <= ${addMs(now, -keptMs)}
        or (idempotency_key.request_hash = excluded.request_hash
            and (idempotency_key.status >= 500
                 or (idempotency_key.status is null
                     and idempotency_key.created_at <= ${addMs(now, -takeOverAfterMs)})))
    returning xmax = 0 as is_first`;
  if (claimed) return { isFirst: claimed.is_first };

  const [row] = await db<StoredRow>`
    select request_hash, status, body, created_at from idempotency_key
     where merchant_id = ${merchantId} and key = ${key}`;
  if (row && !row.request_hash.equals(hash)) throw keyUsedOtherwise();
  if (!row || row.status === null || row.body === null) throw stillRunning();
  return { status: row.status, body: row.body };
}

/** For a job: forgets answers after their day. */
export async function forgetOldIdempotencyKeys(db: Db, now: Date): Promise<void> {
  await db`delete from idempotency_key where created_at <= ${addMs(now, -keptMs)}`;
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
