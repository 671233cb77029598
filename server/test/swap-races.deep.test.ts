/**
 * One balance that is swapped and sent at the same moment, over many connections, by processes that share nothing but
 * PostgreSQL: what there is goes out to the last unit, and not a unit more.
 */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { merchantAccount } from '../src/ledger/chart-of-accounts.ts';
import { verifyLedger } from '../src/ledger/verify-ledger.ts';
import { formatUnits } from '../src/money/amount.ts';
import { decimal, toUnits } from '../src/money/decimal.ts';
import { digestHeaders, type Gateway, type Reply, startGateway, testIssuer, withoutLitecoin } from './gateway.ts';
import { accountIsLocked, meetAt } from './meet-at.ts';
import { type ServiceProcess, startServiceProcess } from './service-process.ts';
import { stockTreasury } from './stock-treasury.ts';
import { freshAddress, mine, openSender, receivedAt, type Sender } from './transfer-story.ts';

const toUsdc = { sourceAsset: 'BTC', targetAsset: 'USDC' };

let gateway: Gateway;
let processes: ServiceProcess[] = [];
before(async () => {
  gateway = await startGateway({
    hasStellar: true,
    now: new Date().toISOString(),
    env: withoutLitecoin,
  });
  await stockTreasury(gateway, `USDC:${testIssuer}`, 100_000_0000000n);
  const env = { ...gateway.env, DATABASE_POOL_SIZE: '8' };
  processes = await Promise.all(['api', 'api', 'api'].map((role) => startServiceProcess(env, role)));
});
after(async () => {
  await Promise.all(processes.map((each) => each.kill()));
  await gateway.stop();
});

/** At one process after the other. The number tells equal orders of one second apart. */
async function post(shop: Sender, path: string, number: number, wish: Record<string, unknown>): Promise<Reply> {
  const body = JSON.stringify({ ...wish, meta: { number } });
  const headers = digestHeaders(shop.merchant, 'POST', path, body, new Date());
  const reply = await fetch(`${urlOf(number)}${path}`, { method: 'POST', headers, body });
  // A process of which more is asked than it has connections for says so after a while, and when to ask again.
  const againAfter = reply.status === 503 ? reply.headers.get('retry-after') : null;
  if (againAfter === null) return { status: reply.status, headers: reply.headers, body: await reply.json() };
  await reply.body?.cancel();
  await sleep(Number(againAfter) * 1_000);
  return post(shop, path, number, wish);
}

const urlOf = (number: number) => processes[number % processes.length]?.url;

const satoshis = (amount: string): bigint => toUnits(decimal(amount), 8, 'down');
const available = async (shop: Sender): Promise<bigint> => BigInt((await shop.balances())['available/BTC'] ?? 0);

/** What a transfer of 0.0005 BTC takes from a balance. A swap of as much takes the same. */
async function priceOfTransfer(shop: Sender): Promise<bigint> {
  const query = `network=BITCOIN&asset=BTC&amount=0.0005&address=${freshAddress()}`;
  return satoshis((await shop.get(`/transfer/estimate?${query}`)).total);
}

/** A shop that has so many times the price of a transfer, and so many units more or less. */
async function shopWith(times: bigint, more: bigint): Promise<{ shop: Sender; price: bigint }> {
  const shop = await openSender(gateway, '0.03');
  const price = await priceOfTransfer(shop);
  const spare = (await available(shop)) - times * price - more;
  const { status, body } = await post(shop, '/swap', 0, { ...toUsdc, sourceAmount: formatUnits(spare, 8) });
  assert.equal(status, 200, JSON.stringify(body));
  return { shop, price };
}

