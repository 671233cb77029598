/** What POST /checkout refuses and what it forgives. Everything wrong is said at once, and nothing wrong is stored. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { type Gateway, startGateway } from './gateway.ts';
import { openShop, type Shop } from './shop.ts';

let gateway: Gateway;
let shop: Shop;
before(async () => {
  gateway = await startGateway();
  shop = await openShop(gateway);
});
after(() => gateway.stop());

const item = { description: 'Item', netAmount: '60.00' };
const charge = { billingCurrency: 'USD', lineItems: [item] };

async function stored(): Promise<number> {
  const [row] = await gateway.db<{ count: string }>`select count(*) from checkout`;
  return Number(row?.count);
}

/** Both ways to create answer alike, and neither stores anything. */
async function problemsOf(body: unknown, status = 400): Promise<string[]> {
  const before = await stored();
  const problems = await shop.refused(status, 'POST', '/checkout', body);
  assert.deepEqual(await shop.refused(status, 'POST', '/checkout/hosted', body), problems);
  assert.equal(await stored(), before, 'nothing was stored');
  return problems;
}

const withItem = (change: object) => ({ charge: { ...charge, lineItems: [{ ...item, ...change }] } });

test('each rule is told by the name of its field', async () => {
  for (const [body, sentence] of [
    [{}, /^charge is missing/],
    [{ charge: null }, /^charge is missing/],
    [{ charge: 'x' }, /^charge must be an object/],
    [{ charge: { lineItems: [item] } }, /^charge\.billingCurrency is missing/],
    [{ charge: { ...charge, billingCurrency: 'XXX' } }, /^charge\.billingCurrency must be a billing currency/],
    [{ charge: { ...charge, billingCurrency: 'usd' } }, /^charge\.billingCurrency/],
    [{ charge: { ...charge, billingCurrency: 5 } }, /^charge\.billingCurrency/],
    [{ charge: { billingCurrency: 'USD' } }, /^charge\.lineItems is missing/],
    [{ charge: { ...charge, lineItems: [] } }, /^charge\.lineItems must have at least 1/],
    [{ charge: { ...charge, lineItems: 'x' } }, /^charge\.lineItems must be a list/],
    [
      { charge: { ...charge, lineItems: Array.from({ length: 501 }, () => item) } },
      /^charge\.lineItems must have at most 500/,
    ],
    [{ charge: { ...charge, lineItems: ['x'] } }, /^charge\.lineItems\[0\] must be an object/],
    [withItem({ description: undefined }), /^charge\.lineItems\[0\]\.description is missing/],
    [withItem({ description: '' }), /^charge\.lineItems\[0\]\.description must not be empty/],
    [withItem({ description: 'x'.repeat(201) }), /^charge\.lineItems\[0\]\.description must be at most 200/],
    [withItem({ netAmount: undefined }), /^charge\.lineItems\[0\]\.netAmount is missing/],
    [withItem({ netAmount: 'ten' }), /^charge\.lineItems\[0\]\.netAmount must be a number/],
    [withItem({ netAmount: '1,50' }), /^charge\.lineItems\[0\]\.netAmount must be a number/],
    [withItem({ netAmount: '' }), /^charge\.lineItems\[0\]\.netAmount must be a number/],
    [withItem({ netAmount: true }), /^charge\.lineItems\[0\]\.netAmount must be a number/],
    [withItem({ netAmount: '0x10' }), /^charge\.lineItems\[0\]\.netAmount must be a number/],
    [withItem({ netAmount: 'Infinity' }), /^charge\.lineItems\[0\]\.netAmount must be a number/],
    [withItem({ netAmount: '1'.repeat(19) }), /^charge\.lineItems\[0\]\.netAmount must have at most 18 digits/],
    [withItem({ netAmount: `0.${'1'.repeat(19)}` }), /^charge\.lineItems\[0\]\.netAmount must have at most 18 digits/],
    [withItem({ quantity: -1 }), /^charge\.lineItems\[0\]\.quantity must be at least 0/],
    [withItem({ quantity: 'two' }), /^charge\.lineItems\[0\]\.quantity must be a number/],
    [withItem({ productId: 'x'.repeat(21) }), /^charge\.lineItems\[0\]\.productId must be at most 20/],
    [
      { charge: { ...charge, discountItems: [{ description: 'x', netAmount: 'free' }] } },
      /^charge\.discountItems\[0\]\.netAmount must be a number/,
    ],
    [
      { charge: { ...charge, shippingCostItems: [{ description: 5 }] } },
      /^charge\.shippingCostItems\[0\]\.description must be a text/,
    ],
    [
      { charge: { ...charge, shippingCostItems: [{ description: 'x', netAmount: 1, taxable: 'yes' }] } },
      /^charge\.shippingCostItems\[0\]\.taxable must be true or false/,
    ],
    [{ charge: { ...charge, taxItems: [{ percent: 0.1 }] } }, /^charge\.taxItems\[0\]\.name is missing/],
    [{ charge: { ...charge, taxItems: [{ name: 'VAT' }] } }, /^charge\.taxItems\[0\]\.percent is missing/],
    [
      { charge: { ...charge, taxItems: [{ name: 'VAT', percent: 19 }] } },
      /^charge\.taxItems\[0\]\.percent must be at most 1/,
    ],
    [
      { charge: { ...charge, taxItems: [{ name: 'VAT', percent: -0.1 }] } },
      /^charge\.taxItems\[0\]\.percent must be at least 0/,
    ],
    [{ charge: { ...charge, customerId: 'abcdefghijkl' } }, /^charge\.customerId/],
    [{ charge, settlementAsset: 'DOGE' }, /^settlementAsset must be ORIGIN or an asset id/],
    [{ charge, settlementAsset: 'BTC:SOMEONE' }, /^settlementAsset/],
    [{ charge, checkoutLanguage: 'xx' }, /^checkoutLanguage must be one of auto, en/],
    [{ charge, webhook: 'not a url' }, /^webhook must be an http or https URL/],
    [{ charge, webhook: 'ftp://shop.test' }, /^webhook/],
    [{ charge, webhook: `https://shop.test/${'x'.repeat(2048)}` }, /^webhook must be at most 2048/],
    [{ charge, pageSettings: { returnUrl: 'javascript:alert(1)' } }, /^pageSettings\.returnUrl must be an http/],
    [
      { charge, links: { cancelUrl: 'javascript:alert(1)' } },
      /^links\.cancelUrl must be an http|^pageSettings\.cancelUrl must be an http/,
    ],
    [{ charge, pageSettings: { displayBuyerInfo: 'on' } }, /^pageSettings\.displayBuyerInfo must be true or false/],
    [{ charge, pageSettings: 'x' }, /^pageSettings must be an object/],
    [{ charge, anchors: { MARS: 'XLM:NATIVE' } }, /^anchors\.MARS must name a network/],
    [{ charge, anchors: { STELLAR: 'DOGE' } }, /^anchors\.STELLAR must be an asset id/],
    [{ charge, meta: 'text' }, /^meta must be an object/],
    [{ charge, meta: [1] }, /^meta must be an object/],
    [{ charge, meta: { big: 'x'.repeat(16_384) } }, /^meta must be at most 16384 bytes/],
  ] as const) {
    const [first] = await problemsOf(body);
    assert.match(first as string, sentence, JSON.stringify(body).slice(0, 200));
  }
});

