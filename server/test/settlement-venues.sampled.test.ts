/** Conversions on Stellar's ledger, with coins that the operator's bridge brought there. 1 BTC is 60,000 dollars. */

import assert from 'node:assert/strict';
import { after, before, beforeEach, test } from 'node:test';
import { Asset } from '@stellar/stellar-sdk';
import { verifyBridge } from '../src/bridge/verify-bridge.ts';
import { merchantAccount } from '../src/ledger/chart-of-accounts.ts';
import { postEntries } from '../src/ledger/ledger-store.ts';
import { addMs } from '../src/lib/clock.ts';
import { allowAddress } from '../src/merchants/change-settings.ts';
import { formatUnits } from '../src/money/amount.ts';
import { decimal } from '../src/money/decimal.ts';
import { saveRates } from '../src/pricing/rate-store.ts';
import { returnUnmatched } from '../src/watching/return-unmatched.ts';
import { listUnmatched } from '../src/watching/unmatched-store.ts';
import { deepTest } from './depth.ts';
import { sendAll, watchAll, workAll } from './die-everywhere.ts';
import { aCharge, type Gateway, testIssuer } from './gateway.ts';
import { returnDeps } from './return-deps.ts';
import { balancesOf, openShop, type Shop } from './shop.ts';
import { maker, type StellarMarket, startGatewayWithMarket, token, usdc } from './stellar-market.ts';
import { stockTreasury } from './stock-treasury.ts';
import { madeUp } from './subject-problems.ts';
import { openSender } from './transfer-story.ts';
import { withoutStellar } from './without-stellar.ts';

const inDollars = { settlementAsset: 'USDC' };
const hash = /^[0-9a-f]{64}$/;
const usdcId = `USDC:${testIssuer}`;

let gateway: Gateway;
let market: StellarMarket;
before(async () => {
  const onMarket = 'BTC/USDC:stellar-dex,treasury;XLM/USDC:stellar-dex;LTC/USDC:stellar-dex';
  const venues = `${onMarket};BTC/EUR:treasury;*/EUR:stellar-dex;*/BRL:stellar-dex;*:treasury`;
  ({ gateway, market } = await startGatewayWithMarket({ env: { VENUES: venues } }));
});
beforeEach(() => market.close());
after(() => gateway.stop());

const fx = () => balancesOf(gateway, 'operator/fx/');
const change = (after: Record<string, string>, before: Record<string, string>, code: string): bigint =>
  BigInt(after[code] ?? 0) - BigInt(before[code] ?? 0);

async function assertBridgeIsLevel(): Promise<void> {
  await gateway.count();
  const proofs = await verifyBridge(gateway.db, gateway.clock.now());
  assert.deepEqual(
    proofs.flatMap(({ problems }) => problems),
    [],
  );
  const counted = proofs.filter(({ coinUnits }) => coinUnits !== null);
  assert.ok(counted.length > 0);
  for (const { tokenUnits, issuedUnits, coinUnits, heldUnits } of counted)
    assert.deepEqual([tokenUnits, coinUnits, heldUnits], [issuedUnits, issuedUnits, issuedUnits]);
}

test('paid in bitcoin, credited in dollars that the market gave for tokens of the bridge', async () => {
  const shop = await openShop(gateway);
  const before = await fx();
  await market.sell(usdc, '1000', token('BTC'), { n: 1, d: 60_500 });
  const checkout = await shop.open('600.00 USD', 'BITCOIN', inDollars);
  gateway.bitcoin.pay(checkout);
  gateway.bitcoin.mine(6);
  await gateway.runUntilIdle();
  assert.equal(await shop.state(checkout.id), 'PROCESSING', 'the tokens are on their way');
  assert.deepEqual(await shop.balances(), { 'pending/BTC': '1010000' });
  await market.settle();
  assert.equal(await shop.state(checkout.id), 'COMPLETED');
  assert.deepEqual(await shop.balances(), { 'available/USDC': '5970000000' });
  const { blockchainTransactions } = await shop.checkout(checkout.id);
  assert.deepEqual(
    blockchainTransactions.map(({ type, network, amount, amountAssetCode }: any) =>
      [type, network, amount, amountAssetCode].join(' '),
    ),
    [
      'CHECKOUT_ORIGIN BITCOIN 0.0101 BTC',
      'CHECKOUT_BRIDGE STELLAR 0.0101 BTC',
      'CHECKOUT_SETTLEMENT STELLAR 597 USDC',
    ],
  );
  for (const { tx } of blockchainTransactions) assert.match(tx, hash);
  const [announced] = shop.webhooksOf(checkout.id);
  assert.deepEqual(announced?.data.checkout.blockchainTransactions, blockchainTransactions);
  for (const { tx } of blockchainTransactions.slice(1))
    assert.ok(gateway.stellar.ledger.history.transactionByHash.get(tx), `${tx} is in the ledger`);
  assert.deepEqual(shop.eventsOf(checkout.id), ['CHECKOUT_COMPLETED COMPLETED']);
  const after = await fx();
  assert.equal(change(after, before, 'BTC'), 0n, 'all of it was sold');
  assert.equal(change(after, before, 'USDC'), 11_0500000n, '611.05 were given, 600 are credited');
  await assertBridgeIsLevel();
});

