import type { Db } from '../db/database.ts';
import { present } from '../lib/assert.ts';
import { apiSecretContext, type Encryption, webhookSecretContext } from '../lib/encryption.ts';
import type { Secret } from '../lib/secret.ts';
import { findWebhookSecrets } from './merchant-store.ts';

/** What signs the webhooks of a checkout, as it is now: a merchant who rotated a secret checks with the new one. */
export async function webhookSecretsOf(
  { db, encryption }: { db: Db; encryption: Encryption },
  merchantId: string,
  apiKey: string,
): Promise<{ apiSecret: Secret; webhookSecret: Secret; isHttpsRequired: boolean }> {
  const stored = present(await findWebhookSecrets(db, merchantId, apiKey), `the key ${apiKey} of ${merchantId}`);
  return {
    apiSecret: encryption.decrypt(stored.apiSecret, apiSecretContext(apiKey)),
    webhookSecret: encryption.decrypt(stored.webhookSecret, webhookSecretContext(merchantId)),
    isHttpsRequired: stored.isHttpsRequired,
  };
}
