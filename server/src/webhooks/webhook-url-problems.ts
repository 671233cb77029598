import { type Problem, told } from '../lib/errors.ts';

/** What is wrong with a webhook URL for this merchant, beyond its form. */
export function webhookUrlProblems(
  merchant: { readonly isWebhookHttpsRequired: boolean },
  webhook: string | undefined,
): Problem[] {
  if (!merchant.isWebhookHttpsRequired || webhook === undefined || webhook.startsWith('https://')) return [];
  return [told('webhook_not_https', 'webhook must be an https URL: this account requires it.')];
}