test('a market that is worse than its limit is passed over for the treasury', async () => {
  const shop = await openShop(gateway);
  const before = await fx();
  await market.sell(usdc, '1000', token('BTC'), { n: 1, d: 55_000 });
  const checkout = await shop.open('60.00 USD', 'BITCOIN', inDollars);
  gateway.bitcoin.pay(checkout);
  gateway.bitcoin.mine(6);
  await market.settle();
  assert.equal(await shop.state(checkout.id), 'COMPLETED');
  assert.deepEqual(await shop.balances(), { 'available/USDC': '597000000' });
  const { blockchainTransactions } = await shop.checkout(checkout.id);
  assert.equal(blockchainTransactions.at(-1).tx, `settlement:${checkout.id}:1`);
  assert.equal(blockchainTransactions.at(-1).network, 'STELLAR', 'where dollars live');
  const after = await fx();
  assert.deepEqual([change(after, before, 'BTC'), change(after, before, 'USDC')], [101_000n, -600_000_000n]);
  await assertBridgeIsLevel();
});

function lumensOf(checkout: { reply: any }): bigint {
  const [whole = '0', decimals = ''] = checkout.reply.depositInstructions.amount.split('.');
  return BigInt(whole + decimals.padEnd(7, '0'));
}

async function payLumens(checkout: { reply: any }, units = lumensOf(checkout)): Promise<void> {
  const { address, memo } = checkout.reply.depositInstructions;
  gateway.stellar.pay(memo, { address, units });
  gateway.stellar.close();
  await gateway.runUntilIdle();
}

const lumen = Asset.native();
/** A little better than the rate of the sandbox. */
const lumenPrice = async (shop: Shop): Promise<{ n: number; d: number }> => {
  const { quote } = await shop.get('/swap/quote?sourceAsset=USDC&targetAsset=XLM&sourceAmount=1000');
  const [whole, places = ''] = quote.rate.split('.');
  return { n: Math.trunc(Number(`${whole}.${places.slice(0, 4)}`) * 990), d: 1000 };
};

test('without a fallback the checkout waits for the market, and says so', async () => {
  const shop = await openShop(gateway);
  const checkout = await shop.open('20.00 USD', 'STELLAR', inDollars);
  await payLumens(checkout);
  await market.settle();
  assert.equal(await shop.state(checkout.id), 'PROCESSING NO_MARKET');
  assert.deepEqual(Object.keys(await shop.balances()), ['pending/XLM']);
  assert.deepEqual(shop.eventsOf(checkout.id), []);
  gateway.clock.advance({ minutes: 2 });
  await market.settle();
  assert.equal(await shop.state(checkout.id), 'PROCESSING NO_MARKET');
  assert.equal((await shop.timeline(checkout.id)).filter((what) => what === 'no_market').length, 1, 'said once');

  await market.sell(usdc, '1000', lumen, await lumenPrice(shop));
  gateway.clock.advance({ minutes: 2 });
  await market.settle();
  assert.equal(await shop.state(checkout.id), 'COMPLETED');
  assert.deepEqual(await shop.balances(), { 'available/USDC': '199000000' });
  const { blockchainTransactions } = await shop.checkout(checkout.id);
  assert.deepEqual(
    blockchainTransactions.map(({ type, network }: any) => `${type} ${network}`),
    ['CHECKOUT_ORIGIN STELLAR', 'CHECKOUT_SETTLEMENT STELLAR'],
  );
  assert.match(blockchainTransactions[1].tx, hash);
});

test('what no venue can exchange is not offered, and the merchant is told why', async () => {
  const shop = await openShop(gateway);
  const { paymentMethods } = await shop.post('/checkout', aCharge('60.00 USD', { settlementAsset: 'EUR' }));
  assert.deepEqual(
    paymentMethods.map(({ network, assetCode }: any) => `${assetCode} on ${network}`),
    ['BTC on BITCOIN'],
  );
  const reasons = await shop.refused(422, 'POST', '/checkout', aCharge('60.00 USD', { settlementAsset: 'BRL' }));
  assert.match(reasons.join(' '), /Bitcoin on Bitcoin: it cannot be exchanged for BRL\./, 'no reals are on Stellar');
});

deepTest('a process that dies after the exchange was sent credits once', async () => {
  const shop = await openShop(gateway);
  await market.sell(usdc, '1000', lumen, await lumenPrice(shop));
  const before = await fx();
  const checkout = await shop.open('20.00 USD', 'STELLAR', inDollars);
  await payLumens(checkout);
  await gateway.restart(async () => gateway.stellar.close());
  await market.settle();
  assert.equal(await shop.state(checkout.id), 'COMPLETED');
  assert.deepEqual(await shop.balances(), { 'available/USDC': '199000000' });
  const [orders] = await gateway.db<{ count: string }>`
    select count(*) from venue_order where owner_id = ${checkout.id}`;
  assert.equal(orders?.count, '1');
  const after = await fx();
  assert.ok(change(after, before, 'USDC') > 0n);
  assert.equal(change(after, before, 'XLM'), 0n);
});

