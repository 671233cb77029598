import type { Db } from '../db/database.ts';
import type { Actor } from '../http/actor.ts';
import { enqueue } from '../jobs/enqueue.ts';
import type { Clock } from '../lib/clock.ts';
import { notFound } from '../lib/errors.ts';
import { markKeyRevoked } from './api-key-store.ts';
import { insertAudit } from './merchant-store.ts';

/** After this commit no process accepts a request of the key, whichever secret signed it. */
export async function revokeKey(
  { db, clock }: { readonly db: Db; readonly clock: Clock },
  merchantId: string,
  apiKey: string,
  actor: Actor,
): Promise<void> {
  const now = clock.now();
  await db.begin(async (tx) => {
    if (!(await markKeyRevoked(tx, merchantId, apiKey, now))) throw notFound('API key', apiKey);
    await enqueue(tx, [{ name: 'export.review', payload: { merchantId }, runAt: now }]);
    await insertAudit(tx, { merchantId, at: now, actor, action: 'key.revoked', detail: { apiKey } });
  });
}
