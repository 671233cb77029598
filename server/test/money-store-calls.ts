/** The stores of what merchants hold and send, of the books, and of what merchants are told. */

import * as links from '../src/checkouts/claim-link-store.ts';
import * as refunds from '../src/checkouts/refund-store.ts';
import * as ledger from '../src/ledger/ledger-store.ts';
import { newId } from '../src/lib/ids.ts';
import * as decisions from '../src/payments/payment-decision-store.ts';
import * as payments from '../src/payments/payment-store.ts';
import * as acceptances from '../src/settlements/small-acceptance-store.ts';
import * as promises from '../src/venues/treasury-promise-store.ts';
import * as approvals from '../src/wallets/approval-store.ts';
import * as swaps from '../src/wallets/swap-store.ts';
import * as transfers from '../src/wallets/transfer-store.ts';
import * as unfinal from '../src/wallets/unfinal-store.ts';
import * as strays from '../src/watching/stray-store.ts';
import * as turns from '../src/webhooks/delivery-turn-store.ts';
import * as webhookLog from '../src/webhooks/webhook-log-store.ts';
import * as webhooks from '../src/webhooks/webhook-store.ts';
import type { Call, Owned, StoreCalls } from './store-call.ts';

const longAgo = new Date(0);
const small = { missing: '1', currency: 'USD' };
const kept = { worth: '1', currency: 'USD' };
const range = { from: null, to: null, before: null, limit: 9 };
const key = 'key of the owner';
const promise = (merchantId: string, { ids, transfer }: Owned) => ({
  merchantId,
  checkoutId: ids.checkout,
  asset: transfer.asset,
  units: 5n,
});
const attempt = {
  durationMs: 1,
  requestHeaders: {},
  responseStatus: 200,
  responseHeaders: {},
  responseExcerpt: '',
  error: null,
};
const payment = ({ settled }: Owned) => settled.payments[0] as NonNullable<(typeof settled.payments)[0]>;
const keyOf = (merchantId: string, own: Owned) => ({ merchantId, ownerId: own.ids.settled, id: payment(own).id });
const redelivery = 'redelivery00';
/** The delivery of the owner's that is still to be made. */
const hook = 'https://shop.example/hook';
const redeliver: Call = (tx, merchantId, { ids, now }) =>
  webhooks.insertRedeliveries(tx, merchantId, [{ deliveryId: ids.delivery, id: redelivery }], now);
const stray: Call = (tx, merchantId, { ids, now }) => tx`
  insert into stray_transfer (network, tx_hash, tx_index, merchant_id, owner_id, target_key, what, units, block_hash, block_time)
  values ('ETHEREUM', 'hash', '0', ${merchantId}, ${ids.settled}, 'key', 'token', 1, 'block', ${now})`;
const completed: Call = (tx, merchantId, { ids }) =>
  tx`update transfer set state = 'COMPLETED' where merchant_id = ${merchantId} and id = ${ids.transfer}`;
const asked: Call = (tx, merchantId) =>
  Promise.all([
    tx`update transfer set idempotency_key = ${key}, state = 'WAITING' where merchant_id = ${merchantId}`,
    tx`update refund set idempotency_key = ${key} where merchant_id = ${merchantId}`,
    tx`update swap set idempotency_key = ${key} where merchant_id = ${merchantId}`,
  ]);
const linkOf = (merchantId: string, { refund }: Owned['ids']) => ({ merchantId, refundId: refund });
const linked: Call = (tx, merchantId, { ids, now }) => links.insertClaimLink(tx, linkOf(merchantId, ids), 'en', now);
const eventOf = (merchantId: string, { ids, now }: Owned): webhooks.EventToInsert => ({
  merchantId,
  id: 'anevent00000',
  subject: ids.settled,
  type: 'CHECKOUT_COMPLETED',
  body: '{}',
  at: now,
  deliveryId: 'adelivery000',
  url: 'https://shop.example',
  apiKey: ids.apiKey,
});

