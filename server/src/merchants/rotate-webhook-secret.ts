import type { Actor } from '../http/actor.ts';
import { addMs } from '../lib/clock.ts';
import { webhookSecretContext } from '../lib/encryption.ts';
import { GatewayError, notFound } from '../lib/errors.ts';
import type { Secret } from '../lib/secret.ts';
import { newWebhookSecret } from './api-credentials.ts';
import type { MerchantDeps } from './create-merchant.ts';
import { findFormerWebhookSecretEnd, insertAudit, lockMerchant, updateWebhookSecret } from './merchant-store.ts';
import { overlapMs } from './rotate-key.ts';

/**
 * A new secret for the Standard Webhooks signature. For a day webhooks carry a signature with the former one too, so the
 * receivers can be told one after the other; or it ends now (`isAtOnce`): then somebody else knows it.
 */
export async function rotateWebhookSecret(
  { db, clock, encryption }: MerchantDeps,
  merchantId: string,
  actor: Actor,
  { isAtOnce = false }: { readonly isAtOnce?: boolean } = {},
): Promise<{ readonly webhookSecret: Secret; readonly formerUntil: Date | null }> {
  const webhookSecret = newWebhookSecret();
  const now = clock.now();
  const formerUntil = isAtOnce ? null : addMs(now, overlapMs);
  await db.begin(async (tx) => {
    if (!(await lockMerchant(tx, merchantId))) throw notFound('merchant', merchantId);
    const end = await findFormerWebhookSecretEnd(tx, merchantId);
    // A third signature would be one too many for receivers that look at the first two.
    if (!isAtOnce && end !== null && end > now) throw rotatedToday();
    const sealed = encryption.encrypt(webhookSecret, webhookSecretContext(merchantId));
    await updateWebhookSecret(tx, merchantId, sealed, formerUntil);
    await insertAudit(tx, { merchantId, at: now, actor, action: 'webhook_secret.rotated', detail: { isAtOnce } });
  });
  return { webhookSecret, formerUntil };
}

const rotatedToday = (): GatewayError =>
  new GatewayError({
    code: 'rotated_today',
    httpStatus: 409,
    message:
      'The webhook secret was exchanged less than 24 hours ago, and the former one still signs. Wait until it has ended, or end it at once.',
  });
