/** The file of a bank as it came, for a person who compares it with what the bank shows: it names people, so each look is written down. */
import { createHash } from 'node:crypto';
import type { Actor } from '../http/actor.ts';
import type { Begin } from '../http/effect.ts';
import { assert } from '../lib/assert.ts';
import type { Clock } from '../lib/clock.ts';
import type { Encryption } from '../lib/encryption.ts';
import { insertAudit } from '../merchants/merchant-store.ts';
import { operatorId } from '../people/audit-sign-in.ts';
import { bytesOf } from './bank-file-bytes.ts';
import { bytesNotKept } from './bank-file-errors.ts';
import type { KeptFile } from './brought-store.ts';

export type ReadAsked = { readonly file: KeptFile; readonly actor: Actor; readonly begin: Begin<Buffer> };

export async function readKeptFile(
  { clock, encryption }: { readonly clock: Clock; readonly encryption: Encryption },
  { file, actor, begin }: ReadAsked,
): Promise<Buffer> {
  const { id, network, fileName, digest } = file;
  return begin(async (tx) => {
    const bytes = await bytesOf(tx, encryption, id);
    if (bytes === null) throw bytesNotKept();
    assert(createHash('sha256').update(bytes).digest('hex') === digest, 'a file of a bank is kept as it came');
    const detail = { id, network, file: fileName };
    await insertAudit(tx, { merchantId: operatorId, at: clock.now(), actor, action: 'bank.bytes_read', detail });
    return bytes;
  });
}
