/** Choosing how to pay: once, again, differently, after the window, and never. 60.00 USD are 0.001 BTC or 0.75 LTC. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { decimal } from '../src/money/decimal.ts';
import { saveRates } from '../src/pricing/rate-store.ts';
import { type Gateway, startGateway } from './gateway.ts';
import { openShop } from './shop.ts';

let gateway: Gateway;
before(async () => {
  gateway = await startGateway();
});
after(() => gateway.stop());

async function pass(time: { minutes?: number; hours?: number; seconds?: number }): Promise<void> {
  gateway.clock.advance(time);
  await gateway.runUntilIdle();
}

/** The market moves: the sandbox's prices are final, so the newest one counts. */
async function bitcoinCosts(usd: string): Promise<void> {
  gateway.clock.advance({ seconds: 1 });
  await saveRates(gateway.db, [{ source: 'fixed', code: 'BTC', usd: decimal(usd), observedAt: gateway.clock.now() }]);
  await gateway.runUntilIdle();
}

async function payInFull(to: { address: string; amount: string }): Promise<void> {
  gateway.bitcoin.pay(to);
  gateway.bitcoin.mine(1);
  await gateway.runUntilIdle();
}

test('the same commit again gives the same instructions', async () => {
  const shop = await openShop(gateway);
  const first = await shop.open('60.00 USD', 'BITCOIN');
  await pass({ minutes: 30 });
  const again = await shop.commit(first.id, 'BITCOIN');
  assert.deepEqual(again.reply, first.reply, 'the window does not begin anew');
  const { relatedAssetId } = (
    await shop.post('/checkout', {
      charge: { billingCurrency: 'USD', lineItems: [{ description: 'x', netAmount: 60 }] },
    })
  ).paymentMethods[0];
  assert.deepEqual((await shop.commit(first.id, 'BITCOIN', relatedAssetId)).reply, first.reply);
  assert.deepEqual((await shop.commit(first.id, 'BITCOIN', 'BTC')).reply, first.reply, 'a bare asset code');
  assert.deepEqual(await shop.timeline(first.id), ['created', 'committed']);
});

test('clients that commit at the same moment get one and the same address', async () => {
  const shop = await openShop(gateway);
  const id = await shop.create('60.00 USD');
  const replies = await Promise.all(Array.from({ length: 8 }, () => shop.commit(id, 'BITCOIN')));
  assert.equal(new Set(replies.map(({ address }) => address)).size, 1);
  assert.deepEqual(await shop.timeline(id), ['created', 'committed']);
});

test('no two checkouts share an address', async () => {
  const shop = await openShop(gateway);
  const opened = await Promise.all(Array.from({ length: 60 }, () => shop.open('60.00 USD', 'BITCOIN')));
  assert.equal(new Set(opened.map(({ address }) => address)).size, 60);
});

test('the customer changes his mind: the first address stays watched and counts', async () => {
  const shop = await openShop(gateway);
  const onBitcoin = await shop.open('60.00 USD', 'BITCOIN');
  const { id } = onBitcoin;
  const onLitecoin = await shop.commit(id, 'LITECOIN'); // In the same moment of our clock.
  assert.notEqual(onLitecoin.address, onBitcoin.address);
  assert.equal(onLitecoin.reply.depositInstructions.assetCode, 'LTC');
  const record = await shop.checkout(id);
  assert.equal(record.sourceNetwork, 'LITECOIN', 'the record shows the latest choice');
  assert.equal(record.depositAddress, onLitecoin.address);
  assert.equal(record.expirationTime, onLitecoin.expirationTime);

  await payInFull(onBitcoin);
  assert.equal(await shop.state(id), 'COMPLETED');
  assert.deepEqual(await shop.balances(), { 'available/BTC': '99500' });
  const paid = await shop.checkout(id);
  assert.match(paid.settlementAssetId, /^BTC:/, 'what was credited, not what was chosen last');
  assert.match(paid.sourceAssetId, /^BTC:/, 'what was paid in, not what was chosen last');
  assert.deepEqual(
    [paid.sourceNetwork, paid.sourceNetworkName, paid.depositAddress],
    ['BITCOIN', 'Bitcoin', onBitcoin.address],
  );
  assert.deepEqual([paid.sourceAmountRequired, paid.sourceAmountReceived], ['0.001', '0.001']);
  assert.deepEqual([paid.settlementAmountRequired, paid.settlementAmountReceived], ['0.001', '0.001']);
});

test('who paid too little and then chose another method is shown with what arrived', async () => {
  const shop = await openShop(gateway);
  const onBitcoin = await shop.open('60.00 USD', 'BITCOIN');
  gateway.bitcoin.pay({ address: onBitcoin.address, amount: '0.0004' });
  gateway.bitcoin.mine(1);
  await gateway.runUntilIdle();
  await shop.commit(onBitcoin.id, 'LITECOIN');
  assert.equal((await shop.checkout(onBitcoin.id)).sourceNetwork, 'LITECOIN', 'where the rest is expected');
  await pass({ minutes: 61 });
  const [underpaid] = shop.webhooksOf(onBitcoin.id);
  assert.ok(underpaid);
  assert.equal(underpaid.eventType, 'CHECKOUT_UNDERPAID');
  const { sourceNetwork, sourceAmountReceived, depositAddress, settlementAssetId } = underpaid.data.checkout;
  assert.deepEqual([sourceNetwork, sourceAmountReceived, depositAddress], ['BITCOIN', '0.0004', onBitcoin.address]);
  assert.match(settlementAssetId, /^BTC:/);
});

