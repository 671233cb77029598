/**
 * Nobody gets an option on the price for nothing: neither by a crumb that is replaced later, nor by waiting until the
 * price suits. 60.00 USD are 0.001 BTC.
 */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { decimal } from '../src/money/decimal.ts';
import { saveRates } from '../src/pricing/rate-store.ts';
import { deepTest, sampleOf } from './depth.ts';
import { type Gateway, startGateway } from './gateway.ts';
import { type Committed, openShop, type Shop } from './shop.ts';

let gateway: Gateway;
before(async () => {
  gateway = await startGateway({ ratesAreKept: true, env: { RATE_SOURCES: 'kraken,bitstamp,ecb' } });
});
after(() => gateway.stop());

/** Two sources agree on these prices now. After a quarter of an hour nobody knows one any more. */
async function bitcoinCosts(usd: string): Promise<void> {
  const observedAt = gateway.clock.now();
  const prices = { BTC: usd, LTC: '80', USDC: '1' };
  await saveRates(
    gateway.db,
    ['kraken', 'bitstamp'].flatMap((source) =>
      Object.entries(prices).map(([code, price]) => ({ source, code, usd: decimal(price), observedAt })),
    ),
  );
  await gateway.runUntilIdle();
}

async function pass(time: { minutes?: number; hours?: number }): Promise<void> {
  gateway.clock.advance(time);
  await gateway.runUntilIdle();
}

async function mine(): Promise<void> {
  gateway.bitcoin.mine(1);
  await gateway.runUntilIdle();
}

async function pay(to: { address: string }, amount: string): Promise<string> {
  const tx = gateway.bitcoin.pay({ address: to.address, amount });
  await gateway.runUntilIdle();
  return tx;
}

async function replace(tx: string, ...outputs: { address: string; units: bigint }[]): Promise<string> {
  const replacement = gateway.bitcoin.chain.replace(tx, outputs);
  await gateway.runUntilIdle();
  return replacement;
}

async function open(shop: Shop, more?: Record<string, unknown>): Promise<Committed> {
  await bitcoinCosts('60000');
  return shop.open('60.00 USD', 'BITCOIN', more);
}

const whyOf = async (shop: Shop, id: string, what: string): Promise<any> =>
  (await shop.get(`/checkout/timeline?id=${id}`)).timeline.findLast((note: any) => note.what === what)?.why;

test('a crumb that is replaced by the full amount after the price fell buys nothing at the old quote', async () => {
  const shop = await openShop(gateway);
  const { id, address } = await open(shop, { settlementAsset: 'USDC' });
  await pass({ minutes: 59 });
  const crumb = await pay({ address }, '0.000006');
  await pass({ hours: 3 });
  await bitcoinCosts('30000');
  await replace(crumb, { address, units: 101_000n });
  await mine();
  assert.equal(await shop.state(id), 'UNDERPAID LATE PARTIAL');
  assert.deepEqual(await shop.balances(), { 'suspense/BTC': '101000' });
});

test('a replacement is in time up to the units that were seen in time, through a chain and into several outputs', async () => {
  const shop = await openShop(gateway);
  const { id, address } = await open(shop);
  const first = await pay({ address }, '0.0004');
  await pass({ minutes: 70 });
  await bitcoinCosts('60000');
  const second = await replace(first, { address, units: 30_000n }, { address, units: 30_000n });
  await pass({ minutes: 30 });
  await bitcoinCosts('30000');
  // 0.0004 were seen in time, 0.0002 when they were worth all of 0.2, and now 0.0004 are worth a half of 0.4.
  await replace(second, { address, units: 50_000n }, { address, units: 50_000n });
  await mine();
  assert.equal(await shop.state(id), 'UNDERPAID LATE PARTIAL');
  assert.equal((await whyOf(shop, id, 'late_payment_valued')).worth, '40 %');
});

deepTest('a replacement that pays another target of the checkout inherits too, and no more than was seen', async () => {
  const shop = await openShop(gateway);
  const old = await open(shop);
  const first = await pay(old, '0.0004');
  await pass({ minutes: 70 });
  await bitcoinCosts('60000');
  const fresh = await shop.commit(old.id, 'BITCOIN');
  assert.notEqual(fresh.address, old.address);
  await pass({ minutes: 70 });
  await bitcoinCosts('30000');
  await replace(first, { address: fresh.address, units: 100_000n });
  await mine();
  assert.equal(await shop.state(old.id), 'UNDERPAID LATE PARTIAL');
  assert.equal((await whyOf(shop, old.id, 'late_payment_valued')).worth, '30 %', 'of the other 60');
});

