/**
 * What the treasury cannot give is not quoted, and what was committed counts against its stock: money of other merchants
 * leaves neither by a swap nor by paying one's own checkout. 1 BTC is 60,000 USD, 1 LTC 80 USD in the sandbox.
 */
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { createAssetCatalog } from '../src/catalog/asset-catalog.ts';
import { readConfig } from '../src/config.ts';
import { operatorAccount } from '../src/ledger/chart-of-accounts.ts';
import type { Log } from '../src/lib/log.ts';
import { createCoverageCheck } from '../src/venues/coverage.ts';
import { aCharge, type Gateway, startGateway, testIssuer } from './gateway.ts';
import { meetAt, nobodyWrites, startTwin } from './meet-at.ts';
import { openShop, type Shop } from './shop.ts';
import { stockTreasury } from './stock-treasury.ts';
import { freshAddress, openSender } from './transfer-story.ts';

const btc = `BTC:${testIssuer}`;
const ltc = `LTC:${testIssuer}`;
const inLitecoin = { settlementAsset: 'LTC' };
/** 1 LTC, or 1 BTC. */
const coin = 100_000_000n;

let gateway: Gateway;
before(async () => {
  gateway = await startGateway({ env: { TREASURY_LIMITS: '*=0' } });
});
after(() => gateway.stop());

/** The operator's own stock of litecoin is so much again, whatever happened before; and nothing is promised. */
async function stockOf(units: bigint): Promise<void> {
  gateway.clock.advance({ minutes: 61 });
  await gateway.runUntilIdle();
  const own = ['costs', 'equity', 'fees', 'fx'].map((purpose) => operatorAccount(purpose as 'fx', ltc));
  const [row] = await gateway.db<{ units: string }>`
    select coalesce(sum(balance), 0)::text as units from ledger_account where id = any(${own})`;
  const missing = units - BigInt(row?.units ?? 0);
  if (missing !== 0n) await stockTreasury(gateway, ltc, missing);
  await gateway.runUntilIdle();
}

async function payAndMine(to: { address: string; amount: string }): Promise<void> {
  gateway.bitcoin.pay(to);
  gateway.bitcoin.mine(6);
  await gateway.runUntilIdle();
}

/** It has litecoin that was paid to it, and bitcoin. */
async function paidShop(): Promise<Shop> {
  const shop = await openShop(gateway);
  const inCoin = await shop.open('800.00 USD', 'LITECOIN');
  gateway.litecoin.pay(inCoin);
  gateway.litecoin.mine(12);
  await payAndMine(await shop.open('800.00 USD', 'BITCOIN'));
  assert.deepEqual(Object.keys(await shop.balances()), ['available/BTC', 'available/LTC']);
  return shop;
}

const networksOf = (reply: any): string[] => reply.paymentMethods.map(({ network }: any) => network);

test('whoever is refused a swap cannot pay an own checkout instead', async () => {
  await paidShop(); // Whose litecoin it is.
  const shop = await paidShop();
  await stockOf(0n); // The fees of both are not what this is about.
  const refusal = 'The service can give at most 0 LTC from its stock at the moment.';
  const swap = { sourceAsset: 'BTC', targetAsset: 'LTC', sourceAmount: '0.01' };
  assert.deepEqual(await shop.refused(503, 'POST', '/swap', swap), [refusal]);
  const offered = await shop.post('/checkout', aCharge('600.00 USD', inLitecoin));
  assert.deepEqual(networksOf(offered), ['LITECOIN']);
});

test('when no method is left, the answer says why', async () => {
  await stockOf(2n * coin);
  const shop = await openShop(gateway);
  const reasons = await shop.refused(503, 'POST', '/checkout', aCharge('160.00 USD', { settlementAsset: 'ETH' }));
  assert.match(reasons.join(' '), /Bitcoin on Bitcoin: The service can give at most 0 ETH from its stock/);
  assert.match(reasons.join(' '), /Litecoin on Litecoin: The service can give at most 0 ETH from its stock/);
});

