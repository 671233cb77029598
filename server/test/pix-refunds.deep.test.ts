/** Refunds over Pix, months later, beside contested payments and beside each other. Each credit is 59.70 BRL. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { aCharge } from './gateway.ts';
import { type MailServer, mailSettings, startMailServer } from './mail-server.ts';
import { type PixWorld, startPixWorld } from './pix-world.ts';
import type { Shop } from './shop.ts';

let mail: MailServer;
let world: PixWorld;
let shop: Shop;
before(async () => {
  mail = await startMailServer();
  world = await startPixWorld(mailSettings(mail));
});
after(async () => {
  await world?.stop();
  await mail?.stop();
});

const ask = async (checkoutId: string, amount?: string) =>
  (await shop.post('/refund', { checkoutId, ...(amount !== undefined && { amount }) })).refund;

test('months later a return is still known to be ours', async () => {
  shop = await world.shop();
  const { id, name } = await world.paid(shop);
  await ask(id, '20');
  await world.settle();
  const before = await shop.balances();
  for (let month = 0; month < 3; month += 1) {
    world.gateway.clock.advance({ hours: 24 * 30 });
    await world.lookBack();
  }
  assert.deepEqual([await shop.balances(), await shop.state(id)], [before, 'COMPLETED']);
  assert.deepEqual(world.returnsOf(name), ['2000 DEVOLVIDO']);
});

test('a refund that waits for approval holds its part of the payment, and goes back when it is approved', async () => {
  shop = await world.shop({ refundApprovalAbove: '1' });
  const { id, name } = await world.paid(shop);
  const waiting = await ask(id, '40');
  assert.deepEqual([waiting.state, waiting.address], ['AWAITING_APPROVAL', name]);
  assert.deepEqual(await shop.refused(422, 'POST', '/refund', { checkoutId: id, amount: '20.01' }), [
    'At most 20 BRL can be refunded.',
  ]);
  const chief = await world.gateway.createKey(shop.merchant);
  const approved = await shop.request('POST', '/refund/approve', { id: waiting.id }, { as: chief });
  assert.equal(approved.status, 200, JSON.stringify(approved.body));
  await world.settle();
  assert.deepEqual(world.returnsOf(name), ['4000 DEVOLVIDO']);
});

test('a charge of the same price is refunded by the payment that has enough left', async () => {
  shop = await world.shop();
  const { id, name, key } = await world.paid(shop);
  const second = world.bank.payKey({ centavos: 30_00n, txid: key });
  await world.gateway.runUntilIdle();
  await shop.post('/refund', { checkoutId: id, context: 'OVERPAID_CHECKOUT', amount: '10' });
  await shop.post('/refund', { checkoutId: id, context: 'COMPLETED_CHECKOUT', amount: '55' });
  await world.settle();
  assert.deepEqual([name, second].map(world.returnsOf), [['5500 DEVOLVIDO'], ['1000 DEVOLVIDO']]);
});

test('a payment that was refunded in part and contested for the rest is taken from the merchant once', async () => {
  shop = await world.shop();
  const { id, name } = await world.paid(shop);
  await ask(id, '20');
  await world.settle();
  world.bank.contest(name);
  assert.deepEqual(world.returnsOf(name), ['2000 DEVOLVIDO', '4000 DEVOLVIDO']);
  await world.lookBack();
  assert.deepEqual(await shop.balances(), { 'available/BRL': '397000000', 'pending/BRL': '200000000' });
  world.gateway.clock.advance({ hours: 2 });
  await world.lookBack();
  const [sentence] = await shop.refused(409, 'POST', '/refund', { checkoutId: id });
  assert.match(sentence ?? '', /has nothing to refund/, 'who paid has had all of it back');
  assert.deepEqual(await shop.balances(), { 'available/BRL': '397000000', 'suspense/BRL': '200000000' });
});

test('what the payer contested meanwhile cannot be refunded, and a sentence says so', async () => {
  shop = await world.shop();
  const { id, name } = await world.paid(shop);
  world.bank.contest(name, { centavos: 50_00n });
  const [sentence] = await shop.refused(422, 'POST', '/refund', { checkoutId: id });
  assert.equal(sentence, 'Of this payment 10 BRL are left at the bank to go back.');
});

test('after 90 days nothing goes back over Pix', async () => {
  shop = await world.shop();
  const { id } = await world.paid(shop);
  world.gateway.clock.advance({ hours: 24 * 91 });
  await world.lookBack();
  const [sentence] = await shop.refused(422, 'POST', '/refund', { checkoutId: id });
  assert.match(sentence ?? '', /paid more than 90 days ago/);
});

test('two refunds at once never ask for more of a payment than it brought', async () => {
  shop = await world.shop();
  const { id, name } = await world.paid(shop);
  const replies = await Promise.all(
    ['40', '41'].map((amount) => shop.request('POST', '/refund', { checkoutId: id, amount })),
  );
  assert.equal(replies.filter(({ status }) => status === 200).length, 1);
  await world.settle();
  assert.equal(world.returnsOf(name).length, 1);
});

test('a payer who paid twice asks for it on the page, and has it back without saying where to', async () => {
  shop = await world.shop();
  const { origin } = new URL(world.gateway.url);
  const { id } = await shop.post('/checkout/hosted', aCharge('60.00 BRL', { checkoutLanguage: 'en' }));
  const { address } = await shop.commit(id, 'PIX');
  const press = (path: string, form: Record<string, string>) =>
    fetch(`${origin}/en/checkout/${id}/${path}`, {
      method: 'POST',
      redirect: 'manual',
      body: new URLSearchParams(form),
    });
  assert.equal((await press('contact', { email: 'ada@payer.example', network: 'PIX' })).status, 303);
  const first = world.bank.pay({ address });
  await world.settle();
  const second = world.bank.payKey({ centavos: 60_00n, txid: world.bank.findPix(first).txid });
  await world.gateway.runUntilIdle();
  assert.equal((await press('ask-back', {})).status, 303);
  await world.settle();
  assert.deepEqual([first, second].map(world.returnsOf), [[], ['6000 DEVOLVIDO']]);
  const page = await (await fetch(`${origin}/en/checkout/${id}`)).text();
  assert.match(page.replace(/<[^>]*>/g, ''), /was sent back/);
});