test('a late payment is credited at the rate of its arrival, whatever the market gave', async () => {
  const shop = await openShop(gateway);
  await market.sell(usdc, '1000', lumen, await lumenPrice(shop));
  const checkout = await shop.open('20.00 USD', 'STELLAR', inDollars);
  gateway.clock.advance({ minutes: 61 });
  await gateway.app.pollRates();
  await payLumens(checkout);
  await market.settle();
  assert.equal(await shop.state(checkout.id), 'DELAYED_COMPLETED LATE');
  const { settlementAmountReceived } = await shop.checkout(checkout.id);
  assert.match(settlementAmountReceived, /^20\.(19|2)/, 'with the buffer that the customer paid');
});

/** A shop that may refund, whose customer paid half of the price in bitcoin; the market would buy it. */
async function halfPaid() {
  const shop = await refunder();
  await market.sell(usdc, '1000', token('BTC'), { n: 1, d: 60_500 });
  const checkout = await shop.open('600.00 USD', 'BITCOIN', inDollars);
  gateway.bitcoin.pay({ address: checkout.address, amount: '0.005' });
  gateway.bitcoin.mine(6);
  gateway.clock.advance({ minutes: 61 });
  await market.settle();
  assert.equal(await shop.state(checkout.id), 'UNDERPAID PARTIAL');
  return { shop, checkout };
}

async function refunder(): Promise<Shop> {
  const shop = await openShop(gateway);
  await allowAddress(gateway, shop.merchant.merchantId, { range: '127.0.0.1' }, 'operator');
  return shop;
}

test('what the merchant accepts is credited when the market has exchanged it, and cannot be refunded meanwhile', async () => {
  const { shop, checkout } = await halfPaid();
  await shop.post('/checkout/accept-underpayment', { checkoutId: checkout.id });
  const [sentence] = await shop.refused(409, 'POST', '/refund', { checkoutId: checkout.id });
  assert.equal(sentence, 'This money is being exchanged. Please try again in a minute.');
  await market.settle();
  assert.equal(await shop.state(checkout.id), 'RESOLVED PARTIAL');
  assert.deepEqual(await shop.balances(), { 'available/USDC': '2985000000' });
  assert.deepEqual(shop.eventsOf(checkout.id), ['CHECKOUT_UNDERPAID UNDERPAID', 'UNDERPAID_ACCEPTED RESOLVED']);
});

deepTest('what the market has sold cannot be given back while the rest of the price is on its way', async () => {
  const { shop, checkout } = await halfPaid();
  await shop.post('/checkout/accept-underpayment', { checkoutId: checkout.id });
  await gateway.runUntilIdle();
  gateway.bitcoin.pay({ address: checkout.address, amount: '0.0051' }); // Seen, in no block.
  await market.settle();
  assert.match(await shop.state(checkout.id), /^PROCESSING/);
  const [{ sold } = { sold: '' }] = await gateway.db<{ sold: string }>`
    select count(*) as sold from venue_order where owner_id = ${checkout.id} and state = 'DONE'`;
  assert.equal(sold, '1');
  await shop.refused(409, 'POST', '/refund', { checkoutId: checkout.id });
  gateway.bitcoin.mine(6);
  await market.settle();
  assert.match(await shop.state(checkout.id), /^DELAYED_COMPLETED/);
});

deepTest('giving back what came in another asset does not undo an acceptance', async () => {
  const shop = await refunder();
  const checkout = await shop.open('20.00 USD', 'STELLAR', inDollars);
  await payLumens(checkout, lumensOf(checkout) / 2n);
  const { address, memo } = checkout.reply.depositInstructions;
  market.pay(usdc, '3', { address, memo });
  gateway.clock.advance({ minutes: 61 });
  await gateway.app.pollRates();
  await market.settle();
  await shop.post('/checkout/accept-underpayment', { checkoutId: checkout.id });
  await shop.post('/refund', { checkoutId: checkout.id, asset: 'USDC', address: maker });
  await market.settle();
  await market.sell(usdc, '1000', lumen, await lumenPrice(shop));
  gateway.clock.advance({ minutes: 2 });
  await market.settle();
  assert.match(await shop.state(checkout.id), /^RESOLVED/);
});

