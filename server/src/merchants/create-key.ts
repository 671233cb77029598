import type { Scope } from '@quittance/contract/permissions';
import type { Actor } from '../http/actor.ts';
import { notFound } from '../lib/errors.ts';
import { type ApiCredentials, keyToStore, newApiCredentials, usualScopes } from './api-credentials.ts';
import { insertApiKey } from './api-key-store.ts';
import type { MerchantDeps } from './create-merchant.ts';
import { handsBehind } from './is-own-order.ts';
import { insertAudit, lockMerchant } from './merchant-store.ts';

/** A further key of the same account, for another server or for a second pair of eyes on transfers. */
export async function createKey(
  { db, clock, encryption }: MerchantDeps,
  merchantId: string,
  actor: Actor,
  scopes: readonly Scope[] = usualScopes,
): Promise<ApiCredentials> {
  const credentials = newApiCredentials();
  const now = clock.now();
  await db.begin(async (tx) => {
    if (!(await lockMerchant(tx, merchantId))) throw notFound('merchant', merchantId);
    const knownTo = await handsBehind(tx, merchantId, actor);
    await insertApiKey(tx, { ...keyToStore(merchantId, credentials, encryption), scopes, knownTo }, now);
    const detail = { apiKey: credentials.apiKey, scopes };
    await insertAudit(tx, { merchantId, at: now, actor, action: 'key.created', detail });
  });
  return credentials;
}
