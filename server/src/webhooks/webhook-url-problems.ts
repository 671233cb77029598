import { type Problem, told } from '../lib/errors.ts';
import { hostKind } from '../lib/public-address.ts';

/** Whether events may go to the machine that we are on, as in the sandbox. */
export type WebhookRule = { readonly allowLoopbackWebhooks: boolean };

/**
 * What is wrong with a webhook URL for this merchant, beyond its form. A name is not resolved here: where it leads may
 * change, and is asked at every attempt (`lib/guarded-fetch`). Only what could never be delivered to is refused at once, and
 * in the sandbox not even that, so that a program can be tried before its receiver is there.
 */
export function webhookUrlProblems(
  { allowLoopbackWebhooks }: WebhookRule,
  merchant: { readonly isWebhookHttpsRequired: boolean },
  webhook: string | undefined,
): Problem[] {
  if (webhook === undefined) return [];
  if (merchant.isWebhookHttpsRequired && !webhook.startsWith('https://'))
    return [told('webhook_not_https', 'webhook must be an https URL: this account requires it.')];
  const { hostname } = URL.parse(webhook) ?? { hostname: '' };
  if (allowLoopbackWebhooks || ['public', 'named'].includes(hostKind(hostname))) return [];
  return ['webhook must lead to a public address: nothing is ever delivered to this machine or to a private network.'];
}
