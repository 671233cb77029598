/** What a merchant posts comes back as it was posted: in the record, in lists and in webhooks, digit by digit. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { digestHeaders, type Gateway, startGateway } from './gateway.ts';
import { openShop, type Shop } from './shop.ts';

let gateway: Gateway;
before(async () => {
  gateway = await startGateway();
});
after(() => gateway.stop());

/** The reply as text: a parsed one has already lost digits. */
async function text(shop: Shop, path: string): Promise<string> {
  const headers = digestHeaders(shop.merchant, 'GET', path, '', gateway.clock.now());
  return (await fetch(`${gateway.url}${path}`, { headers })).text();
}

async function createRaw(shop: Shop, raw: string, path = '/checkout'): Promise<any> {
  const reply = await shop.request('POST', path, undefined, { raw });
  assert.equal(reply.status, 200, JSON.stringify(reply.body));
  return reply.body;
}

async function pay(shop: Shop, id: string): Promise<void> {
  gateway.bitcoin.pay(await shop.commit(id, 'BITCOIN'));
  gateway.bitcoin.mine(1);
  await gateway.runUntilIdle();
}

test('numbers of any length come back digit by digit', async () => {
  const shop = await openShop(gateway);
  const meta =
    '{"order":12345678901234567890,"ratio":0.1000000000000000055511151231257827,"e":1e400,"big":1E+30,"neg":-0.0}';
  const charge = `{"billingCurrency":"USD","lineItems":[{"description":"Ä\\u00e4 \\/ 漢字 😀","netAmount":60.000000000000000000}]}`;
  const raw = `{"charge":${charge},"webhook":"${gateway.webhookUrl}","meta":${meta}}`;
  const { errors } = (await shop.request('POST', '/checkout', undefined, { raw })).body;
  assert.match(errors[0], /number that is too large/);

  const holdable = meta.replace('1e400', '1e40');
  const { id } = await createRaw(shop, raw.replace(meta, holdable));
  await pay(shop, id);
  for (const reply of [
    await text(shop, `/checkout?id=${id}`),
    await text(shop, '/checkouts'),
    shop.webhooksOf(id)[0]?.raw ?? '',
  ]) {
    assert.ok(reply.includes('12345678901234567890'), reply);
    assert.ok(reply.includes('0.1000000000000000055511151231257827'), reply);
    assert.ok(reply.includes('60.000000000000000000'), reply);
    assert.ok(reply.includes('Ää / 漢字 😀'), reply);
    assert.ok(reply.includes(`"meta":{`), reply);
  }
});

test('what was posted is echoed whole, unknown keys included, in its order', async () => {
  const shop = await openShop(gateway);
  const body = {
    meta: { z: 1, a: [null, true, { deep: 'yes' }], '': 'empty key', __proto__x: 1 },
    pluginVersion: '1.2.3',
    settlementAsset: null,
    checkoutLanguage: null,
    charge: {
      lineItems: [{ description: 'One', netAmount: '10.000000', quantity: '2', productId: 17, sku: 'X' }],
      discountItems: null,
      shippingCostItems: [{ description: 'Post', netAmount: 0, taxable: false }],
      taxItems: [{ name: 'VAT', percent: 0 }],
      billingCurrency: 'USD',
      customerId: null,
    },
    anchors: [],
    pageSettings: { returnUrl: 'https://shop.test/ok?a=1', cancelUrl: null },
  };
  const { id } = await shop.post('/checkout', body);
  const record = await shop.checkout(id);
  assert.deepEqual(record.payload, body);
  assert.equal(JSON.stringify(record.payload), JSON.stringify(body), 'in the same order');
  assert.deepEqual(record.meta, body.meta);
});

test('meta is echoed by every reply that is about the checkout', async () => {
  const shop = await openShop(gateway);
  const charge = { billingCurrency: 'USD', lineItems: [{ description: 'x', netAmount: 60 }] };
  const meta = { order: '№ 17' };
  for (const path of ['/checkout', '/checkout/hosted']) {
    const created = await shop.post(path, { charge, meta });
    assert.deepEqual(created.meta, meta, path);
    for (const _ of ['at first', 'again'])
      assert.deepEqual((await shop.commit(created.id, 'BITCOIN')).reply.meta, meta, 'commit');
    assert.deepEqual((await shop.post('/checkout/cancel', { checkoutId: created.id })).checkout.meta, meta, 'cancel');
    const without = await shop.post(path, { charge });
    assert.equal('meta' in without, false);
    assert.equal('meta' in (await shop.commit(without.id, 'BITCOIN')).reply, false);
  }
});

test('an empty PHP array is an empty object', async () => {
  const shop = await openShop(gateway);
  const charge = { billingCurrency: 'USD', lineItems: [{ description: 'x', netAmount: 60 }] };
  const { id } = await shop.post('/checkout', {
    charge,
    meta: [],
    pageSettings: [],
    anchors: [],
    webhook: gateway.webhookUrl,
  });
  assert.deepEqual((await shop.checkout(id)).meta, {});
  await pay(shop, id);
  assert.deepEqual(shop.webhooksOf(id)[0]?.data.checkout.meta, {});
  const without = await shop.post('/checkout', { charge, meta: null });
  assert.equal('meta' in (await shop.checkout(without.id)), false, 'nothing was posted, nothing is shown');
});

test('the names of older clients are understood and echoed as they were sent', async () => {
  const shop = await openShop(gateway);
  const body = {
    charge: { currency: 'EUR', lineItems: [{ description: 'x', netAmount: '49.99' }] },
    settlementCurrency: 'USDC',
    webhook: gateway.webhookUrl,
    links: { returnUrl: 'https://shop.test/thanks', cancelUrl: 'https://shop.test/cart' },
  };
  const { id, checkoutId, url } = await shop.post('/checkout/hosted', body);
  assert.equal(checkoutId, id);
  assert.equal(url, `https://pay.test/en/checkout/${id}`);
  const record = await shop.checkout(id);
  assert.deepEqual(record.payload, body);
  assert.equal(record.type, 'HOSTED');
  assert.equal(record.origin, 'API');
  assert.equal(record.hostedCheckoutUrl, url);
  assert.match(record.settlementAssetId, /^USDC:G/);
});

test('the language of a hosted checkout is in its address', async () => {
  const shop = await openShop(gateway);
  const charge = { billingCurrency: 'USD', lineItems: [{ description: 'x', netAmount: 60 }] };
  for (const [checkoutLanguage, shown] of [
    ['de', 'de'],
    ['pt', 'pt'],
    ['auto', 'en'],
    [null, 'en'],
    ['', 'en'],
  ]) {
    const { id, url } = await shop.post('/checkout/hosted', { charge, checkoutLanguage });
    assert.equal(url, `https://pay.test/${shown}/checkout/${id}`);
  }
});

test('timestamps carry an offset and amounts are plain decimals in strings', async () => {
  const shop = await openShop(gateway);
  const { id } = await shop.open('60.00 USD', 'BITCOIN');
  const record = await shop.checkout(id);
  for (const time of [record.timestamp, record.expirationTime])
    assert.match(time, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\+00:00$/);
  for (const [name, value] of Object.entries(record))
    if (/Amount/.test(name)) assert.match(String(value), /^\d+(\.\d+)?$/, name);
});
