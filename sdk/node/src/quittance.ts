/** Accept crypto payments with Quittance. `new Client(key, secret, baseUrl)` calls the API; `readWebhook` checks webhooks. */
export { type ChargeToTotal, chargeTotal } from './charge-total.ts';
export { Client, Client as default, type PlainReply } from './client.ts';
export type * from './contract.ts';
export { isCredited } from './credited-states.ts';
export {
  ApiError,
  AuthenticationError,
  CannotBeDoneError,
  ConflictError,
  ConnectionError,
  InvalidRequestError,
  NotAllowedError,
  NotFoundError,
  QuittanceError,
  ServerError,
  TooManyRequestsError,
  UnavailableError,
} from './errors.ts';
export { required as 'module.exports' } from './for-require.ts';
export type { List, Page } from './list.ts';
export { signPaymentLink } from './payment-links.ts';
export {
  type ReadWebhook,
  readWebhook,
  type WebhookHeaders,
  type WebhookOptions,
  type WebhookProblem,
  type WebhookSecrets,
} from './read-webhook.ts';
export type { ExportFile, Period } from './report-resources.ts';
export { signRequest } from './sign-request.ts';
export type { CallOptions, ClientOptions } from './transport.ts';
export type {
  CheckoutEvent,
  DepositEvent,
  RefundEvent,
  SwapEvent,
  TestEvent,
  TransferEvent,
  WebhookEvent,
} from './webhook-events.ts';
