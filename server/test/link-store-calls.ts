/** The store of payment links. */
import { deleteCheckouts, noteForgotten } from '../src/checkouts/unchosen-store.ts';
import { roomOf, storedBytesOf } from '../src/http/stored-bytes-store.ts';
import { newId } from '../src/lib/ids.ts';
import type { PaymentLink } from '../src/payment-links/payment-link.ts';
import * as links from '../src/payment-links/payment-link-store.ts';
import type { Owned, StoreCalls } from './store-call.ts';

const range = { from: null, to: null, before: null, limit: 9 };
const keyOf = (merchantId: string, { ids }: Owned) => ({ merchantId, id: ids.paymentLink });
const aLink = (merchantId: string, now: Date): PaymentLink => ({
  merchantId,
  id: newId(),
  description: 'A cup',
  currency: 'USD',
  asks: { kind: 'open', min: null, max: null },
  paymentsMax: null,
  settlementAsset: null,
  webhook: null,
  pageSettings: {},
  meta: null,
  apiKey: null,
  createdBy: 'operator',
  createdAt: now,
  closedAt: null,
});

export const linkStoreCalls: StoreCalls = {
  'checkouts/unchosen-store.ts': {
    deleteCheckouts: (tx, merchantId, { ids }) => deleteCheckouts(tx, [{ merchantId, id: ids.checkout }]),
    noteForgotten: (tx, merchantId, { ids }) => noteForgotten(tx, [{ merchantId, id: ids.checkout }]),
  },
  'http/stored-bytes-store.ts': {
    storedBytesOf: (tx, merchantId) => storedBytesOf(tx, merchantId),
    roomOf: {
      ask: (tx, merchantId) => roomOf(tx, merchantId),
      strangerGets: { bytes: 0, megabytesMax: null },
    },
  },
  'payment-links/payment-link-store.ts': {
    insertPaymentLink: (tx, merchantId, { now }) => links.insertPaymentLink(tx, aLink(merchantId, now)),
    findPaymentLink: (tx, merchantId, own) => links.findPaymentLink(tx, keyOf(merchantId, own)),
    lockPaymentLink: (tx, merchantId, own) => links.lockPaymentLink(tx, keyOf(merchantId, own)),
    markLinkClosed: (tx, merchantId, own) => links.markLinkClosed(tx, keyOf(merchantId, own), own.now),
    findPaymentLinks: (tx, merchantId, { ids }) => links.findPaymentLinks(tx, merchantId, [ids.paymentLink]),
    listPaymentLinkKeys: (tx, merchantId) => links.listPaymentLinkKeys(tx, merchantId, { ...range, isClosed: null }),
    talliesOfPaymentLinks: (tx, merchantId, { ids }) => links.talliesOfPaymentLinks(tx, merchantId, [ids.paymentLink]),
    lockLimitedLinks: {
      first: (tx, merchantId, own) => tx`
        with made as (insert into payment_link_checkout (merchant_id, payment_link_id, checkout_id, created_at)
                      values (${merchantId}, ${own.ids.paymentLink}, ${own.ids.settled}, now()))
        update payment_link set payments_max = 5 where id = ${own.ids.paymentLink}`,
      ask: (tx, merchantId, { ids }) => links.lockLimitedLinks(tx, [{ merchantId, id: ids.settled }]),
    },
    findLimitOf: {
      first: (tx, merchantId, own) => tx`
        with made as (insert into payment_link_checkout (merchant_id, payment_link_id, checkout_id, created_at)
                      values (${merchantId}, ${own.ids.paymentLink}, ${own.ids.settled}, now()))
        update payment_link set payments_max = 5 where id = ${own.ids.paymentLink}`,
      ask: (tx, merchantId, { ids }) => links.findLimitOf(tx, { merchantId, id: ids.settled }),
    },
    findLapsed: {
      first: (tx, merchantId, own) => tx`
        with made as (insert into payment_link_checkout (merchant_id, payment_link_id, checkout_id, created_at)
                      values (${merchantId}, ${own.ids.paymentLink}, ${own.ids.checkout}, now()))
        update checkout set origin = 'PAYMENT_LINK' where merchant_id = ${merchantId} and id = ${own.ids.checkout}`,
      ask: async (tx, merchantId, own) => [...(await links.findLapsed(tx, keyOf(merchantId, own), own.now))],
    },
    deleteLinkCheckouts: {
      first: (tx, merchantId, own) =>
        links.insertLinkCheckout(tx, keyOf(merchantId, own), { checkoutId: own.ids.settled, once: null, at: own.now }),
      ask: (tx, merchantId, { ids }) => links.deleteLinkCheckouts(tx, [{ merchantId, id: ids.settled }]),
    },
    findMadeOnce: {
      ask: (tx, merchantId, own) => links.findMadeOnce(tx, keyOf(merchantId, own), 'reference:owner-7'),
      strangerGets: null,
    },
    insertLinkCheckout: (tx, merchantId, own) =>
      links.insertLinkCheckout(tx, keyOf(merchantId, own), { checkoutId: own.ids.settled, once: null, at: own.now }),
    listLinkCheckoutKeys: (tx, merchantId, own) => links.listLinkCheckoutKeys(tx, keyOf(merchantId, own), range),
  },
};
