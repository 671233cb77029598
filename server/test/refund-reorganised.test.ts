/** Refunds and reorganisations: what was received may change after it was given back, but nobody gets more than it. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { aBitcoinAddress, type RefundWorld, received, startRefundWorld } from './refund-world.ts';
import type { Shop } from './shop.ts';

let world: RefundWorld;
before(async () => {
  world = await startRefundWorld();
});
after(() => world.gateway.stop());

/** Another order of the same shop, so that it has money of its own. */
async function richShop(): Promise<Shop> {
  const shop = await world.shop();
  await world.paid(shop, '0.001');
  return shop;
}

const refundState = async (shop: Shop, id: string): Promise<string> =>
  (await shop.get(`/refund?id=${id}`)).refund.state;

/** The newest block is given up, and the customer pays a higher fee for what was in it. */
async function bumpFee(txid: string): Promise<void> {
  world.gateway.bitcoin.chain.reorganise(1);
  await world.gateway.runUntilIdle();
  world.gateway.bitcoin.chain.replace(txid);
  await world.mine(1);
}

async function sign(): Promise<void> {
  for (const sender of world.gateway.app.senders) await sender.tick();
}

test('what a replaced payment was credited for can be refunded', async () => {
  const shop = await richShop();
  const checkout = await shop.open('60.00 USD', 'BITCOIN');
  const original = await world.pay(checkout, '0.001');
  await world.mine(1);
  await bumpFee(original);
  assert.equal(await shop.state(checkout.id), 'COMPLETED REORGED');
  const address = aBitcoinAddress();
  const { refund } = await shop.post('/refund', { checkoutId: checkout.id, amount: '0.0005', address });
  await world.send();
  assert.equal(await refundState(shop, refund.id), 'COMPLETED');
});

test('a refund that waits for a payment does not wait for one that was replaced', async () => {
  const shop = await richShop();
  const checkout = await shop.open('60.00 USD', 'BITCOIN');
  const original = await world.pay(checkout, '0.001');
  await world.mine(1);
  const { refund } = await shop.post('/refund', {
    checkoutId: checkout.id,
    amount: '0.0005',
    address: aBitcoinAddress(),
  });
  await bumpFee(original);
  await world.send();
  assert.equal(await refundState(shop, refund.id), 'COMPLETED');
});

test('a duplicate that vanished does not hold up the refund of what was credited', async () => {
  const shop = await richShop();
  const checkout = await world.paid(shop, '0.001');
  await world.pay(checkout, '0.0003');
  await world.mine(1);
  assert.equal(await shop.state(checkout.id), 'COMPLETED DUPLICATE');
  world.gateway.bitcoin.chain.reorganise(1, { keepTransactions: false });
  await world.mine(1);
  const { refund } = await shop.post('/refund', {
    checkoutId: checkout.id,
    amount: '0.0005',
    address: aBitcoinAddress(),
  });
  await world.send();
  assert.equal(await refundState(shop, refund.id), 'COMPLETED');
});

test('what was given back of a credit is not given back again when a part of the payment is lost', async () => {
  const shop = await richShop();
  const checkout = await shop.open('60.00 USD', 'BITCOIN');
  for (const _ of [1, 2]) {
    await world.pay(checkout, '0.0005');
    await world.mine(1);
  }
  assert.equal(await shop.state(checkout.id), 'COMPLETED');
  const address = aBitcoinAddress();
  const back = { checkoutId: checkout.id, address, feePaidBy: 'merchant' };
  await shop.post('/refund', { ...back, amount: '0.0004' });
  await sign();
  world.gateway.bitcoin.chain.reorganise(1, { keepTransactions: false });
  await world.mine(2);
  await world.pass({ minutes: 61 });
  assert.equal(await shop.state(checkout.id), 'UNDERPAID PARTIAL REORGED');
  const [sentence] = await shop.refused(422, 'POST', '/refund', { ...back, amount: '0.00010001' });
  assert.equal(sentence, 'At most 0.0001 BTC can be refunded.');
  await shop.post('/refund', back);
  await world.send();
  assert.equal(await received(world.gateway, address), 50_000n, 'as much as was received');
  assert.equal(await shop.state(checkout.id), 'REFUNDED DUPLICATE PARTIAL REORGED');

  // The rest of the payment is the merchant's, who has paid for the first refund.
  await shop.refused(409, 'POST', '/refund', back);
  await shop.post('/checkout/accept-excess', { checkoutId: checkout.id });
  assert.deepEqual(Object.keys(await shop.balances()), ['available/BTC']);
});

