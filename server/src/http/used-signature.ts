/**
 * Where money leaves, a signature is good for one request, in every process: a captured request cannot be sent again
 * within the half minute in which its timestamp is good. With an Idempotency-Key the stored answer is given instead.
 */
import { createHash } from 'node:crypto';
import type { Db } from '../db/database.ts';
import { addMs, minutes } from '../lib/clock.ts';
import { GatewayError } from '../lib/errors.ts';

/** A timestamp is good for less than 30 seconds on either side of now; the rest is for clocks that differ. */
const keptMs = minutes(2);

export async function useUpSignature(db: Db, signature: string, now: Date): Promise<void> {
  // The digits may be written in both cases. A hash, because what is stored should be of no use to whoever reads it.
  const hash = createHash('sha256').update(signature.toLowerCase()).digest();
  const used = await db`
    insert into used_signature (hash, used_at) values (${hash}, ${now}) on conflict do nothing returning hash`;
  if (used.length === 0) throw signatureRepeated();
}

/** For a job: forgets signatures whose timestamps are too old anyway. */
export async function forgetUsedSignatures(db: Db, now: Date): Promise<void> {
  await db`delete from used_signature where used_at <= ${addMs(now, -keptMs)}`;
}

const signatureRepeated = () =>
  new GatewayError({
    code: 'signature_repeated',
    httpStatus: 409,
    message:
      'A request with this signature was received before, and here every request counts once. If another one is meant, ' +
      'sign it with a new timestamp; if it is a repetition, send both with the same Idempotency-Key.',
  });
