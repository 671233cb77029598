/**
 * What may be done with the smaller things in each of their states: quotes of swaps, deposits, deliveries of webhooks,
 * promises of the treasury, own domains and their keys. 60.00 USD are 0.001 BTC.
 */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import {
  changeBrandDomain,
  createBrandingKey,
  removeBrandDomain,
  revokeBrandingKey,
} from '../src/merchants/change-brand-domain.ts';
import { atLeastOne } from './at-least-one.ts';
import { type RefundWorld, startRefundWorld } from './refund-world.ts';
import type { Shop } from './shop.ts';

let world: RefundWorld;
before(async () => {
  world = await startRefundWorld();
});
after(() => world.gateway.stop());

test('a quote of a swap is good once, and for a minute', async () => {
  const shop = await world.shop();
  await world.paid(shop, '0.001');
  await world.mine(6);
  const quoted = async (): Promise<string> =>
    (await shop.get('/swap/quote?sourceAsset=BTC&targetAsset=LTC&sourceAmount=0.0001')).quote.id;
  const swap = async (quoteId: string): Promise<number> => {
    world.gateway.clock.advance({ seconds: 1 }); // A signature is good for one request.
    return (await shop.request('POST', '/swap', { quoteId })).status;
  };
  const [used, old] = [await quoted(), await quoted()];
  assert.equal(await swap(used), 200);
  const after = await shop.balances();
  assert.equal(await swap(used), 409);
  await world.pass({ minutes: 1 });
  assert.equal(await swap(old), 422);
  assert.deepEqual(await shop.balances(), after);
});

test('a deposit is closed in any state, once, and what arrives there is credited all the same', async () => {
  const shop = await world.shop();
  const open = () => shop.post('/deposit-address', { network: 'BITCOIN', reusable: true });
  const [created, pending, completed] = [await open(), await open(), await open()];
  await world.pay(completed.depositInstructions, '0.001');
  await world.mine(6);
  await world.pay(pending.depositInstructions, '0.001');
  for (const [{ id }, state] of [
    [created, 'CREATED'],
    [pending, 'PENDING'],
    [completed, 'COMPLETED'],
  ] as const) {
    const { deposit } = await shop.post('/deposit/close', { id });
    assert.equal(deposit.state, state);
    assert.deepEqual((await shop.post('/deposit/close', { id })).deposit, deposit, 'closing it twice closes it once');
  }
  for (const { depositInstructions } of [created, pending, completed]) await world.pay(depositInstructions, '0.0005');
  await world.mine(6);
  for (const { id } of [created, pending, completed])
    assert.equal((await shop.get(`/deposit?id=${id}`)).deposit.state, 'COMPLETED');
  const [row] = await world.gateway.db<{ count: string }>`
    select count(*) as count from audit_log where merchant_id = ${shop.merchant.merchantId} and action = 'deposit.closed'`;
  assert.equal(row?.count, '3');
});

test('an event is sent again in any state, but not when a newer one has followed it', async () => {
  const { gateway } = world;
  const shop = await world.shop();
  const log = async (checkoutId: string): Promise<any[]> =>
    (await shop.get(`/webhook-deliveries?checkoutId=${checkoutId}`)).deliveries;
  const redeliver = async (deliveryId: string): Promise<number> =>
    (await shop.request('POST', '/webhook-deliveries/redeliver', { deliveryId })).status;

  gateway.webhookAnswers.push(500);
  const late = await world.paid(shop, '0.001');
  const [pending] = await log(late.id);
  assert.equal(pending.state, 'PENDING');
  assert.equal(await redeliver(pending.id), 200);
  // It waits for the older one, which is tried again first.
  for (const _ of [1, 2, 3]) await world.pass({ minutes: 1 });
  for (const { state } of atLeastOne(await log(late.id))) assert.equal(state, 'DELIVERED');
  assert.equal(await redeliver(pending.id), 200, 'DELIVERED');
  await gateway.runUntilIdle();

  gateway.webhookAnswers.push(410);
  const gone = await world.paid(shop, '0.001');
  const [failed] = await log(gone.id);
  assert.equal(failed.state, 'FAILED');
  assert.equal(await redeliver(failed.id), 200);
  await gateway.runUntilIdle();
  assert.equal((await log(gone.id))[0].state, 'DELIVERED', 'whoever asks for it wants the URL again');

  const followed = await world.underpaid(shop, '0.0006');
  const [older] = await log(followed.id);
  await shop.post('/checkout/accept-underpayment', { checkoutId: followed.id });
  await gateway.runUntilIdle();
  assert.equal(await redeliver(older.id), 409);
  assert.equal((await log(followed.id)).length, 2);
});

