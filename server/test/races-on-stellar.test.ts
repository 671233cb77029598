/** Two at the same moment, where Stellar is needed to tell it: its market, its wallet, and payments that name nobody. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { Asset, Keypair } from '@stellar/stellar-sdk';
import type { Tx } from '../src/db/database.ts';
import { enqueue } from '../src/jobs/enqueue.ts';
import { present } from '../src/lib/assert.ts';
import { newId } from '../src/lib/ids.ts';
import { recordExchange } from '../src/settlements/record-exchange.ts';
import { ordersOf } from '../src/venues/venue-order-store.ts';
import { assignUnmatched } from '../src/watching/assign-unmatched.ts';
import { advanceReturn, returnUnmatched } from '../src/watching/return-unmatched.ts';
import {
  findUnmatched,
  listUnmatched,
  lockReturn,
  markReturnFailed,
  markReturning,
} from '../src/watching/unmatched-store.ts';
import { sendAll, watchAll, workAll } from './die-everywhere.ts';
import { type Gateway, withoutBitcoin, withoutLitecoin } from './gateway.ts';
import { meetAt, nobodyWrites, startTwin, type Twin } from './meet-at.ts';
import { returnDeps } from './return-deps.ts';
import { type StellarMarket, startGatewayWithMarket, usdc } from './stellar-market.ts';
import { holdFromEarlier } from './stock-treasury.ts';
import { openSender, type Sender } from './transfer-story.ts';

let gateway: Gateway;
let market: StellarMarket;
let twin: Twin;
before(async () => {
  const env = { ...withoutBitcoin, ...withoutLitecoin, VENUES: 'XLM/USDC:stellar-dex' };
  ({ gateway, market } = await startGatewayWithMarket({ env }));
  await market.sell(usdc, '500000', Asset.native(), { n: 99, d: 10 });
  twin = await startTwin(gateway);
});
after(async () => {
  await twin.stop();
  await gateway.stop();
});

async function openShopWithLumens(lumens: bigint): Promise<Sender> {
  const shop = await openSender(gateway, '0');
  await holdFromEarlier(gateway, shop.merchant.merchantId, 'XLM:NATIVE', lumens * 10_000_000n);
  return shop;
}

test('what a market gave is credited and announced once, though two processes book it', async () => {
  const shop = await openShopWithLumens(10n);
  const wish = { sourceAsset: 'XLM', targetAsset: 'USDC', sourceAmount: '10', webhook: gateway.webhookUrl };
  const { id: swapId } = await shop.post('/swap', wish);
  await sendAll(gateway.app);
  gateway.stellar.close();
  await watchAll(gateway.app);
  const order = present((await ordersOf(gateway.db, [swapId])).at(-1), 'the order at the market');
  await gateway.db`delete from job where payload ->> 'transferId' = ${order.id}`;
  await recordExchange(gateway, { transferId: order.id });
  const payload = { merchantId: shop.merchant.merchantId, swapId };
  await meetAt(gateway.db, (tx) => tx`select from swap where id = ${swapId} for update`, [
    () => workAll(gateway.app),
    async () => {
      const again = { name: 'swap.advance' as const, payload, runAt: gateway.clock.now() };
      await gateway.db.begin((tx) => enqueue(tx, [again]));
      await workAll(twin.app);
    },
  ]);
  assert.equal((await shop.get(`/swap?id=${swapId}`)).swap.state, 'COMPLETED');
  assert.equal((await gateway.db`select from event where subject = ${swapId}`).length, 1);
});

test('what a market gave is booked by one of two who heard of it', async () => {
  const shop = await openShopWithLumens(10n);
  const wish = { sourceAsset: 'XLM', targetAsset: 'USDC', sourceAmount: '10' };
  const { id: swapId } = await shop.post('/swap', wish);
  await sendAll(gateway.app);
  gateway.stellar.close();
  await watchAll(gateway.app);
  const { id: transferId } = present((await ordersOf(gateway.db, [swapId])).at(-1), 'the order at the market');
  const heard = () => recordExchange(gateway, { transferId });
  const looks = () =>
    gateway.db`select from job where name = 'swap.advance' and payload ->> 'swapId' = ${swapId}`.then(
      ({ length }) => length,
    );
  await gateway.db`delete from job where payload ->> 'transferId' = ${transferId}`;
  const planned = await looks();
  await meetAt(gateway.db, (tx) => tx`select from venue_order where id = ${transferId} for update`, [heard, heard]);
  assert.equal((await looks()) - planned, 1, 'the other has done nothing');
  await workAll(gateway.app);
  assert.equal((await shop.get(`/swap?id=${swapId}`)).swap.state, 'COMPLETED');
});

test('two merchants want to send what the network has for one of them', async () => {
  const receiver = Keypair.random();
  gateway.stellar.openAccount(receiver, '10');
  const shops = [await openShopWithLumens(800n), await openShopWithLumens(800n)];
  const order = (shop: Sender) => () =>
    shop.order({ network: 'STELLAR', asset: 'XLM', amount: '700', address: receiver.publicKey() });
  const replies = await meetAt(gateway.db, nobodyWrites.outgoingTransfers, shops.map(order));
  assert.deepEqual(
    replies.map(({ status }) => status),
    [200, 422],
    JSON.stringify(replies[1]?.body),
  );
});

test('money that names nobody is sent back or assigned, and not both', async () => {
  const shop = await openSender(gateway, '0');
  const { address, id: checkoutId } = await shop.open('25.00 USD', 'STELLAR');
  gateway.stellar.pay(null, { address, units: 100_000_000n });
  await market.settle();
  const { id } = present((await listUnmatched(gateway.db)).at(0), 'what named nobody');
  const outcomes = await meetAt(gateway.db, (tx) => tx`select from unmatched_payment where id = ${id} for update`, [
    () => returnUnmatched(returnDeps(gateway), id, { destination: null, feeUnits: 100n }).then(() => 'on its way back'),
    () =>
      assignUnmatched(gateway, id, checkoutId).then(
        () => 'assigned as well',
        (error: Error) => error.message,
      ),
  ]);
  assert.deepEqual(outcomes, ['on its way back', `The payment ${id} is already on its way back.`]);
});

test('what failed to be sent back and is on its way again is not taken for free', async () => {
  const shop = await openSender(gateway, '0');
  const { address } = await shop.open('25.00 USD', 'STELLAR');
  gateway.stellar.pay(null, { address, units: 100_000_000n });
  await market.settle();
  const { id } = present(
    (await listUnmatched(gateway.db)).find(({ returnId }) => returnId === null),
    'what named nobody',
  );
  const order = { destination: null, feeUnits: 100n };
  const first = present((await returnUnmatched(returnDeps(gateway), id, order)).returnId, 'the way back');
  await gateway.db`update outgoing_transfer set state = 'FAILED', failure = 'It was refused.' where id = ${first}`;
  const second = newId();
  // Somebody has heard of the failure and sends it back once more, while somebody else has just heard of it, too.
  const sentAgain = async (tx: Tx): Promise<void> => {
    await lockReturn(tx, first);
    await markReturnFailed(tx, id, 'It was refused.');
    await markReturning(tx, id, { id: second, address: 'somewhere', units: 1n, feeUnits: 1n });
  };
  await meetAt(gateway.db, sentAgain, [() => advanceReturn(gateway, { merchantId: 'operator', transferId: first })]);
  assert.equal((await findUnmatched(gateway.db, id))?.returnId, second);
  await gateway.db.begin((tx) => markReturnFailed(tx, id, 'It was a test.'));
});
