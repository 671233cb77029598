/** The two proofs that a webhook is ours: the one existing clients check, and Standard Webhooks. Pure. */
import { createHash, createHmac } from 'node:crypto';
import { assert } from '../lib/assert.ts';
import type { Secret } from '../lib/secret.ts';

/** `webhookSecrets`: the newest first. While one is exchanged there are two, and a receiver may check with either. */
export type WebhookSecrets = { apiSecret: Secret; webhookSecrets: readonly Secret[] };

const secretPrefix = 'whsec_';

export function signWebhook(
  message: { id: string; at: Date; body: string },
  { apiSecret, webhookSecrets }: WebhookSecrets,
): Record<'X-Webhook-Auth' | 'webhook-id' | 'webhook-timestamp' | 'webhook-signature', string> {
  const { id, at, body } = message;
  const timestamp = String(Math.floor(at.getTime() / 1000));

  // Plain SHA-256 over both texts, not an HMAC: that is what every existing client computes.
  const auth = createHash('sha256').update(apiSecret.reveal()).update(body).digest('hex');

  const signatures = webhookSecrets.map((secret) => {
    const text = secret.reveal();
    assert(text.startsWith(secretPrefix), `a webhook secret starts with ${secretPrefix}`);
    const key = Buffer.from(text.slice(secretPrefix.length), 'base64');
    return `v1,${createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64')}`;
  });

  return {
    'X-Webhook-Auth': auth,
    'webhook-id': id,
    'webhook-timestamp': timestamp,
    'webhook-signature': signatures.join(' '),
  };
}
