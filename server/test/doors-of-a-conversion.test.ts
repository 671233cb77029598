/** Whoever holds a coin gets as much of another for it by every door: none is cheaper than a swap, whatever the rates are like. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { decimal } from '../src/money/decimal.ts';
import { saveRates } from '../src/pricing/rate-store.ts';
import { type Gateway, startGateway, testIssuer } from './gateway.ts';
import { openShop, type Shop } from './shop.ts';
import { holdFromEarlier, stockTreasury } from './stock-treasury.ts';

const btc = `BTC:${testIssuer}`;
const usdc = `USDC:${testIssuer}`;
const held = { units: 100_000n, amount: '0.001' };

let gateway: Gateway;
before(async () => {
  gateway = await startGateway({
    hasStellar: true,
    ratesAreKept: true,
    env: { RATE_SOURCES: 'kraken,bitstamp,ecb', SWAP_SPREAD_PERCENT: '0.5', TREASURY_LIMITS: '*=0' },
  });
  await stockTreasury(gateway, usdc, 10_000_0000000n);
});
after(() => gateway.stop());

/** A minute later two sources say what a bitcoin costs, and whatever waited for that is done. */
async function market(btcUsd: string): Promise<void> {
  gateway.clock.advance({ minutes: 1 });
  const observedAt = gateway.clock.now();
  const observations = ['kraken', 'bitstamp'].flatMap((source) =>
    Object.entries({ BTC: btcUsd, LTC: '80', XLM: '0.4', USDC: '1', USDT: '1', EURC: '1.1' }).map(([code, price]) => ({
      source,
      code,
      usd: decimal(price),
      observedAt,
    })),
  );
  await saveRates(gateway.db, observations);
  await gateway.runUntilIdle();
}

async function pass(minutes: number): Promise<void> {
  gateway.clock.advance({ minutes });
  await gateway.runUntilIdle();
}

const dollarsOf = async (shop: Shop): Promise<bigint> => BigInt((await shop.balances())['available/USDC'] ?? 0);

const aShop = (): Promise<Shop> => openShop(gateway, { feePercent: '0' });

/** 120 dollars were asked for, and a thousandth of a bitcoin came: whether that is enough is the shop's to say. */
async function underpaid(shop: Shop): Promise<string> {
  await market('60000');
  const { id, address } = await shop.open('120.00 USD', 'BITCOIN', { settlementAsset: 'USDC' });
  gateway.bitcoin.pay({ address, amount: held.amount });
  gateway.bitcoin.mine(6);
  await gateway.runUntilIdle();
  await pass(61);
  assert.equal(await shop.state(id), 'UNDERPAID PARTIAL');
  return id;
}

async function swapped(): Promise<bigint> {
  const shop = await aShop();
  await holdFromEarlier(gateway, shop.merchant.merchantId, btc, held.units);
  await shop.post('/swap', { sourceAsset: btc, targetAsset: usdc, sourceAmount: held.amount });
  return dollarsOf(shop);
}

for (const { name, minutes, atMost } of [
  { name: 'while the sources speak', minutes: 0, atMost: 597_000_000n },
  { name: 'while they have been silent for four minutes', minutes: 4, atMost: 596_999_999n },
])
  test(`an accepted underpayment is credited what a swap gives, ${name}`, async () => {
    const shop = await aShop();
    const id = await underpaid(shop);
    await market('60000');
    await pass(minutes);
    await shop.post('/checkout/accept-underpayment', { checkoutId: id });
    await gateway.runUntilIdle();
    const accepted = await dollarsOf(shop);
    assert.ok(accepted > 0n && accepted <= atMost, `${accepted}`);
    assert.equal(accepted, await swapped());
  });

test('what came late is credited what a swap gives', async () => {
  const shop = await aShop();
  await market('60000');
  const { id, address, amount } = await shop.open('60.00 USD', 'BITCOIN', { settlementAsset: 'USDC' });
  await pass(61);
  assert.equal(await shop.state(id), 'EXPIRED');
  await market('60000');
  gateway.bitcoin.pay({ address, amount });
  gateway.bitcoin.mine(6);
  await gateway.runUntilIdle();
  await market('60000');
  assert.equal(await shop.state(id), 'DELAYED_COMPLETED LATE');
  const paid = decimal(amount).digits * 10n ** BigInt(8 - decimal(amount).scale);
  assert.equal((await dollarsOf(shop)) * held.units, (await swapped()) * paid);
});

test('a quote that the market has outrun is credited what a swap gives', async () => {
  const shop = await aShop();
  await market('60000');
  const { id, address, amount } = await shop.open('60.00 USD', 'BITCOIN', { settlementAsset: 'USDC' });
  gateway.bitcoin.pay({ address, amount });
  await gateway.runUntilIdle();
  await pass(10);
  await market('30000');
  gateway.bitcoin.mine(6);
  await gateway.runUntilIdle();
  await market('30000');
  assert.equal(await shop.state(id), 'COMPLETED');
  const paid = decimal(amount).digits * 10n ** BigInt(8 - decimal(amount).scale);
  assert.equal((await dollarsOf(shop)) * held.units, (await swapped()) * paid);
});