test('a commitment counts against the stock, a quote does not, and the next one is told what there is', async () => {
  await stockOf(10n * coin);
  const [shop, other] = [await openShop(gateway), await openShop(gateway)];
  const price = '400.00 USD'; // 5 LTC: all that one of several merchants may be promised.
  const [first, second] = [await shop.create(price, inLitecoin), await shop.create(price, inLitecoin)];
  const ofOther = await other.create('240.00 USD', inLitecoin); // 3 LTC
  await shop.commit(first, 'BITCOIN');
  await shop.commit(first, 'BITCOIN'); // A client repeats it.
  const refusal = (most: string) => [
    `The service can give at most ${most} LTC from its stock at the moment. Choose another payment method or try again later.`,
  ];
  const wish = { checkoutId: second, network: 'BITCOIN' };
  assert.deepEqual(await shop.refused(503, 'POST', '/checkout/commit', wish), refusal('0'));
  assert.deepEqual(
    await other.refused(503, 'POST', '/checkout/commit', { checkoutId: ofOther, network: 'BITCOIN' }),
    refusal('2.5'),
  );
  await shop.commit(second, 'LITECOIN'); // What needs no conversion takes nothing.
  await gateway.runUntilIdle();
  assert.deepEqual(networksOf(await shop.post('/checkout', aCharge('8.00 USD', inLitecoin))), ['LITECOIN']);
  assert.deepEqual(networksOf(await other.post('/checkout', aCharge('200.00 USD', inLitecoin))), [
    'BITCOIN',
    'LITECOIN',
  ]);

  await shop.post('/checkout/cancel', { checkoutId: first });
  await other.commit(ofOther, 'BITCOIN');
  gateway.clock.advance({ minutes: 61 });
  await gateway.runUntilIdle();
  await shop.open(price, 'BITCOIN', inLitecoin); // A window that is over releases, too.
});

test('a checkout counts once, however often and however it is committed', async () => {
  await stockOf(10n * coin);
  const shop = await openShop(gateway);
  const id = await shop.create('400.00 USD', { ...inLitecoin, type: 'HOSTED' });
  await shop.commit(id, 'BITCOIN');
  await shop.post('/checkout/cancel', { checkoutId: id });
  for (let round = 0; round < 3; round += 1) {
    await shop.commit(id, 'BITCOIN'); // Taken up again at a new quote.
    await shop.commit(id, 'LITECOIN');
  }
  const rows = await gateway.db`select from treasury_promise`;
  assert.equal(rows.length, 1);
});

test('many who commit at once are not promised more than there is', async () => {
  await stockOf(10n * coin);
  const shops = await Promise.all(Array.from({ length: 4 }, () => openShop(gateway)));
  const ids: [Shop, string][] = [];
  for (const shop of shops) for (let i = 0; i < 6; i += 1) ids.push([shop, await shop.create('80.00 USD', inLitecoin)]);
  const replies = await Promise.all(
    ids.map(([shop, checkoutId]) => shop.request('POST', '/checkout/commit', { checkoutId, network: 'BITCOIN' })),
  );
  const [row] = await gateway.db<{ units: string }>`select sum(units)::text as units from treasury_promise`;
  const committed = replies.filter(({ status }) => status === 200).length;
  assert.equal(BigInt(row?.units ?? 0), BigInt(committed) * coin);
  assert.ok(committed >= 5 && committed <= 9, `${committed} of 24, and nobody has all of it`);
  assert.ok(replies.every(({ status }) => status === 200 || status === 503));
});

test('what is being promised to a checkout is neither swapped away nor promised by another process', async (t) => {
  const twin = await startTwin(gateway);
  t.after(() => twin.stop());
  for (const rival of ['swap', 'commit'] as const) {
    const [shop, other] = [await openShop(gateway), await openSender(gateway, '0.1')];
    await stockOf(8n * coin);
    const [first, second] = [await shop.create('320.00 USD', inLitecoin), await other.create('200.00 USD', inLitecoin)];
    const swap = { sourceAsset: 'BTC', targetAsset: 'LTC', sourceAmount: '0.007' }; // Worth more than 5 LTC.
    const replies = await meetAt(gateway.db, nobodyWrites.promises, [
      () => shop.request('POST', '/checkout/commit', { checkoutId: first, network: 'BITCOIN' }), // 4 of 8 LTC
      () =>
        rival === 'swap'
          ? other.request('POST', '/swap', swap)
          : twin.post(other.merchant, '/checkout/commit', { checkoutId: second, network: 'BITCOIN' }),
    ]);
    assert.deepEqual(
      replies.map(({ status }) => status),
      [200, 503],
      rival,
    );
    assert.match(replies[1]?.body.errors[0], /can give at most [24] LTC/);
  }
});

test('what was committed is honoured, whatever became of the stock, and takes nothing that was promised to others', async () => {
  await stockOf(10n * coin);
  const shop = await paidShop();
  await stockOf(10n * coin);
  const checkout = await shop.open('320.00 USD', 'BITCOIN', inLitecoin);
  const swap = { sourceAsset: 'BTC', targetAsset: 'LTC', targetAmount: '7' };
  assert.deepEqual(await shop.refused(503, 'POST', '/swap', swap), [
    'The service can give at most 6 LTC from its stock at the moment.',
  ]);
  await stockTreasury(gateway, ltc, -10n * coin); // The operator's coins are gone.
  await payAndMine(checkout);
  assert.equal(await shop.state(checkout.id), 'COMPLETED');
  assert.equal((await gateway.db`select from treasury_promise`).length, 0);
});