test('what nobody exchanges can be given back once the customer is not paying any more', async () => {
  const shop = await openSender(gateway, '0');
  const checkout = await shop.open('20.00 USD', 'STELLAR', inDollars);
  await payLumens(checkout);
  await market.settle();
  const refund = { checkoutId: checkout.id, address: maker };
  const nothing = ['This checkout is PROCESSING and has nothing to refund.'];
  assert.deepEqual(await shop.refused(409, 'POST', '/refund', refund), nothing);
  gateway.clock.advance({ minutes: 61 });
  await gateway.app.pollRates();
  await gateway.runUntilIdle();
  assert.equal(await shop.state(checkout.id), 'PROCESSING NO_MARKET');

  const { refund: made } = await shop.post('/refund', refund);
  assert.deepEqual([made.context, made.amount], ['UNDERPAID_CHECKOUT', checkout.reply.depositInstructions.amount]);
  assert.deepEqual(await shop.balances(), { 'reserved/XLM': String(lumensOf(checkout)) });
  await market.sell(usdc, '1000', lumen, await lumenPrice(shop)); // Too late.
  await market.settle();
  assert.equal(await shop.state(checkout.id), 'REFUNDED PARTIAL');
  assert.deepEqual(await shop.balances(), {});
});

deepTest('a late payment keeps the rate of its arrival while it waits for the market', async () => {
  const shop = await openShop(gateway);
  const checkout = await shop.open('20.00 USD', 'STELLAR', inDollars);
  gateway.clock.advance({ minutes: 61 });
  await gateway.app.pollRates();
  const { n, d } = await lumenPrice(shop);
  await payLumens(checkout);
  await market.settle();
  assert.equal(await shop.state(checkout.id), 'PROCESSING LATE NO_MARKET');
  const halved = { source: 'fixed', code: 'XLM', usd: decimal('0.05'), observedAt: gateway.clock.now() };
  await saveRates(gateway.db, [halved]);
  await gateway.app.refresh();
  await market.sell(usdc, '1000', lumen, { n: 2 * n, d });
  gateway.clock.advance({ minutes: 2 });
  await market.settle();
  assert.equal(await shop.state(checkout.id), 'DELAYED_COMPLETED LATE');
  const { settlementAmountReceived } = await shop.checkout(checkout.id);
  assert.match(settlementAmountReceived, /^20\.(19|2)/);
  await gateway.app.pollRates();
});

test('a part that the market sold does not pass for the whole: the rest is sold too, and both are in the record', async () => {
  const shop = await openShop(gateway, { underpaidAcceptPercent: '10' });
  await market.sell(usdc, '1000', lumen, await lumenPrice(shop));
  const before = await fx();
  const checkout = await shop.open('20.00 USD', 'STELLAR', inDollars);
  const fifth = lumensOf(checkout) / 5n;
  await payLumens(checkout, fifth);
  gateway.clock.advance({ minutes: 61 });
  await gateway.app.pollRates();
  await gateway.runUntilIdle();
  assert.equal(await shop.state(checkout.id), 'UNDERPAID PARTIAL', 'accepted, and on the market');
  await payLumens(checkout, lumensOf(checkout) - fifth);
  await market.settle();
  assert.equal(await shop.state(checkout.id), 'DELAYED_COMPLETED LATE');
  const orders = await gateway.db<{ source_units: string; tx_hash: string }>`
    select source_units, tx_hash from venue_order where owner_id = ${checkout.id} order by attempt`;
  assert.deepEqual(
    orders.map(({ source_units }) => BigInt(source_units)),
    [fifth, lumensOf(checkout) - fifth],
  );
  assert.equal(change(await fx(), before, 'XLM'), 0n, 'all of it was sold');
  const { blockchainTransactions } = await shop.checkout(checkout.id);
  assert.deepEqual(
    blockchainTransactions.filter(({ type }: any) => type === 'CHECKOUT_SETTLEMENT').map(({ tx }: any) => tx),
    orders.map(({ tx_hash }) => tx_hash),
  );
});

test('coins that vanish are burned, and an exchange that happened is used when they are back', async () => {
  const shop = await openShop(gateway);
  await market.sell(usdc, '1000', token('BTC'), { n: 1, d: 60_000 });
  const checkout = await shop.open('60.00 USD', 'BITCOIN', inDollars);
  gateway.bitcoin.pay(checkout);
  gateway.bitcoin.mine(1);
  await market.settle();
  assert.equal(await shop.state(checkout.id), 'COMPLETED');
  gateway.bitcoin.chain.reorganise(1);
  await market.settle();
  assert.equal(await shop.state(checkout.id), 'PROCESSING REORGED');
  gateway.bitcoin.mine(1);
  await market.settle();
  assert.equal(await shop.state(checkout.id), 'COMPLETED REORGED');
  assert.deepEqual(await shop.balances(), { 'available/USDC': '597000000' });
  const [orders] = await gateway.db<{ count: string }>`
    select count(*) from venue_order where owner_id = ${checkout.id}`;
  assert.equal(orders?.count, '1');
  await assertBridgeIsLevel();
});

