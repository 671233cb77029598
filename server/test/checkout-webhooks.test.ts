/** How the merchant's server is told: signed twice, again until it listens, and in order. */
import assert from 'node:assert/strict';
import { createHash, createHmac } from 'node:crypto';
import { after, before, test } from 'node:test';
import { createEncryption } from '../src/lib/encryption.ts';
import { rotateKey } from '../src/merchants/rotate-key.ts';
import { type Gateway, type ReceivedWebhook, startGateway, withoutLitecoin } from './gateway.ts';
import { openShop, type Shop } from './shop.ts';

let gateway: Gateway;
before(async () => {
  gateway = await startGateway({ env: withoutLitecoin });
});
after(() => gateway.stop());

async function pass(time: { minutes?: number; hours?: number; seconds?: number }): Promise<void> {
  gateway.clock.advance(time);
  await gateway.runUntilIdle();
}

async function paid(shop: Shop, amount?: string): Promise<string> {
  const checkout = await shop.open('60.00 USD', 'BITCOIN');
  gateway.bitcoin.pay({ address: checkout.address, amount: amount ?? checkout.amount });
  gateway.bitcoin.mine(1);
  await gateway.runUntilIdle();
  return checkout.id;
}

function assertSigned(
  webhook: ReceivedWebhook | undefined,
  secrets: { apiSecret: string; webhookSecret: string },
): void {
  assert.ok(webhook);
  const { headers, raw } = webhook;
  const plain = createHash('sha256').update(`${secrets.apiSecret}${raw}`).digest('hex');
  assert.equal(headers['x-webhook-auth'], plain);
  const key = Buffer.from(secrets.webhookSecret.replace('whsec_', ''), 'base64');
  const signed = `${headers['webhook-id']}.${headers['webhook-timestamp']}.${raw}`;
  assert.equal(headers['webhook-signature'], `v1,${createHmac('sha256', key).update(signed).digest('base64')}`);
}

test('a webhook carries both signatures, and nothing that plugins stumble over', async () => {
  const shop = await openShop(gateway);
  const id = await paid(shop);
  const [webhook] = shop.webhooksOf(id);
  assertSigned(webhook, shop.merchant);
  assert.equal(Number(webhook?.headers['webhook-timestamp']), Math.floor(gateway.clock.now().getTime() / 1000));
  assert.equal(webhook?.headers['content-type'], 'application/json');
  assert.deepEqual(Object.keys(JSON.parse(webhook?.raw ?? '')), ['eventType', 'data'], 'no top-level type');
});

test('when the event arrives, the API already shows its effect', async () => {
  const shop = await openShop(gateway);
  const id = await paid(shop);
  assert.deepEqual(shop.webhooksOf(id)[0]?.data.checkout, await shop.checkout(id));
});

test('a secret that was changed at once signs from then on', async () => {
  const shop = await openShop(gateway);
  const checkout = await shop.open('60.00 USD', 'BITCOIN');
  const encryption = createEncryption(Buffer.from(gateway.env['MASTER_KEY'] as string, 'hex'));
  const { merchantId, apiKey, webhookSecret } = shop.merchant;
  const deps = { db: gateway.db, clock: gateway.clock, encryption };
  const rotated = await rotateKey(deps, merchantId, apiKey, 'operator', { isAtOnce: true });
  gateway.bitcoin.pay(checkout);
  gateway.bitcoin.mine(1);
  await gateway.runUntilIdle();
  assertSigned(shop.webhooksOf(checkout.id)[0], { apiSecret: rotated.apiSecret.reveal(), webhookSecret });
});

test('a rotated secret signs once the shop has shown that it has it, or when the old one has ended', async () => {
  const shop = await openShop(gateway);
  const encryption = createEncryption(Buffer.from(gateway.env['MASTER_KEY'] as string, 'hex'));
  const { merchantId, apiKey, apiSecret: first, webhookSecret } = shop.merchant;
  const deps = { db: gateway.db, clock: gateway.clock, encryption };
  const rotate = async () => (await rotateKey(deps, merchantId, apiKey, 'operator')).apiSecret.reveal();
  const assertSignedWith = async (apiSecret: string) =>
    assertSigned(shop.webhooksOf(await paid(shop))[0], { apiSecret, webhookSecret });
  await rotate();
  await assertSignedWith(first);
  const third = await rotate();
  await assertSignedWith(first);
  await gateway.request('GET', '/auth-test', undefined, { as: { ...shop.merchant, apiSecret: third } });
  await assertSignedWith(third);

  const fourth = await rotate();
  await assertSignedWith(third);
  const deposit = await shop.post('/deposit-address', { network: 'BITCOIN', webhook: gateway.webhookUrl });
  await pass({ hours: 24 });
  gateway.bitcoin.pay({ address: deposit.depositInstructions.address, amount: '0.01' });
  gateway.bitcoin.mine(6);
  await gateway.runUntilIdle();
  const last = gateway.webhooks.at(-1);
  assert.equal(last?.eventType, 'DEPOSIT_COMPLETED');
  assertSigned(last, { apiSecret: fourth, webhookSecret });
});