test('what is in no block four hours after the window has the rate of its block', async () => {
  const shop = await openShop(gateway);
  const stuck = await open(shop);
  await pay(stuck, '0.001');
  await pass({ minutes: 60, hours: 4 });
  await bitcoinCosts('40000');
  await mine();
  assert.equal(await shop.state(stuck.id), 'UNDERPAID LATE PARTIAL');
  const inTime = await open(shop);
  await pay(inTime, '0.001');
  await pass({ minutes: 59, hours: 4 });
  await bitcoinCosts('40000');
  await mine();
  assert.equal(await shop.state(inTime.id), 'COMPLETED');
});

test('half the value three months later is underpaid, whatever the merchant is credited in, and the merchant decides', async () => {
  const shop = await openShop(gateway);
  for (const more of sampleOf([{}, { settlementAsset: 'BTC' }, { settlementAsset: 'USDC' }], (_, at) => at === 0)) {
    const checkout = await open(shop, more);
    await pass({ hours: 24 * 90 });
    await bitcoinCosts('30000');
    await pay(checkout, checkout.amount);
    assert.equal(await shop.state(checkout.id), 'EXPIRED LATE PARTIAL');
    await mine();
    assert.equal(await shop.state(checkout.id), 'UNDERPAID LATE PARTIAL');
    assert.deepEqual(shop.eventsOf(checkout.id), ['CHECKOUT_UNDERPAID UNDERPAID']);
    assert.match((await whyOf(shop, checkout.id, 'state')).because, /worth less/);
    await shop.post('/checkout/accept-underpayment', { checkoutId: checkout.id });
    await gateway.runUntilIdle();
    assert.equal(await shop.state(checkout.id), 'RESOLVED LATE PARTIAL');
  }
});

test('the tax of what came late and is accepted is on what was received', async () => {
  const shop = await openShop(gateway);
  await bitcoinCosts('60000');
  const taxItems = [{ name: 'VAT', percent: '0.2' }];
  const charge = { billingCurrency: 'USD', lineItems: [{ description: 'Cup', netAmount: '50' }], taxItems };
  const { id, address } = await shop.open('60.00 USD', 'BITCOIN', { charge });
  await pass({ hours: 3 });
  await bitcoinCosts('54000');
  await pay({ address }, '0.001');
  await mine();
  assert.equal(await shop.state(id), 'UNDERPAID LATE PARTIAL');
  await shop.post('/checkout/accept-underpayment', { checkoutId: id });
  await gateway.runUntilIdle();
  assert.equal(await shop.state(id), 'RESOLVED LATE PARTIAL');
  const period = gateway.clock.now().toISOString().slice(0, 10);
  await pass({ hours: 24 });
  const { totals } = await shop.get(`/reports/tax?period=${period}`);
  assert.deepEqual([totals[0].gross, totals[0].net, totals[0].tax], ['54.00', '45.00', '9.00']);
});

test('late is credited down to the late tolerance, by the value when it was first seen', async () => {
  const shop = await openShop(gateway);
  const enough = await open(shop);
  const tooLittle = await open(shop);
  await pass({ hours: 2 });
  await bitcoinCosts('57000');
  await pay(enough, '0.001');
  await bitcoinCosts('56999');
  await pay(tooLittle, '0.001');
  await bitcoinCosts('60000');
  await mine();
  assert.equal(await shop.state(enough.id), 'DELAYED_COMPLETED LATE');
  assert.equal(await shop.state(tooLittle.id), 'UNDERPAID LATE PARTIAL', 'although it is worth enough again');
});

deepTest('a late tolerance of 100 percent credits always, and one of 0 nothing that is worth less', async () => {
  for (const [lateTolerancePercent, state] of [
    ['100', 'DELAYED_COMPLETED LATE'],
    ['0', 'UNDERPAID LATE PARTIAL'],
  ] as const) {
    const shop = await openShop(gateway, { lateTolerancePercent });
    const checkout = await open(shop);
    await pass({ hours: 2 });
    await bitcoinCosts('59000');
    await pay(checkout, '0.001');
    await mine();
    assert.equal(await shop.state(checkout.id), state);
  }
});

