/** What is wrong with a webhook URL for this merchant, beyond its form. */
export function webhookUrlProblems(
  merchant: { readonly isWebhookHttpsRequired: boolean },
  webhook: string | undefined,
): string[] {
  if (!merchant.isWebhookHttpsRequired || webhook === undefined || webhook.startsWith('https://')) return [];
  return ['webhook must be an https URL: this account requires it.'];
}
