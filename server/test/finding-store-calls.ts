/** The stores of what waits for a person, and of lists of a whole account. */
import * as undecided from '../src/checkouts/undecided-store.ts';
import { merchantAccount } from '../src/ledger/chart-of-accounts.ts';
import * as entries from '../src/ledger/entry-list-store.ts';
import * as toApprove from '../src/wallets/transfers-to-approve-store.ts';
import * as undelivered from '../src/webhooks/undelivered-store.ts';
import type { Call, StoreCalls } from './store-call.ts';

const range = { from: null, to: null, before: null, limit: 9 };
const longAgo = new Date(0);
const farAway = new Date('2100-01-01');

const takeBack: Call = (tx, merchantId, { ids, now }) => tx`
  update settlement set reversed_at = ${now} where merchant_id = ${merchantId} and checkout_id = ${ids.settled}`;
const fail: Call = async (tx, merchantId, { ids, now }) => {
  await tx`
    update refund set state = 'FAILED', context = 'COMPLETED_CHECKOUT', ended_at = ${now}
     where merchant_id = ${merchantId} and id = ${ids.refund}`;
};
const deliver =
  (state: string): Call =>
  (tx, merchantId, { ids }) =>
    tx`
    update delivery set state = ${state}, attempts = 1 where merchant_id = ${merchantId} and id = ${ids.delivery}`;

export const findingStoreCalls: StoreCalls = {
  'checkouts/undecided-store.ts': {
    undecidedCheckouts: (tx, merchantId) => undecided.undecidedCheckouts(tx, merchantId, 9),
    takenBackCheckouts: {
      first: takeBack,
      ask: (tx, merchantId) =>
        undecided.takenBackCheckouts(tx, merchantId, { since: longAgo, isOverIn: ['CREATED'], limit: 9 }),
    },
    waitingRefunds: (tx, merchantId) =>
      undecided.waitingRefunds(tx, merchantId, { states: ['AWAITING_APPROVAL'], expiresBy: null, limit: 9 }),
    failedRefunds: {
      first: fail,
      ask: (tx, merchantId) => undecided.failedRefunds(tx, merchantId, { since: longAgo, limit: 9 }),
    },
  },
  'ledger/entry-list-store.ts': {
    listEntryPositions: (tx, merchantId) => entries.listEntryPositions(tx, merchantId, range),
    countEntriesBetween: (tx, merchantId, { settled: { checkout, settlements } }) => {
      const credited = settlements.flatMap(({ parts }) => parts.map(({ creditedAsset }) => creditedAsset));
      const accounts = credited.map((asset) => merchantAccount(checkout.merchantId, 'available', asset));
      return entries.countEntriesBetween(tx, merchantId, { from: longAgo, to: farAway, accounts }, 9);
    },
    sortEntryPositions: (tx, merchantId, { settled }) =>
      entries.sortEntryPositions(
        ...([tx, merchantId, settled.settlements.map(({ reference }) => reference), range] as const),
      ),
  },
  'wallets/transfers-to-approve-store.ts': {
    transfersToApprove: (tx, merchantId) => toApprove.transfersToApprove(tx, merchantId, 9),
  },
  'webhooks/undelivered-store.ts': {
    givenUpUrls: {
      first: deliver('FAILED'),
      ask: (tx, merchantId) => undelivered.givenUpUrls(tx, merchantId, longAgo, 9),
    },
    failingUrls: {
      first: deliver('PENDING'),
      ask: (tx, merchantId) => undelivered.failingUrls(tx, merchantId, farAway, 9),
    },
    hasDelivered: {
      first: deliver('DELIVERED'),
      ask: (tx, merchantId) => undelivered.hasDelivered(tx, merchantId),
      strangerGets: false,
    },
  },
};