deepTest(
  'tokens that turn out to be sold are not waited for when their coins vanish, so that others are issued',
  async () => {
    const shop = await openShop(gateway);
    await market.sell(usdc, '20000', token('LTC'), { n: 1, d: 80 });
    const pay = async () => {
      const checkout = await shop.open('2400.00 USD', 'LITECOIN', inDollars);
      gateway.litecoin.pay(checkout);
      gateway.litecoin.mine(6);
      return checkout;
    };
    const checkout = await pay();
    for (const _ of ['issued', 'sold']) {
      await gateway.runUntilIdle();
      gateway.stellar.close();
    }
    gateway.litecoin.chain.reorganise(6);
    await watchAll(gateway.app);
    // That they are sold is booked a little later: a job may have to be tried again.
    const later = addMs(gateway.clock.now(), 1_000);
    await gateway.db`update job set run_at = ${later} where name = 'settlement.advance'`;
    await workAll(gateway.app);
    await sendAll(gateway.app);
    gateway.clock.advance({ seconds: 1 });
    gateway.litecoin.mine(6);
    await market.settle();
    assert.equal(await shop.state(checkout.id), 'COMPLETED');

    const next = await pay();
    await gateway.runUntilIdle();
    gateway.clock.advance({ minutes: 1 }); // Whatever comes to nothing is tried again after a minute.
    await market.settle();
    assert.equal(await shop.state(next.id), 'COMPLETED');
    await assertBridgeIsLevel();
  },
);

deepTest('coins that came while more of them left have tokens already: they are sold', async () => {
  const shop = await openSender(gateway, '0');
  gateway.litecoin.pay(await shop.open('600.00 USD', 'LITECOIN'));
  gateway.litecoin.mine(6);
  await market.settle();
  gateway.litecoin.pay(await shop.open('60.00 USD', 'LITECOIN'));
  gateway.litecoin.mine(6);
  await gateway.runUntilIdle(); // Its tokens are being issued: until that is done nothing else is.
  const checkout = await shop.open('60.00 USD', 'LITECOIN', inDollars);
  gateway.litecoin.pay(checkout);
  gateway.litecoin.mine(6);
  await gateway.runUntilIdle();
  const elsewhere = 'rltc1qw508d6qejxtdg4y5r3zarvary0c5xw7k693xs3';
  await shop.send({ network: 'LITECOIN', asset: 'LTC', amount: '5', address: elsewhere });
  await gateway.runUntilIdle();
  gateway.litecoin.mine(6);
  await gateway.runUntilIdle();
  assert.equal(await shop.state(checkout.id), 'PROCESSING');
  await market.sell(usdc, '1000', token('LTC'), { n: 1, d: 80 });
  await market.settle();
  assert.equal(await shop.state(checkout.id), 'COMPLETED');
  const { blockchainTransactions } = await shop.checkout(checkout.id);
  assert.deepEqual(
    blockchainTransactions.map(({ type, network }: any) => `${type} ${network}`),
    ['CHECKOUT_ORIGIN LITECOIN', 'CHECKOUT_SETTLEMENT STELLAR'],
    'nothing was issued for it',
  );
  await assertBridgeIsLevel();
});

test('settled in what was paid, the bridge brings the coins over and nothing is exchanged', async () => {
  const shop = await openShop(gateway);
  const checkout = await shop.open('60.00 USD', 'LITECOIN');
  gateway.litecoin.pay(checkout);
  gateway.litecoin.mine(6);
  await gateway.runUntilIdle();
  assert.equal(await shop.state(checkout.id), 'PROCESSING', 'the credit waits for the bridge');
  await market.settle();
  const { blockchainTransactions, state } = await shop.checkout(checkout.id);
  assert.equal(state, 'COMPLETED');
  assert.deepEqual(
    blockchainTransactions.map(({ type, network }: any) => `${type} ${network}`),
    ['CHECKOUT_ORIGIN LITECOIN', 'CHECKOUT_BRIDGE STELLAR', 'CHECKOUT_SETTLEMENT STELLAR'],
  );
  const [announced] = shop.webhooksOf(checkout.id);
  assert.deepEqual(announced?.data.checkout.blockchainTransactions, blockchainTransactions);
  const bridge = blockchainTransactions[1];
  assert.ok(gateway.stellar.ledger.history.transactionByHash.get(bridge.tx), 'the coins are there');
  await assertBridgeIsLevel();
});

test('a swap on the market is done when it is in the ledger', async () => {
  const shop = await openShop(gateway);
  const checkout = await shop.open('100.00 USD', 'STELLAR');
  await payLumens(checkout);
  await market.sell(usdc, '1000', lumen, await lumenPrice(shop));
  const [held = '0'] = Object.values(await shop.balances());
  const { id, swap } = await shop.post('/swap', {
    sourceAsset: 'XLM',
    targetAsset: 'USDC',
    sourceAmount: '100',
    webhook: gateway.webhookUrl,
  });
  assert.deepEqual([swap.state, swap.venue, swap.tx], ['PROCESSING', 'stellar-dex', null]);
  assert.deepEqual(await shop.balances(), {
    'available/XLM': String(BigInt(held) - 100_0000000n),
    'reserved/XLM': '1000000000',
  });
  await market.settle();
  const { swap: done } = await shop.get(`/swap?id=${id}`);
  assert.equal(done.state, 'COMPLETED');
  assert.match(done.tx, hash);
  assert.equal((await shop.balances())['reserved/XLM'], undefined);
  assert.ok(Number(done.targetAmount) > Number(swap.targetAmount), 'the market gave more than the rate');
  assert.deepEqual(shop.eventsOf(id), ['SWAP_COMPLETED COMPLETED']);
});