test('what is paid in vain can be given back once it is deep enough for the sum of it, and need not be final', async () => {
  await stockOf(10n * coin);
  const shop = await openSender(gateway, '0');
  const late = [];
  for (let count = 0; count < 3; count += 1) {
    late.push(await shop.open('300.00 USD', 'BITCOIN', inLitecoin)); // 0.005 BTC
    gateway.clock.advance({ minutes: 61 }); // The promise ends, and the next one can be made.
    await gateway.runUntilIdle();
  }
  await stockOf(0n);
  for (const to of late) gateway.bitcoin.pay(to);
  gateway.bitcoin.mine(1);
  await gateway.runUntilIdle();
  for (const { id } of late) assert.equal(await shop.state(id), 'PROCESSING LATE NO_MARKET');
  const refund = (id: string) => shop.request('POST', '/refund', { checkoutId: id, address: freshAddress() });
  const [first, ...others] = late.map(({ id }) => id);
  assert.equal((await refund(first ?? '')).status, 200);
  for (const id of others) {
    const { status, body } = await refund(id);
    assert.equal(status, 422, 'two of them are 0.01 BTC');
    assert.match(body.errors[0], /^This must wait for 1 more confirmation on Bitcoin/);
  }
  gateway.bitcoin.mine(1);
  await gateway.runUntilIdle();
  for (const id of others) assert.equal((await refund(id)).status, 200);
});

test('what is paid after its promise ended waits for stock, and is credited when there is some', async () => {
  await stockOf(10n * coin);
  const [shop, other] = [await openShop(gateway), await openShop(gateway)];
  const late = await shop.open('400.00 USD', 'BITCOIN', inLitecoin);
  const canceled = await shop.create('400.00 USD', inLitecoin);
  gateway.clock.advance({ minutes: 61 });
  await gateway.runUntilIdle();
  const { address, amount } = await shop.commit(canceled, 'BITCOIN');
  await shop.post('/checkout/cancel', { checkoutId: canceled });
  await stockTreasury(gateway, ltc, -6n * coin);
  const honoured = await other.open('160.00 USD', 'BITCOIN', inLitecoin);
  for (const to of [late, { address, amount }]) await payAndMine(to);
  for (const id of [late.id, canceled]) assert.equal(await shop.state(id), 'PROCESSING LATE NO_MARKET');
  assert.deepEqual(await shop.balances(), { 'pending/BTC': '1346800' });
  await payAndMine(honoured);
  assert.equal(await other.state(honoured.id), 'COMPLETED');

  await stockTreasury(gateway, ltc, 4n * coin); // Enough for one of them.
  gateway.clock.advance({ minutes: 1 });
  await gateway.runUntilIdle();
  const states = [await shop.state(late.id), await shop.state(canceled)];
  assert.deepEqual(states.toSorted(), ['DELAYED_COMPLETED LATE', 'PROCESSING LATE NO_MARKET']);
  await stockTreasury(gateway, ltc, 10n * coin);
  gateway.clock.advance({ minutes: 1 });
  await gateway.runUntilIdle();
  for (const id of [late.id, canceled]) assert.equal(await shop.state(id), 'DELAYED_COMPLETED LATE');
});

test('a payment that no block takes holds the stock for the window and the grace, and no longer', async () => {
  await stockOf(10n * coin);
  const shop = await openShop(gateway);
  const held = await shop.open('400.00 USD', 'BITCOIN', inLitecoin);
  gateway.bitcoin.pay(held);
  await gateway.runUntilIdle();
  assert.equal(await shop.state(held.id), 'PROCESSING');
  gateway.clock.advance({ hours: 2 });
  await gateway.runUntilIdle();
  assert.equal((await gateway.db`select from treasury_promise`).length, 1);
  gateway.clock.advance({ hours: 3, minutes: 1 });
  await gateway.runUntilIdle();
  assert.equal((await gateway.db`select from treasury_promise`).length, 0);
  gateway.bitcoin.mine(6);
  await gateway.runUntilIdle();
  assert.equal(await shop.state(held.id), 'DELAYED_COMPLETED LATE', 'there was stock');
});

