/** What was paid over Pix goes back to who paid it, and to nobody else. Each credit is 59.70 BRL: 60.00 less the fee. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { type PixWorld, startPixWorld } from './pix-world.ts';
import type { Shop } from './shop.ts';

let world: PixWorld;
let shop: Shop;
before(async () => {
  world = await startPixWorld();
});
after(() => world.stop());

const refundOf = async (id: string) => (await shop.get(`/refund?id=${id}`)).refund;
const ask = async (checkoutId: string, amount?: string) =>
  (await shop.post('/refund', { checkoutId, ...(amount !== undefined && { amount }) })).refund;

test('a checkout is refunded whole, to who paid it, and nobody takes that for a contested payment', async () => {
  shop = await world.shop();
  const { id, name } = await world.paid(shop);
  const refund = await ask(id);
  assert.deepEqual(
    [refund.state, refund.network, refund.address, refund.amountSent, refund.fee],
    ['SENDING', 'PIX', name, '60', '0'],
  );
  await world.settle();
  const done = await refundOf(refund.id);
  assert.deepEqual([done.state, done.tx], ['COMPLETED', world.bank.findPix(name).returns[0]?.returnId]);
  assert.deepEqual(world.returnsOf(name), ['6000 DEVOLVIDO']);
  await world.lookBack();
  assert.equal(await shop.state(id), 'REFUNDED');
  assert.deepEqual(await shop.balances(), { 'available/BRL': '594000000' });
  assert.deepEqual(shop.eventsOf(id), ['CHECKOUT_COMPLETED COMPLETED', 'REFUND_COMPLETED REFUNDED']);
});

test('parts go back one after the other, and never more than was paid', async () => {
  shop = await world.shop();
  const { id, name } = await world.paid(shop);
  await ask(id, '10.50');
  await ask(id, '19.50');
  await world.settle();
  assert.deepEqual(world.returnsOf(name).toSorted(), ['1050 DEVOLVIDO', '1950 DEVOLVIDO']);
  assert.deepEqual(await shop.refused(422, 'POST', '/refund', { checkoutId: id, amount: '30.01' }), [
    'At most 30 BRL can be refunded.',
  ]);
  const last = await ask(id);
  await world.settle();
  assert.equal((await refundOf(last.id)).state, 'COMPLETED');
  assert.equal(await shop.state(id), 'REFUNDED');
});

test('nothing else can be sent over Pix: no transfer, no destination, no other address', async () => {
  shop = await world.shop({ destinationWaitMinutes: 0 });
  const { id, name } = await world.paid(shop);
  const { networks } = await shop.get('/networks');
  assert.equal(networks.find((each: any) => each.id === 'PIX').transfers, false);
  const order = { network: 'PIX', asset: 'BRL', amount: '1', address: name };
  assert.deepEqual(await shop.refused(400, 'POST', '/transfer', order), [
    'Nothing can be sent on PIX: this service only receives there.',
  ]);
  const account = { label: 'payer', network: 'PIX', address: name };
  assert.deepEqual(await shop.refused(400, 'POST', '/target-account', account), [
    'Nothing can be sent on Pix, but back to whoever paid: it needs no target account.',
  ]);
  assert.deepEqual(await shop.refused(400, 'POST', '/refund', { checkoutId: id, amount: '1', address: name }), [
    'On Pix money goes back only to the account that it came from: leave out the address.',
  ]);
});

test('what the bank does not carry out is the merchant’s again, and can be asked for once more', async () => {
  shop = await world.shop();
  const { id, name } = await world.paid(shop);
  const before = await shop.balances();
  const refund = await ask(id);
  await world.gateway.runUntilIdle();
  world.bank.endReturn(name, world.bank.findPix(name).returns[0]?.id ?? '', 'NAO_REALIZADO');
  await world.settle();
  const failed = await refundOf(refund.id);
  assert.deepEqual(
    [failed.state, failed.failure],
    ['FAILED', 'The bank did not give it back: A conta do pagador foi encerrada.'],
  );
  assert.deepEqual(await shop.balances(), before);
  await ask(id);
  await world.settle();
  assert.deepEqual(world.returnsOf(name), ['6000 NAO_REALIZADO', '6000 DEVOLVIDO']);
  assert.equal(await shop.state(id), 'REFUNDED');
});

test('what was said to have failed, and has left after all, is taken back from the merchant', async () => {
  shop = await world.shop();
  const { id, name } = await world.paid(shop);
  await ask(id);
  await world.gateway.runUntilIdle();
  const [asked] = world.bank.findPix(name).returns;
  world.bank.mischief.tamper = (path, { status, body }) =>
    path.includes('/devolucao/')
      ? { status, text: JSON.stringify({ ...(body as object), status: 'NAO_REALIZADO' }) }
      : undefined;
  await world.gateway.runUntilIdle();
  world.bank.mischief.tamper = () => undefined;
  world.bank.endReturn(name, asked?.id ?? '', 'DEVOLVIDO');
  await world.settle();
  await world.lookBack();
  assert.deepEqual(await shop.balances(), { 'available/BRL': '597000000' }, 'only the other checkout is left');
  assert.match(await shop.state(id), /REORGED/);
});

test('while the bank is away refunds are asked to wait, and what was asked for goes once it is back', async () => {
  shop = await world.shop();
  const { id, name } = await world.paid(shop);
  const other = await world.paid(shop);
  const refund = await ask(id);
  world.bank.goAway();
  await world.settle();
  assert.equal((await refundOf(refund.id)).state, 'SENDING');
  const [away] = await shop.refused(503, 'POST', '/refund', { checkoutId: other.id, amount: '1' });
  assert.match(away ?? '', /Pix does not answer/);
  world.bank.comeBack();
  world.gateway.clock.advance({ minutes: 2 });
  await world.settle();
  assert.equal((await refundOf(refund.id)).state, 'COMPLETED');
  assert.deepEqual(world.returnsOf(name), ['6000 DEVOLVIDO']);
});

test('a charge that was paid twice goes back in two refunds, each to its own payment', async () => {
  shop = await world.shop();
  const { id, name, key } = await world.paid(shop);
  const second = world.bank.payKey({ centavos: 60_00n, txid: key });
  const third = world.bank.payKey({ centavos: 15_00n, txid: key });
  await world.gateway.runUntilIdle();
  const body = { checkoutId: id, context: 'OVERPAID_CHECKOUT' };
  const [sentence = ''] = await shop.refused(422, 'POST', '/refund', body);
  const [, most = ''] =
    /^On Pix each payment goes back by itself: refund at most (\d+) BRL at once\.$/.exec(sentence) ?? [];
  const { refund } = await shop.post('/refund', { ...body, amount: most });
  const { refund: rest } = await shop.post('/refund', body);
  await ask(id);
  await world.settle();
  assert.deepEqual(new Set([refund.address, rest.address]), new Set([second, third]));
  assert.deepEqual([name, second, third].flatMap(world.returnsOf), [
    '6000 DEVOLVIDO',
    '6000 DEVOLVIDO',
    '1500 DEVOLVIDO',
  ]);
  await world.lookBack();
  assert.equal(await shop.state(id), 'REFUNDED DUPLICATE');
});