test('a swap that the market does not take fails, and nothing is gone', async () => {
  const shop = await openShop(gateway);
  await payLumens(await shop.open('100.00 USD', 'STELLAR'));
  const before = await shop.balances();
  const { id } = await shop.post('/swap', {
    sourceAsset: 'XLM',
    targetAsset: 'USDC',
    sourceAmount: '100',
    webhook: gateway.webhookUrl,
  });
  await market.settle();
  const { swap } = await shop.get(`/swap?id=${id}`);
  assert.equal(swap.state, 'FAILED');
  assert.match(swap.failure, /^The market gives 0 USDC for 100 XLM, but [\d.]+ are the least\.$/);
  assert.deepEqual(await shop.balances(), before);
  assert.deepEqual(shop.eventsOf(id), ['SWAP_FAILED FAILED']);
});

test('a debt that came up while a swap was on the market is repaid first when it fails', async () => {
  const shop = await openShop(gateway);
  await payLumens(await shop.open('100.00 USD', 'STELLAR'));
  const { 'available/XLM': held = '0' } = await shop.balances();
  await shop.post('/swap', { sourceAsset: 'XLM', targetAsset: 'USDC', sourceAmount: '100' });
  const account = (purpose: 'receivable' | 'pending') =>
    merchantAccount(shop.merchant.merchantId, purpose, 'XLM:NATIVE');
  const lines = [
    { account: account('receivable'), units: -60_0000000n },
    { account: account('pending'), units: 60_0000000n },
  ];
  const subject = { kind: 'checkout', id: madeUp('reversed') } as const;
  const debt = { reference: 'debt', kind: 'settlement_reversed', merchantId: null, subject, lines } as const;
  await gateway.db.begin((tx) => postEntries(tx, [debt], gateway.clock.now()));
  await market.settle();
  assert.deepEqual(await shop.balances(), {
    'available/XLM': String(BigInt(held) - 60_0000000n),
    'pending/XLM': '600000000',
  });
});

/** A shop with 0.00995 BTC. */
async function bitcoinShop(): Promise<Shop> {
  const shop = await openShop(gateway);
  const checkout = await shop.open('600.00 USD', 'BITCOIN');
  gateway.bitcoin.pay(checkout);
  gateway.bitcoin.mine(6);
  await market.settle();
  return shop;
}

async function waitMinutes(minutes: number): Promise<void> {
  for (let passed = 0; passed < minutes; passed += 1) {
    gateway.clock.advance({ minutes: 1 });
    await gateway.app.pollRates();
    await gateway.runUntilIdle();
  }
}

const bitcoinForDollars = { sourceAsset: 'BTC', targetAsset: 'USDC' };

deepTest(
  'while Stellar is away a swap is done by the treasury, after ten minutes, and where there is none it fails',
  async () => {
    await stockTreasury(gateway, usdcId, 1_000_0000000n);
    const shop = await bitcoinShop();
    await payLumens(await shop.open('100.00 USD', 'STELLAR'));
    const before = await shop.balances();
    const swapOf = async (id: string) => (await shop.get(`/swap?id=${id}`)).swap;
    await withoutStellar(gateway, async () => {
      const { quote } = await shop.get('/swap/quote?sourceAsset=BTC&targetAsset=USDC&sourceAmount=0.002');
      const ids: string[] = [];
      for (const wish of [
        { quoteId: quote.id },
        { ...bitcoinForDollars, sourceAmount: '0.001' },
        { sourceAsset: 'XLM', targetAsset: 'USDC', sourceAmount: '100' },
      ])
        ids.push((await shop.post('/swap', { ...wish, webhook: gateway.webhookUrl })).id);
      const [fixed = '', free = '', alone = ''] = ids;
      await waitMinutes(9);
      for (const id of ids) assert.equal((await swapOf(id)).state, 'PROCESSING');
      await waitMinutes(2);
      for (const [id, amount] of [
        [fixed, '119.4'],
        [free, '59.7'],
      ] as const) {
        const { state, venue, targetAmount, tx, rate } = await swapOf(id);
        assert.deepEqual([state, venue, targetAmount, tx, rate], ['COMPLETED', 'treasury', amount, null, '60000']);
        assert.deepEqual(shop.eventsOf(id), ['SWAP_COMPLETED COMPLETED']);
      }
      const { state, failure } = await swapOf(alone);
      assert.deepEqual([state, failure], ['FAILED', 'Stellar did not carry it out in time.']);
      assert.deepEqual(shop.eventsOf(alone), ['SWAP_FAILED FAILED']);
      assert.deepEqual(await shop.balances(), {
        'available/BTC': '695000',
        'available/USDC': '1791000000',
        'available/XLM': before['available/XLM'],
      });
    });
    await market.sell(usdc, '1000', token('BTC'), { n: 1, d: 60_500 });
    await market.finish();
    const orders =
      await gateway.db`select from venue_order where state = 'DONE' and merchant_id = ${shop.merchant.merchantId}`;
    assert.deepEqual(orders, [], 'nothing is exchanged when it is back');
  },
);