test('an underpayment is accepted only while the treasury can convert it', async () => {
  await stockOf(10n * coin);
  const shop = await openShop(gateway);
  const { id, address } = await shop.open('400.00 USD', 'BITCOIN', inLitecoin);
  gateway.bitcoin.pay({ address, amount: '0.003' });
  gateway.bitcoin.mine(6);
  await gateway.runUntilIdle();
  await stockTreasury(gateway, ltc, -9n * coin);
  gateway.clock.advance({ minutes: 61 });
  await gateway.runUntilIdle();
  assert.equal(await shop.state(id), 'UNDERPAID PARTIAL');
  const body = { checkoutId: id };
  assert.deepEqual(await shop.refused(503, 'POST', '/checkout/accept-underpayment', body), [
    'The service has not enough in stock to credit this in the settlement asset at the moment. Try again later, or refund it.',
  ]);
  assert.deepEqual(await shop.timeline(id).then((notes) => notes.filter((note) => note.includes('accepted'))), []);
  assert.equal(await shop.state(id), 'UNDERPAID PARTIAL');
  await stockTreasury(gateway, ltc, 9n * coin);
  gateway.clock.advance({ seconds: 1 });
  await shop.post('/checkout/accept-underpayment', body);
  assert.equal(await shop.state(id), 'RESOLVED PARTIAL');
});

test('a hosted page offers only what can be given, and a choice of before is refused on it', async () => {
  await stockOf(10n * coin);
  const shop = await openShop(gateway);
  const page = async (id: string) => (await fetch(new URL(`/en/checkout/${id}`, gateway.url))).text();
  const choose = (id: string, method: string) =>
    fetch(new URL(`/en/checkout/${id}/commit`, gateway.url), {
      method: 'POST',
      redirect: 'manual',
      body: new URLSearchParams({ method }),
    });
  const { id } = await shop.post('/checkout/hosted', aCharge('400.00 USD', inLitecoin));
  const { id: taken } = await shop.post('/checkout/hosted', aCharge('400.00 USD', inLitecoin));
  const inBitcoin = `BITCOIN BTC:${testIssuer}`;
  assert.match(await page(id), /value="BITCOIN BTC:/);
  assert.equal((await choose(taken, inBitcoin)).status, 303);
  const refused = await choose(id, inBitcoin);
  assert.equal(refused.status, 503);
  assert.match(await refused.text(), /This way to pay is not available at the moment/);
  await gateway.runUntilIdle();
  assert.doesNotMatch(await page(id), /value="BITCOIN BTC:/);
  assert.match(await page(id), /value="LITECOIN LTC:/);
  assert.match(await page(taken), /bcrt1/, 'what was committed stays');
});

test('the operator is warned before an asset that is owed is not held', async () => {
  const shop = await paidShop();
  const warnings: unknown[] = [];
  const log = { warn: (fields: { asset: string }) => warnings.push(fields.asset) } as unknown as Log;
  const { operator, treasuryLimits, coverageWarning } = readConfig(gateway.env);
  const assets = createAssetCatalog(operator);
  const check = createCoverageCheck({ assets, treasuryLimits, coverageWarning, log, clock: gateway.clock });
  const ratio = async () => {
    const metrics = await (await fetch(new URL('/metrics', gateway.url))).text();
    return Number(/quittance_treasury_coverage_ratio\{asset="BTC:[^"]+"\} (\S+)/.exec(metrics)?.[1]);
  };
  await check(gateway.db);
  assert.deepEqual([warnings.includes(btc), (await ratio()) >= 1], [false, true]);
  await stockTreasury(gateway, btc, 1_000n * coin); // In the books alone: no network holds it.
  await gateway.runUntilIdle();
  await shop.open('6000000.00 USD', 'LITECOIN', { settlementAsset: 'BTC' });
  await check(gateway.db);
  await check(gateway.db);
  assert.deepEqual([warnings.filter((asset) => asset === btc).length, (await ratio()) < 1], [1, true]);
  gateway.clock.advance({ hours: 1 });
  await check(gateway.db);
  assert.equal(warnings.filter((asset) => asset === btc).length, 2);
});

test('what was committed before there were promises is promised by the migration', async () => {
  await stockOf(10n * coin);
  const shop = await openShop(gateway);
  const { id } = await shop.open('400.00 USD', 'BITCOIN', inLitecoin);
  await shop.commit(id, 'LITECOIN');
  await shop.open('400.00 USD', 'LITECOIN', inLitecoin); // Takes nothing.
  const promises = () => gateway.db`select checkout_id, asset, units::text from treasury_promise`;
  const before = await promises();
  assert.deepEqual(before, [{ checkout_id: id, asset: ltc, units: (5n * coin).toString() }]);
  const migration = join(import.meta.dirname, '../src/db/migrations/0027_treasury_promises.sql');
  const statements = await readFile(migration, 'utf8');
  await gateway.db.script(`begin; drop table treasury_promise; drop index ledger_account_receivable;
    alter table swap drop column spread; alter table swap_quote drop column spread;
    ${statements}; commit;`);
  assert.deepEqual(await promises(), before);
});
