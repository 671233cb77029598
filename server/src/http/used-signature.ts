/**
 * Where money leaves, a signature is accepted for one request only, in all processes: a captured request cannot be sent
 * again within the half minute in which its timestamp is valid. With an Idempotency-Key the stored answer is given
 * instead.
 *
 * A signature is used up by what was carried out, in the same transaction: a request that was refused, or whose process
 * died, can be sent again as it is. Of two at the same moment the second waits for the row of the first: if that one is
 * carried out the second is refused, and if not the second has its turn.
 */
import { createHash } from 'node:crypto';
import type { Query, Tx } from '../db/database.ts';
import { addMs, minutes } from '../lib/clock.ts';
import { GatewayError } from '../lib/errors.ts';

/** A timestamp is valid for less than 30 seconds before and after now; the rest is for clocks that differ. */
const keptMs = minutes(2);

/** Called in the transaction that moves the money, before it decides anything. */
export async function useUpSignature(tx: Tx, signature: string, now: Date): Promise<void> {
  const used = await tx`
    insert into used_signature (hash, used_at) values (${hashOf(signature)}, ${now})
        on conflict do nothing returning hash`;
  if (used.length === 0) throw signatureRepeated();
}

export async function isSignatureUsed(query: Query, signature: string): Promise<boolean> {
  const used = await query`select from used_signature where hash = ${hashOf(signature)}`;
  return used.length > 0;
}

/** For a job: deletes signatures whose timestamps are too old anyway. */
export async function forgetUsedSignatures(query: Query, now: Date): Promise<void> {
  await query`delete from used_signature where used_at <= ${addMs(now, -keptMs)}`;
}

/** Its digits may be in upper or lower case. Only a hash is stored, so that it is of no use to whoever reads it. */
const hashOf = (signature: string): Buffer => createHash('sha256').update(signature.toLowerCase()).digest();

const code = 'signature_repeated';

export const isSignatureRepeated = (error: unknown): boolean => error instanceof GatewayError && error.code === code;

export const signatureRepeated = () =>
  new GatewayError({
    code,
    httpStatus: 409,
    message:
      'A request with this signature was carried out before, and here every request counts once. If another one is ' +
      'meant, sign it with a new timestamp; if it is a repetition, send both with the same Idempotency-Key.',
  });
