/** A merchant swaps what it holds, out of the stock of the service. 1 BTC is 60,000 USD in the sandbox. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { newId } from '../src/lib/ids.ts';
import { changeSettings } from '../src/merchants/change-settings.ts';
import { type Gateway, startGateway, testIssuer } from './gateway.ts';
import { balancesOf, openShop, type Shop } from './shop.ts';
import { holdFromEarlier, stockTreasury } from './stock-treasury.ts';

const btc = `BTC:${testIssuer}`;
const usdc = `USDC:${testIssuer}`;

let gateway: Gateway;
before(async () => {
  // What merchants are credited in USDT, the operator has elsewhere.
  gateway = await startGateway({ hasStellar: true, env: { TREASURY_LIMITS: 'USDT=-100000,*=0' } });
  await stockTreasury(gateway, usdc, 10_000_0000000n);
});
after(() => gateway.stop());

/** A shop that was paid in bitcoin: 0.00995 BTC are available for every 600 dollars. */
async function paidShop(settings = {}): Promise<Shop> {
  const shop = await openShop(gateway, settings);
  const checkout = await shop.open('600.00 USD', 'BITCOIN');
  gateway.bitcoin.pay(checkout);
  gateway.bitcoin.mine(6);
  await gateway.runUntilIdle();
  return shop;
}

const later = () => gateway.clock.advance({ seconds: 1 }); // A signature is good for one request.

test('a quote says what a swap gives, and the swap gives that', async () => {
  const shop = await paidShop({ feePercent: '1' });
  assert.deepEqual(await shop.balances(), { 'available/BTC': '990000' });
  const { quote } = await shop.get('/swap/quote?sourceAsset=BTC&targetAsset=USDC&sourceAmount=0.005');
  const { id, validUntil, ...price } = quote;
  assert.deepEqual(price, {
    sourceAssetId: btc,
    sourceAssetCode: 'BTC',
    sourceAmount: '0.005',
    targetAssetId: usdc,
    targetAssetCode: 'USDC',
    targetAmount: '297',
    fee: '3',
    rate: '60000',
    spread: '0',
  });
  assert.equal(Date.parse(validUntil), gateway.clock.now().getTime() + 60_000);
  const fx = await balancesOf(gateway, 'operator/fx/');
  const meta = { order: 1.1 };
  const { id: swapId, swap } = await shop.post('/swap', { quoteId: id, webhook: gateway.webhookUrl, meta });
  assert.deepEqual([swap.state, swap.venue, swap.targetAmount, swap.quoteId], ['COMPLETED', 'treasury', '297', id]);
  assert.deepEqual(swap.meta, meta);
  assert.deepEqual(await shop.balances(), { 'available/BTC': '490000', 'available/USDC': '2970000000' });
  const fxAfter = await balancesOf(gateway, 'operator/fx/');
  assert.equal(BigInt(fxAfter['BTC'] ?? 0) - BigInt(fx['BTC'] ?? 0), 500_000n);
  assert.equal(BigInt(fxAfter['USDC'] ?? 0) - BigInt(fx['USDC'] ?? 0), -3_000_000_000n);

  await gateway.runUntilIdle();
  assert.deepEqual(shop.eventsOf(swapId), ['SWAP_COMPLETED COMPLETED']);
  assert.deepEqual(shop.webhooksOf(swapId)[0]?.data.swap, swap);
  assert.deepEqual((await shop.get(`/swap?id=${swapId}`)).swap, swap);
  const { deliveries } = await shop.get(`/webhook-deliveries?swapId=${swapId}`);
  assert.deepEqual(
    deliveries.map(({ eventType, state }: any) => [eventType, state]),
    [['SWAP_COMPLETED', 'DELIVERED']],
  );
  later();
  assert.deepEqual(await shop.refused(409, 'POST', '/swap', { quoteId: id }), [
    `The quote "${id}" was used for a swap already. Ask for a new one.`,
  ]);
});

test('by what is to be credited, the rest is worked out', async () => {
  const shop = await paidShop();
  later();
  const wish = { sourceAsset: btc, targetAsset: usdc, targetAmount: 199 };
  const { swap } = await shop.post('/swap', wish);
  assert.deepEqual([swap.sourceAmount, swap.targetAmount, swap.fee], ['0.00333334', '199', '1']);
  assert.deepEqual(await shop.balances(), { 'available/BTC': '661666', 'available/USDC': '1990000000' });
});

test('a quote that is over is refused, and so is one of another merchant', async () => {
  const [shop, other] = [await paidShop(), await openShop(gateway)];
  const { quote } = await shop.get('/swap/quote?sourceAsset=BTC&targetAsset=USDC&targetAmount=10');
  later();
  await other.refused(404, 'POST', '/swap', { quoteId: quote.id });
  gateway.clock.advance({ minutes: 1 });
  assert.deepEqual(await shop.refused(422, 'POST', '/swap', { quoteId: quote.id }), [
    `The quote "${quote.id}" is no longer valid. Ask for a new one.`,
  ]);
});

