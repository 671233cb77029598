import type { Scope } from '@quittance/contract/permissions';
import type { Db, Tx } from '../db/database.ts';
import type { Actor } from '../http/actor.ts';
import type { Clock } from '../lib/clock.ts';
import { type Encryption, webhookSecretContext } from '../lib/encryption.ts';
import { invalidRequest } from '../lib/errors.ts';
import { newId } from '../lib/ids.ts';
import type { Secret } from '../lib/secret.ts';
import {
  type ApiCredentials,
  keyToStore,
  newApiCredentials,
  newWebhookSecret,
  usualScopes,
} from './api-credentials.ts';
import { insertApiKey } from './api-key-store.ts';
import { handsBehind } from './is-own-order.ts';
import { insertAudit, insertMerchant } from './merchant-store.ts';
import { settingsProblems } from './settings-problems.ts';

export type MerchantDeps = { readonly db: Db; readonly clock: Clock; readonly encryption: Encryption };

export type NewMerchant = { name: string; email?: string | null; accountCurrency?: string; scopes?: readonly Scope[] };

/** The secrets are returned here and never again. */
export async function createMerchant(
  { db, clock, encryption }: MerchantDeps,
  { name, email = null, accountCurrency = 'USD', scopes = usualScopes }: NewMerchant,
  actor: Actor,
): Promise<ApiCredentials & { merchantId: string; webhookSecret: Secret }> {
  const problems = settingsProblems({ name, email, accountCurrency });
  if (problems.length > 0) throw invalidRequest(problems);
  const merchantId = newId();
  const credentials = newApiCredentials();
  const webhookSecret = newWebhookSecret();
  const now = clock.now();
  await db.begin(async (tx) => {
    await insertWith(tx, encryption, { id: merchantId, name, email, accountCurrency }, webhookSecret, now);
    const knownTo = await handsBehind(tx, merchantId, actor);
    const key = { ...keyToStore(merchantId, credentials, encryption), scopes, knownTo, label: '', madeBy: actor };
    await insertApiKey(tx, key, now);
    const detail = { apiKey: credentials.apiKey, scopes };
    await insertAudit(tx, { merchantId, at: now, actor, action: 'merchant.created', detail });
  });
  return { merchantId, ...credentials, webhookSecret };
}

/** For somebody who signs in, and makes keys there. In the transaction of whoever decides it. */
export async function openMerchant(
  tx: Tx,
  encryption: Encryption,
  {
    name,
    accountCurrency = 'USD',
    detail,
  }: { readonly name: string; readonly accountCurrency?: string; readonly detail: Readonly<Record<string, string>> },
  by: { readonly actor: Actor; readonly now: Date },
): Promise<string> {
  const merchant = { id: newId(), name, email: null, accountCurrency };
  const problems = settingsProblems({ name, accountCurrency });
  if (problems.length > 0) throw invalidRequest(problems);
  await insertWith(tx, encryption, merchant, newWebhookSecret(), by.now);
  const { actor, now: at } = by;
  await insertAudit(tx, { merchantId: merchant.id, at, actor, action: 'merchant.created', detail });
  return merchant.id;
}

async function insertWith(
  tx: Tx,
  encryption: Encryption,
  merchant: Parameters<typeof insertMerchant>[1],
  webhookSecret: Secret,
  now: Date,
): Promise<void> {
  await insertMerchant(tx, merchant, encryption.encrypt(webhookSecret, webhookSecretContext(merchant.id)), now);
}
