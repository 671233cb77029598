/** The stores of what developers look at: failed requests and deliveries by their state. */
import * as requests from '../src/merchants/failed-request-store.ts';
import * as deliveries from '../src/webhooks/delivery-list-store.ts';
import * as webhooks from '../src/webhooks/webhook-store.ts';
import type { Call, StoreCalls } from './store-call.ts';

const page = { before: null, limit: 9 };
const id = 'a-request-01';

const fail: Call = (tx, _, { ids, now }) =>
  requests.insertFailedRequests(tx, [
    {
      id,
      createdAt: now,
      method: 'GET',
      path: '/x',
      status: 404,
      sentence: 'No.',
      apiKey: ids.apiKey,
      requestId: 'request-0001',
    },
  ]);
const giveUp: Call = async (tx, merchantId, { ids, now }) => {
  await webhooks.insertRedeliveries(tx, merchantId, [{ deliveryId: ids.delivery, id: 'redelivered1' }], now);
  await webhooks.abandonDelivery(tx, { merchantId, id: 'redelivered1', attemptLimitMs: 1 }, 'given up');
};

export const developerStoreCalls: StoreCalls = {
  'merchants/failed-request-store.ts': {
    listFailedRequests: { first: fail, ask: (tx, merchantId) => requests.listFailedRequests(tx, merchantId, page) },
  },
  'webhooks/delivery-list-store.ts': {
    bytesOfDeliveries: (tx, merchantId, { ids }) => deliveries.bytesOfDeliveries(tx, merchantId, [ids.delivery]),
    newestOfStates: (tx, merchantId) =>
      deliveries.newestOfStates(tx, merchantId, ['DELIVERED'], { ...page, from: null, to: null }),
    listDeliveries: async (tx, merchantId, { ids }) =>
      (await deliveries.listDeliveries(tx, merchantId, 'all', { ...page, limit: 1000 })).filter(
        (each) => each.id === ids.delivery,
      ),
    countOpenDeliveries: {
      first: giveUp,
      ask: async (tx, merchantId) => (await deliveries.countOpenDeliveries(tx, merchantId, 99)).failed,
      strangerGets: 0,
    },
    newestUrl: (tx, merchantId) => deliveries.newestUrl(tx, merchantId),
    lockGivenUp: { first: giveUp, ask: (tx, merchantId) => deliveries.lockGivenUp(tx, merchantId, new Date(0), 9) },
    markReplaced: (tx, merchantId, { ids }) =>
      deliveries.markReplaced(tx, merchantId, [{ id: ids.delivery, by: 'another' }]),
  },
};
