import { notFound } from '../lib/errors.ts';
import { type ApiCredentials, keyToStore, newApiCredentials } from './api-credentials.ts';
import type { MerchantDeps } from './create-merchant.ts';
import { insertApiKey, insertAudit, lockMerchant } from './merchant-store.ts';

/** A further key of the same account, for another server or for a second pair of eyes on transfers. */
export async function createKey(
  { db, clock, encryption }: MerchantDeps,
  merchantId: string,
  actor: string,
): Promise<ApiCredentials> {
  const credentials = newApiCredentials();
  const now = clock.now();
  await db.begin(async (tx) => {
    if (!(await lockMerchant(tx, merchantId))) throw notFound('merchant', merchantId);
    await insertApiKey(tx, keyToStore(merchantId, credentials, encryption), now);
    const detail = { apiKey: credentials.apiKey };
    await insertAudit(tx, { merchantId, at: now, actor, action: 'key.created', detail });
  });
  return credentials;
}
