/** What the end of the window changes: nothing paid, too little paid, paid too late. 60.00 USD are 0.001 BTC. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { type Gateway, startGateway } from './gateway.ts';
import { openShop } from './shop.ts';

let gateway: Gateway;
before(async () => {
  gateway = await startGateway();
});
after(() => gateway.stop());

async function mine(blocks: number): Promise<void> {
  gateway.bitcoin.mine(blocks);
  gateway.litecoin.mine(blocks);
  await gateway.runUntilIdle();
}

async function pass(time: { minutes?: number; hours?: number; seconds?: number }): Promise<void> {
  gateway.clock.advance(time);
  await gateway.runUntilIdle();
}

async function pay(to: { address: string }, amount: string): Promise<string> {
  const tx = gateway.bitcoin.pay({ address: to.address, amount });
  await gateway.runUntilIdle();
  return tx;
}

test('a checkout that nobody pays expires when its 60 minutes are over', async () => {
  const shop = await openShop(gateway);
  const { id, expirationTime } = await shop.open('60.00 USD', 'BITCOIN');
  assert.equal(Date.parse(expirationTime), gateway.clock.now().getTime() + 3_600_000);
  await pass({ minutes: 59, seconds: 59 });
  assert.equal(await shop.state(id), 'PENDING');
  await pass({ seconds: 1 });
  assert.equal(await shop.state(id), 'EXPIRED');
  assert.deepEqual(shop.eventsOf(id), []);
  assert.deepEqual(await shop.timeline(id), ['created', 'committed', 'state PENDING → EXPIRED']);
});

test('a checkout that nobody commits stays as it was created', async () => {
  const shop = await openShop(gateway);
  const id = await shop.create('60.00 USD');
  await pass({ hours: 30 });
  assert.equal(await shop.state(id), 'CREATED');
});

test('a payment seen inside the window completes the checkout whenever it confirms', async () => {
  const shop = await openShop(gateway);
  const checkout = await shop.open('60.00 USD', 'BITCOIN');
  await pass({ minutes: 59 });
  await pay(checkout, '0.001');
  await pass({ hours: 3 });
  assert.equal(await shop.state(checkout.id), 'PROCESSING');
  await mine(1);
  assert.equal(await shop.state(checkout.id), 'COMPLETED');
});

test('a payment still unconfirmed four hours after the window is late', async () => {
  const shop = await openShop(gateway);
  const [inTime, tooLate] = [await shop.open('60.00 USD', 'BITCOIN'), await shop.open('60.00 USD', 'BITCOIN')];
  await pay(inTime, '0.001');
  await pass({ hours: 4, minutes: 59 });
  await mine(1);
  assert.equal(await shop.state(inTime.id), 'COMPLETED', 'confirmed in the last minute');

  const again = await shop.open('60.00 USD', 'BITCOIN');
  await pay(again, '0.001');
  await pass({ hours: 5, seconds: 1 });
  await mine(1);
  assert.equal(await shop.state(again.id), 'DELAYED_COMPLETED LATE');
  assert.deepEqual(shop.eventsOf(again.id), ['CHECKOUT_COMPLETED DELAYED_COMPLETED']);
  assert.equal(await shop.state(tooLate.id), 'EXPIRED');
});

test('a payment after expiry is credited and announced', async () => {
  const shop = await openShop(gateway);
  const checkout = await shop.open('60.00 USD', 'BITCOIN');
  await pass({ minutes: 61 });
  await pay(checkout, '0.001');
  assert.equal(await shop.state(checkout.id), 'PROCESSING LATE');
  await mine(1);
  assert.equal(await shop.state(checkout.id), 'DELAYED_COMPLETED LATE');
  assert.deepEqual(await shop.balances(), { 'available/BTC': '99500' });
  assert.deepEqual(shop.eventsOf(checkout.id), ['CHECKOUT_COMPLETED DELAYED_COMPLETED']);
  assert.deepEqual((await shop.timeline(checkout.id)).slice(2), [
    'state PENDING → EXPIRED',
    'payment_seen',
    'late_payment_valued',
    'state EXPIRED → PROCESSING',
    'payment_in_block',
    'payment_confirmed',
    'state PROCESSING → DELAYED_COMPLETED',
  ]);
});

test('a payment in the very moment in which the window ends is late', async () => {
  const shop = await openShop(gateway);
  const checkout = await shop.open('60.00 USD', 'BITCOIN');
  await pass({ minutes: 60 });
  await pay(checkout, '0.001');
  await mine(1);
  assert.equal(await shop.state(checkout.id), 'DELAYED_COMPLETED LATE');
});

test('a payment a year later still finds its checkout', async () => {
  const shop = await openShop(gateway);
  const checkout = await shop.open('60.00 USD', 'BITCOIN');
  await pass({ hours: 24 * 365 });
  await pay(checkout, '0.001');
  await mine(1);
  assert.equal(await shop.state(checkout.id), 'DELAYED_COMPLETED LATE');
});

test('a payment that was mined inside the window is in time even if we saw it later', async () => {
  const shop = await openShop(gateway);
  const checkout = await shop.open('60.00 USD', 'BITCOIN');
  gateway.clock.advance({ minutes: 50 });
  gateway.bitcoin.pay({ address: checkout.address, amount: '0.001' });
  gateway.bitcoin.mine(1); // while our watcher is away
  gateway.clock.advance({ minutes: 30 });
  await gateway.runUntilIdle();
  assert.equal(await shop.state(checkout.id), 'COMPLETED');
});

test('too little, confirmed inside the window, is underpaid when the window ends', async () => {
  const shop = await openShop(gateway);
  const checkout = await shop.open('60.00 USD', 'BITCOIN');
  await pay(checkout, '0.0004');
  await mine(1);
  assert.equal(await shop.state(checkout.id), 'PENDING PARTIAL');
  await pass({ minutes: 60 });
  assert.equal(await shop.state(checkout.id), 'UNDERPAID PARTIAL');
  assert.deepEqual(await shop.balances(), { 'suspense/BTC': '40000' });
  assert.deepEqual(shop.eventsOf(checkout.id), ['CHECKOUT_UNDERPAID UNDERPAID']);
  const { checkout: announced } = shop.webhooksOf(checkout.id)[0]?.data ?? {};
  assert.equal(announced.sourceAmountReceived, '0.0004');
  assert.equal(announced.settlementAmountReceived, '0', 'nothing was credited');
  await pass({ hours: 48 });
  assert.deepEqual(shop.eventsOf(checkout.id), ['CHECKOUT_UNDERPAID UNDERPAID'], 'announced once');
});

test('too little that is still unconfirmed keeps the checkout pending past its window', async () => {
  const shop = await openShop(gateway);
  const checkout = await shop.open('60.00 USD', 'BITCOIN');
  await pay(checkout, '0.0004');
  await pass({ minutes: 90 });
  assert.equal(await shop.state(checkout.id), 'PENDING PARTIAL');
  await mine(1);
  assert.equal(await shop.state(checkout.id), 'UNDERPAID PARTIAL');
  assert.deepEqual(shop.eventsOf(checkout.id), ['CHECKOUT_UNDERPAID UNDERPAID']);
});

test('too little that never confirms lets the checkout expire, and counts when it confirms after all', async () => {
  const shop = await openShop(gateway);
  const checkout = await shop.open('60.00 USD', 'BITCOIN');
  await pay(checkout, '0.0004');
  await pass({ hours: 5 });
  assert.equal(await shop.state(checkout.id), 'EXPIRED PARTIAL');
  await mine(1);
  assert.equal(await shop.state(checkout.id), 'UNDERPAID PARTIAL');
  assert.deepEqual(await shop.balances(), { 'suspense/BTC': '40000' });
});

test('too little that is dropped after the window leaves an expired checkout', async () => {
  const shop = await openShop(gateway);
  const checkout = await shop.open('60.00 USD', 'BITCOIN');
  const tx = await pay(checkout, '0.0004');
  await pass({ minutes: 61 });
  assert.equal(await shop.state(checkout.id), 'PENDING PARTIAL');
  gateway.bitcoin.chain.drop(tx);
  await gateway.runUntilIdle();
  assert.equal(await shop.state(checkout.id), 'EXPIRED');
  assert.deepEqual(await shop.balances(), {});
});

test('too little after expiry is underpaid', async () => {
  const shop = await openShop(gateway);
  const checkout = await shop.open('60.00 USD', 'BITCOIN');
  await pass({ minutes: 61 });
  await pay(checkout, '0.0004');
  assert.equal(await shop.state(checkout.id), 'EXPIRED PARTIAL');
  await mine(1);
  assert.equal(await shop.state(checkout.id), 'UNDERPAID PARTIAL');
  assert.deepEqual(shop.eventsOf(checkout.id), ['CHECKOUT_UNDERPAID UNDERPAID']);
});

test('an underpaid checkout is completed late by the rest', async () => {
  const shop = await openShop(gateway);
  const checkout = await shop.open('60.00 USD', 'BITCOIN');
  await pay(checkout, '0.0004');
  await mine(1);
  await pass({ minutes: 60 });
  await pay(checkout, '0.0006');
  assert.equal(await shop.state(checkout.id), 'PROCESSING LATE');
  await mine(1);
  assert.equal(await shop.state(checkout.id), 'DELAYED_COMPLETED LATE');
  assert.deepEqual(await shop.balances(), { 'available/BTC': '99500' });
  assert.deepEqual(shop.eventsOf(checkout.id), [
    'CHECKOUT_UNDERPAID UNDERPAID',
    'CHECKOUT_COMPLETED DELAYED_COMPLETED',
  ]);
});

test('a further part that is not enough leaves the checkout underpaid', async () => {
  const shop = await openShop(gateway);
  const checkout = await shop.open('60.00 USD', 'BITCOIN');
  await pay(checkout, '0.0004');
  await mine(1);
  await pass({ minutes: 60 });
  await pay(checkout, '0.0003');
  await mine(1);
  assert.equal(await shop.state(checkout.id), 'UNDERPAID PARTIAL');
  assert.deepEqual(await shop.balances(), { 'suspense/BTC': '70000' });
  assert.deepEqual(shop.eventsOf(checkout.id), ['CHECKOUT_UNDERPAID UNDERPAID']);
});

test('the merchant accepts an underpayment and is credited what arrived', async () => {
  const shop = await openShop(gateway);
  const checkout = await shop.open('60.00 USD', 'BITCOIN');
  const { id: checkoutId } = checkout;
  const accept = { checkoutId };
  const refusals = async () => shop.refused(409, 'POST', '/checkout/accept-underpayment', accept);
  assert.match((await refusals())[0] as string, /PENDING/);
  await pay(checkout, '0.0004');
  await mine(1);
  assert.match((await refusals())[0] as string, /PENDING/, 'not before the window is over');
  await pass({ minutes: 60 });

  const { checkout: accepted } = await shop.post('/checkout/accept-underpayment', accept);
  assert.equal(accepted.state, 'RESOLVED');
  assert.equal(accepted.settlementAmountReceived, '0.0004');
  assert.equal(accepted.settlementAmountFeePaid, '0.000002');
  await gateway.runUntilIdle();
  assert.equal(await shop.state(checkoutId), 'RESOLVED PARTIAL');
  assert.deepEqual(await shop.balances(), { 'available/BTC': '39800' });
  assert.deepEqual(shop.eventsOf(checkoutId), ['CHECKOUT_UNDERPAID UNDERPAID', 'UNDERPAID_ACCEPTED RESOLVED']);
  assert.equal(shop.webhooksOf(checkoutId)[1]?.data.checkout.settlementAmountReceived, '0.0004');

  assert.equal(
    (await shop.post('/checkout/accept-underpayment', accept)).checkout.state,
    'RESOLVED',
    'a client retries',
  );
  await pay(checkout, '0.0006');
  await mine(1);
  assert.equal(await shop.state(checkoutId), 'RESOLVED DUPLICATE PARTIAL', 'the rest came after the decision');
  assert.deepEqual(await shop.balances(), { 'available/BTC': '39800', 'suspense/BTC': '60000' });
  assert.equal(shop.eventsOf(checkoutId).length, 2);
});

test('only an underpaid checkout of one’s own can be accepted', async () => {
  const [shop, stranger] = [await openShop(gateway), await openShop(gateway)];
  const checkout = await shop.open('60.00 USD', 'BITCOIN');
  await pay(checkout, '0.0004');
  await mine(1);
  await pass({ minutes: 60 });
  const accept = { checkoutId: checkout.id };
  await stranger.refused(404, 'POST', '/checkout/accept-underpayment', accept);
  assert.equal(await shop.state(checkout.id), 'UNDERPAID PARTIAL');
  const created = await shop.create('60.00 USD');
  await shop.refused(409, 'POST', '/checkout/accept-underpayment', { checkoutId: created });
});

test('a payment after cancelling is credited', async () => {
  const shop = await openShop(gateway);
  const checkout = await shop.open('60.00 USD', 'BITCOIN');
  const { checkout: canceled } = await shop.post('/checkout/cancel', { checkoutId: checkout.id });
  assert.equal(canceled.state, 'CANCELED');
  await pass({ minutes: 5 });
  await pay(checkout, '0.001');
  assert.equal(await shop.state(checkout.id), 'PROCESSING LATE');
  await mine(1);
  assert.equal(await shop.state(checkout.id), 'DELAYED_COMPLETED LATE');
  assert.deepEqual(await shop.balances(), { 'available/BTC': '99500' });
});

test('too little after cancelling is underpaid', async () => {
  const shop = await openShop(gateway);
  const checkout = await shop.open('60.00 USD', 'BITCOIN');
  await shop.post('/checkout/cancel', { checkoutId: checkout.id });
  await pass({ minutes: 5 });
  await pay(checkout, '0.0004');
  assert.equal(await shop.state(checkout.id), 'CANCELED PARTIAL');
  await mine(1);
  assert.equal(await shop.state(checkout.id), 'UNDERPAID PARTIAL');
  assert.deepEqual(shop.eventsOf(checkout.id), ['CHECKOUT_UNDERPAID UNDERPAID']);
  await pay(checkout, '0.0006');
  await mine(1);
  assert.equal(await shop.state(checkout.id), 'DELAYED_COMPLETED LATE');
});
