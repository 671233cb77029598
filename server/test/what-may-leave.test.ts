/** What came in must be deep enough for its sum before it leaves the account again, by whichever way. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { lockExposure } from '../src/wallets/unfinal-store.ts';
import { type Gateway, startGateway } from './gateway.ts';
import { freshAddress, mine, openSender, type Sender, somewhere } from './transfer-story.ts';

let gateway: Gateway;
before(async () => {
  // The ceiling of the house is 0.02 bitcoins for blocks that are one deep.
  gateway = await startGateway({ env: { UNFINAL_CEILINGS: 'BITCOIN=2' } });
});
after(() => gateway.stop());

const satoshis = (bitcoins: number): bigint => BigInt(Math.round(bitcoins * 1e8));

/** Many checkouts of one merchant, each paid with less than 0.01 bitcoins, in one block. */
async function paidOften(shop: Sender, times: number, price = '590.00 USD', more = {}): Promise<string[]> {
  const opened = await Promise.all(
    Array.from({ length: times }, (_, index) => shop.open(price, 'BITCOIN', { meta: { index }, ...more })),
  );
  for (const { address, amount } of opened) gateway.bitcoin.pay({ address, amount });
  await mine(gateway, 1);
  return opened.map(({ id }) => id);
}

const walletOf = async (shop: Sender, asset = 'BTC') => (await shop.get(`/wallet?assetCode=${asset}`)).wallet;
const refusal = async (shop: Sender, amount: string): Promise<string> => {
  const { status, body } = await shop.order({ amount, address: somewhere });
  assert.equal(status, 422, JSON.stringify(body));
  return body.errors.join(' ');
};

test('many small checkouts in one block leave when their sum would', async () => {
  const shop = await openSender(gateway, '0.05'); // six deep
  const deep = (await walletOf(shop)).available;
  assert.equal((await walletOf(shop)).waiting, undefined);
  const ids = await paidOften(shop, 12);
  for (const id of ids) assert.equal(await shop.state(id), 'COMPLETED', 'the shop may ship');

  const { available, waiting } = await walletOf(shop);
  const credited = satoshis(Number(available)) - satoshis(Number(deep));
  assert.ok(credited > satoshis(0.11), available);
  assert.deepEqual(waiting, {
    amount: (Number(credited) / 1e8).toString(),
    confirmations: 2,
    until: '2026-03-01T12:20:00+00:00',
  });
  assert.match(
    await refusal(shop, '0.1'),
    /^At most 0\.04975 BTC may leave now\. 0\.\d+ BTC must wait for 2 more confirmations on Bitcoin, about until 2026-03-01T12:20:00\+00:00: what came in with it needs so many, by its sum\.$/,
  );
  const query = `network=BITCOIN&asset=BTC&amount=0.1&address=${somewhere}`;
  assert.deepEqual((await shop.get(`/transfer/estimate?${query}`)).waiting, waiting);
  assert.equal((await shop.send({ amount: '0.04', address: somewhere })).state, 'QUEUED', 'what is deep does not wait');

  await mine(gateway, 1);
  assert.match(await refusal(shop, '0.1'), /must wait for 1 more confirmation on Bitcoin/);
  await mine(gateway, 1);
  assert.equal((await walletOf(shop)).waiting, undefined);
  assert.equal((await shop.send({ amount: '0.1', address: somewhere })).state, 'QUEUED');
});

test('neither a swap nor a refund is a way around', async () => {
  const shop = await openSender(gateway, '0');
  const [id] = await paidOften(shop, 12);
  const swap = { sourceAsset: 'BTC', targetAsset: 'LTC', sourceAmount: '0.05' };
  assert.match((await shop.refused(422, 'POST', '/swap', swap))[0] ?? '', /At most 0 BTC may leave now/);
  const { quote, waiting } = await shop.get('/swap/quote?sourceAsset=BTC&targetAsset=LTC&sourceAmount=0.05');
  assert.equal(quote.sourceAmount, '0.05');
  assert.equal(waiting.confirmations, 2);
  const refund = { checkoutId: id, address: freshAddress() };
  assert.match((await shop.refused(422, 'POST', '/refund', refund))[0] ?? '', /At most 0 BTC may leave now/);
});

test('whoever asks for what must wait keeps nobody waiting', async () => {
  const shop = await openSender(gateway, '0');
  const [id] = await paidOften(shop, 2);
  await gateway.db.begin(async (tx) => {
    await lockExposure(tx, ['BITCOIN']); // Somebody else's order, which takes long.
    assert.match(await refusal(shop, '0.015'), /At most 0 BTC may leave now/);
    for (const [path, order] of [
      ['/swap', { sourceAsset: 'BTC', targetAsset: 'LTC', sourceAmount: '0.015' }],
      ['/refund', { checkoutId: id, address: freshAddress() }],
    ] as const)
      assert.match((await shop.refused(422, 'POST', path, order))[0] ?? '', /At most 0 BTC may leave now/);
  });
});