/** Sixty connections at three processes, every other one a swap. */
async function race(shop: Sender, price: bigint, address: string) {
  const order = async (number: number) => {
    const isSwap = Math.trunc(number / processes.length) % 2 === 0;
    const reply = isSwap
      ? await post(shop, '/swap', number, { ...toUsdc, sourceAmount: formatUnits(price, 8) })
      : await post(shop, '/transfer', number, { network: 'BITCOIN', asset: 'BTC', amount: '0.0005', address });
    return { isSwap, ...reply };
  };
  const replies = await Promise.all(Array.from({ length: 60 }, (_, number) => order(number)));
  for (const { isSwap, status, body } of replies)
    if (status !== 200) {
      assert.equal(status, 422, JSON.stringify(body));
      assert.match(body.errors[0], isSwap ? /^There is not enough to swap: / : /too little/);
    }
  const accepted = replies.filter(({ status }) => status === 200);
  const swaps = accepted.filter(({ isSwap }) => isSwap);
  const transfers = accepted.filter(({ isSwap }) => !isSwap).map(({ body }) => body.transfer);
  for (const { amount, fee } of transfers) assert.equal(satoshis(amount) + satoshis(fee), price);
  assert.equal(swaps.length, (await shop.get('/swaps?limit=100')).swaps.length - 1, 'what was refused is not there');
  assert.equal(transfers.length, (await shop.get('/transfers?limit=100')).transfers.length);
  return { accepted: accepted.length, swaps: swaps.length, transfers: transfers.length };
}

test('swaps and transfers at once, at three processes, take a balance to its last unit', async () => {
  const { shop, price } = await shopWith(36n, 0n);
  const address = freshAddress();
  const { accepted, swaps, transfers } = await race(shop, price, address);
  assert.equal(accepted, 36);
  assert.ok(swaps >= 6 && transfers >= 6, 'of either kind there are thirty');
  const balances = await shop.balances();
  assert.equal(balances['available/BTC'], undefined);
  assert.equal(balances['reserved/BTC'] ?? '0', String(price * BigInt(transfers)));
  assert.equal((await post(shop, '/swap', 99, { ...toUsdc, sourceAmount: '0.00000001' })).status, 422);

  await gateway.runUntilIdle();
  await mine(gateway, 6);
  assert.equal(await receivedAt(gateway, address), 50_000n * BigInt(transfers));
  assert.deepEqual(Object.keys(await shop.balances()), ['available/USDC']);
  assert.deepEqual(await verifyLedger(gateway.db), []);
});

test('a balance that is one unit short gives one order less', async () => {
  const { shop, price } = await shopWith(36n, -1n);
  const { accepted } = await race(shop, price, freshAddress());
  assert.equal(accepted, 35);
  assert.equal(await available(shop), price - 1n);
  await gateway.runUntilIdle();
  await mine(gateway, 6);
  assert.deepEqual(await verifyLedger(gateway.db), []);
});

test('a swap and a transfer that both want the last of a balance: one of them has it', async () => {
  const { shop, price } = await shopWith(1n, 0n);
  await mine(gateway, 100); // What is not final is counted under a lock of its own.
  const account = merchantAccount(shop.merchant.merchantId, 'available', `BTC:${testIssuer}`);
  const replies = await meetAt(gateway.db, accountIsLocked(account), [
    () => post(shop, '/transfer', 1, { network: 'BITCOIN', asset: 'BTC', amount: '0.0005', address: freshAddress() }),
    () => post(shop, '/swap', 2, { ...toUsdc, sourceAmount: formatUnits(price, 8) }),
  ]);
  assert.deepEqual(
    replies.map(({ status }) => status),
    [200, 422],
  );
  assert.equal(await available(shop), 0n);
});

test('a quote that is taken thirty times at once, at three processes, is swapped once', async () => {
  const shop = await openSender(gateway, '0.02');
  // Of a process, because a quote holds for a minute of the clock that its takers have.
  const path = '/swap/quote?sourceAsset=BTC&targetAsset=USDC&sourceAmount=0.001';
  const headers = digestHeaders(shop.merchant, 'GET', path, '', new Date());
  const { quote } = (await (await fetch(`${urlOf(0)}${path}`, { headers })).json()) as { quote: { id: string } };
  const replies = await Promise.all(
    Array.from({ length: 30 }, (_, number) => post(shop, '/swap', number, { quoteId: quote.id })),
  );
  const count = (status: number): number => replies.filter((reply) => reply.status === status).length;
  assert.deepEqual([count(200), count(409)], [1, 29]);
  assert.equal(await available(shop), 1_990_000n - 100_000n);
});