test('all problems are told at once', async () => {
  const problems = await problemsOf({
    charge: {
      lineItems: [
        { netAmount: 'x' },
        { description: 'ok', netAmount: 1 },
        { description: 'x', netAmount: 1, quantity: -1 },
      ],
      taxItems: [{ name: 'VAT', percent: 19 }],
    },
    webhook: 'nowhere',
    checkoutLanguage: 'xx',
  });
  assert.deepEqual(
    problems.map((sentence) => sentence.split(' ')[0]),
    [
      'charge.billingCurrency',
      'charge.lineItems[0].description',
      'charge.lineItems[0].netAmount',
      'charge.lineItems[2].quantity',
      'charge.taxItems[0].percent',
      'checkoutLanguage',
      'webhook',
    ],
  );
  const second = await problemsOf({
    charge: { ...charge, billingCurrency: 'XXX', customerId: 'nobody' },
    settlementAsset: 'DOGE',
    anchors: { MARS: 'DOGE' },
  });
  assert.deepEqual(
    second.map((sentence) => sentence.split(' ')[0]),
    ['charge.billingCurrency', 'settlementAsset', 'anchors.MARS', 'anchors.MARS', 'charge.customerId'],
  );
});

test('a charge of nothing, or less, is refused', async () => {
  for (const body of [
    withItem({ netAmount: 0 }),
    withItem({ quantity: 0 }),
    { charge: { ...charge, discountItems: [{ description: 'x', netAmount: 60 }] } },
    { charge: { ...charge, discountItems: [{ description: 'x', netAmount: '60.01' }] } },
    withItem({ netAmount: '-5' }),
    withItem({ netAmount: '0.004' }),
  ]) {
    const [sentence] = await problemsOf(body);
    assert.match(sentence as string, /total of charge must/, JSON.stringify(body));
  }
  const [tooMuch] = await problemsOf(withItem({ netAmount: '999999999999999999', quantity: 2 }));
  assert.match(tooMuch as string, /total of charge must be less than/);
});

