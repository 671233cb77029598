/** What a client can look up: networks, assets, currencies and languages, as this installation and merchant have them. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { type Gateway, startGateway, testIssuer } from './gateway.ts';
import { openShop } from './shop.ts';

let gateway: Gateway;
before(async () => {
  gateway = await startGateway();
});
after(() => gateway.stop());

const byId = (list: { id: string }[]) => new Map<string, any>(list.map((each) => [each.id, each]));

test('every network of the API is listed, and those with a node take deposits', async () => {
  const { networks } = await gateway.get('/networks');
  assert.deepEqual(
    networks.map(({ id }: any) => id),
    ['BITCOIN', 'LIGHTNING', 'LITECOIN', 'ETHEREUM', 'BASE', 'STELLAR', 'SEPA', 'SWIFT', 'PIX'],
  );
  assert.deepEqual(
    networks.filter(({ deposits }: any) => deposits).map(({ id }: any) => id),
    ['BITCOIN', 'LITECOIN'],
  );
  assert.deepEqual(
    networks.filter(({ transfers }: any) => transfers).map(({ id }: any) => id),
    ['BITCOIN', 'LITECOIN'],
    'those with a key can send',
  );
  assert.deepEqual(byId(networks).get('BITCOIN'), {
    id: 'BITCOIN',
    name: 'Bitcoin',
    type: 'BLOCKCHAIN',
    imageSrc: '/images/networks/bitcoin.svg',
    deposits: true,
    transfers: true,
    bridged: true,
    assets: [`BTC:${testIssuer}`],
  });
  assert.equal(byId(networks).get('SEPA').type, 'BANK');
  assert.equal(byId(networks).get('STELLAR').bridged, false);
});

test('a high-risk asset does not exist until the merchant asks for it', async () => {
  const careful = await openShop(gateway);
  const bold = await openShop(gateway, { highRiskAssets: ['USDT'] });
  const codes = async (shop: typeof careful) =>
    (await shop.get('/assets')).assets.map(({ assetCode }: any) => assetCode);
  assert.ok(!(await codes(careful)).includes('USDT'));
  assert.ok((await codes(bold)).includes('USDT'));

  const onEthereum = async (shop: typeof careful) =>
    byId((await shop.get('/networks')).networks).get('ETHEREUM').assets.length;
  assert.equal(await onEthereum(bold), (await onEthereum(careful)) + 1);

  const charge = { billingCurrency: 'USD', lineItems: [{ description: 'x', netAmount: 60 }] };
  const [sentence] = await careful.refused(400, 'POST', '/checkout', { charge, settlementAsset: 'USDT' });
  assert.match(sentence as string, /^settlementAsset/);
  assert.equal((await bold.post('/checkout', { charge, settlementAsset: 'USDT' })).paymentMethods.length, 2);
});

test('what an asset can be used for follows from the networks of this installation', async () => {
  const { assets } = await gateway.get('/assets');
  const known = byId(assets);
  assert.equal(known.has('ORIGIN'), false, 'clients add it');
  const bitcoin = known.get(`BTC:${testIssuer}`);
  assert.deepEqual(
    [bitcoin.checkouts, bitcoin.deposits, bitcoin.settlement, bitcoin.transfers, bitcoin.bridge, bitcoin.riskLevel],
    [true, true, true, true, true, 'MEDIUM'],
  );
  const lumens = known.get('XLM:NATIVE');
  assert.deepEqual([lumens.checkouts, lumens.settlement, lumens.bridge, lumens.riskLevel], [false, true, false, 'LOW']);
  assert.ok(known.has('USDC:GA5ZSEJYB37JRC5AVCIA5MOP4RHTM335X2KGX3IHOJAPP5RE34K4KZVN'));
  for (const asset of assets) assert.match(asset.hexColor, /^#[0-9a-f]{6}$/);
});

test('networks and assets name each other, and every icon is there', async () => {
  const shop = await openShop(gateway, { highRiskAssets: ['USDT'] });
  const [{ networks }, { assets }] = [await shop.get('/networks'), await shop.get('/assets')];
  for (const network of networks)
    for (const asset of assets)
      assert.equal(network.assets.includes(asset.id), asset.networks.includes(network.id), `${asset.id} ${network.id}`);
  for (const { id, assetCode, assetIssuer } of assets) assert.equal(id, `${assetCode}:${assetIssuer}`);

  const host = gateway.url.replace('/api/v1', '');
  const icons = [...networks, ...assets].flatMap(({ imageSrc, groupImageSrc = imageSrc }) => [imageSrc, groupImageSrc]);
  for (const path of new Set(icons)) {
    const { status, headers } = await fetch(`${host}${path}`);
    assert.deepEqual([status, headers.get('content-type')], [200, 'image/svg+xml'], path);
  }
});

test('what a payment method names can be looked up', async () => {
  const [{ networks }, { assets }, { currencies }] = [
    await gateway.get('/networks'),
    await gateway.get('/assets'),
    await gateway.get('/currencies'),
  ];
  const charge = { billingCurrency: 'USD', lineItems: [{ description: 'x', netAmount: 60 }] };
  const { paymentMethods } = await gateway.post('/checkout', { charge });
  for (const { assetCode, blockchain, network, relatedAssetId, settlement } of paymentMethods) {
    assert.equal(byId(networks).get(network).name, blockchain);
    assert.ok(byId(networks).get(network).assets.includes(relatedAssetId));
    assert.ok(byId(assets).get(relatedAssetId).checkouts);
    assert.equal(settlement.assetId, relatedAssetId, 'ORIGIN credits what is paid');
    assert.ok(currencies.some((currency: any) => currency.assetCode === assetCode && currency.payment));
  }
});

test('every asset that is listed for settlement can be settled in', async () => {
  const { assets } = await gateway.get('/assets');
  const charge = { billingCurrency: 'EUR', lineItems: [{ description: 'x', netAmount: 60 }] };
  for (const { id, settlement } of assets) {
    if (!settlement) continue;
    const { paymentMethods } = await gateway.post('/checkout', { charge, settlementAsset: id });
    assert.ok(paymentMethods.every((method: any) => method.settlement.assetId === id));
  }
});

test('every billing currency can be billed in, those of the existing plugins among them', async () => {
  const { currencies } = await gateway.get('/currencies');
  const billed = currencies.filter(({ billing }: any) => billing).map(({ assetCode }: any) => assetCode);
  const plugins =
    'ARS AUD BHD BDT BMD BTC BRL GBP CAD CLP CNY CZK DKK AED ETH EUR HKD HUF INR IDR ILS JPY KRW KWD LTC MYR MXN MMK NZD ' +
    'NGN NOK PKR PHP PLN XRP RUB SAR SGD ZAR LKR XLM SEK CHF TWD THB TRY UAH USD VEF VND';
  assert.deepEqual(
    plugins.split(' ').filter((code) => !billed.includes(code)),
    [],
  );
  for (const code of billed) {
    const charge = { billingCurrency: code, lineItems: [{ description: 'x', netAmount: '1000000000' }] };
    const { total } = await gateway.post('/checkout/validate-checkout-charge', { charge });
    assert.equal(total, '1000000000', code);
  }
  const paidWith = currencies.filter(({ payment }: any) => payment).map(({ assetCode }: any) => assetCode);
  assert.deepEqual(paidWith.toSorted(), ['BTC', 'LTC']);
});

test('the languages come without auto, which clients add', async () => {
  const { languages } = await gateway.get('/languages');
  assert.deepEqual(languages.map(({ languageCode }: any) => languageCode).toSorted(), [
    'de',
    'en',
    'es',
    'fr',
    'it',
    'pl',
    'pt',
    'tr',
  ]);
});

test('the catalogue is protected', async () => {
  for (const path of ['/networks', '/assets', '/currencies', '/languages']) {
    const reply = await gateway.request('GET', path, undefined, { unsigned: true });
    assert.equal(reply.status, 401);
  }
});
