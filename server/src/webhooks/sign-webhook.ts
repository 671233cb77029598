/** The two proofs that a webhook is ours: the one existing clients check, and Standard Webhooks. Pure. */
import { createHash, createHmac } from 'node:crypto';
import { assert } from '../lib/assert.ts';
import type { Secret } from '../lib/secret.ts';

export type WebhookSecrets = { apiSecret: Secret; webhookSecret: Secret };

const secretPrefix = 'whsec_';

export function signWebhook(
  message: { id: string; at: Date; body: string },
  { apiSecret, webhookSecret }: WebhookSecrets,
): Record<'X-Webhook-Auth' | 'webhook-id' | 'webhook-timestamp' | 'webhook-signature', string> {
  const { id, at, body } = message;
  const timestamp = String(Math.floor(at.getTime() / 1000));

  // Plain SHA-256 over the concatenation, not an HMAC: that is what every existing client computes.
  const auth = createHash('sha256').update(apiSecret.reveal()).update(body).digest('hex');

  const text = webhookSecret.reveal();
  assert(text.startsWith(secretPrefix), `a webhook secret starts with ${secretPrefix}`);
  const key = Buffer.from(text.slice(secretPrefix.length), 'base64');
  const signature = createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64');

  return {
    'X-Webhook-Auth': auth,
    'webhook-id': id,
    'webhook-timestamp': timestamp,
    'webhook-signature': `v1,${signature}`,
  };
}