deepTest('a price is not given when Stellar was away and the price has fallen', async () => {
  const bitcoinIs = async (usd: string): Promise<void> => {
    const observedAt = gateway.clock.now();
    await saveRates(gateway.db, [{ source: 'fixed', code: 'BTC', usd: decimal(usd), observedAt }]);
    await gateway.app.refresh();
  };
  await stockTreasury(gateway, usdcId, 1_000_0000000n);
  const shop = await bitcoinShop();
  const before = await shop.balances();
  await withoutStellar(gateway, async () => {
    const { quote } = await shop.get('/swap/quote?sourceAsset=BTC&targetAsset=USDC&sourceAmount=0.001');
    const fixed = (await shop.post('/swap', { quoteId: quote.id })).id;
    const free = (await shop.post('/swap', { ...bitcoinForDollars, sourceAmount: '0.002' })).id;
    const wide = (await shop.post('/swap', { ...bitcoinForDollars, sourceAmount: '0.003', maxSlippagePercent: '2' }))
      .id;
    await waitMinutes(9);
    gateway.clock.advance({ minutes: 1 });
    await bitcoinIs('59100');
    await gateway.runUntilIdle();
    const swaps = [];
    for (const id of [fixed, free, wide]) swaps.push((await shop.get(`/swap?id=${id}`)).swap);
    assert.deepEqual(
      swaps.map(({ state, failure, targetAmount, rate }: any) => [state, failure ?? targetAmount, rate]),
      [
        ['FAILED', 'By now 0.001 BTC is worth 59.1 USDC, but 60 is the least.', '60000'],
        ['FAILED', 'By now 0.002 BTC is worth 118.2 USDC, but 118.8 is the least.', '60000'],
        ['COMPLETED', '176.4135', '59100'],
      ],
    );
    assert.deepEqual(await shop.balances(), { ...before, 'available/BTC': '695000', 'available/USDC': '1764135000' });
  });
  await gateway.app.pollRates();
  await market.finish();
});

deepTest('a swap that was signed is waited for, because it may have happened', async () => {
  const shop = await bitcoinShop();
  await market.sell(usdc, '1000', token('BTC'), { n: 1, d: 60_500 });
  const { id } = await shop.post('/swap', { ...bitcoinForDollars, sourceAmount: '0.001' });
  await gateway.runUntilIdle();
  await withoutStellar(gateway, async () => {
    gateway.stellar.close(); // It is exchanged, and nobody tells us.
    await waitMinutes(12);
    assert.equal((await shop.get(`/swap?id=${id}`)).swap.state, 'PROCESSING');
  });
  await market.settle();
  const { state, venue, targetAmount, fee, rate } = (await shop.get(`/swap?id=${id}`)).swap;
  assert.deepEqual([state, venue, targetAmount, fee], ['COMPLETED', 'stellar-dex', '60.1975', '0.3025']);
  assert.equal(rate, '60500', 'the rate is what was given');
});

deepTest('what a market gave for a swap is credited, also when there are no rates any more', async () => {
  const env = { VENUES: '*:stellar-dex', RATE_SOURCES: 'kraken,bitstamp' };
  const { gateway: own, market: traders } = await startGatewayWithMarket({ ratesAreKept: true, env });
  try {
    const usd = { BTC: '60000', USDC: '1' };
    const observedAt = own.clock.now();
    const told = Object.entries(usd).flatMap(([code, price]) =>
      ['kraken', 'bitstamp'].map((source) => ({ source, code, usd: decimal(price), observedAt })),
    );
    await saveRates(own.db, told);
    await own.runUntilIdle();
    const shop = await openSender(own, '0.01', { feeMinimumUsd: '0.25' });
    await traders.settle();
    await traders.sell(usdc, '1000', token('BTC'), { n: 1, d: 60_500 });
    const ids: string[] = [];
    for (const sourceAmount of ['0.001', '0.0001'])
      ids.push((await shop.post('/swap', { ...bitcoinForDollars, sourceAmount })).id);
    await own.runUntilIdle(); // They are signed,
    own.stellar.close(); // and carried out,
    own.clock.advance({ hours: 1 }); // and then nobody says for a while what anything is worth.
    await own.runUntilIdle();
    await shop.refused(503, 'GET', '/swap/quote?sourceAsset=BTC&targetAsset=USDC&sourceAmount=0.001');
    const swaps = [];
    for (const id of ids) swaps.push((await shop.get(`/swap?id=${id}`)).swap);
    assert.deepEqual(
      swaps.map(({ state, targetAmount, fee }: any) => [state, targetAmount, fee]),
      [
        ['COMPLETED', '60.1975', '0.3025'],
        ['COMPLETED', '5.8', '0.25'],
      ],
    );
  } finally {
    await own.stop();
  }
});