test('once a part has arrived, a commit asks for the rest', async () => {
  const shop = await openShop(gateway);
  const onBitcoin = await shop.open('60.00 USD', 'BITCOIN');
  gateway.bitcoin.pay({ address: onBitcoin.address, amount: '0.0004' });
  await gateway.runUntilIdle();
  assert.equal(await shop.state(onBitcoin.id), 'PENDING PARTIAL');
  assert.deepEqual((await shop.commit(onBitcoin.id, 'BITCOIN')).reply, {
    ...onBitcoin.reply,
    depositInstructions: { ...onBitcoin.reply.depositInstructions, amount: '0.0006' },
  });
  const rest = await shop.commit(onBitcoin.id, 'LITECOIN');
  assert.equal(rest.amount, '0.45');
  gateway.litecoin.pay(rest);
  gateway.litecoin.mine(2);
  gateway.bitcoin.mine(1);
  await gateway.runUntilIdle();
  assert.equal(await shop.state(onBitcoin.id), 'COMPLETED', 'not a unit too much');
  assert.equal((await shop.checkout(onBitcoin.id)).sourceAmountRequired, '0.75', 'the whole price by this method');
});

test('back to the first choice inside its window gives its instructions again', async () => {
  const shop = await openShop(gateway);
  const first = await shop.open('60.00 USD', 'BITCOIN');
  await shop.commit(first.id, 'LITECOIN');
  assert.deepEqual((await shop.commit(first.id, 'BITCOIN')).reply, first.reply);
});

test('inside its 60 minutes a quote holds although the market moves', async () => {
  const shop = await openShop(gateway);
  const id = await shop.create('60.00 USD');
  await bitcoinCosts('30000');
  await pass({ minutes: 59 });
  assert.equal((await shop.commit(id, 'BITCOIN')).amount, '0.001');
  await bitcoinCosts('60000');
});

test('an older quote is made anew at commit', async () => {
  const shop = await openShop(gateway);
  const id = await shop.create('60.00 USD');
  await bitcoinCosts('30000');
  await pass({ minutes: 60 });
  const committed = await shop.commit(id, 'BITCOIN');
  assert.equal(committed.amount, '0.002');
  assert.equal(
    Date.parse(committed.expirationTime),
    gateway.clock.now().getTime() - (gateway.clock.now().getTime() % 1000) + 3_600_000,
  );
  await bitcoinCosts('60000');
  await payInFull(committed);
  assert.equal(await shop.state(id), 'COMPLETED');
  assert.deepEqual(await shop.balances(), { 'available/BTC': '199000' });
});

test('after expiry a commit gives a new quote, a new window and a new address', async () => {
  const shop = await openShop(gateway);
  const first = await shop.open('60.00 USD', 'BITCOIN');
  await bitcoinCosts('30000');
  await pass({ minutes: 61 });
  assert.equal(await shop.state(first.id), 'EXPIRED');
  const second = await shop.commit(first.id, 'BITCOIN');
  assert.notEqual(second.address, first.address);
  assert.equal(second.amount, '0.002');
  assert.ok(Date.parse(second.expirationTime) > Date.parse(first.expirationTime));
  assert.equal(await shop.state(first.id), 'PENDING');
  await bitcoinCosts('60000');

  await payInFull(second);
  assert.equal(await shop.state(first.id), 'COMPLETED', 'in time for the new window');
  assert.deepEqual(shop.eventsOf(first.id), ['CHECKOUT_COMPLETED COMPLETED']);
});

test('after expiry and a new commit, the old address still counts by its own price', async () => {
  const shop = await openShop(gateway);
  const first = await shop.open('60.00 USD', 'BITCOIN');
  await bitcoinCosts('30000');
  await pass({ minutes: 61 });
  await shop.commit(first.id, 'BITCOIN');
  await bitcoinCosts('60000');
  await payInFull(first);
  assert.equal(await shop.state(first.id), 'COMPLETED');
  assert.deepEqual(await shop.balances(), { 'available/BTC': '99500' });
});

test('a window that is over but not yet marked so is over for a commit', async () => {
  const shop = await openShop(gateway);
  const first = await shop.open('60.00 USD', 'BITCOIN');
  gateway.clock.advance({ minutes: 60 });
  for (const watcher of gateway.app.watchers) await watcher.tick();
  await gateway.app.refresh();
  const second = await shop.commit(first.id, 'BITCOIN');
  assert.notEqual(second.address, first.address);
  await gateway.runUntilIdle();
  assert.equal(await shop.state(first.id), 'PENDING', 'the end of the first window ends nothing');
  await pass({ minutes: 60 });
  assert.equal(await shop.state(first.id), 'EXPIRED');
});

