/**
 * Every endpoint of the API, as data: the server serves them, openapi.json describes them, nothing else does.
 * Paths are relative to the base URL, which ends in /api/v1.
 */
import type { Static, TSchema } from 'typebox';
import { authTestReply, healthReply, statusReply, timeReply } from './account.ts';
import { accountEndpoints } from './account-endpoints.ts';
import { assetsReply, currenciesReply, languagesReply, networksReply } from './catalog.ts';
import {
  acceptExcessBody,
  acceptUnderpaymentBody,
  cancelBody,
  checkoutBody,
  checkoutQuery,
  checkoutReply,
  checkoutsQuery,
  checkoutsReply,
  commitBody,
  commitReply,
  hostedCheckoutReply,
  oneCheckoutReply,
  timelineReply,
  validateChargeBody,
  validateChargeReply,
} from './checkout.ts';
import {
  customerBody,
  customerChangeBody,
  customerDeleteBody,
  customerIdReply,
  customerQuery,
  customerReply,
  customersQuery,
  customersReply,
} from './customer.ts';
import type { OwnFailures } from './failures.ts';
import { paperEndpoints } from './paper-endpoints.ts';
import { paymentLinkEndpoints } from './payment-link-endpoints.ts';
import type { Permission } from './permissions.ts';
import {
  refundApproveBody,
  refundBody,
  refundCancelBody,
  refundQuery,
  refundReply,
  refundsQuery,
  refundsReply,
} from './refund.ts';
import { settingsReply } from './settings.ts';
import { transferEndpoints } from './transfer-endpoints.ts';
import {
  webhookDeliveriesQuery,
  webhookDeliveriesReply,
  webhookRedeliverBody,
  webhookRedeliverReply,
} from './webhook.ts';

/** For everybody, or for those who have the permission. */
export type Access = 'public' | Permission;

export type Endpoint = {
  readonly id: string;
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  readonly path: string;
  readonly tag: string;
  readonly summary: string;
  readonly description: string;
  readonly access: Access;
  /** Moves money out: never by basic authentication. */
  readonly isMoneyMoving?: boolean;
  /**
   * A signature is accepted only once. It has no nonce and counts time in seconds, so two equal requests within a
   * second have the same signature. Elsewhere both are accepted; where money leaves, the second may be a replay.
   */
  readonly isSignatureUsedUp?: boolean;
  /** Answers only to addresses on the merchant's list. */
  readonly needsAllowedAddress?: boolean;
  /** Keeps what is posted: refused where the merchant has stored as much as it may. */
  readonly keepsBody?: boolean;
  /**
   * Answers with what was posted earlier, and the answer is kept for an `Idempotency-Key`: where the merchant has stored as much
   * as it may, it is done only without one.
   */
  readonly echoesPosted?: boolean;
  /** No rate limit: a supervisor asks this and would stop a process that does not answer. */
  readonly isUnlimited?: boolean;
  /** The reply is a file and no JSON. */
  readonly isFile?: boolean;
  /** What it answers beyond what all do. */
  readonly failures?: OwnFailures;
  readonly query?: TSchema;
  readonly body?: TSchema;
  readonly reply: TSchema;
};

export type BodyOf<E extends Endpoint> = E['body'] extends TSchema ? Static<E['body']> : undefined;
export type QueryOf<E extends Endpoint> = E['query'] extends TSchema ? Static<E['query']> : undefined;
export type ReplyOf<E extends Endpoint> = Static<E['reply']>;

