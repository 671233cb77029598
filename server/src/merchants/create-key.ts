import type { Scope } from '@quittance/contract/permissions';
import type { Actor } from '../http/actor.ts';
import { isStorable } from '../http/parse-json.ts';
import { invalidRequest, notFound, told } from '../lib/errors.ts';
import { type ApiCredentials, keyToStore, newApiCredentials, usualScopes } from './api-credentials.ts';
import { insertApiKey } from './api-key-store.ts';
import type { MerchantDeps } from './create-merchant.ts';
import { handsBehind } from './is-own-order.ts';
import { insertAudit, lockMerchant } from './merchant-store.ts';

const labelMax = 60;

/** What people call the key: the shop or the program that has it. */
function readLabel(text: string): string {
  const label = text.trim().replace(/\s+/g, ' ');
  if (label.length > labelMax || !isStorable(label))
    throw invalidRequest([
      told('key_name_long', `The name of a key has at most ${labelMax} characters.`, { most: String(labelMax) }),
    ]);
  return label;
}

/** A further key of the same account, for another server, or for somebody else to approve transfers. */
export async function createKey(
  { db, clock, encryption }: MerchantDeps,
  merchantId: string,
  actor: Actor,
  {
    scopes = usualScopes,
    label = '',
    givenTo = [],
  }: {
    readonly scopes?: readonly Scope[];
    readonly label?: string;
    /** Whoever gets it from the maker. */
    readonly givenTo?: readonly Actor[];
  } = {},
): Promise<ApiCredentials> {
  const name = readLabel(label);
  const credentials = newApiCredentials();
  const now = clock.now();
  await db.begin(async (tx) => {
    if (!(await lockMerchant(tx, merchantId))) throw notFound('merchant', merchantId);
    const knownTo = [...(await handsBehind(tx, merchantId, actor)), ...givenTo];
    const key = { ...keyToStore(merchantId, credentials, encryption), scopes, knownTo, label: name, madeBy: actor };
    await insertApiKey(tx, key, now);
    const detail = { apiKey: credentials.apiKey, scopes, label: name };
    await insertAudit(tx, { merchantId, at: now, actor, action: 'key.created', detail });
  });
  return credentials;
}
