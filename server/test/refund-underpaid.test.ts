/** What was paid too little goes back to the customer, all of it or in parts. 60.00 USD are 0.001 BTC. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { decimal, toUnits } from '../src/money/decimal.ts';
import { withoutLitecoin } from './gateway.ts';
import { aBitcoinAddress, type RefundWorld, received, startRefundWorld } from './refund-world.ts';

let world: RefundWorld;
before(async () => {
  world = await startRefundWorld({ env: withoutLitecoin });
});
after(() => world.gateway.stop());

test('an underpayment is sent back and the checkout is refunded', async () => {
  const shop = await world.shop();
  const { id } = await world.underpaid(shop, '0.0006');
  const address = aBitcoinAddress();
  const { refund } = await shop.post('/refund', { checkoutId: id, address, meta: { order: 7 } });
  assert.deepEqual(
    [refund.context, refund.state, refund.amount, refund.feePaidBy, refund.basis, refund.address, refund.meta],
    ['UNDERPAID_CHECKOUT', 'SENDING', '0.0006', 'customer', 'PAID_UNITS', address, { order: 7 }],
  );
  assert.deepEqual(await shop.balances(), { 'reserved/BTC': '60000' });
  assert.equal(await shop.state(id), 'UNDERPAID PARTIAL');

  await world.send();
  assert.equal(await shop.state(id), 'REFUNDED PARTIAL');
  assert.deepEqual(await shop.balances(), {});
  const { refund: done } = await shop.get(`/refund?id=${refund.id}`);
  assert.equal(done.state, 'COMPLETED');
  assert.match(done.tx, /^[0-9a-f]{64}$/);
  assert.equal(await received(world.gateway, address), toUnits(decimal(done.amountSent), 8, 'down'));
  assert.deepEqual(shop.eventsOf(id), ['CHECKOUT_UNDERPAID UNDERPAID', 'REFUND_COMPLETED REFUNDED']);
  const { data } = shop.webhooksOf(id)[1] as { data: any };
  assert.deepEqual(
    [data.refund.id, data.refund.context, data.refund.checkoutId],
    [refund.id, 'UNDERPAID_CHECKOUT', id],
  );
  assert.deepEqual((await shop.checkout(id)).refunds, [done]);
  assert.deepEqual((await shop.get(`/refunds?checkoutId=${id}`)).refunds, [done]);
  assert.deepEqual((await shop.timeline(id)).slice(-3), [
    'refund_requested',
    'refund_completed',
    'state UNDERPAID → REFUNDED',
  ]);
});

test('it can be sent back in parts, and what was sent back or is reserved for it no longer counts', async () => {
  const shop = await world.shop();
  const checkout = await world.underpaid(shop, '0.0006');
  await shop.post('/refund', { checkoutId: checkout.id, amount: '0.0002', address: aBitcoinAddress() });
  await world.pay(checkout, '0.0005'); // With all of the first payment this would be enough.
  await world.mine(1);
  assert.equal(await shop.state(checkout.id), 'UNDERPAID PARTIAL');
  assert.deepEqual(await shop.balances(), { 'suspense/BTC': '90000' });
  assert.deepEqual(shop.eventsOf(checkout.id), ['CHECKOUT_UNDERPAID UNDERPAID', 'REFUND_PARTIAL UNDERPAID']);

  const tooMuch = { checkoutId: checkout.id, amount: '0.00090001', address: aBitcoinAddress() };
  assert.deepEqual(await shop.refused(422, 'POST', '/refund', tooMuch), ['At most 0.0009 BTC can be refunded.']);
  await world.pay(checkout, '0.0001');
  await world.mine(1);
  assert.equal(await shop.state(checkout.id), 'DELAYED_COMPLETED LATE');
  assert.deepEqual(await shop.balances(), { 'available/BTC': '99500' });
});

test('two refunds that ask for the same money at the same moment do not both get it', async () => {
  const shop = await world.shop();
  const { id } = await world.underpaid(shop, '0.0006');
  const ask = () => shop.request('POST', '/refund', { checkoutId: id, amount: '0.0004', address: aBitcoinAddress() });
  const statuses = (await Promise.all([ask(), ask(), ask()])).map(({ status }) => status);
  assert.deepEqual(
    statuses.toSorted((a, b) => a - b),
    [200, 422, 422],
  );
  assert.deepEqual(await shop.balances(), { 'reserved/BTC': '40000', 'suspense/BTC': '20000' });
  const { refund } = await shop.post('/refund', { checkoutId: id, address: aBitcoinAddress() });
  assert.equal(refund.amount, '0.0002');
  await world.send();
  assert.equal(await shop.state(id), 'REFUNDED PARTIAL');
});

test('a payment to a refunded checkout waits in suspense and can be sent back too', async () => {
  const shop = await world.shop();
  const checkout = await world.underpaid(shop, '0.0006');
  await shop.post('/refund', { checkoutId: checkout.id, address: aBitcoinAddress() });
  await world.send();
  await world.pay(checkout, '0.001');
  await world.mine(1);
  assert.equal(await shop.state(checkout.id), 'REFUNDED DUPLICATE PARTIAL');
  assert.deepEqual(await shop.balances(), { 'suspense/BTC': '100000' });

  const { refund } = await shop.post('/refund', { checkoutId: checkout.id, address: aBitcoinAddress() });
  assert.equal(refund.context, 'OVERPAID_CHECKOUT');
  await world.send();
  assert.deepEqual(await shop.balances(), {});
  assert.equal(shop.eventsOf(checkout.id).at(-1), 'REFUND_COMPLETED REFUNDED');
});

test('what is set aside for a refund cannot be accepted, until the refund is cancelled', async () => {
  const shop = await world.shop();
  const { id } = await world.underpaid(shop, '0.0006');
  const { refund, claimUrl } = await shop.post('/refund', { checkoutId: id });
  assert.equal(refund.state, 'CLAIMABLE');
  assert.ok(claimUrl.startsWith(`https://pay.test/en/checkout/${id}/refund?token=`));
  assert.equal((await shop.refused(409, 'POST', '/checkout/accept-underpayment', { checkoutId: id })).length, 1);

  const { refund: canceled } = await shop.post('/refund/cancel', { id: refund.id });
  assert.equal(canceled.state, 'CANCELED');
  await shop.post('/refund/cancel', { id: refund.id });
  assert.deepEqual(await shop.balances(), { 'suspense/BTC': '60000' });
  await shop.post('/checkout/accept-underpayment', { checkoutId: id });
  assert.equal(await shop.state(id), 'RESOLVED PARTIAL');
  assert.deepEqual(await shop.balances(), { 'available/BTC': '59700' });
});

test('nothing is given back to an address of ours', async () => {
  const shop = await world.shop();
  const { id, address } = await world.underpaid(shop, '0.0006');
  const [sentence] = await shop.refused(400, 'POST', '/refund', { checkoutId: id, address });
  assert.match(sentence as string, /^This address belongs to this service/);
  assert.deepEqual(await shop.balances(), { 'suspense/BTC': '60000' });
});

test('a memo that was left empty is none, and one may be a number', async () => {
  const shop = await world.shop();
  const { id } = await world.underpaid(shop, '0.0006');
  const order = { checkoutId: id, address: aBitcoinAddress() };
  assert.deepEqual(await shop.refused(400, 'POST', '/refund', { ...order, memo: 1042 }), [
    'A payment in Bitcoin carries no memo: leave it out, the address is enough.',
  ]);
  const { refund } = await shop.post('/refund', { ...order, memo: ' ', memoType: '' });
  assert.deepEqual([refund.state, refund.memo, refund.memoType], ['SENDING', null, null]);
  await shop.post('/refund/cancel', { id: refund.id });
  const { refund: claimable } = await shop.post('/refund', { checkoutId: id, address: '', memo: '' });
  assert.equal(claimable.state, 'CLAIMABLE', 'nor does it belong to an address that is not there');
});

test('a refund that a network refuses puts the money back and says why', async () => {
  const shop = await world.shop();
  const { id } = await world.underpaid(shop, '0.0006');
  const { refund } = await shop.post('/refund', { checkoutId: id, address: aBitcoinAddress() });
  await world.gateway.db`update outgoing_transfer set units = 1 where id = ${refund.id}`; // Too little to be carried.
  await world.gateway.runUntilIdle();
  const { refund: failed } = await shop.get(`/refund?id=${refund.id}`);
  assert.equal(failed.state, 'FAILED');
  assert.match(failed.failure, /too little to send/);
  assert.deepEqual(await shop.balances(), { 'suspense/BTC': '60000' });
  assert.equal(await shop.state(id), 'UNDERPAID PARTIAL');
  assert.deepEqual(shop.eventsOf(id), ['CHECKOUT_UNDERPAID UNDERPAID', 'REFUND_FAILED UNDERPAID']);
  const { data } = shop.webhooksOf(id)[1] as { data: any };
  assert.deepEqual([data.refund.id, data.refund.state, data.refund.failure], [refund.id, 'FAILED', failed.failure]);
  assert.equal((await shop.timeline(id)).at(-1), 'refund_failed');
});

test('an underpayment that reaches the part which the merchant accepts settles by itself', async () => {
  const shop = await world.shop({ underpaidAcceptPercent: '80' });
  const checkout = await world.paid(shop, '0.0008');
  const tooLittle = await world.paid(shop, '0.00079999');
  assert.equal(await shop.state(checkout.id), 'PENDING PARTIAL');
  await world.pass({ minutes: 61 });
  assert.equal(await shop.state(checkout.id), 'RESOLVED PARTIAL');
  assert.equal(await shop.state(tooLittle.id), 'UNDERPAID PARTIAL');
  assert.deepEqual(shop.eventsOf(checkout.id), ['UNDERPAID_ACCEPTED RESOLVED']);
  assert.deepEqual(await shop.balances(), { 'available/BTC': '79600', 'suspense/BTC': '79999' });
});
