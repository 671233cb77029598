/** The headers of a webhook: two proofs that it is ours, either of which is enough. */
export const webhookHeaders = {
  'X-Webhook-Auth':
    'hex(sha256(secret + body)), where the secret is that of the API key with which the subject was made, and the body is ' +
    'the bytes as received. It says nothing about when it was sent.',
  'webhook-id': 'Id of the event. Every further attempt and every redelivery has the same one: handle each id once.',
  'webhook-timestamp': 'Unix time of the attempt in seconds. Refuse what is older than five minutes.',
  'webhook-signature':
    'One or more of `v1,` and base64(hmac_sha256(key, webhook-id + "." + webhook-timestamp + "." + body)), with spaces ' +
    'between them; the key is the base64 after `whsec_` in the webhook secret of the account. While that secret is ' +
    'exchanged there are two: one that is right is enough. As Standard Webhooks describes it.',
} as const;
