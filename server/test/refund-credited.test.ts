/** What was credited, and what came beyond the price, goes back to the customer. 60.00 USD are 0.001 BTC. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { aCharge } from './gateway.ts';
import { aBitcoinAddress, type RefundWorld, received, startRefundWorld } from './refund-world.ts';

let world: RefundWorld;
before(async () => {
  world = await startRefundWorld();
});
after(() => world.gateway.stop());

test('a part of a completed checkout is refunded, then the rest, and then it is refunded', async () => {
  const shop = await world.shop();
  const { id } = await world.paid(shop, '0.001');
  await world.paid(shop, '0.001');
  assert.deepEqual(await shop.balances(), { 'available/BTC': '199000' });

  const address = aBitcoinAddress();
  const { refund } = await shop.post('/refund', { checkoutId: id, amount: '0.0003', address });
  assert.deepEqual(
    [refund.context, refund.basis, refund.feePaidBy, refund.amountSent],
    ['COMPLETED_CHECKOUT', 'PAID_UNITS', 'merchant', '0.0003'],
  );
  await world.send();
  assert.equal(await shop.state(id), 'COMPLETED');
  assert.equal(await received(world.gateway, address), 30_000n);
  assert.deepEqual(shop.eventsOf(id), ['CHECKOUT_COMPLETED COMPLETED', 'REFUND_PARTIAL COMPLETED']);
  const { data } = shop.webhooksOf(id)[1] as { data: any };
  assert.deepEqual(
    [data.checkout.id, data.refund.id, data.refund.context, data.refund.checkoutId],
    [id, refund.id, 'COMPLETED_CHECKOUT', id],
  );

  const tooMuch = { checkoutId: id, amount: '0.00070001', address };
  assert.deepEqual(await shop.refused(422, 'POST', '/refund', tooMuch), ['At most 0.0007 BTC can be refunded.']);
  const { refund: rest } = await shop.post('/refund', { checkoutId: id, address: aBitcoinAddress() });
  assert.equal(rest.amount, '0.0007');
  await world.send();
  assert.equal(await shop.state(id), 'REFUNDED');
  assert.deepEqual(shop.eventsOf(id).slice(2), ['REFUND_COMPLETED REFUNDED']);
  const fees = [refund.fee, rest.fee].reduce((sum, fee) => sum + BigInt(fee.slice(2).padEnd(8, '0')), 0n);
  assert.deepEqual(await shop.balances(), { 'available/BTC': String(99_000n - fees) });
  assert.equal((await shop.refused(409, 'POST', '/refund', { checkoutId: id, address })).length, 1);
});

test('a refunded payer still gets the receipt, and it says that the money went back', async () => {
  const shop = await world.shop();
  await world.paid(shop, '0.001'); // The shop needs a fee's worth more than it gives back.
  const { id } = await shop.post('/checkout/hosted', aCharge('60.00 USD'));
  const { depositInstructions: to } = await shop.post('/checkout/commit', { checkoutId: id, network: 'BITCOIN' });
  await world.pay(to as { address: string }, '0.001');
  await world.mine(1);
  await shop.post('/refund', { checkoutId: id, address: aBitcoinAddress() });
  await world.send();
  assert.equal(await shop.state(id), 'REFUNDED');

  const read = async (path: string) => fetch(`${new URL(world.gateway.url).origin}${path}`);
  const receipt = await read(`/en/checkout/${id}/receipt`);
  assert.deepEqual([receipt.status, (await read(`/en/checkout/${id}/receipt?format=pdf`)).status], [200, 200]);
  assert.match(await receipt.text(), /<span class="stamp back">Refunded<[^]*What you paid was sent back/);
  assert.match(await (await read(`/en/checkout/${id}`)).text(), new RegExp(`href="/en/checkout/${id}/receipt"`));
});

test('a merchant refunds no more than is available', async () => {
  const shop = await world.shop();
  const { id } = await world.paid(shop, '0.001');
  const address = aBitcoinAddress();
  // The fee of half a percent was taken from the credit.
  assert.deepEqual(await shop.refused(422, 'POST', '/refund', { checkoutId: id, address }), [
    'This needs 0.001 BTC, but 0.000995 BTC are available.',
  ]);
  const { refund } = await shop.post('/refund', { checkoutId: id, address, amount: '0.000995' });
  assert.equal(refund.feePaidBy, 'customer');
  assert.deepEqual(await shop.balances(), { 'reserved/BTC': '99500' });
  await world.send();
  assert.equal(await shop.state(id), 'COMPLETED', 'five thousandths are still to be refunded');
});

test('the basis says how much a refund is, and the rates are kept with it', async () => {
  const shop = await world.shop();
  await shop.open('60.00 USD', 'LITECOIN');
  const { id } = await world.paid(shop, '0.00101', { settlementAsset: 'LTC' }); // with the buffer of 1 %
  const { 'available/LTC': credited } = await shop.balances();
  assert.ok(credited);
  const body = { checkoutId: id, address: 'nowhere' };
  assert.deepEqual(await shop.refused(400, 'POST', '/refund', { ...body, basis: 'PAID_UNITS' }), [
    'basis cannot be PAID_UNITS: BTC was paid, and this refund is in LTC.',
  ]);
  const [problem] = await shop.refused(400, 'POST', '/refund', body);
  assert.match(problem ?? '', /address/i);

  const { refund } = await shop.post('/refund', { checkoutId: id, amount: '0.1', basis: 'CURRENT_RATE' });
  assert.deepEqual(
    [refund.assetCode, refund.network, refund.basis, refund.state],
    ['LTC', 'LITECOIN', 'CURRENT_RATE', 'CLAIMABLE'],
  );
  assert.deepEqual(
    refund.rates.map(({ code }: any) => code),
    ['USD', 'LTC'],
  );
  for (const { at } of refund.rates) assert.match(at, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\+00:00$/);
  await shop.post('/refund/cancel', { id: refund.id });
  assert.deepEqual(await shop.balances(), { 'available/LTC': credited });
  // What the manual says of refunds in the billing currency: all of the price is all that can be given back.
  const { settlementAmountRequired: price } = await shop.checkout(id);
  const more = { checkoutId: id, amount: `${price}1` };
  assert.deepEqual(await shop.refused(422, 'POST', '/refund', more), [`At most ${price} LTC can be refunded.`]);
});

test('the excess of an overpaid checkout is sent back, and the state stays', async () => {
  const shop = await world.shop();
  const { id } = await world.paid(shop, '0.0015');
  assert.equal(await shop.state(id), 'COMPLETED OVERPAID');
  const back = { checkoutId: id, address: aBitcoinAddress(), feePaidBy: 'merchant' };
  const { refund: part } = await shop.post('/refund', { ...back, amount: '0.0001' });
  await world.send();
  const { refund } = await shop.post('/refund', back);
  assert.deepEqual([refund.context, refund.amount, refund.amountSent], ['OVERPAID_CHECKOUT', '0.0004', '0.0004']);
  await world.send();
  assert.equal(await shop.state(id), 'COMPLETED OVERPAID');
  const fees = [part.fee, refund.fee].reduce((sum, fee) => sum + BigInt(fee.slice(2).padEnd(8, '0')), 0n);
  assert.deepEqual(await shop.balances(), { 'available/BTC': String(99_500n - fees) });
  assert.deepEqual(shop.eventsOf(id), [
    ...['CHECKOUT_COMPLETED COMPLETED', 'REFUND_PARTIAL COMPLETED', 'REFUND_COMPLETED COMPLETED'],
  ]);
  const nothing = { checkoutId: id, context: 'OVERPAID_CHECKOUT', address: aBitcoinAddress() };
  assert.deepEqual(await shop.refused(409, 'POST', '/refund', nothing), [
    'This checkout is COMPLETED and has nothing beyond its price to refund.',
  ]);
});

test('an excess and a duplicate can be accepted instead, for the usual fee', async () => {
  const shop = await world.shop();
  const checkout = await world.paid(shop, '0.0015');
  await world.pay(checkout, '0.0002');
  await world.mine(1);
  assert.equal(await shop.state(checkout.id), 'COMPLETED DUPLICATE OVERPAID');
  assert.deepEqual(await shop.balances(), { 'available/BTC': '99500', 'suspense/BTC': '70000' });
  await shop.post('/checkout/accept-excess', { checkoutId: checkout.id });
  assert.deepEqual(await shop.balances(), { 'available/BTC': '169150' });
  const [sentence] = await shop.refused(409, 'POST', '/checkout/accept-excess', { checkoutId: checkout.id });
  assert.equal(sentence, 'This checkout is COMPLETED and has received nothing beyond its price.');
});

test('what was agreed about fees holds for an accepted excess too', async () => {
  const shop = await world.shop({ feePercent: '0.1' });
  const { id } = await world.paid(shop, '0.0015');
  assert.deepEqual(await shop.balances(), { 'available/BTC': '99900', 'suspense/BTC': '50000' });
  await shop.post('/checkout/accept-excess', { checkoutId: id });
  assert.deepEqual(await shop.balances(), { 'available/BTC': '149850' });
});

test('a refund of the previous release whose answer was lost with its process is not paid twice', async () => {
  const shop = await world.shop();
  const { id: checkoutId } = await world.paid(shop, '0.001');
  await world.paid(shop, '0.001');
  const body = { checkoutId, amount: '0.0003', address: aBitcoinAddress() };
  const withKey = { headers: { 'idempotency-key': 'lost-refund' } };
  const first = await shop.request('POST', '/refund', body, withKey);
  assert.equal(first.status, 200);
  await world.gateway.db`update refund set idempotency_key = 'lost-refund' where id = ${first.body.refund.id}`;
  await world.gateway
    .db`update idempotency_key set status = null, body = null, sealed_body = null where key = 'lost-refund'`;
  await world.pass({ minutes: 2 });
  const again = await shop.request('POST', '/refund', body, withKey);
  assert.deepEqual([again.status, again.body.refund.id], [200, first.body.refund.id]);
  assert.equal((await shop.get(`/refunds?checkoutId=${checkoutId}`)).refunds.length, 1);
  await world.send();
  assert.equal(await received(world.gateway, body.address), 30_000n);
});

test('one that the customer has to claim is found again by its key, with a link that works', async () => {
  const shop = await world.shop();
  const { id: checkoutId } = await world.underpaid(shop, '0.0006');
  const withKey = { headers: { 'idempotency-key': 'lost-claim' } };
  const first = await shop.request('POST', '/refund', { checkoutId, amount: '0.0001' }, withKey);
  await world.gateway.db`update refund set idempotency_key = 'lost-claim' where id = ${first.body.refund.id}`;
  await world.gateway
    .db`update idempotency_key set status = null, body = null, sealed_body = null where key = 'lost-claim'`;
  await world.pass({ minutes: 2 });
  const again = await shop.request('POST', '/refund', { checkoutId, amount: '0.0001' }, withKey);
  assert.deepEqual([again.status, again.body.refund], [200, first.body.refund]);
  const page = new URL(again.body.claimUrl);
  const reply = await fetch(new URL(`${page.pathname}${page.search}`, world.gateway.url.replace('/api/v1', '')));
  assert.equal(reply.status, 200);
  assert.deepEqual(await shop.balances(), { 'reserved/BTC': '10000', 'suspense/BTC': '50000' });
});

test('a payment that a reorganisation takes away while it is refunded is owed by the merchant', async () => {
  const shop = await world.shop();
  const { id } = await world.underpaid(shop, '0.0006');
  await shop.post('/refund', { checkoutId: id, address: aBitcoinAddress() });
  for (const sender of world.gateway.app.senders) await sender.tick(); // It is signed and on its way.
  world.gateway.bitcoin.chain.reorganise(1);
  await world.gateway.runUntilIdle();
  assert.deepEqual(await shop.balances(), { 'receivable/BTC': '-60000', 'reserved/BTC': '60000' });

  await world.mine(1); // The refund arrives, and the payment is there again.
  assert.equal(await shop.state(id), 'REFUNDED PARTIAL');
  assert.deepEqual(await shop.balances(), {});
});

test('a refund that nobody has signed yet waits while its payment is not confirmed', async () => {
  const shop = await world.shop();
  const { id } = await world.underpaid(shop, '0.0006');
  const address = aBitcoinAddress();
  const { refund } = await shop.post('/refund', { checkoutId: id, address });
  world.gateway.bitcoin.chain.reorganise(1);
  await world.gateway.runUntilIdle();
  await world.gateway.restart();
  assert.deepEqual(await world.gateway.db`select tx_hash from outgoing_transfer where state = 'SIGNED'`, []);

  await world.mine(1); // The payment is there again, and the refund leaves.
  assert.deepEqual(await shop.balances(), { 'reserved/BTC': '60000' });
  await world.mine(1);
  assert.equal((await shop.get(`/refund?id=${refund.id}`)).refund.state, 'COMPLETED');
  assert.ok((await received(world.gateway, address)) > 0n);
  assert.equal(await shop.state(id), 'REFUNDED PARTIAL');
  assert.deepEqual(await shop.balances(), {});
});

test('a payment that was spent otherwise is not refunded, however the refund was asked for', async () => {
  const shop = await world.shop();
  const address = aBitcoinAddress();
  const underpaid = await world.underpaid(shop, '0.0006');
  const credited = await world.paid(shop, '0.001');
  const refunds = [
    await shop.post('/refund', { checkoutId: underpaid.id, address }),
    await shop.post('/refund', { checkoutId: credited.id, amount: '0.0005', address }),
  ];
  world.gateway.bitcoin.chain.reorganise(2, { keepTransactions: false });
  for (const _ of [1, 2, 3]) await world.mine(1);
  assert.equal(await received(world.gateway, address), 0n);
  for (const { refund } of refunds) await shop.post('/refund/cancel', { id: refund.id });
  assert.deepEqual(await shop.balances(), {});
});

test('a refunded checkout whose payment vanishes leaves the merchant with the debt, and never credited', async () => {
  const shop = await world.shop();
  await world.paid(shop, '0.001');
  const { id } = await world.paid(shop, '0.001');
  const { refund } = await shop.post('/refund', { checkoutId: id, address: aBitcoinAddress() });
  for (const sender of world.gateway.app.senders) await sender.tick(); // It is signed and on its way.
  world.gateway.bitcoin.chain.reorganise(1);
  await world.gateway.runUntilIdle();
  assert.equal(await shop.state(id), 'PROCESSING REORGED');
  const fee = BigInt(refund.fee.slice(2).padEnd(8, '0'));
  assert.deepEqual(await shop.balances(), {
    'receivable/BTC': String(199_000n - 99_500n - 100_000n - fee),
    'reserved/BTC': String(100_000n + fee),
  });
  await world.mine(1);
  assert.equal(await shop.state(id), 'REFUNDED REORGED');
  assert.deepEqual(await shop.balances(), { 'available/BTC': String(99_000n - fee) });
  assert.deepEqual(shop.eventsOf(id).slice(0, 2), ['CHECKOUT_COMPLETED COMPLETED', 'CHECKOUT_REVERSED PROCESSING']);
  await world.pass({ minutes: 1 }); // Events of one checkout go out one after the other.
  assert.equal(shop.eventsOf(id).at(-1), 'REFUND_COMPLETED REFUNDED');
});