test('a cancelled checkout can be taken up again', async () => {
  const shop = await openShop(gateway);
  const first = await shop.open('60.00 USD', 'BITCOIN');
  await shop.post('/checkout/cancel', { checkoutId: first.id });
  const second = await shop.commit(first.id, 'BITCOIN');
  assert.notEqual(second.address, first.address);
  assert.equal(await shop.state(first.id), 'PENDING');
  await payInFull(second);
  assert.equal(await shop.state(first.id), 'COMPLETED');
});

test('cancelling ends the window at once, twice is fine, and a created checkout can be cancelled too', async () => {
  const shop = await openShop(gateway);
  const { id } = await shop.open('60.00 USD', 'BITCOIN');
  const { checkout } = await shop.post('/checkout/cancel', { checkoutId: id });
  assert.equal(checkout.state, 'CANCELED');
  assert.equal(
    Math.floor(Date.parse(checkout.expirationTime) / 1000),
    Math.floor(gateway.clock.now().getTime() / 1000),
  );
  assert.equal((await shop.post('/checkout/cancel', { id })).checkout.state, 'CANCELED');
  await pass({ minutes: 61 });
  assert.equal(await shop.state(id), 'CANCELED', 'the end of the old window changes nothing');
  assert.deepEqual(await shop.timeline(id), ['created', 'committed', 'canceled']);
  assert.deepEqual(shop.eventsOf(id), []);

  const created = await shop.create('60.00 USD');
  assert.equal((await shop.post('/checkout/cancel', { checkoutId: created })).checkout.state, 'CANCELED');
  assert.equal((await shop.commit(created, 'BITCOIN')).amount, '0.001');
  assert.equal(await shop.state(created), 'PENDING');
});

test('a checkout with a payment, a paid one and an expired one cannot be cancelled', async () => {
  const shop = await openShop(gateway);
  const checkout = await shop.open('60.00 USD', 'BITCOIN');
  const cancel = () => shop.refused(409, 'POST', '/checkout/cancel', { checkoutId: checkout.id });
  const tx = gateway.bitcoin.pay({ address: checkout.address, amount: '0.0004' });
  await gateway.runUntilIdle();
  assert.match((await cancel())[0] as string, /has received a payment/);
  gateway.bitcoin.chain.drop(tx);
  await gateway.runUntilIdle();
  assert.equal(await shop.state(checkout.id), 'PENDING');
  await payInFull(checkout);
  assert.match((await cancel())[0] as string, /payment/);

  const expired = await shop.open('60.00 USD', 'BITCOIN');
  await pass({ minutes: 60 });
  const [sentence] = await shop.refused(409, 'POST', '/checkout/cancel', { checkoutId: expired.id });
  assert.match(sentence as string, /EXPIRED/);
});

test('a checkout that is paid or waits for a decision takes no commit', async () => {
  const shop = await openShop(gateway);
  const paid = await shop.open('60.00 USD', 'BITCOIN');
  gateway.bitcoin.pay(paid);
  await gateway.runUntilIdle();
  assert.deepEqual((await shop.commit(paid.id, 'BITCOIN')).reply, paid.reply, 'a retry while it confirms');
  await shop.refused(409, 'POST', '/checkout/commit', { checkoutId: paid.id, network: 'LITECOIN' });
  gateway.bitcoin.mine(1);
  await gateway.runUntilIdle();
  await shop.refused(409, 'POST', '/checkout/commit', { checkoutId: paid.id, network: 'BITCOIN' });

  const underpaid = await shop.open('60.00 USD', 'BITCOIN');
  await payInFull({ ...underpaid, amount: '0.0004' });
  await pass({ minutes: 60 });
  assert.equal(await shop.state(underpaid.id), 'UNDERPAID PARTIAL');
  const [sentence] = await shop.refused(409, 'POST', '/checkout/commit', {
    checkoutId: underpaid.id,
    network: 'BITCOIN',
  });
  assert.match(sentence as string, /UNDERPAID/);
});

test('a network or asset that is not offered is refused with what is offered', async () => {
  const shop = await openShop(gateway);
  const id = await shop.create('60.00 USD');
  const commit = (body: object) => shop.refused(422, 'POST', '/checkout/commit', { checkoutId: id, ...body });
  assert.match((await commit({ network: 'STELLAR' }))[0] as string, /STELLAR .*BITCOIN, LITECOIN/);
  assert.match((await commit({ network: 'bitcoin' }))[0] as string, /BITCOIN/);
  assert.match((await commit({ network: 'BITCOIN', asset: 'XLM:NATIVE' }))[0] as string, /XLM:NATIVE .*BTC:/);
  assert.equal(await shop.state(id), 'CREATED');
});

test('names of older clients work for a commit', async () => {
  const shop = await openShop(gateway);
  const id = await shop.create('60.00 USD');
  const { depositInstructions } = await shop.post('/checkout/commit', {
    id,
    depositNetwork: 'LITECOIN',
    relatedAssetId: 'LTC',
    asset: null,
  });
  assert.equal(depositInstructions.network, 'LITECOIN');
  assert.deepEqual([depositInstructions.memo, depositInstructions.memoType], [null, null]);
});
