import { notFound } from '../lib/errors.ts';
import { type ApiCredentials, keyToStore, newApiCredentials } from './api-credentials.ts';
import type { MerchantDeps } from './create-merchant.ts';
import { insertAudit, updateApiSecret } from './merchant-store.ts';

/** A new secret for the same key. The old one stops working within a second, and at once where money leaves. */
export async function rotateKey(
  { db, clock, encryption }: MerchantDeps,
  merchantId: string,
  apiKey: string,
  actor: string,
): Promise<ApiCredentials> {
  const credentials = newApiCredentials(apiKey);
  const now = clock.now();
  await db.begin(async (tx) => {
    if (!(await updateApiSecret(tx, keyToStore(merchantId, credentials, encryption), now)))
      throw notFound('API key', apiKey);
    await insertAudit(tx, { merchantId, at: now, actor, action: 'key.rotated', detail: { apiKey } });
  });
  return credentials;
}