test('a quote is good to the last millisecond of its minute, and over in the next one', async () => {
  const shop = await paidShop();
  const ask = () => shop.get('/swap/quote?sourceAsset=BTC&targetAsset=USDC&targetAmount=10');
  const [one, other] = [(await ask()).quote, (await ask()).quote];
  gateway.clock.advance({ seconds: 59.999 });
  assert.ok((await shop.post('/swap', { quoteId: one.id })).id);
  gateway.clock.advance({ seconds: 0.001 });
  await shop.refused(422, 'POST', '/swap', { quoteId: other.id });
});

test('more than there is cannot be swapped, nor more than the service has', async () => {
  const shop = await paidShop();
  const wish = { sourceAsset: 'BTC', targetAsset: 'USDC' };
  assert.deepEqual(await shop.refused(422, 'POST', '/swap', { ...wish, sourceAmount: '0.1' }), [
    'There is not enough to swap: 0.00995 BTC is available.',
  ]);
  assert.deepEqual(await shop.refused(503, 'POST', '/swap', { ...wish, targetAsset: 'LTC', sourceAmount: '0.001' }), [
    'The service can give at most 0 LTC from its stock at the moment.',
  ]);
  assert.deepEqual(await shop.refused(503, 'POST', '/swap', { ...wish, targetAsset: 'LTC', sourceAmount: '1e-8' }), [
    'The service can give at most 0 LTC from its stock at the moment.',
  ]);
  assert.deepEqual(await shop.balances(), { 'available/BTC': '995000' });
  assert.deepEqual((await shop.get('/swaps')).swaps, []);
});

test('what makes no sense is told all at once', async () => {
  const shop = await openShop(gateway);
  assert.deepEqual(await shop.refused(400, 'POST', '/swap', {}), [
    'sourceAsset is missing.',
    'targetAsset is missing.',
    'Either sourceAmount or targetAmount must be given.',
  ]);
  assert.deepEqual(
    await shop.refused(400, 'POST', '/swap', { sourceAsset: 'BTC', targetAsset: btc, sourceAmount: '0.000000001' }),
    [
      'sourceAsset and targetAsset must be two assets.',
      'sourceAmount must have at most 8 decimals, because it is in BTC.',
    ],
  );
  const query = 'sourceAsset=DOGE&targetAsset=USDT&sourceAmount=1&targetAmount=1';
  assert.deepEqual(await shop.refused(400, 'GET', `/swap/quote?${query}`), [
    'sourceAsset must be an asset of GET /assets that can be swapped, but is "DOGE".',
    'targetAsset must be an asset of GET /assets that can be swapped, but is "USDT".',
    'Either sourceAmount or targetAmount must be given.',
  ]);
  await shop.refused(404, 'GET', '/swap?id=aaaaaaaaaaaa');
});

test('what an account holds of an asset of no configured network can be swapped away, but not bought', async () => {
  const shop = await openShop(gateway);
  await holdFromEarlier(gateway, shop.merchant.merchantId, `ETH:${testIssuer}`, 199_000_000_000_000_000n);
  const { ETH: position } = await balancesOf(gateway, 'operator/fx/');
  assert.deepEqual(await shop.balances(), { 'available/ETH': '199000000000000000' });
  const { quote } = await shop.get('/swap/quote?sourceAsset=ETH&targetAsset=USDC&sourceAmount=0.1');
  assert.equal(quote.targetAmount, '298.5');
  const { swap } = await shop.post('/swap', { quoteId: quote.id });
  assert.deepEqual([swap.state, swap.venue], ['COMPLETED', 'treasury']);
  assert.deepEqual(await shop.balances(), { 'available/ETH': '99000000000000000', 'available/USDC': '2985000000' });
  const { ETH: after } = await balancesOf(gateway, 'operator/fx/');
  assert.equal(BigInt(after ?? 0) - BigInt(position ?? 0), 10n ** 17n, 'the service owes less of it');
  assert.deepEqual(
    await shop.refused(400, 'POST', '/swap', { sourceAsset: 'USDC', targetAsset: 'ETH', sourceAmount: '1' }),
    ['targetAsset must be an asset that can be had here, but ETH can only be given: name it as sourceAsset.'],
  );
});