test('the page asks for what is missing at the rate of the day, and that completes the checkout', async () => {
  const shop = await openShop(gateway);
  await bitcoinCosts('60000');
  const { id } = await shop.post('/checkout/hosted', {
    charge: { billingCurrency: 'USD', lineItems: [{ description: 'Item', netAmount: '60.00' }] },
    webhook: gateway.webhookUrl,
  });
  const { address } = await shop.commit(id, 'BITCOIN');
  await pay({ address }, '0.0005');
  await mine();
  await pass({ hours: 2 });
  await bitcoinCosts('40000');
  await pay({ address }, '0.0005'); // In time 0.5 of the price, late 0.333… of it.
  await mine();
  assert.equal(await shop.state(id), 'UNDERPAID LATE PARTIAL');
  const page = await (await fetch(new URL(`/en/checkout/${id}`, gateway.url))).text();
  assert.match(page, /<div class="amount long"><bdi>0\.00025001\u00a0<span class="unit">BTC/);
  await pay({ address }, '0.00025001');
  await mine();
  assert.equal(await shop.state(id), 'DELAYED_COMPLETED LATE');
  assert.deepEqual(await shop.balances(), { 'available/BTC': '124375' });
});

test('who pays late what was asked for sees at once that it came, what it counts for and why, and nothing of a new price', async () => {
  const shop = await openShop(gateway);
  await bitcoinCosts('60000');
  const { id } = await shop.post('/checkout/hosted', {
    charge: { billingCurrency: 'USD', lineItems: [{ description: 'Item', netAmount: '60.00' }] },
    webhook: gateway.webhookUrl,
  });
  const words = async (): Promise<string> => {
    const page = await (await fetch(new URL(`/en/checkout/${id}`, gateway.url))).text();
    return page.replace(/<[^>]*>/g, ' ').replace(/\s+/g, ' ');
  };
  const { address } = await shop.commit(id, 'BITCOIN');
  await pass({ hours: 2 });
  assert.match(await words(), /Already sent it\?/, 'also where nobody knows a rate');
  await bitcoinCosts('50000');
  await pay({ address }, '0.001');
  for (const state of ['EXPIRED LATE PARTIAL', 'UNDERPAID LATE PARTIAL']) {
    assert.equal(await shop.state(id), state);
    const page = await words();
    assert.match(
      page,
      /Still missing: \$ ?10\.00.*Received: 0\.001 BTC \(\$50\.00\)\. What you have sent is safe\./,
      state,
    );
    assert.match(
      page,
      /after the price had expired, so it counts at the exchange rate of that moment.*Send the rest 0\.00020001 BTC/,
    );
    assert.doesNotMatch(page, /old price|new price|no longer valid/);
    await mine();
  }
});

test('without a rate a late payment waits, visibly, and has the first rate that there is', async () => {
  const shop = await openShop(gateway);
  const checkout = await open(shop);
  await pass({ hours: 3 });
  await pay(checkout, '0.001');
  await mine();
  assert.equal(await shop.state(checkout.id), 'PROCESSING LATE NO_MARKET');
  assert.deepEqual(await shop.balances(), { 'pending/BTC': '100000' });
  await bitcoinCosts('50000');
  await pass({ minutes: 1 });
  assert.equal(await shop.state(checkout.id), 'UNDERPAID LATE PARTIAL');
});

test('a late payment that a reorganisation takes away and brings back is worth what it was', async () => {
  const shop = await openShop(gateway);
  const checkout = await open(shop);
  await pass({ hours: 2 });
  await bitcoinCosts('60000');
  await pay(checkout, '0.001');
  await mine();
  assert.equal(await shop.state(checkout.id), 'DELAYED_COMPLETED LATE');
  await bitcoinCosts('30000');
  gateway.bitcoin.chain.reorganise(1, { keepTransactions: true });
  await gateway.runUntilIdle();
  await mine();
  assert.equal(await shop.state(checkout.id), 'DELAYED_COMPLETED LATE REORGED');
});

test('a payment to an old quote is late even while a new one is open', async () => {
  const shop = await openShop(gateway);
  const old = await open(shop);
  await pass({ hours: 2 });
  await bitcoinCosts('30000');
  const fresh = await shop.commit(old.id, 'BITCOIN');
  assert.equal(fresh.amount, '0.002');
  await pay(old, '0.001');
  assert.equal(await shop.state(old.id), 'PENDING LATE PARTIAL');
  assert.equal((await shop.commit(old.id, 'BITCOIN')).amount, '0.001', 'a half is missing');
  await pay(fresh, '0.001');
  await mine();
  assert.equal(await shop.state(old.id), 'COMPLETED');
  assert.deepEqual(await shop.balances(), { 'available/BTC': '199000' });
});

test('a price in the paid coin has no rate: late is worth its units', async () => {
  const shop = await openShop(gateway);
  await bitcoinCosts('60000');
  const checkout = await shop.open('0.001 BTC', 'BITCOIN');
  await pass({ hours: 24 * 90 });
  await pay(checkout, '0.001');
  await mine();
  assert.equal(await shop.state(checkout.id), 'DELAYED_COMPLETED LATE');
});