test('a shop that does not know its order yet is told again', async () => {
  const shop = await openShop(gateway);
  gateway.webhookAnswers.push(404, 401, 400, 500, 302);
  const id = await paid(shop);
  assert.deepEqual(shop.eventsOf(id), []);
  assert.equal(await shop.state(id), 'COMPLETED', 'what the receiver answers does not touch the money');
  for (const seconds of [6, 17, 34, 67]) await pass({ seconds });
  assert.deepEqual(shop.eventsOf(id), []);
  await pass({ minutes: 3 });
  assert.deepEqual(shop.eventsOf(id), ['CHECKOUT_COMPLETED COMPLETED']);
  assertSigned(shop.webhooksOf(id)[0], shop.merchant);

  const { deliveries } = await shop.get(`/webhook-deliveries?checkoutId=${id}`);
  assert.equal(deliveries.length, 1);
  assert.equal(deliveries[0].state, 'DELIVERED');
  assert.deepEqual(
    deliveries[0].attempts.map(({ responseStatus }: any) => responseStatus),
    [404, 401, 400, 500, 302, 200],
  );
  assert.equal(deliveries[0].requestBody, shop.webhooksOf(id)[0]?.raw);
});

test('the events of a checkout arrive in their order, those of others do not wait', async () => {
  const shop = await openShop(gateway);
  gateway.webhookAnswers.push(500);
  const id = await paid(shop);
  gateway.bitcoin.chain.reorganise(1);
  await gateway.runUntilIdle();
  gateway.bitcoin.mine(1);
  await gateway.runUntilIdle();
  assert.deepEqual(shop.eventsOf(id), [], 'the second event waits for the first');
  const other = await paid(shop);
  assert.deepEqual(shop.eventsOf(other), ['CHECKOUT_COMPLETED COMPLETED']);
  await pass({ seconds: 6 });
  await pass({ seconds: 2 });
  await pass({ seconds: 2 });
  assert.deepEqual(shop.eventsOf(id), [
    'CHECKOUT_COMPLETED COMPLETED',
    'CHECKOUT_REVERSED PROCESSING',
    'CHECKOUT_COMPLETED COMPLETED',
  ]);
  const ids = shop.webhooksOf(id).map(({ headers }) => headers['webhook-id']);
  assert.equal(new Set(ids).size, 3);
});

test('a receiver that is gone is left alone until the merchant asks for it', async () => {
  const shop = await openShop(gateway);
  gateway.webhookAnswers.push(410);
  const id = await paid(shop);
  await pass({ hours: 100 });
  assert.deepEqual(shop.eventsOf(id), []);
  const { deliveries } = await shop.get(`/webhook-deliveries?checkoutId=${id}`);
  assert.equal(deliveries[0].state, 'FAILED');
  await shop.post('/webhook-deliveries/redeliver', { deliveryId: deliveries[0].id });
  await gateway.runUntilIdle();
  assert.deepEqual(shop.eventsOf(id), ['CHECKOUT_COMPLETED COMPLETED']);
});

test('another merchant sees neither the log nor can send again', async () => {
  const [shop, stranger] = [await openShop(gateway), await openShop(gateway)];
  const id = await paid(shop);
  const { deliveries } = await shop.get(`/webhook-deliveries?checkoutId=${id}`);
  assert.deepEqual(await stranger.get(`/webhook-deliveries?checkoutId=${id}`), { deliveries: [], next: null });
  await stranger.refused(404, 'POST', '/webhook-deliveries/redeliver', { deliveryId: deliveries[0].id });
});

test('a checkout without a webhook is credited without a word', async () => {
  const shop = await openShop(gateway);
  const { id } = await shop.post('/checkout', {
    charge: { billingCurrency: 'USD', lineItems: [{ description: 'x', netAmount: 60 }] },
    webhook: '',
  });
  gateway.bitcoin.pay(await shop.commit(id, 'BITCOIN'));
  gateway.bitcoin.mine(1);
  await gateway.runUntilIdle();
  assert.equal(await shop.state(id), 'COMPLETED');
  assert.deepEqual(shop.eventsOf(id), []);
});