test('a charge too small for every network is refused with the smallest that is possible', async () => {
  const oneYen = { charge: { billingCurrency: 'JPY', lineItems: [{ description: 'x', netAmount: 1 }] } };
  const problems = await problemsOf(oneYen, 422);
  assert.match(
    problems.join(' '),
    /smallest possible payment is 0\.00005 BTC.*smallest possible payment is 0\.0001 LTC/,
  );
  const { paymentMethods } = await shop.post('/checkout', withItem({ netAmount: '0.01' }));
  assert.deepEqual(
    paymentMethods.map((method: any) => method.network),
    ['LITECOIN'],
    'one cent is too little for Bitcoin',
  );
});

test('what clients send in their own ways is understood', async () => {
  for (const body of [
    {
      charge: { ...charge, discountItems: null, shippingCostItems: null, taxItems: null, customerId: null },
      settlementAsset: null,
      checkoutLanguage: null,
      webhook: null,
      anchors: null,
      pageSettings: null,
      meta: null,
    },
    { charge: { ...charge, customerId: '' }, webhook: '', settlementAsset: '', checkoutLanguage: '' },
    { charge: { currency: 'USD', lineItems: { 0: item } }, settlementCurrency: 'ORIGIN', links: {} },
    { charge: { ...charge, lineItems: [{ description: 'x', netAmount: 60, quantity: null, productId: null }] } },
    { charge: { ...charge, lineItems: [{ description: 'x', netAmount: ' 60.00 ', quantity: '1.0' }] } },
    { charge: { ...charge, lineItems: [{ description: 'x', netAmount: 6e1, quantity: 1 }] } },
    { charge: { ...charge, lineItems: [{ description: '😀'.repeat(200), netAmount: 60 }] } },
    { charge: { ...charge, billingCurrency: 'USD', currency: 'EUR' }, meta: [] },
    { charge, settlementAsset: 'ORIGIN', unknown: { deep: [1] } },
    // A virtual order and a discount without a label, as shops hold them.
    { charge: { ...charge, shippingCostItems: [{ description: null, netAmount: null, taxable: false }] } },
    { charge: { ...charge, shippingCostItems: [{}], discountItems: [{ description: '', netAmount: '0.00' }] } },
    { charge: { ...charge, lineItems: [{ ...item, netAmount: 61 }], discountItems: [{ netAmount: 1 }] } },
  ]) {
    const { paymentMethods } = await shop.post('/checkout', body);
    assert.equal(paymentMethods[0].paymentAmount, '0.001', JSON.stringify(body));
  }
});

test('the body is JSON whatever the Content-Type says', async () => {
  for (const type of ['application/x-www-form-urlencoded', 'text/plain', 'multipart/form-data', 'nonsense']) {
    const reply = await shop.request('POST', '/checkout', { charge }, { headers: { 'content-type': type } });
    assert.equal(reply.status, 200, type);
  }
});