test('a high-risk asset that was switched off again can be swapped away, but not bought', async () => {
  const shop = await openShop(gateway, { highRiskAssets: ['USDT'] });
  const checkout = await shop.open('600.00 USD', 'BITCOIN', { settlementAsset: 'USDT' });
  gateway.bitcoin.pay(checkout);
  gateway.bitcoin.mine(6);
  await gateway.runUntilIdle();
  assert.deepEqual(await shop.balances(), { 'available/USDT': '5970000000' });
  await changeSettings(gateway, shop.merchant.merchantId, { highRiskAssets: [] }, 'operator');
  const as = await gateway.createKey(shop.merchant); // With the old one the settings are remembered for a second.
  const swap = (sourceAsset: string, targetAsset: string, sourceAmount: string) =>
    shop.request('POST', '/swap', { sourceAsset, targetAsset, sourceAmount }, { as });
  assert.deepEqual((await swap('USDC', 'USDT', '1')).body.errors, [
    'targetAsset must be an asset of GET /assets that can be swapped, but is "USDT".',
  ]);
  const away = await swap('USDT', 'USDC', '597');
  assert.equal(away.status, 200, JSON.stringify(away.body));
  assert.deepEqual(await shop.balances(), { 'available/USDC': '5940150000' });
});

test('a swap needs a signature, and one signature makes one swap', async () => {
  const shop = await paidShop();
  const wish = { sourceAsset: 'BTC', targetAsset: 'USDC', sourceAmount: '0.001' };
  const headers = { 'idempotency-key': `swap-${newId()}` };
  const [first, second] = [
    await shop.request('POST', '/swap', wish, { headers }),
    await shop.request('POST', '/swap', wish, { headers }),
  ];
  assert.deepEqual(second.body, first.body);
  assert.equal((await shop.request('POST', '/swap', wish)).status, 409, 'the same signature without the key');
  assert.equal((await shop.get('/swaps')).swaps.length, 1);
});

test('a swap of the previous release whose answer was lost is found again by its key', async () => {
  const shop = await paidShop();
  const { merchantId } = shop.merchant;
  const wish = { sourceAsset: 'BTC', targetAsset: 'USDC', sourceAmount: '0.001', webhook: gateway.webhookUrl };
  const key = `swap-${newId()}`;
  const headers = { 'idempotency-key': key };
  const first = await shop.request('POST', '/swap', wish, { headers });
  await gateway.db`update swap set idempotency_key = ${key} where id = ${first.body.id}`;
  await gateway.db`update idempotency_key set status = null, body = null, sealed_body = null where key = ${key}`;
  gateway.clock.advance({ seconds: 60 }); // So long it may have been running.
  await changeSettings(gateway, merchantId, { isWebhookHttpsRequired: true }, 'operator'); // It would be refused now.
  gateway.clock.advance({ seconds: 1 }); // Settings are remembered for a second.
  later();
  const second = await shop.request('POST', '/swap', wish, { headers });
  assert.deepEqual(second.body, first.body);
  assert.equal((await shop.balances())['available/BTC'], '895000');
});

test('swaps are listed page by page, newest first', async () => {
  const shop = await paidShop();
  const ids: string[] = [];
  for (let count = 0; count < 3; count += 1) {
    later();
    ids.unshift((await shop.post('/swap', { sourceAsset: 'BTC', targetAsset: 'USDC', sourceAmount: '0.0001' })).id);
  }
  const { swaps, next } = await shop.get('/swaps?limit=2');
  const rest = await shop.get(`/swaps?limit=2&state=COMPLETED&cursor=${next}`);
  assert.deepEqual(
    [...swaps, ...rest.swaps].map(({ id }: any) => id),
    ids,
  );
  assert.equal(rest.next, null);
  assert.deepEqual((await shop.get('/swaps?state=FAILED')).swaps, []);
});

test('many swaps at once do not take more than the service has', async () => {
  const shops = await Promise.all([paidShop(), paidShop(), paidShop()]);
  await stockTreasury(gateway, `LTC:${testIssuer}`, 2_00000000n); // 160 dollars
  const replies = await Promise.all(
    shops.map((shop) => shop.request('POST', '/swap', { sourceAsset: 'BTC', targetAsset: 'LTC', targetAmount: '0.9' })),
  );
  assert.equal(replies.filter(({ status }) => status === 200).length, 2);
  assert.equal(replies.filter(({ status }) => status === 503).length, 1);
});

test('the least fee is taken, and what it would use up is refused', async () => {
  const shop = await paidShop({ feePercent: '0', feeMinimumUsd: '2' });
  later();
  const wish = { sourceAsset: 'BTC', targetAsset: 'USDC' };
  const { swap } = await shop.post('/swap', { ...wish, sourceAmount: '0.001' });
  assert.deepEqual([swap.targetAmount, swap.fee], ['58', '2']);
  assert.deepEqual(await shop.refused(422, 'POST', '/swap', { ...wish, sourceAmount: '0.00003' }), [
    'This is too little to swap: after the fee no USDC would be left.',
  ]);
});