export const moneyStoreCalls: StoreCalls = {
  'ledger/ledger-store.ts': {
    listBalances: (tx, merchantId) => ledger.listBalances(tx, merchantId),
    entriesAbout: (tx, merchantId, { ids }) =>
      ledger.entriesAbout(tx, merchantId, [{ kind: 'checkout', id: ids.settled }]),
  },
  'watching/stray-store.ts': {
    countStrays: {
      first: stray,
      ask: (tx, merchantId, { ids }) =>
        strays.countStrays(tx, [{ merchant_id: merchantId, owner_id: ids.settled, limit: 9 }]),
    },
    straysOfCheckout: {
      first: stray,
      ask: (tx, merchantId, { ids }) => strays.straysOfCheckout(tx, merchantId, ids.settled),
    },
  },
  'payments/payment-store.ts': {
    tracesOfPayments: (tx, merchantId, own) => payments.tracesOfPayments(tx, merchantId, [keyOf(merchantId, own)]),
  },
  'payments/payment-decision-store.ts': {
    placePayments: (tx, merchantId, own) =>
      decisions.placePayments(tx, [
        { ...keyOf(merchantId, own), from: payment(own).place, place: 'suspense', generation: 7, unbridgedAt: null },
      ]),
    saveValuations: (tx, merchantId, own) =>
      decisions.saveValuations(tx, [{ ...keyOf(merchantId, own), valuations: [{}] as never }]),
    assignPayments: {
      first: (tx, merchantId) => tx`update payment set commitment_id = null where merchant_id = ${merchantId}`,
      ask: (tx, merchantId, own) =>
        decisions.assignPayments(tx, [{ ...keyOf(merchantId, own), commitmentId: payment(own).commitmentId }]),
    },
  },
  'checkouts/claim-link-store.ts': {
    insertClaimLink: linked,
    findClaimLinks: {
      first: linked,
      ask: (tx, merchantId, { ids }) => links.findClaimLinks(tx, { merchantId, id: ids.settled }),
    },
    isByPayer: { first: linked, ask: (tx, merchantId, { ids }) => links.isByPayer(tx, linkOf(merchantId, ids)) },
    askForLinkAgain: {
      first: linked,
      ask: (tx, merchantId, { ids, now }) =>
        links.askForLinkAgain(tx, linkOf(merchantId, ids), { askedMax: 9, askedBefore: now }, now),
    },
    startLink: {
      first: linked,
      ask: (tx, merchantId, { ids, now }) => links.startLink(tx, linkOf(merchantId, ids), now, now),
      strangerGets: { is: 'answered' },
    },
    releaseLink: {
      first: async (tx, merchantId, own) => {
        await linked(tx, merchantId, own);
        await links.startLink(tx, linkOf(merchantId, own.ids), own.now, own.now);
      },
      ask: (tx, merchantId, { ids, now }) => links.releaseLink(tx, linkOf(merchantId, ids), now),
    },
    answerLink: { first: linked, ask: (tx, merchantId, { ids }) => links.answerLink(tx, linkOf(merchantId, ids), 1) },
    refuseLink: {
      first: linked,
      ask: (tx, merchantId, { ids, now }) => links.refuseLink(tx, linkOf(merchantId, ids), now),
    },
  },
  'checkouts/refund-store.ts': {
    insertRefund: (tx, merchantId, { ids, refund }) =>
      refunds.insertRefund(...([tx, { merchantId, id: ids.settled }, { ...refund, id: newId() }] as const), {
        requestedBy: 'operator',
        apiKey: 'a key',
        claimHash: null,
      }),
    askersOfRefunds: (tx, merchantId, { ids }) => refunds.askersOfRefunds(tx, merchantId, [ids.refund]),
    findRefund: (tx, merchantId, { ids }) => refunds.findRefund(tx, merchantId, ids.refund),
    findRefunds: (tx, merchantId, { ids }) => refunds.findRefunds(tx, merchantId, [ids.refund]),
    hasWhatItGivesBack: (tx, merchantId, { ids }) => refunds.hasWhatItGivesBack(tx, merchantId, ids.refund),
    findAskedRefund: { first: asked, ask: (tx, merchantId) => refunds.findAskedRefund(tx, merchantId, key, longAgo) },
    unsentRefunds: (tx, merchantId, { ids }) => refunds.unsentRefunds(tx, merchantId, ids.apiKey),
    listRefundKeys: (tx, merchantId, { refund }) =>
      refunds.listRefundKeys(tx, merchantId, [refund.state], { from: null, to: null, before: null, limit: 9 }),
    listNewestRefunds: (tx, merchantId) => refunds.listNewestRefunds(tx, { merchantId, state: null, limit: 9 }),
  },
  'venues/treasury-promise-store.ts': {
    savePromises: {
      first: (tx, merchantId, own) => promises.savePromises(tx, [promise(merchantId, own)], own.now),
      ask: (tx, merchantId, own) => promises.savePromises(tx, [{ ...promise(merchantId, own), units: 7n }], own.now),
    },
    promisesOf: {
      first: (tx, merchantId, own) => promises.savePromises(tx, [promise(merchantId, own)], own.now),
      ask: (tx, merchantId, own) => promises.promisesOf(tx, [promise(merchantId, own)]),
    },
    releasePromises: {
      first: (tx, merchantId, own) => promises.savePromises(tx, [promise(merchantId, own)], own.now),
      ask: (tx, merchantId, own) => promises.releasePromises(tx, [promise(merchantId, own)]),
    },
  },
  'settlements/small-acceptance-store.ts': {
    saveSmallAcceptance: (tx, merchantId, { ids, now }) =>
      acceptances.saveSmallAcceptance(tx, { merchantId, checkoutId: ids.settled, actor: 'person:a' }, small, now),
    smallAcceptancesSince: {
      first: (tx, merchantId, { ids, now }) =>
        acceptances.saveSmallAcceptance(tx, { merchantId, checkoutId: ids.settled, actor: 'person:a' }, small, now),
      ask: (tx, merchantId) => acceptances.smallAcceptancesSince(tx, merchantId, 'person:a', longAgo),
    },
    saveSmallExcess: (tx, merchantId, { ids, now }) =>
      acceptances.saveSmallExcess(tx, { merchantId, checkoutId: ids.settled, actor: 'person:a' }, kept, now),
    smallExcessesSince: {
      first: (tx, merchantId, { ids, now }) =>
        acceptances.saveSmallExcess(tx, { merchantId, checkoutId: ids.settled, actor: 'person:a' }, kept, now),
      ask: (tx, merchantId) => acceptances.smallExcessesSince(tx, merchantId, 'person:a', longAgo),
    },
  },
  'wallets/approval-store.ts': {
    unapprovedSince: {
      first: asked,
      ask: async (tx, merchantId) => [
        ...(await approvals.unapprovedSince(tx, merchantId, longAgo, ['transfer'])),
        ...(await approvals.unapprovedSince(tx, merchantId, longAgo, ['refund'])),
      ],
    },
    leavingSince: { first: asked, ask: (tx, merchantId) => approvals.leavingSince(tx, merchantId, longAgo, '') },
    refundedBySince: {
      first: async (tx, merchantId, own) => {
        await asked(tx, merchantId, own);
        await tx`update refund set requested_by = 'person:somebody' where merchant_id = ${merchantId}`;
      },
      ask: (tx, merchantId) => approvals.refundedBySince(tx, merchantId, 'person:somebody', longAgo),
    },
  },
  'wallets/swap-store.ts': {
    insertSwapQuote: (tx, merchantId, { quote }) => swaps.insertSwapQuote(tx, { ...quote, merchantId, id: newId() }),
    findSwapQuote: (tx, merchantId, { ids }) => swaps.findSwapQuote(tx, merchantId, ids.swapQuote),
    insertSwap: (tx, merchantId, { swap }) => swaps.insertSwap(tx, { ...swap, merchantId, id: newId(), quoteId: null }),
    endSwap: {
      first: (tx, merchantId) => tx`update swap set state = 'PROCESSING' where merchant_id = ${merchantId}`,
      ask: (tx, merchantId, { swap }) =>
        swaps.endSwap(tx, { ...swap, merchantId, state: 'FAILED', failure: 'none' }, 'PROCESSING'),
    },
    findSwap: (tx, merchantId, { ids }) => swaps.findSwap(tx, merchantId, ids.swap),
    findSwaps: (tx, merchantId, { ids }) => swaps.findSwaps(tx, merchantId, [ids.swap]),
    lockSwap: (tx, merchantId, { ids }) => swaps.lockSwap(tx, merchantId, ids.swap),
    findAskedSwap: { first: asked, ask: (tx, merchantId) => swaps.findAskedSwap(tx, merchantId, key, longAgo) },
    isQuoteUsed: {
      first: (tx, merchantId, { ids }) =>
        tx`update swap set quote_id = ${ids.swapQuote} where merchant_id = ${merchantId}`,
      ask: (tx, merchantId, { ids }) => swaps.isQuoteUsed(tx, merchantId, ids.swapQuote),
    },
    listSwapKeys: (tx, merchantId) => swaps.listSwapKeys(tx, merchantId, { ...range, state: null }),
  },
  'wallets/transfer-store.ts': {
    insertTransfer: (tx, merchantId, { transfer }) =>
      transfers.insertTransfer(tx, { ...transfer, merchantId, id: newId() }),
    findTransfers: (tx, merchantId, { ids }) => transfers.findTransfers(tx, merchantId, [ids.transfer]),
    findTransfer: (tx, merchantId, { ids }) => transfers.findTransfer(tx, merchantId, ids.transfer),
    lockTransfer: (tx, merchantId, { ids }) => transfers.lockTransfer(tx, merchantId, ids.transfer),
    moveTransfer: (tx, merchantId, { transfer }) => transfers.moveTransfer(tx, { ...transfer, merchantId }, 'cancel'),
    findTransferAskedBy: {
      first: asked,
      ask: (tx, merchantId) => transfers.findTransferAskedBy(tx, merchantId, key, longAgo),
    },
    hasSentTo: {
      first: completed,
      ask: (tx, merchantId, { transfer }) => transfers.hasSentTo(tx, merchantId, transfer.network, transfer),
    },
    listTransferGroup: {
      first: completed,
      ask: (tx, merchantId) => transfers.listTransferGroup(tx, merchantId, 'over', range),
    },
    unsentTransfers: (tx, merchantId, { ids }) => transfers.unsentTransfers(tx, merchantId, ids.apiKey),
    listTransferKeys: (tx, merchantId) =>
      transfers.listTransferKeys(tx, { ...range, merchantId, state: null, network: null, asset: null }),
  },
  'wallets/unfinal-store.ts': {
    unfinalNetworks: {
      first: (tx, merchantId) => tx`update payment set state = 'CONFIRMED' where merchant_id = ${merchantId}`,
      ask: (tx, merchantId) => unfinal.unfinalNetworks(tx, merchantId),
    },
    readUnfinalBlocks: {
      first: (tx, merchantId) => tx`update payment set state = 'CONFIRMED' where merchant_id = ${merchantId}`,
      ask: (tx, merchantId) => unfinal.readUnfinalBlocks(tx, merchantId),
    },
    blocksOfPayments: {
      first: (tx, merchantId) => tx`update payment set state = 'CONFIRMED' where merchant_id = ${merchantId}`,
      ask: (tx, merchantId, own) =>
        unfinal.blocksOfPayments(tx, { merchantId, ownerId: own.ids.settled }, [payment(own).id]),
    },
  },
  'webhooks/delivery-turn-store.ts': {
    takeTurn: {
      first: redeliver,
      ask: (tx, merchantId, { now }) =>
        turns.takeTurn(tx, { merchantId, deliveryId: redelivery, worker: 1, now, staleBefore: now }),
      strangerGets: 'taken',
    },
  },
  'webhooks/webhook-log-store.ts': {
    eventsOfSubject: (tx, merchantId, { ids }) => webhookLog.eventsOfSubject(tx, merchantId, ids.settled),
    deliveriesOfSubject: (tx, merchantId, { ids }) => webhookLog.deliveriesOfSubject(tx, merchantId, ids.settled, 9),
    findDeliveries: (tx, merchantId, { ids }) => webhookLog.findDeliveries(tx, merchantId, [ids.delivery]),
    findDelivery: (tx, merchantId, { ids }) => webhookLog.findDelivery(tx, merchantId, ids.delivery),
    deliveryAfter: {
      first: (tx, merchantId, own) => webhooks.insertEvents(tx, [eventOf(merchantId, own)]),
      ask: (tx, merchantId, { ids }) => webhookLog.deliveryAfter(tx, merchantId, ids.delivery),
    },
  },
  'webhooks/webhook-store.ts': {
    insertEvents: {
      ask: async (tx, merchantId, own) => (await webhooks.insertEvents(tx, [eventOf(merchantId, own)])).size,
      strangerGets: 1,
    },
    insertRedeliveries: { ask: redeliver, strangerGets: 0 },
    enableWebhook: {
      first: (tx, merchantId, { now }) =>
        tx`insert into disabled_webhook (merchant_id, url, at) values (${merchantId}, ${hook}, ${now})`,
      ask: (tx, merchantId) => webhooks.enableWebhook(tx, merchantId, hook),
    },
    waitingDelivery: {
      first: redeliver,
      ask: (tx, merchantId) => webhooks.waitingDelivery(tx, merchantId, redelivery, 3),
    },
    recordAttempt: {
      first: redeliver,
      ask: (tx, merchantId, { now }) =>
        webhooks.recordAttempt(
          ...([tx, { merchantId, id: redelivery, attemptsBefore: 0, worker: 1 }, { ...attempt, at: now }] as const),
          { move: 'giveUp', failure: 'gone', isUrlGone: true },
        ),
    },
    abandonDelivery: {
      first: redeliver,
      ask: (tx, merchantId) =>
        webhooks.abandonDelivery(tx, { merchantId, id: redelivery, attemptLimitMs: 1 }, 'given up'),
    },
  },
};
