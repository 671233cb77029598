/** What an account holds, and what that is worth. 1 BTC is 60,000 USD in the sandbox. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { type Gateway, startGateway, testIssuer, withoutLitecoin } from './gateway.ts';
import { openShop } from './shop.ts';

let gateway: Gateway;
before(async () => {
  gateway = await startGateway();
});
after(() => gateway.stop());

const btc = `BTC:${testIssuer}`;

test('every asset that an account can hold is there, also with zero', async () => {
  const shop = await openShop(gateway);
  const { wallets, accountCurrency, totalValue } = await shop.get('/wallets');
  const { assets } = await shop.get('/assets');
  assert.deepEqual(
    wallets.map(({ assetId }: any) => assetId),
    assets.map(({ id }: any) => id),
  );
  assert.deepEqual([accountCurrency, totalValue], ['USD', '0']);
  assert.deepEqual(
    wallets.find(({ assetCode }: any) => assetCode === 'BTC'),
    {
      assetId: btc,
      assetCode: 'BTC',
      name: 'Bitcoin',
      available: '0',
      pending: '0',
      reserved: '0',
      value: '0',
      depositAddresses: [],
    },
  );
});

test('a high-risk asset is there for those who enabled it', async () => {
  const [shop, bold] = [await openShop(gateway), await openShop(gateway, { highRiskAssets: ['USDT'] })];
  assert.deepEqual(await shop.refused(404, 'GET', '/wallet?assetCode=USDT'), [
    'There is no wallet of "USDT": assetCode must be an asset of GET /assets.',
  ]);
  assert.equal((await bold.get('/wallet?assetCode=USDT')).wallet.available, '0');
});

test('balances and their value are shown, in the currency of the account', async () => {
  const shop = await openShop(gateway, { accountCurrency: 'EUR' });
  const checkout = await shop.open('60.00 USD', 'BITCOIN');
  gateway.bitcoin.pay({ address: checkout.address, amount: '0.0015' });
  gateway.bitcoin.mine(1);
  await gateway.runUntilIdle();
  const { wallet, accountCurrency } = await shop.get(`/wallet?assetId=${encodeURIComponent(btc)}`);
  assert.deepEqual(
    [wallet.available, wallet.pending, wallet.reserved, wallet.suspense, wallet.receivable],
    ['0.000995', '0', '0', '0.0005', undefined],
  );
  assert.equal(accountCurrency, 'EUR');
  assert.match(wallet.value, /^\d+\.\d{1,2}$/);
  const { totalValue, wallets } = await shop.get('/wallets');
  assert.equal(totalValue, wallet.value);
  assert.deepEqual(
    wallets.find(({ assetCode }: any) => assetCode === 'BTC'),
    wallet,
  );
});

test('the newest reusable address of every network is shown, and single-use ones are not', async () => {
  const shop = await openShop(gateway);
  await shop.post('/deposit-address', { network: 'BITCOIN', reusable: true });
  gateway.clock.advance({ seconds: 1 });
  const { id, depositInstructions } = await shop.post('/deposit-address', { network: 'BITCOIN', reusable: true });
  gateway.clock.advance({ seconds: 1 });
  await shop.post('/deposit-address', { network: 'BITCOIN' });
  const { address } = depositInstructions;
  const expected = [{ depositId: id, network: 'BITCOIN', address, memo: null, memoType: null }];
  assert.deepEqual((await shop.get('/wallet?assetCode=BTC')).wallet.depositAddresses, expected);
  const { wallets } = await shop.get('/wallets');
  assert.deepEqual(
    wallets.flatMap(({ depositAddresses }: any) => depositAddresses),
    expected,
  );
});

test('nobody is shown an address that is not watched', async () => {
  const shop = await openShop(gateway);
  await shop.post('/deposit-address', { network: 'LITECOIN', reusable: true });
  const shown = async (): Promise<string[]> =>
    (await shop.get('/wallet?assetCode=LTC')).wallet.depositAddresses.map(({ network }: any) => network);
  assert.deepEqual(await shown(), ['LITECOIN']);
  await gateway.restart(undefined, withoutLitecoin);
  assert.deepEqual(await shown(), []);
  const { wallets } = await shop.get('/wallets');
  assert.deepEqual(
    wallets.flatMap(({ depositAddresses }: any) => depositAddresses),
    [],
  );
  await gateway.restart();
  assert.deepEqual(await shown(), ['LITECOIN']);
});

test('an unknown asset has no wallet', async () => {
  const shop = await openShop(gateway);
  await shop.refused(404, 'GET', '/wallet?assetCode=DOGE');
  assert.deepEqual(await shop.refused(400, 'GET', '/wallet'), ['assetCode is missing.']);
});

test('without rates there are no values', async () => {
  const poor = await startGateway({ ratesAreKept: true });
  try {
    const shop = await openShop(poor);
    assert.equal((await shop.get('/wallets')).totalValue, '0', 'nothing is worth nothing');
    assert.equal((await shop.get('/wallet?assetCode=BTC')).wallet.value, null);
    const { depositInstructions } = await shop.post('/deposit-address', { network: 'BITCOIN' });
    poor.bitcoin.pay({ address: depositInstructions.address, amount: '0.001' });
    poor.bitcoin.mine(1);
    await poor.runUntilIdle();
    const { totalValue, wallets } = await shop.get('/wallets');
    assert.equal(totalValue, null);
    assert.equal(wallets.find(({ assetCode }: any) => assetCode === 'BTC').available, '0.000995');
  } finally {
    await poor.stop();
  }
});
