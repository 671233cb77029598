/**
 * A process that dies anywhere while it answers a request that moves money. The client knows nothing, asks again with
 * the same Idempotency-Key, and what it asked for has happened exactly once. 60.00 USD are 0.001 BTC.
 */
import assert from 'node:assert/strict';
import { after, before, beforeEach, test } from 'node:test';
import type { App } from '../src/app.ts';
import { type Deaths, dieEverywhere } from './die-everywhere.ts';
import { digestHeaders, testIssuer } from './gateway.ts';
import { aBitcoinAddress, type RefundWorld, received, startRefundWorld } from './refund-world.ts';
import type { Shop } from './shop.ts';
import { stockTreasury } from './stock-treasury.ts';

let world: RefundWorld;
before(async () => {
  world = await startRefundWorld({ hasStellar: true });
  await stockTreasury(world.gateway, `USDC:${testIssuer}`, 1_000_000_0000000n);
});
after(() => world.gateway.stop());
beforeEach(async () => {
  await world.gateway.app.pollRates(); // Many minutes have passed.
  await world.gateway.runUntilIdle();
});

/** A checkout of 0.1 BTC that was paid. */
async function paidCheckout(shop: Shop): Promise<string> {
  const checkout = await shop.open('6000.00 USD', 'BITCOIN');
  await world.pay(checkout, checkout.amount);
  await world.mine(6);
  return checkout.id;
}

let asked = 0;
type Request = { readonly key: string; readonly path: string; readonly body: Record<string, unknown> };

/** The answer, if there is one, is lost. */
async function askAt(app: App, shop: Shop, { key, path, body }: Request): Promise<void> {
  const url = await app.server.listen({ host: '127.0.0.1', port: 0 });
  const raw = JSON.stringify(body);
  const signed = digestHeaders(shop.merchant, 'POST', path, raw, world.gateway.clock.now());
  const headers = { 'content-type': 'application/json', 'idempotency-key': key, ...signed };
  try {
    await (await fetch(`${url}/api/v1${path}`, { method: 'POST', headers, body: raw })).text();
  } finally {
    await app.server.close();
  }
}

/** As often as it was asked, it must have happened: `check` gets the answer and the number of questions so far. */
async function dieAnswering(
  shop: Shop,
  path: string,
  wish: () => Record<string, unknown>,
  check: (answer: any, questions: number) => Promise<void>,
  deaths: Deaths,
): Promise<void> {
  let questions = 0;
  await dieEverywhere(
    world.gateway,
    {
      async begin() {
        asked += 1;
        questions += 1;
        return { key: `key-${asked}`, path, body: { ...wish(), meta: { asked } } };
      },
      live: [(app, request) => askAt(app, shop, request)],
      async end({ key, body }) {
        world.gateway.clock.advance({ seconds: 61 }); // So long is the first request taken to be still running.
        const headers = { 'idempotency-key': key };
        const first = await shop.request('POST', path, body, { headers });
        assert.equal(first.status, 200, JSON.stringify(first.body));
        const second = await shop.request('POST', path, body, { headers });
        assert.deepEqual(second.body, first.body);
        await check(first.body, questions);
      },
    },
    deaths,
  );
}

test('a swap out of the treasury is made once', async () => {
  const shop = await world.shop();
  await paidCheckout(shop);
  const wish = () => ({ sourceAsset: 'BTC', targetAsset: 'USDC', sourceAmount: '0.0001' });
  await dieAnswering(
    shop,
    '/swap',
    wish,
    async ({ swap }, questions) => {
      assert.equal(swap.state, 'COMPLETED');
      assert.equal((await shop.balances())['available/BTC'], String(9_950_000 - 10_000 * questions));
    },
    { atLeast: 4 },
  );
});

test('a transfer is accepted once', async () => {
  const shop = await world.shop();
  await paidCheckout(shop);
  const address = aBitcoinAddress();
  const wish = () => ({ network: 'BITCOIN', asset: 'BTC', amount: '0.0001', address });
  let questions = 0;
  await dieAnswering(
    shop,
    '/transfer',
    wish,
    async ({ transfer }, count) => {
      questions = count;
      assert.equal(transfer.state, 'QUEUED');
      const { transfers } = await shop.get('/transfers?limit=100');
      assert.equal(transfers.length, count);
    },
    { atLeast: 5 },
  );
  await world.send();
  assert.equal(await received(world.gateway, address), 10_000n * BigInt(questions));
  assert.equal((await shop.balances())['reserved/BTC'], undefined);
});

test('a part of a checkout is refunded once', async () => {
  const shop = await world.shop();
  const id = await paidCheckout(shop);
  const address = aBitcoinAddress();
  let questions = 0;
  await dieAnswering(
    shop,
    '/refund',
    () => ({ checkoutId: id, amount: '0.0001', address }),
    async ({ refund }, count) => {
      questions = count;
      assert.equal(refund.state, 'SENDING');
      const { refunds } = await shop.get(`/refunds?checkoutId=${id}`);
      assert.equal(refunds.length, count);
    },
    { atLeast: 5 },
  );
  await world.send();
  assert.equal(await received(world.gateway, address), 10_000n * BigInt(questions));
  assert.equal((await shop.balances())['reserved/BTC'], undefined);
});

test('a refund whose link was lost with the answer has a link that works', async () => {
  const shop = await world.shop();
  const id = await paidCheckout(shop);
  await dieAnswering(
    shop,
    '/refund',
    () => ({ checkoutId: id, amount: '0.0001' }),
    async ({ refund, claimUrl }, questions) => {
      assert.equal(refund.state, 'CLAIMABLE');
      assert.equal((await shop.get(`/refunds?checkoutId=${id}`)).refunds.length, questions);
      const url = claimUrl.replace('https://pay.test', new URL(world.gateway.url).origin);
      assert.equal((await fetch(url)).status, 200);
    },
    { atLeast: 5 },
  );
});