test('a body that is no JSON object is refused', async () => {
  for (const raw of ['', '[]', '{}', '[1]', '"x"', '17', 'null', '{"charge":', '\uFEFF{', `{"a":${'['.repeat(40)}`]) {
    const reply = await shop.request('POST', '/checkout', undefined, { raw });
    assert.equal(reply.status, 400, raw);
  }
  const invalid = await shop.request('POST', '/checkout', undefined, { raw: Buffer.from([0x7b, 0xff, 0x7d]) });
  assert.match(invalid.body.errors[0], /UTF-8/);
  const large = JSON.stringify({ charge, meta: { x: 'x'.repeat(300_000) } });
  assert.equal((await shop.request('POST', '/checkout', undefined, { raw: large })).status, 413);
});

test('the total is exact, by the rule of the API, and rounds only when it is priced', async () => {
  for (const [items, total] of [
    [{ lineItems: [item] }, '60'],
    [{ lineItems: [{ ...item, quantity: 3 }] }, '180'],
    [{ lineItems: [{ ...item, quantity: '1.5' }] }, '90'],
    [{ lineItems: [item], discountItems: [{ description: 'd', netAmount: 10 }] }, '50'],
    [{ lineItems: [item], taxItems: [{ name: 't', percent: '0.0825' }] }, '64.95'],
    [
      {
        lineItems: [item],
        taxItems: [
          { name: 't', percent: 0.19 },
          { name: 'u', percent: 0.01 },
        ],
      },
      '72',
    ],
    [
      {
        lineItems: [item],
        shippingCostItems: [{ description: 's', netAmount: 10 }],
        taxItems: [{ name: 't', percent: 0.1 }],
      },
      '76',
    ],
    [
      {
        lineItems: [item],
        shippingCostItems: [{ description: 's', netAmount: 10, taxable: true }],
        taxItems: [{ name: 't', percent: 0.1 }],
      },
      '77',
    ],
    [
      {
        lineItems: [item],
        discountItems: [{ description: 'd', netAmount: 10 }],
        shippingCostItems: [
          { description: 's', netAmount: 5, taxable: true },
          { description: 's', netAmount: 3 },
        ],
        taxItems: [{ name: 't', percent: 0.2 }],
      },
      '69',
    ],
    [{ lineItems: [{ description: 'x', netAmount: 0.1, quantity: 3 }] }, '0.3'],
    [{ lineItems: [{ description: 'x', netAmount: '33.333333333333333333' }] }, '33.333333333333333333'],
    [{ lineItems: [item], discountItems: [{ description: '' }], shippingCostItems: [{ netAmount: null }] }, '60'],
    [{ lineItems: [{ ...item, netAmount: 20 }], taxItems: [{ name: 't', percent: 0.09974999999999999 }] }, '21.995'],
    [{ lineItems: [{ ...item, netAmount: 0.1 + 0.2, quantity: '2.9999999999999996' }] }, '0.9'],
    [{ lineItems: [{ ...item, netAmount: '0.123456789012345678' }] }, '0.123456789012345678'],
    [{ lineItems: [{ description: 'x', netAmount: 169.99 }], taxItems: [{ name: 't', percent: 0.19 }] }, '202.2881'],
  ] as const) {
    const body = { charge: { billingCurrency: 'USD', ...items } };
    assert.deepEqual(await shop.post('/checkout/validate-checkout-charge', body), { total, decimals: 2 });
  }
  const yen = { charge: { billingCurrency: 'JPY', lineItems: [{ description: 'x', netAmount: '100.5' }] } };
  assert.deepEqual(await shop.post('/checkout/validate-checkout-charge', yen), { total: '100.5', decimals: 0 });
  const divided = { description: 'x', netAmount: 100.5 / 1.19 };
  const tax = { taxItems: [{ name: 't', percent: 0.19 }] };
  const { id } = await shop.post('/checkout', { charge: { billingCurrency: 'JPY', lineItems: [divided], ...tax } });
  const [quoted] = await gateway.db`select quotes -> 0 ->> 'price' as price from checkout where id = ${id}`;
  assert.deepEqual(quoted, { price: '101' }, 'what a shop divided in floats is priced as it was meant');
  const bitcoin = { charge: { billingCurrency: 'BTC', lineItems: [{ description: 'x', netAmount: '0.001' }] } };
  assert.deepEqual(await shop.post('/checkout/validate-checkout-charge', bitcoin), { total: '0.001', decimals: 8 });
  assert.equal((await shop.post('/checkout', bitcoin)).paymentMethods[0].paymentAmount, '0.001');

  const before = await stored();
  await shop.refused(400, 'POST', '/checkout/validate-checkout-charge', {
    charge: { ...charge, billingCurrency: 'XXX' },
  });
  await shop.refused(400, 'POST', '/checkout/validate-checkout-charge', withItem({ netAmount: 0 }));
  await shop.post('/checkout/validate-checkout-charge', { charge, webhook: 'not looked at' });
  assert.equal(await stored(), before);
});