test('what waits in suspense is given back when it is deep enough for its sum', async () => {
  const shop = await openSender(gateway, '0');
  const opened = await Promise.all(Array.from({ length: 3 }, () => shop.open('60000.00 USD', 'BITCOIN')));
  gateway.clock.advance({ minutes: 61 });
  for (const { address } of opened) gateway.bitcoin.pay({ address, amount: '0.009' });
  await mine(gateway, 1);
  const [first] = opened;
  assert.ok(first);
  assert.equal(await shop.state(first.id), 'UNDERPAID PARTIAL');
  const refund = { checkoutId: first.id, address: freshAddress() };
  assert.match(
    (await shop.refused(422, 'POST', '/refund', refund))[0] ?? '',
    /This must wait for 1 more confirmation on Bitcoin, about until .*: what came in with it needs so many/,
  );
  gateway.clock.advance({ seconds: 1 });
  await mine(gateway, 1);
  assert.equal((await shop.post('/refund', refund)).refund.state, 'SENDING');
});

test('what was paid in bitcoins and credited in dollars waits as dollars, and is owed after a reorganisation', async () => {
  const shop = await openSender(gateway, '0');
  await paidOften(shop, 12, '590.00 USD', { settlementAsset: 'USDC' });
  const { available, waiting } = await walletOf(shop, 'USDC');
  assert.equal(waiting.amount, available);
  const swap = { sourceAsset: 'USDC', targetAsset: 'BTC', sourceAmount: '100' };
  assert.match((await shop.refused(422, 'POST', '/swap', swap))[0] ?? '', /At most 0 USDC may leave now/);
  gateway.bitcoin.chain.reorganise(1);
  await gateway.runUntilIdle();
  assert.equal((await walletOf(shop, 'USDC')).receivable, undefined, 'nothing had left');
});

test('many merchants have one ceiling together, also at the same moment', async () => {
  const shops = await Promise.all(Array.from({ length: 5 }, () => openSender(gateway, '0')));
  const opened = await Promise.all(shops.map((shop) => shop.open('540.00 USD', 'BITCOIN')));
  for (const { address, amount } of opened) gateway.bitcoin.pay({ address, amount });
  await mine(gateway, 1);
  const replies = await Promise.all(shops.map((shop) => shop.order({ amount: '0.0085', address: freshAddress() })));
  assert.deepEqual(
    replies.map(({ status }) => status).sort((a, b) => a - b),
    [200, 200, 422, 422, 422],
  );
  const refused = replies.findIndex(({ status }) => status === 422);
  assert.match(
    replies[refused]?.body.errors[0],
    /must wait until it is final on Bitcoin, for at most 99 more confirmations, about until .*: all accounts together/,
  );
  const gauges = await (await fetch(`${gateway.url.replace('/api/v1', '')}/metrics`)).text();
  const gauge = (name: string) =>
    Number(new RegExp(`^${name}\\{network="BITCOIN".*\\} (\\d+)$`, 'm').exec(gauges)?.[1]);
  assert.equal(gauge('quittance_unfinal_ceiling_units'), 200_000_000);
  assert.ok(gauge('quittance_unfinal_exposure_units') > 1_700_000);
  await mine(gateway, 1);
  assert.equal((await shops[refused]?.order({ amount: '0.0085', address: freshAddress() }))?.status, 200, 'two deep');
});

test('one merchant does not take the whole ceiling, so others need not wait until all is final', async () => {
  const [large, small] = [await openSender(gateway, '5'), await openSender(gateway, '0.3')]; // six deep and more
  assert.match(await refusal(large, '3'), /^At most (0\.9\d*|1) BTC may leave now\./);
  assert.equal((await large.send({ amount: '0.9', address: freshAddress() })).state, 'QUEUED');
  assert.match(await refusal(large, '0.5'), /all accounts together/);
  assert.equal((await small.send({ amount: '0.25', address: freshAddress() })).state, 'QUEUED');
});

test('orders at the same moment do not take out together what only one of them may', async () => {
  const shop = await openSender(gateway, '0.02'); // 0.0199, six deep
  await paidOften(shop, 3);
  const replies = await Promise.all(
    Array.from({ length: 4 }, () => shop.order({ amount: '0.012', address: freshAddress() })),
  );
  assert.deepEqual(
    replies.map(({ status }) => status).sort((a, b) => a - b),
    [200, 422, 422, 422],
  );
});
