import type { Db } from '../db/database.ts';
import { present } from '../lib/assert.ts';
import type { Clock } from '../lib/clock.ts';
import { apiSecretContext, type Encryption, webhookSecretContext } from '../lib/encryption.ts';
import type { Secret } from '../lib/secret.ts';
import { type FormerSecret, findWebhookSecrets, type StoredSecret } from './api-key-store.ts';

/** What signs the webhooks of a checkout, as it is now. */
export async function webhookSecretsOf(
  { db, clock, encryption }: { db: Db; clock: Clock; encryption: Encryption },
  merchantId: string,
  apiKey: string,
): Promise<{ apiSecret: Secret; webhookSecrets: readonly Secret[]; isHttpsRequired: boolean }> {
  const stored = present(await findWebhookSecrets(db, merchantId, apiKey), `the key ${apiKey} of ${merchantId}`);
  const now = clock.now();
  const former = stored.formerWebhookSecret;
  const signing = [stored.webhookSecret, ...(former && former.goodUntil > now ? [former.secret] : [])];
  return {
    apiSecret: encryption.decrypt(signingSecret(stored, now), apiSecretContext(apiKey)),
    webhookSecrets: signing.map((secret) => encryption.decrypt(secret, webhookSecretContext(merchantId))),
    isHttpsRequired: stored.isHttpsRequired,
  };
}

/**
 * The newest secret that the shop has used. One that was rotated a moment ago may not have arrived there yet, and a
 * shop that checks with the former one would take our webhooks for forged ones.
 */
function signingSecret({ former, ...current }: StoredSecret & { former: readonly FormerSecret[] }, now: Date): Buffer {
  const known = [current, ...former.filter(({ goodUntil }) => goodUntil > now)].find(({ isUsed }) => isUsed);
  return (known ?? current).secret;
}