test('a merchant who insists on https gets it', async () => {
  const strict = await openShop(gateway, { isWebhookHttpsRequired: true });
  const [sentence] = await strict.refused(400, 'POST', '/checkout', { charge, webhook: 'http://shop.test/hook' });
  assert.match(sentence as string, /^webhook must be an https URL/);
  await strict.post('/checkout', { charge, webhook: 'https://shop.test/hook' });
});

test('a network that is silent for half a minute is left out of new quotes', async () => {
  const own = await startGateway();
  try {
    const { chain } = own.bitcoin;
    const methods = async () =>
      (await own.post('/checkout', { charge })).paymentMethods.map((method: any) => method.network);
    const early = await own.post('/checkout', { charge });
    chain.goAway();
    await own.runUntilIdle();
    assert.deepEqual(await methods(), ['BITCOIN', 'LITECOIN'], 'a hiccup turns nobody away');
    own.clock.advance({ seconds: 31 });
    await own.runUntilIdle();
    assert.deepEqual(await methods(), ['LITECOIN']);

    own.litecoin.chain.goAway();
    own.clock.advance({ seconds: 31 });
    await own.runUntilIdle();
    own.clock.advance({ seconds: 31 });
    await own.runUntilIdle();
    const reply = await own.request('POST', '/checkout', { charge });
    assert.equal(reply.status, 503);
    assert.match(reply.body.errors.join(' '), /no payment method.*Bitcoin is not reachable.*Litecoin is not reachable/);
    const committed = await own.post('/checkout/commit', { checkoutId: early.id, network: 'BITCOIN' });
    assert.match(committed.depositInstructions.address, /^bcrt1/, 'what was quoted is kept');

    for (const each of [own.bitcoin, own.litecoin]) each.chain.comeBack();
    await own.runUntilIdle();
    assert.deepEqual(await methods(), ['BITCOIN', 'LITECOIN'], 'and is back as soon as it answers');
  } finally {
    await own.stop();
  }
});

test('problems of form and of meaning are told in the same breath', async () => {
  const { status, body } = await gateway.request('POST', '/checkout', {
    charge: {
      billingCurrency: 'EURO',
      lineItems: [{ description: 'Item', netAmount: 'abc' }],
      customerId: 'aaaaaaaaaaaa',
    },
    settlementAsset: 'GOLD',
    webhook: 'ftp://shop.example',
  });
  assert.equal(status, 400);
  assert.deepEqual(
    body.errors.map((sentence: string) => sentence.split(' ')[0]),
    ['charge.lineItems[0].netAmount', 'webhook', 'charge.billingCurrency', 'settlementAsset', 'charge.customerId'],
  );
});

test('a webhook that could never be delivered to is refused, but not in the sandbox', async () => {
  const hosts = [
    '127.0.0.1',
    'localhost',
    'shop.localhost',
    '[::1]',
    '10.0.0.7',
    '2130706433',
    '[fd00::7]',
    '169.254.169.254',
  ];
  for (const host of hosts) await shop.post('/checkout', { charge, webhook: `http://${host}/hook` });
  await gateway.restart(undefined, { WEBHOOK_ALLOW_LOOPBACK: 'off' });
  for (const host of hosts)
    assert.match(
      (await problemsOf({ charge, webhook: `http://${host}/hook` })).join(),
      /^webhook must lead to a public/,
    );
  for (const host of ['shop.example', '203.0.114.9', '[2a00:1450::1]', 'localhost.shop.example'])
    await shop.post('/checkout', { charge, webhook: `http://${host}/hook` });
  const deposit = { network: 'BITCOIN', webhook: 'http://10.0.0.7/hook' };
  await shop.refused(400, 'POST', '/deposit-address', deposit);
  await gateway.restart();
});
