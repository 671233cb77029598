import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { aCharge, type Gateway, startGateway } from './gateway.ts';

let gateway: Gateway;
before(async () => {
  gateway = await startGateway();
});
after(() => gateway.stop());

test('a cancelled checkout is revived by choosing a method, even in the same moment', async () => {
  const { id } = await gateway.post('/checkout', aCharge('60.00 USD'));
  await gateway.post('/checkout/commit', { checkoutId: id, network: 'BITCOIN' });
  const canceled = await gateway.post('/checkout/cancel', { checkoutId: id });
  assert.equal(canceled.checkout.state, 'CANCELED');

  const { depositInstructions } = await gateway.post('/checkout/commit', { checkoutId: id, network: 'LITECOIN' });
  assert.equal(await gateway.state(id), 'PENDING');
  gateway.litecoin.pay(depositInstructions);
  gateway.litecoin.mine(2);
  await gateway.runUntilIdle();
  assert.equal(await gateway.state(id), 'COMPLETED');
});