test('the treasury sells what is its own to the last unit, but not what networks have taken from it', async () => {
  const shop = await bitcoinShop();
  await gateway.restart(undefined, { TREASURY_LIMITS: '*=0' });
  const own = async () => {
    const units = await balancesOf(gateway, 'operator/');
    assert.ok(BigInt(units['costs/XLM'] ?? 0) < 0n, 'fees were paid');
    return ['equity', 'fees', 'costs', 'fx'].reduce((sum, purpose) => sum + BigInt(units[`${purpose}/XLM`] ?? 0), 0n);
  };
  const most = await own();
  const wish = { sourceAsset: 'BTC', targetAsset: 'XLM' };
  const targetAmount = formatUnits((most * 995n) / 1000n, 7); // What is left after the fee of half a percent.
  assert.deepEqual(await shop.refused(503, 'POST', '/swap', { ...wish, targetAmount: formatUnits(most, 7) }), [
    `The service can give at most ${formatUnits(most, 7)} XLM from its stock at the moment.`,
  ]);
  await shop.post('/swap', { ...wish, targetAmount });
  const left = await own();
  assert.ok(left >= 0n && left <= most - (most * 995n) / 1000n, 'the fee is its own again');
  await gateway.restart();
});

deepTest('tokens of the bridge that somebody pays with wait in suspense, and go back as they came', async () => {
  const shop = await refunder();
  await market.sell(usdc, '1000', token('BTC'), { n: 1, d: 60_500 });
  const sold = await shop.open('60.00 USD', 'BITCOIN', inDollars);
  gateway.bitcoin.pay(sold);
  gateway.bitcoin.mine(6);
  await market.settle();
  const held = market.held(token('BTC'));
  const { id, reply } = await shop.open('60.00 USD', 'STELLAR');
  await shop.commit(id, 'BITCOIN', 'BTC');
  const { address, memo } = reply.depositInstructions;
  market.pay(token('BTC'), '0.0003', { address, memo });
  market.pay(token('BTC'), '0.0002', { address, memo: null });
  const { depositInstructions } = await shop.post('/deposit-address', { network: 'STELLAR', asset: 'XLM' });
  market.pay(token('BTC'), '0.0001', depositInstructions);
  await market.settle();
  assert.equal(await shop.state(id), 'PENDING WRONG_ASSET', 'they are no payment on Bitcoin');
  const credited = { 'available/BTC': '9950', 'available/USDC': '597000000' };
  assert.deepEqual(await shop.balances(), { ...credited, 'suspense/BTC': '30000' });
  const unmatched = (await listUnmatched(gateway.db)).filter(({ asset }) => asset.startsWith('BTC:'));
  assert.deepEqual(
    unmatched.map(({ units, sender }) => [units, sender]),
    [[20_000n, maker]],
  );
  await assertBridgeIsLevel();

  const { refund } = await shop.post('/refund', { checkoutId: id, address: maker });
  assert.deepEqual([refund.assetCode, refund.network], ['BTC', 'STELLAR']);
  const unmatchedId = unmatched[0]?.id ?? '';
  const tooFine = returnUnmatched(returnDeps(gateway), unmatchedId, { destination: null, feeUnits: 3n });
  await assert.rejects(tooFine, /Stellar carries BTC with 7 decimals, not more\.$/);
  await returnUnmatched(returnDeps(gateway), unmatchedId, { destination: null, feeUnits: 0n });
  await market.finish();
  assert.equal((await shop.get(`/refund?id=${refund.id}`)).refund.state, 'COMPLETED');
  assert.deepEqual(await shop.balances(), credited);
  assert.equal((await balancesOf(gateway, 'operator/'))['suspense/BTC'], undefined);
  assert.ok(held - 1000n - market.held(token('BTC')) < 100n, 'all of it, but for the fee of the refund');
  await assertBridgeIsLevel();
});

test('a swap takes nothing to the market that is not on Stellar', async () => {
  const shop = await openShop(gateway);
  const checkout = await shop.open('600000.00 USD', 'BITCOIN', { settlementAsset: 'XLM' });
  gateway.bitcoin.pay(checkout);
  gateway.bitcoin.mine(6);
  await market.settle();
  await market.sell(usdc, '1000', Asset.native(), { n: 10, d: 1 });
  const before = await shop.balances();
  const wish = { sourceAsset: 'XLM', targetAsset: 'USDC' };
  const [refusal] = await shop.refused(503, 'POST', '/swap', { ...wish, sourceAmount: '1000000' });
  assert.match(refusal ?? '', /^So much cannot be sent on Stellar at the moment: the most is \d+(\.\d+)? XLM\.$/);
  assert.deepEqual(await shop.balances(), before);
  const { id } = await shop.post('/swap', { ...wish, sourceAmount: '10', maxSlippagePercent: '50' });
  await market.settle();
  assert.equal((await shop.get(`/swap?id=${id}`)).swap.state, 'COMPLETED', 'and nobody waits for it');
});
