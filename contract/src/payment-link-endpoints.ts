/** The endpoints of payment links. Part of endpoints.ts. */
import type { Endpoint } from './endpoints.ts';
import {
  paymentLinkBody,
  paymentLinkCheckoutsQuery,
  paymentLinkCheckoutsReply,
  paymentLinkCloseBody,
  paymentLinkQuery,
  paymentLinkReply,
  paymentLinkSecretReply,
  paymentLinksQuery,
  paymentLinksReply,
} from './payment-link.ts';

const unknownLink = { 404: 'There is no payment link with this id.' } as const;

export const paymentLinkEndpoints = {
  createPaymentLink: {
    id: 'createPaymentLink',
    method: 'POST',
    path: '/payment-link',
    tag: 'Payment links',
    summary: 'Create a payment link',
    description:
      'An address that can be paid many times, without a request of yours for each payment. Whoever opens it reads what ' +
      'it is for; a hosted checkout is created when they go on to pay. Its events go to the `webhook` of the link.',
    access: 'charge',
    keepsBody: true,
    body: paymentLinkBody,
    reply: paymentLinkReply,
  },
  getPaymentLink: {
    id: 'getPaymentLink',
    method: 'GET',
    path: '/payment-link',
    tag: 'Payment links',
    summary: 'Read a payment link',
    description: 'What it asks for, and how often it was paid.',
    access: 'readCheckouts',
    failures: unknownLink,
    query: paymentLinkQuery,
    reply: paymentLinkReply,
  },
  listPaymentLinks: {
    id: 'listPaymentLinks',
    method: 'GET',
    path: '/payment-links',
    tag: 'Payment links',
    summary: 'List payment links',
    description: 'Newest first, page by page.',
    access: 'readCheckouts',
    query: paymentLinksQuery,
    reply: paymentLinksReply,
  },
  listPaymentLinkCheckouts: {
    id: 'listPaymentLinkCheckouts',
    method: 'GET',
    path: '/payment-link/checkouts',
    tag: 'Payment links',
    summary: 'List the checkouts of a payment link',
    description: 'Newest first, page by page; also those that nobody has paid.',
    access: 'readCheckouts',
    failures: unknownLink,
    query: paymentLinkCheckoutsQuery,
    reply: paymentLinkCheckoutsReply,
  },
  getPaymentLinkSecret: {
    id: 'getPaymentLinkSecret',
    method: 'GET',
    path: '/payment-link/secret',
    tag: 'Payment links',
    summary: 'Read the secret of a payment link',
    description:
      'For a link with `signedOnly`. Whoever has it can make addresses of this link for any amount, and nothing else. The ' +
      'signature is the HMAC-SHA256, in hexadecimal, of three lines: the id of the link, the amount and the reference as ' +
      'they stand in the address. One that has leaked is done away with by closing the link.',
    access: 'charge',
    failures: { 404: 'There is no payment link with this id, or its amounts are not signed.' },
    query: paymentLinkQuery,
    reply: paymentLinkSecretReply,
  },
  closePaymentLink: {
    id: 'closePaymentLink',
    method: 'POST',
    path: '/payment-link/close',
    tag: 'Payment links',
    summary: 'Close a payment link',
    description:
      'Nobody can begin to pay it any more. Checkouts that were begun before can still be paid. Closing it twice is fine.',
    access: 'charge',
    failures: unknownLink,
    echoesPosted: true,
    body: paymentLinkCloseBody,
    reply: paymentLinkReply,
  },
} as const satisfies Record<string, Endpoint>;
