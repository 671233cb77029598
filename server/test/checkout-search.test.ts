/** Checkouts and all else of an account, found by what people type. 60.00 USD are 0.001 BTC. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { isGranted, type Scope } from '@quittance/contract/permissions';
import { search } from '../src/finding/search.ts';
import { withoutLitecoin } from './gateway.ts';
import { aBitcoinAddress, type RefundWorld, startRefundWorld } from './refund-world.ts';
import type { Shop } from './shop.ts';

let world: RefundWorld;
before(async () => {
  world = await startRefundWorld({ env: withoutLitecoin });
});
after(() => world.gateway.stop());

/** What is found, as `kind id`. */
async function found(shop: Shop, text: string, scopes: readonly Scope[] = ['read'], limit = 20): Promise<string[]> {
  const may = (permission: Parameters<typeof isGranted>[0]) => isGranted(permission, scopes);
  const hits = await search(world.gateway.db, shop.merchant.merchantId, text, { may, limit });
  return hits.map(({ kind, id }) => `${kind} ${id}`);
}

const listed = async (shop: Shop, query: string): Promise<string[]> =>
  (await shop.get(`/checkouts?${query}`)).checkouts.map(({ id }: { id: string }) => id);

test('a checkout is found by its words, price, transaction, address and id, and by nobody else', async () => {
  const [shop, stranger] = [await world.shop(), await world.shop()];
  const more = { meta: { order: '#10045', shop: 'North' }, pageSettings: { orderReference: 'R 77' } };
  const checkout = await shop.open('60.00 USD', 'BITCOIN', more);
  const transaction = await world.pay(checkout, checkout.amount);
  await world.mine(1);
  await shop.create('61.00 USD', { meta: { order: '9' } });
  await world.gateway.runUntilIdle();

  const texts = ['10045', '#1004', ' NORTH ', 'r 7', '60.00', '60,00 usd', 'USD 60', transaction, `0x${transaction}`];
  for (const text of [...texts, checkout.address, checkout.id, checkout.id.toUpperCase()]) {
    assert.deepEqual(await found(shop, text), [`checkout ${checkout.id}`], text);
    assert.deepEqual(await listed(shop, `search=${encodeURIComponent(text)}`), [checkout.id], text);
    assert.deepEqual(await found(stranger, text), [], text);
    assert.deepEqual(await listed(stranger, `search=${encodeURIComponent(text)}`), [], text);
  }
  for (const text of ['0045', 'orth', '60', '60.01', '60.00 EUR', 'unknown12345', 'f'.repeat(64), '%', '_', '!'])
    assert.deepEqual(await found(shop, text), [], text);
});

test('of two checkouts with the same beginning both are found, and what is longer than the text', async () => {
  const shop = await world.shop();
  const [first, second] = [
    await shop.create('60.00 USD', { meta: { order: 'same-1' } }),
    await shop.create('60.00 USD', { meta: { order: 'same-12' } }),
  ];
  await world.gateway.runUntilIdle();
  assert.deepEqual((await listed(shop, 'search=same-1')).toSorted(), [first, second].toSorted());
  assert.deepEqual(await listed(shop, 'search=same-12'), [second]);
  assert.equal((await found(shop, 'same', ['read'], 1)).length, 1);
});

test('a customer is found by e-mail address with its checkouts, by whoever may read customers, until it is deleted', async () => {
  const shop = await world.shop();
  const { customerId } = await shop.post('/customer', { customer: { email: 'Maria@Example.com' } });
  const charge = { customerId, billingCurrency: 'USD', lineItems: [{ description: 'x', netAmount: 60 }] };
  const { id } = await shop.post('/checkout', { charge });
  for (const text of ['maria@example.com', ' MARIA@EXAMPLE.COM ', customerId])
    assert.deepEqual(await found(shop, text), [`customer ${customerId}`, `checkout ${id}`], text);
  assert.deepEqual(await found(shop, 'maria@example.co'), []);
  assert.deepEqual(await found(shop, 'maria@example.com', ['charge']), [], 'names and addresses are not for every key');
  assert.deepEqual(await found(shop, customerId, ['charge']), []);
  assert.deepEqual(await found(shop, 'maria@example.com', ['approve']), []);
  const key = await world.gateway.createKey(shop.merchant, { scopes: ['charge'] });
  const asShop = await shop.request('GET', '/checkouts?search=maria@example.com', undefined, { as: key });
  assert.deepEqual(asShop.body.checkouts, []);

  await shop.request('DELETE', '/customer', { id: customerId });
  assert.deepEqual(await found(shop, 'maria@example.com'), []);
  assert.deepEqual(await found(shop, customerId), []);
});

test('a refund leads to its checkout, by its id and by its transaction', async () => {
  const shop = await world.shop();
  const { id } = await world.underpaid(shop, '0.0006');
  const { refund } = await shop.post('/refund', { checkoutId: id, address: aBitcoinAddress() });
  await world.send();
  const { tx } = (await shop.get(`/refund?id=${refund.id}`)).refund;
  for (const text of [refund.id, tx]) {
    assert.deepEqual(await found(shop, text), [`refund ${refund.id}`, `checkout ${id}`], text);
    assert.deepEqual(await found(shop, text, ['charge']), [`checkout ${id}`], text);
  }
});

test('transfers, deposits and destinations are found by their ids', async () => {
  const shop = await world.shop();
  await world.paid(shop, '0.001');
  await world.mine(6);
  const order = { network: 'BITCOIN', asset: 'BTC', amount: '0.0005', address: aBitcoinAddress() };
  const { transfer } = await shop.post('/transfer', order);
  await world.send();
  const { txHash: tx } = (await shop.get(`/transfer?id=${transfer.id}`)).transfer;
  assert.ok(tx);
  for (const text of [transfer.id, tx]) {
    assert.deepEqual(await found(shop, text), [`transfer ${transfer.id}`], text);
    assert.deepEqual(await found(shop, text, ['charge']), [], 'orders are not for every key');
  }
  const { id, depositInstructions } = await shop.post('/deposit-address', { network: 'BITCOIN' });
  for (const text of [id, depositInstructions.address]) assert.deepEqual(await found(shop, text), [`deposit ${id}`]);
  const paidBy = await world.pay(depositInstructions, '0.001');
  assert.deepEqual(await found(shop, paidBy), [`deposit ${id}`]);
});
