import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { aCharge, type Gateway, startGateway } from './gateway.ts';

let gateway: Gateway;
before(async () => {
  gateway = await startGateway();
});
after(() => gateway.stop());

test('a checkout is created, paid on Bitcoin, credited and announced', async () => {
  const { id, paymentMethods } = await gateway.post('/checkout', aCharge('60.00 USD', { webhook: gateway.webhookUrl }));
  assert.deepEqual(
    paymentMethods.map((method: any) => [method.network, method.assetCode, method.paymentAmount]),
    [
      ['BITCOIN', 'BTC', '0.001'],
      ['LITECOIN', 'LTC', '0.75'],
    ],
  );
  const { depositInstructions } = await gateway.post('/checkout/commit', { checkoutId: id, network: 'BITCOIN' });
  assert.equal(await gateway.state(id), 'PENDING');

  gateway.bitcoin.pay(depositInstructions);
  await gateway.runUntilIdle();
  assert.equal(await gateway.state(id), 'PROCESSING');
  assert.equal(gateway.webhooks.length, 0);

  gateway.bitcoin.mine(1);
  await gateway.runUntilIdle();
  assert.equal(await gateway.state(id), 'COMPLETED');
  assert.deepEqual(
    gateway.webhooks.map((event) => [event.eventType, event.data.checkout.state, event.data.checkout.id]),
    [['CHECKOUT_COMPLETED', 'COMPLETED', id]],
  );
  assert.deepEqual(await gateway.balances(), { 'available/BTC': '99500' });
});