test('an underpayment that was given back and is replaced is not given back again', async () => {
  const shop = await richShop();
  const checkout = await shop.open('60.00 USD', 'BITCOIN');
  const original = await world.pay(checkout, '0.0006');
  await world.pass({ minutes: 61 });
  await world.mine(1);
  assert.equal(await shop.state(checkout.id), 'UNDERPAID PARTIAL');
  const address = aBitcoinAddress();
  const back = { checkoutId: checkout.id, address, feePaidBy: 'merchant' };
  await shop.post('/refund', back);
  await sign();
  const before = await shop.balances();
  await bumpFee(original);
  await world.mine(1);
  assert.equal(await shop.state(checkout.id), 'REFUNDED PARTIAL');
  for (const path of ['/refund', '/checkout/accept-excess']) await shop.refused(409, 'POST', path, back);
  assert.equal(await received(world.gateway, address), 60_000n);
  const { 'reserved/BTC': _held, ...others } = before;
  assert.deepEqual(await shop.balances(), others, 'the merchant has borne nothing but the fee');
});

test('a refund that nobody has signed yet gives back what replaced its payment', async () => {
  const shop = await richShop();
  const checkout = await shop.open('60.00 USD', 'BITCOIN');
  const original = await world.pay(checkout, '0.0006');
  await world.pass({ minutes: 61 });
  await world.mine(1);
  const address = aBitcoinAddress();
  const { refund } = await shop.post('/refund', { checkoutId: checkout.id, address, feePaidBy: 'merchant' });
  await bumpFee(original);
  await world.send();
  assert.equal(await refundState(shop, refund.id), 'COMPLETED');
  assert.equal(await received(world.gateway, address), 60_000n);
  assert.equal(await shop.state(checkout.id), 'REFUNDED PARTIAL');
});

test('what was given back is missing from the price, also of the payment that replaced it', async () => {
  const shop = await richShop();
  const checkout = await shop.open('60.00 USD', 'BITCOIN');
  const original = await world.pay(checkout, '0.0006');
  await world.pass({ minutes: 61 });
  await world.mine(1);
  await shop.post('/refund', { checkoutId: checkout.id, amount: '0.0003', address: aBitcoinAddress() });
  await sign();
  await bumpFee(original);
  await world.mine(1);
  await world.pay(checkout, '0.0004');
  await world.mine(1);
  assert.equal(await shop.state(checkout.id), 'UNDERPAID PARTIAL', '0.0007 of 0.001');
  await world.pay(checkout, '0.0003');
  await world.mine(1);
  assert.equal(await shop.state(checkout.id), 'DELAYED_COMPLETED LATE');
});

test('what was given back in a coin that is gone counts on every other network', async () => {
  const shop = await richShop();
  const checkout = await world.paid(shop, '0.001');
  const address = aBitcoinAddress();
  await shop.post('/refund', { checkoutId: checkout.id, amount: '0.0009', address, feePaidBy: 'merchant' });
  await sign();
  world.gateway.bitcoin.chain.reorganise(1, { keepTransactions: false });
  await world.mine(2);
  await world.pass({ minutes: 61 });
  const inLitecoin = await shop.commit(checkout.id, 'LITECOIN');
  world.gateway.litecoin.pay(inLitecoin);
  await world.mine(6);
  assert.equal(await shop.state(checkout.id), 'COMPLETED REORGED');
  const back = { checkoutId: checkout.id, asset: 'LTC', network: 'LITECOIN', amount: inLitecoin.amount };
  const [sentence] = await shop.refused(422, 'POST', '/refund', back);
  assert.match(sentence as string, /^At most 0\.075\d* LTC can be refunded\.$/, 'a tenth of 0.75 or so');
});
