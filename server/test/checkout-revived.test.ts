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

test('what is chosen, chosen again and cancelled in the same moment stays cancelled, also when a part of it is paid', async () => {
  const { id } = await gateway.post('/checkout', aCharge('60.00 USD'));
  await gateway.post('/checkout/commit', { checkoutId: id, network: 'BITCOIN' });
  const { depositInstructions } = await gateway.post('/checkout/commit', { checkoutId: id, network: 'LITECOIN' });
  await gateway.post('/checkout/cancel', { checkoutId: id });
  gateway.litecoin.pay({ address: depositInstructions.address, amount: '0.1' });
  await gateway.runUntilIdle();
  assert.equal(await gateway.state(id), 'CANCELED');
});

test('a method that is away when a checkout is revived can be chosen later with the same key', async () => {
  const { id } = await gateway.post('/checkout', aCharge('60.00 USD'));
  await gateway.post('/checkout/cancel', { checkoutId: id });
  const commit = (network: string) =>
    gateway.request(
      'POST',
      '/checkout/commit',
      { checkoutId: id, network },
      { headers: { 'idempotency-key': `away-${network}` } },
    );
  await gateway.db`update network_cursor set failing_since = ${new Date(gateway.clock.now().getTime() - 60_000)}
                    where network = 'BITCOIN'`;
  await gateway.app.refresh();
  const { status, headers, body } = await commit('BITCOIN');
  assert.deepEqual(
    [status, headers.get('retry-after'), body.errors],
    [503, '30', ['Bitcoin is not reachable at the moment. Choose another payment method or try again later.']],
  );
  const never = await commit('DOGECOIN');
  assert.deepEqual(
    [never.status, never.headers.get('retry-after'), never.body.errors],
    [422, null, ["DOGECOIN is not among this checkout's payment methods. It can be paid with LITECOIN."]],
  );
  await gateway.db`update network_cursor set failing_since = null where network = 'BITCOIN'`;
  await gateway.app.refresh();
  assert.equal((await commit('BITCOIN')).status, 200);
});
