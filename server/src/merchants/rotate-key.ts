import type { Actor } from '../http/actor.ts';
import { addMs, hours } from '../lib/clock.ts';
import { invalidRequest, notFound, told } from '../lib/errors.ts';
import { type ApiCredentials, keyToStore, newApiCredentials } from './api-credentials.ts';
import {
  countFormerSecrets,
  deleteFormerSecrets,
  keepFormerSecret,
  lockApiKey,
  updateApiSecret,
} from './api-key-store.ts';
import type { MerchantDeps } from './create-merchant.ts';
import { handsBehind } from './is-own-order.ts';
import { insertAudit } from './merchant-store.ts';

/** How long a former secret works beside the new one: time to bring the new one to every server. */
export const overlapMs = hours(24);
/** A request with a wrong signature is checked against all of them. */
const formerMax = 5;

/**
 * A new secret for the same key. Former secrets stay valid for a day after they were replaced, or end now (`isAtOnce`):
 * then somebody else knows them.
 */
export async function rotateKey(
  { db, clock, encryption }: MerchantDeps,
  merchantId: string,
  apiKey: string,
  actor: Actor,
  {
    isAtOnce = false,
    givenTo = [],
  }: {
    readonly isAtOnce?: boolean;
    /** Whoever gets it from the operator. None: nobody knows who has it. */
    readonly givenTo?: readonly Actor[];
  } = {},
): Promise<ApiCredentials & { readonly formerUntil: Date | null }> {
  const credentials = newApiCredentials(apiKey);
  const now = clock.now();
  const formerUntil = isAtOnce ? null : addMs(now, overlapMs);
  await db.begin(async (tx) => {
    if (!(await lockApiKey(tx, merchantId, apiKey))) throw notFound('API key', apiKey);
    await deleteFormerSecrets(tx, merchantId, apiKey, isAtOnce ? null : now);
    if (formerUntil !== null) {
      if ((await countFormerSecrets(tx, merchantId, apiKey)) >= formerMax)
        throw invalidRequest([
          told(
            'key_rotated_often',
            `This key was rotated ${formerMax} times within 24 hours, and all these secrets still work. End them with --at-once.`,
            { most: String(formerMax) },
          ),
        ]);
      await keepFormerSecret(tx, merchantId, apiKey, formerUntil);
    }
    const given: readonly Actor[] = actor === 'operator' && givenTo.length === 0 ? [actor] : givenTo;
    const knownTo = [...(await handsBehind(tx, merchantId, actor)), ...given];
    const stored = { ...keyToStore(merchantId, credentials, encryption), isUsed: isAtOnce, knownTo, secretBy: actor };
    await updateApiSecret(tx, stored, now);
    await insertAudit(tx, { merchantId, at: now, actor, action: 'key.rotated', detail: { apiKey, isAtOnce } });
  });
  return { ...credentials, formerUntil };
}