/** Whether the treasury stands by what it would have to give for this checkout. */
async function isPromised(checkoutId: string): Promise<boolean> {
  return (await world.gateway.db`select from treasury_promise where checkout_id = ${checkoutId}`).length > 0;
}

test('the treasury stands by a checkout while it can be paid in time, and no longer', async () => {
  const shop = await world.shop();
  const walked: [string, boolean][] = [];
  const note = async (id: string): Promise<void> => {
    walked.push([await shop.state(id), await isPromised(id)]);
  };
  const inLitecoin = { settlementAsset: 'LTC' };
  const id = await shop.create('60.00 USD', inLitecoin);
  await note(id);
  await shop.commit(id, 'BITCOIN');
  await note(id);
  await shop.post('/checkout/cancel', { checkoutId: id });
  await note(id);
  const checkout = await shop.commit(id, 'BITCOIN');
  await note(id);
  await world.pay(checkout, checkout.amount);
  await note(id);
  await world.mine(6);
  await note(id);
  assert.deepEqual(walked.splice(0), [
    ['CREATED', false],
    ['PENDING', true],
    ['CANCELED', false],
    ['PENDING', true],
    ['PROCESSING', true],
    ['COMPLETED', false],
  ]);

  const [unpaid, tooLittle] = [
    await shop.open('60.00 USD', 'BITCOIN', inLitecoin),
    await shop.open('60.00 USD', 'BITCOIN', inLitecoin),
  ];
  await world.pay(tooLittle, '0.0006');
  await world.mine(6);
  await note(tooLittle.id);
  await world.pass({ minutes: 61 });
  await note(unpaid.id);
  await note(tooLittle.id);
  assert.deepEqual(walked, [
    ['PENDING PARTIAL', true],
    ['EXPIRED', false],
    ['UNDERPAID PARTIAL', false],
  ]);
});

test("keys of a domain are one merchant's, and end with it", async () => {
  const { gateway } = world;
  const [first, second] = [await world.shop(), await world.shop()];
  const take = ({ merchant }: Shop, domain: string) =>
    createBrandingKey(gateway, merchant.merchantId, { domain, serviceUrl: 'https://pay.test' }, 'operator');
  const idOf = ({ merchant }: Shop): string => merchant.merchantId;
  const opens = async (key: string, domain: string): Promise<number> => {
    await gateway.app.refresh();
    const headers = { 'x-ws-branding-key': key, 'x-forwarded-for-hostname': domain };
    return (await fetch(new URL('/api/v1/health/brand-connect', gateway.url), { headers })).status;
  };

  const { key, keyId } = await take(first, 'pay.first.example');
  assert.equal(await opens(key.reveal(), 'pay.first.example'), 200);
  assert.equal(await opens(key.reveal(), 'pay.second.example'), 403);
  await assert.rejects(
    changeBrandDomain(gateway, idOf(second), { behaviour: 'both' }, 'operator'),
    /no domain of its own/,
  );
  await assert.rejects(removeBrandDomain(gateway, idOf(second), 'operator'), /no domain of its own/);
  await assert.rejects(revokeBrandingKey(gateway, idOf(second), keyId, 'operator'), /no branding key/);
  assert.equal(await opens(key.reveal(), 'pay.first.example'), 200);

  const further = await take(first, 'pay.first.example');
  await revokeBrandingKey(gateway, idOf(first), keyId, 'operator');
  await assert.rejects(revokeBrandingKey(gateway, idOf(first), keyId, 'operator'), /no branding key/);
  assert.equal(await opens(key.reveal(), 'pay.first.example'), 403);
  assert.equal(await opens(further.key.reveal(), 'pay.first.example'), 200);

  await removeBrandDomain(gateway, idOf(first), 'operator');
  assert.equal(await opens(further.key.reveal(), 'pay.first.example'), 403);
  const { key: taken } = await take(second, 'pay.first.example');
  assert.equal(await opens(taken.reveal(), 'pay.first.example'), 200);
  assert.equal(await opens(further.key.reveal(), 'pay.first.example'), 403, 'not even for whoever has it now');
});