export const endpoints = {
  time: {
    id: 'time',
    method: 'GET',
    path: '/time',
    tag: 'Account',
    summary: 'Read the server time',
    description: 'For the timestamp of a signature. Public.',
    access: 'public',
    reply: timeReply,
  },
  authTest: {
    id: 'authTest',
    method: 'GET',
    path: '/auth-test',
    tag: 'Account',
    summary: 'Test the credentials',
    description: 'Answers 200 when the credentials work, and which method was used.',
    access: 'useCatalogue',
    reply: authTestReply,
  },
  getSettings: {
    id: 'getSettings',
    method: 'GET',
    path: '/settings',
    tag: 'Account',
    summary: 'Read the settings',
    description: 'What the account has set. People change it in the account, and the operator at the command line.',
    access: 'readSettings',
    reply: settingsReply,
  },
  health: {
    id: 'health',
    method: 'GET',
    path: '/health',
    tag: 'Account',
    summary: 'Can the process serve',
    description:
      'For load balancers. Answered 503 while the process cannot read its database, and 200 again once it can. Public.',
    access: 'public',
    isUnlimited: true,
    reply: healthReply,
  },
  status: {
    id: 'status',
    method: 'GET',
    path: '/status',
    tag: 'Account',
    summary: 'Are all parts well',
    description: 'The database and every network, each `ok` or `away`. Public.',
    access: 'public',
    reply: statusReply,
  },
  networks: {
    id: 'networks',
    method: 'GET',
    path: '/networks',
    tag: 'Catalog',
    summary: 'List the networks',
    description: 'Every network over which payments travel.',
    access: 'useCatalogue',
    reply: networksReply,
  },
  assets: {
    id: 'assets',
    method: 'GET',
    path: '/assets',
    tag: 'Catalog',
    summary: 'List the assets',
    description: 'Every asset, with what it can be used for. ORIGIN is not in the list.',
    access: 'useCatalogue',
    reply: assetsReply,
  },
  currencies: {
    id: 'currencies',
    method: 'GET',
    path: '/currencies',
    tag: 'Catalog',
    summary: 'List the currencies',
    description: 'Every currency, with what it can be used for.',
    access: 'useCatalogue',
    reply: currenciesReply,
  },
  languages: {
    id: 'languages',
    method: 'GET',
    path: '/languages',
    tag: 'Catalog',
    summary: 'List the languages',
    description:
      'The languages that a checkout can be created with (`checkoutLanguage`). `auto` is not in the list: with it the hosted ' +
      'page speaks the language of the browser, which may also be one that is not in the list, such as Arabic.',
    access: 'useCatalogue',
    reply: languagesReply,
  },
  createCheckout: {
    id: 'createCheckout',
    method: 'POST',
    path: '/checkout',
    tag: 'Checkouts',
    summary: 'Create a self-hosted checkout',
    description:
      'Quotes the charge on every network. Show the payment methods to the customer, then POST /checkout/commit.',
    access: 'charge',
    keepsBody: true,
    failures: { 422: 'No network can take this charge: it is too small, too large, or nothing fits the settlement.' },
    body: checkoutBody,
    reply: checkoutReply,
  },
  createHostedCheckout: {
    id: 'createHostedCheckout',
    method: 'POST',
    path: '/checkout/hosted',
    tag: 'Checkouts',
    summary: 'Create a hosted checkout',
    description: 'Redirect the customer to the returned URL. The customer chooses and pays there.',
    access: 'charge',
    keepsBody: true,
    failures: { 422: 'No network can take this charge: it is too small, too large, or nothing fits the settlement.' },
    body: checkoutBody,
    reply: hostedCheckoutReply,
  },
  commitCheckout: {
    id: 'commitCheckout',
    method: 'POST',
    path: '/checkout/commit',
    tag: 'Checkouts',
    summary: 'Commit a checkout to a network',
    description:
      'Gives the deposit instructions and starts the time to pay: 60 minutes, at a bank some days. The same commit again gives the same instructions.',
    access: 'charge',
    failures: {
      404: 'There is no checkout with this id.',
      409: 'A payment method can no longer be chosen: the checkout is over or was paid.',
      422: 'This checkout cannot be paid on this network, or not in this asset.',
    },
    body: commitBody,
    reply: commitReply,
  },
  cancelCheckout: {
    id: 'cancelCheckout',
    method: 'POST',
    path: '/checkout/cancel',
    tag: 'Checkouts',
    summary: 'Cancel a checkout',
    description: 'Possible before any payment. A payment that arrives all the same is still credited.',
    access: 'charge',
    failures: { 404: 'There is no checkout with this id.', 409: 'The checkout has received a payment, or is over.' },
    echoesPosted: true,
    body: cancelBody,
    reply: oneCheckoutReply,
  },
  acceptUnderpayment: {
    id: 'acceptUnderpayment',
    method: 'POST',
    path: '/checkout/accept-underpayment',
    tag: 'Checkouts',
    summary: 'Accept an underpaid checkout',
    description:
      'Credits what arrived although it is less than the price. What needs conversion is converted at the rate of this ' +
      'moment. When it is credited, mostly at once, the checkout becomes RESOLVED and the event UNDERPAID_ACCEPTED is sent.',
    access: 'decideCheckouts',
    failures: {
      404: 'There is no checkout with this id.',
      409: 'The checkout is not UNDERPAID, or what arrived is set aside for a refund.',
    },
    echoesPosted: true,
    body: acceptUnderpaymentBody,
    reply: oneCheckoutReply,
  },
  acceptExcess: {
    id: 'acceptExcess',
    method: 'POST',
    path: '/checkout/accept-excess',
    tag: 'Checkouts',
    summary: 'Keep what arrived beyond the price',
    description:
      'Credits the excess of an overpaid checkout, and duplicates, in the asset in which they were paid, less the fee. ' +
      'The state stays as it is.',
    access: 'decideCheckouts',
    failures: {
      404: 'There is no checkout with this id.',
      409: 'Nothing arrived beyond the price, or a payment is being confirmed again.',
    },
    echoesPosted: true,
    body: acceptExcessBody,
    reply: oneCheckoutReply,
  },
  createRefund: {
    id: 'createRefund',
    method: 'POST',
    path: '/refund',
    tag: 'Refunds',
    summary: 'Refund a checkout, all of it or a part',
    description:
      'Sets the money aside and sends it, or gives a link where the customer enters the address. Several refunds are ' +
      'possible, but never more than was received. A checkout of which everything was sent back becomes REFUNDED. Of a ' +
      'refund that has arrived the event REFUND_COMPLETED tells when everything received was given back with it, or all ' +
      'that had come beyond the price (context OVERPAID_CHECKOUT), and REFUND_PARTIAL otherwise: three refunds that ' +
      'together give everything back are two REFUND_PARTIAL and one REFUND_COMPLETED. REFUND_FAILED tells that the ' +
      'network did not take it, or gave it back: then the money is back where it came from. Each carries the checkout and the refund. ' +
      'Payers can ask for what is in suspense on the payment page themselves: such refunds are listed and told of like ' +
      'any other, and the timeline says by whom they were asked for.',
    access: 'orderMoney',
    failures: {
      404: 'There is no checkout with this id.',
      409: 'There is nothing to refund, it is being exchanged or confirmed again, a limit of the account is reached, or the signature was used before.',
      422: 'So much cannot be refunded, or not there: more than there is, too little to be sent, or it must wait for confirmations.',
    },
    isMoneyMoving: true,
    isSignatureUsedUp: true,
    needsAllowedAddress: true,
    body: refundBody,
    reply: refundReply,
  },
  approveRefund: {
    id: 'approveRefund',
    method: 'POST',
    path: '/refund/approve',
    tag: 'Refunds',
    summary: 'Approve a refund',
    description:
      'By another API key of the account than the one that asked for it. Needed once more was sent and refunded within ' +
      '24 hours than the account allows without it. If the payer asked for it on the payment page, any key may approve ' +
      'it, and the link where the address is entered is mailed to the payer instead of shown here. Needs digest ' +
      'authentication and a listed address.',
    access: 'approveOrders',
    failures: {
      403: 'Not allowed: the address, the method, a scope, or the API key is the one that asked for it or of the same maker.',
      404: 'There is no refund with this id.',
      409: 'It does not await approval, a limit of the account is reached, or the signature was used before.',
      422: 'It cannot be sent at the moment: too little is available, or it must wait for confirmations.',
    },
    isMoneyMoving: true,
    isSignatureUsedUp: true,
    needsAllowedAddress: true,
    body: refundApproveBody,
    reply: refundReply,
  },
  cancelRefund: {
    id: 'cancelRefund',
    method: 'POST',
    path: '/refund/cancel',
    tag: 'Refunds',
    summary: 'Cancel a refund',
    description: 'Possible until it is signed. The money goes back to where it came from. Needs digest authentication.',
    access: 'cancelOrders',
    failures: { 404: 'There is no refund with this id.', 409: 'It is signed, or over.' },
    isMoneyMoving: true,
    echoesPosted: true,
    body: refundCancelBody,
    reply: refundReply,
  },
  getRefund: {
    id: 'getRefund',
    method: 'GET',
    path: '/refund',
    tag: 'Refunds',
    summary: 'Read a refund',
    description: 'The record that webhooks carry, as it is now.',
    access: 'readOrders',
    failures: { 404: 'There is no refund with this id.' },
    query: refundQuery,
    reply: refundReply,
  },
  listRefunds: {
    id: 'listRefunds',
    method: 'GET',
    path: '/refunds',
    tag: 'Refunds',
    summary: 'List refunds, of the account or of a checkout',
    description: 'Newest first, page by page. With `checkoutId` all refunds of that checkout, oldest first.',
    access: 'readOrders',
    failures: { 404: 'There is no checkout with the id `checkoutId`.' },
    query: refundsQuery,
    reply: refundsReply,
  },
  validateCharge: {
    id: 'validateCharge',
    method: 'POST',
    path: '/checkout/validate-checkout-charge',
    tag: 'Checkouts',
    summary: 'Add up a charge',
    description: 'The total of a charge by the rule of the API. Nothing is stored.',
    access: 'charge',
    body: validateChargeBody,
    reply: validateChargeReply,
  },
  getCheckout: {
    id: 'getCheckout',
    method: 'GET',
    path: '/checkout',
    tag: 'Checkouts',
    summary: 'Read a checkout',
    description: 'The record that webhooks carry, as it is now.',
    access: 'readCheckouts',
    failures: { 404: 'There is no checkout with this id.' },
    query: checkoutQuery,
    reply: oneCheckoutReply,
  },
  listCheckouts: {
    id: 'listCheckouts',
    method: 'GET',
    path: '/checkouts',
    tag: 'Checkouts',
    summary: 'List or search checkouts',
    description:
      'Newest first, page by page. Several filters hold together. Where they leave few of many checkouts, a page may have ' +
      'fewer than `limit`, or none, and still a `next`: only without `next` it is the last one.',
    access: 'readCheckouts',
    query: checkoutsQuery,
    reply: checkoutsReply,
  },
  checkoutTimeline: {
    id: 'checkoutTimeline',
    method: 'GET',
    path: '/checkout/timeline',
    tag: 'Checkouts',
    summary: 'Read what happened to a checkout',
    description: 'Append-only: when, what and why.',
    access: 'readCheckouts',
    failures: { 404: 'There is no checkout with this id.' },
    query: checkoutQuery,
    reply: timelineReply,
  },
  createCustomer: {
    id: 'createCustomer',
    method: 'POST',
    path: '/customer',
    tag: 'Customers',
    summary: 'Create a customer',
    description:
      'The same e-mail address again is fine: it gives the id of the customer it belongs to, with the new fields. ' +
      'With `customer.id` it changes that customer.',
    access: 'saveCustomers',
    keepsBody: true,
    failures: {
      404: 'With `customer.id`: there is no customer with this id.',
      409: 'With `customer.id`: another customer has this e-mail address.',
    },
    body: customerBody,
    reply: customerIdReply,
  },
  changeCustomer: {
    id: 'changeCustomer',
    method: 'PUT',
    path: '/customer',
    tag: 'Customers',
    summary: 'Change a customer',
    description: 'Fields that are absent or null stay as they are; an empty text empties a field.',
    access: 'saveCustomers',
    keepsBody: true,
    failures: { 404: 'There is no customer with this id.', 409: 'Another customer has this e-mail address.' },
    body: customerChangeBody,
    reply: customerIdReply,
  },
  deleteCustomer: {
    id: 'deleteCustomer',
    method: 'DELETE',
    path: '/customer',
    tag: 'Customers',
    summary: 'Delete a customer',
    description: 'The customer can no longer be used. Invoices that were issued stay readable.',
    access: 'saveCustomers',
    failures: { 404: 'There is no customer with this id.' },
    body: customerDeleteBody,
    reply: customerIdReply,
  },
  getCustomer: {
    id: 'getCustomer',
    method: 'GET',
    path: '/customer',
    tag: 'Customers',
    summary: 'Read a customer',
    description: 'The customer with this id.',
    access: 'readCustomers',
    failures: { 404: 'There is no customer with this id.' },
    query: customerQuery,
    reply: customerReply,
  },
  listCustomers: {
    id: 'listCustomers',
    method: 'GET',
    path: '/customers',
    tag: 'Customers',
    summary: 'List customers',
    description: 'Newest first, page by page.',
    access: 'readCustomers',
    query: customersQuery,
    reply: customersReply,
  },
  ...paymentLinkEndpoints,
  ...paperEndpoints,
  ...accountEndpoints,
  ...transferEndpoints,
  listWebhookDeliveries: {
    id: 'listWebhookDeliveries',
    method: 'GET',
    path: '/webhook-deliveries',
    tag: 'Webhooks',
    summary: 'Read the webhook log, of the account or of a checkout, deposit, swap or transfer',
    description:
      'Every event that was sent, each attempt and what your server answered, newest first, page by page. With ' +
      '`checkoutId` what was sent about that one; one without events, or an unknown one, has an empty list. Events about ' +
      'what the key may not read are left out.',
    access: 'readWebhooks',
    query: webhookDeliveriesQuery,
    reply: webhookDeliveriesReply,
  },
  redeliverWebhook: {
    id: 'redeliverWebhook',
    method: 'POST',
    path: '/webhook-deliveries/redeliver',
    tag: 'Webhooks',
    summary: 'Send an event again',
    description:
      'Makes a new delivery of the same event to the same URL, with the same webhook-id. If your server had answered ' +
      '410 there, the URL is enabled again. An event that a newer one of the same checkout, deposit, swap or transfer ' +
      'has followed is refused: sent now, it would turn back what the newer one said. The error names the delivery to ' +
      'ask for instead.',
    access: 'resendWebhooks',
    failures: {
      404: 'There is no delivery with this id.',
      409: 'A newer event has followed this one. The sentence names the delivery to ask for instead.',
    },
    body: webhookRedeliverBody,
    reply: webhookRedeliverReply,
  },
} as const satisfies Record<string, Endpoint>;
