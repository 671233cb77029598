/** What arrives together is done together (docs/decisions/0006), and nobody must be able to tell. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { isSample } from './depth.ts';
import { aCharge, type Gateway, startGateway } from './gateway.ts';

let gateway: Gateway;
before(async () => {
  gateway = await startGateway();
});
after(() => gateway.stop());

const orders = Array.from({ length: isSample() ? 12 : 40 }, (_, order) => order);

test('orders that arrive, are committed and are paid at the same time get what is theirs', async () => {
  const created = await Promise.all(
    orders.map((order) =>
      gateway.post('/checkout', aCharge(`${60 + order}.00 USD`, { meta: { order }, webhook: gateway.webhookUrl })),
    ),
  );
  const committed = await Promise.all(
    created.map(({ id }) => gateway.post('/checkout/commit', { checkoutId: id, network: 'BITCOIN' })),
  );
  assert.deepEqual(
    committed.map(({ checkoutId }) => checkoutId),
    created.map(({ id }) => id),
  );
  assert.equal(new Set(committed.map(({ depositInstructions }) => depositInstructions.address)).size, orders.length);

  for (const { depositInstructions } of committed) gateway.bitcoin.pay(depositInstructions);
  gateway.bitcoin.mine(1);
  await gateway.runUntilIdle();

  const records = await Promise.all(created.map(({ id }) => gateway.get(`/checkout?id=${id}`)));
  assert.deepEqual(
    records.map(({ checkout }) => [checkout.state, checkout.meta.order, checkout.sourceAmountReceived]),
    orders.map((order) => ['COMPLETED', order, committed[order].depositInstructions.amount]),
  );
  const announced: string[] = gateway.webhooks.map(({ data }) => data.checkout.id);
  const ids: string[] = created.map(({ id }) => id);
  assert.deepEqual(announced.sort(), ids.sort(), 'each is announced once');
});

test('a customer who clicks twice gets one deposit address, and one who changes the mind gets a second', async () => {
  const { id } = await gateway.post('/checkout', aCharge('60.00 USD'));
  const networks = ['BITCOIN', 'BITCOIN', 'LITECOIN', 'BITCOIN', 'LITECOIN'];
  const replies = await Promise.all(
    networks.map((network) => gateway.post('/checkout/commit', { checkoutId: id, network })),
  );
  const addressOn = (network: string) =>
    new Set(
      replies
        .map(({ depositInstructions }) => depositInstructions)
        .filter((instructions) => instructions.network === network)
        .map((instructions) => instructions.address),
    );
  assert.deepEqual([addressOn('BITCOIN').size, addressOn('LITECOIN').size], [1, 1]);
  const targets = await gateway.db`select from deposit_target where owner_id = ${id}`;
  assert.equal(targets.length, 2);
});

test('one order that cannot be committed does not stand in the way of the others', async () => {
  const created = await Promise.all(orders.slice(0, 5).map(() => gateway.post('/checkout', aCharge('60.00 USD'))));
  const [paid] = created;
  const { depositInstructions } = await gateway.post('/checkout/commit', { checkoutId: paid.id, network: 'BITCOIN' });
  gateway.bitcoin.pay(depositInstructions);
  gateway.bitcoin.mine(1);
  await gateway.runUntilIdle();

  const replies = await Promise.all(
    created.map(({ id }) => gateway.request('POST', '/checkout/commit', { checkoutId: id, network: 'BITCOIN' })),
  );
  assert.deepEqual(
    replies.map(({ status }) => status),
    [409, 200, 200, 200, 200],
  );
});
