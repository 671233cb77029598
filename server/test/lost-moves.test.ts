/**
 * A move that lost its race changes nothing and says so. Whoever moves something says where it was seen; here somebody
 * else has moved it since, and without the lock that would have kept them from it.
 */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { saveRefunds } from '../src/checkouts/refund-store.ts';
import type { Tx } from '../src/db/database.ts';
import { saveDeposit } from '../src/deposits/custom-deposit-store.ts';
import { present } from '../src/lib/assert.ts';
import { placePayments } from '../src/payments/payment-decision-store.ts';
import { insertPayouts, refusePayout, signPayouts, withdrawPayout } from '../src/sending/payout-store.ts';
import { endOrder, insertOrders } from '../src/venues/venue-order-store.ts';
import { endSwap } from '../src/wallets/swap-store.ts';
import { moveTransfer } from '../src/wallets/transfer-store.ts';
import { type Owned, ownedBy } from './store-call.ts';
import { changedTables, digestsOf, startTenants, type Tenants } from './tenant-world.ts';

let tenants: Tenants;
let own: Owned;
before(async () => {
  tenants = await startTenants();
  own = await ownedBy(tenants);
});
after(() => tenants.world.gateway.stop());

type Race = {
  /** What somebody else has done. */
  readonly others: (tx: Tx) => Promise<unknown>;
  readonly move: (tx: Tx) => Promise<unknown>;
  /** How it says so: with this, or with an error. */
  readonly says: unknown;
};

const noLonger = /no longer|not as we saw it|not where we saw it/;
const sent = () => ({
  id: 'raced',
  network: 'BITCOIN',
  asset: own.transfer.asset,
  units: 5n,
  address: 'there',
  memo: null,
  memoType: null,
  holder: null,
  purpose: 'transfer' as const,
  merchantId: own.merchantId,
});
const signed = async (tx: Tx): Promise<void> => {
  await insertPayouts(tx, [sent()], own.now);
  assert.ok(await signPayouts(tx, ['raced'], 'theirs'));
};

const order = () => ({
  id: 'raced',
  reference: 'raced',
  purpose: 'swap' as const,
  merchantId: own.merchantId,
  ownerId: own.ids.swap,
  attempt: 9,
  sourceAsset: own.swap.sourceAsset,
  sourceUnits: 5n,
  targetAsset: own.swap.targetAsset,
  leastUnits: 5n,
});

const races: Readonly<Record<string, Race>> = {
  'a payment that was booked elsewhere': {
    others: (tx) => tx`update payment set place = 'suspense' where merchant_id = ${own.merchantId}`,
    move(tx) {
      const { id } = present(own.settled.payments[0], 'a payment');
      const key = { merchantId: own.merchantId, ownerId: own.ids.settled, id };
      return placePayments(tx, [{ ...key, from: 'settled', place: 'pending', generation: 7 }]);
    },
    says: noLonger,
  },
  'a refund that has ended': {
    others: (tx) => tx`update refund set state = 'CANCELED', address = 'there' where merchant_id = ${own.merchantId}`,
    move: (tx) => saveRefunds(tx, [{ ...own.refund, state: 'SENDING', address: 'elsewhere' }]),
    says: noLonger,
  },
  'a refund whose money is back': {
    others: (tx) => tx`update refund set place = 'returned' where merchant_id = ${own.merchantId}`,
    move: (tx) => saveRefunds(tx, [{ ...own.refund, place: 'sent' }]),
    says: noLonger,
  },
  'a deposit that was looked at': {
    others: (tx) => tx`update deposit set state = 'PENDING' where merchant_id = ${own.merchantId}`,
    move: (tx) => saveDeposit(tx, { ...own.deposit.deposit, state: 'COMPLETED', reversals: 7 }, 'CREATED'),
    says: noLonger,
  },
  'a transfer that was cancelled': {
    others: (tx) => tx`update transfer set state = 'CANCELED' where merchant_id = ${own.merchantId}`,
    move: (tx) => moveTransfer(tx, { ...own.transfer, state: 'WAITING' }, 'queue'),
    says: noLonger,
  },
  'a swap that has ended': {
    others: (tx) => tx`update swap set state = 'FAILED' where merchant_id = ${own.merchantId}`,
    move: (tx) => endSwap(tx, { ...own.swap, state: 'COMPLETED', txHash: 'another' }, 'PROCESSING'),
    says: false,
  },
  'an order at a venue that has ended': {
    others: async (tx) => {
      await insertOrders(tx, [order()], own.now);
      await tx`update venue_order set state = 'FAILED' where id = 'raced'`;
    },
    move: (tx) => {
      const facts = { txHash: 'another', failure: null, createdAt: own.now, endedAt: own.now };
      return endOrder(tx, { ...order(), ...facts, state: 'DONE', receivedUnits: 5n }, 'PENDING', own.now);
    },
    says: false,
  },
  'what another process has signed, and we would sign': {
    others: signed,
    move: (tx) => signPayouts(tx, ['raced'], 'ours'),
    says: false,
  },
  'what was signed, and is taken back': {
    others: signed,
    move: (tx) => withdrawPayout(tx, 'raced', own.now),
    says: false,
  },
  'what was signed, and is refused': {
    others: signed,
    move: (tx) => refusePayout(tx, 'raced', 'too late', own.now),
    says: [],
  },
};

for (const [name, { others, move, says }] of Object.entries(races))
  test(`${name}: nothing changes, and it says so`, async () => {
    const rollback = new Error('nothing of this stays');
    const work = async (tx: Tx): Promise<void> => {
      await others(tx);
      const before = await digestsOf(tx, own.merchantId);
      if (says instanceof RegExp) await assert.rejects(move(tx), says);
      else assert.deepEqual(await move(tx), says);
      assert.deepEqual(changedTables(before, await digestsOf(tx, own.merchantId)), []);
      throw rollback;
    };
    await assert.rejects(tenants.world.gateway.db.begin(work), rollback);
  });

test('what is signed again keeps its transaction, and what waits gets it', async () => {
  const rollback = new Error('nothing of this stays');
  const work = async (tx: Tx): Promise<void> => {
    await signed(tx);
    await insertPayouts(tx, [{ ...sent(), id: 'joined' }], own.now);
    assert.ok(await signPayouts(tx, ['raced', 'joined'], 'theirs'));
    const rows =
      await tx`select id, state, transaction_id from outgoing_transfer where id in ('raced', 'joined') order by id`;
    assert.deepEqual(
      rows.map(({ state, transaction_id }) => [state, transaction_id]),
      [
        ['SIGNED', 'theirs'],
        ['SIGNED', 'theirs'],
      ],
    );
    throw rollback;
  };
  await assert.rejects(tenants.world.gateway.db.begin(work), rollback);
});
