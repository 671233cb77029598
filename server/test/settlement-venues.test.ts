/** Conversions on Stellar's ledger, with coins that the operator's bridge brought there. 1 BTC is 60,000 dollars. */
import assert from 'node:assert/strict';
import { after, before, beforeEach, test } from 'node:test';
import { Asset } from '@stellar/stellar-sdk';
import { merchantAccount } from '../src/ledger/chart-of-accounts.ts';
import { postEntries } from '../src/ledger/ledger-store.ts';
import { allowAddress } from '../src/merchants/change-settings.ts';
import { verifyBridge } from '../src/settlements/verify-bridge.ts';
import type { Gateway } from './gateway.ts';
import { balancesOf, openShop } from './shop.ts';
import { type StellarMarket, startGatewayWithMarket, token, usdc } from './stellar-market.ts';

const inDollars = { settlementAsset: 'USDC' };
const hash = /^[0-9a-f]{64}$/;

let gateway: Gateway;
let market: StellarMarket;
before(async () => {
  const venues = 'BTC/USDC:stellar-dex,treasury;XLM/USDC:stellar-dex;*:treasury';
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
  assert.equal(blockchainTransactions.at(-1).network, 'BITCOIN');
  const after = await fx();
  assert.deepEqual([change(after, before, 'BTC'), change(after, before, 'USDC')], [101_000n, -600_000_000n]);
  await assertBridgeIsLevel();
});

async function payLumens(checkout: { reply: any }): Promise<void> {
  const { address, memo, amount } = checkout.reply.depositInstructions;
  const [whole = '0', decimals = ''] = amount.split('.');
  gateway.stellar.pay(memo, { address, units: BigInt(whole + decimals.padEnd(7, '0')) });
  gateway.stellar.close();
  await gateway.runUntilIdle();
}

const lumen = Asset.native();
/** A little better than the rate of the sandbox. */
const lumenPrice = async (shop: Awaited<ReturnType<typeof openShop>>): Promise<{ n: number; d: number }> => {
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

test('a process that dies after the exchange was sent credits once', async () => {
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

test('what the merchant accepts is credited when the market has exchanged it, and cannot be refunded meanwhile', async () => {
  const shop = await openShop(gateway);
  await allowAddress(gateway, shop.merchant.merchantId, { range: '127.0.0.1' }, 'test');
  await market.sell(usdc, '1000', token('BTC'), { n: 1, d: 60_500 });
  const checkout = await shop.open('600.00 USD', 'BITCOIN', inDollars);
  gateway.bitcoin.pay({ address: checkout.address, amount: '0.005' });
  gateway.bitcoin.mine(6);
  gateway.clock.advance({ minutes: 61 });
  await market.settle();
  assert.equal(await shop.state(checkout.id), 'UNDERPAID PARTIAL');
  await shop.post('/checkout/accept-underpayment', { checkoutId: checkout.id });
  const [sentence] = await shop.refused(409, 'POST', '/refund', { checkoutId: checkout.id });
  assert.equal(sentence, 'This money is being exchanged. Please try again in a minute.');
  await market.settle();
  assert.equal(await shop.state(checkout.id), 'RESOLVED PARTIAL');
  assert.deepEqual(await shop.balances(), { 'available/USDC': '2985000000' });
  assert.deepEqual(shop.eventsOf(checkout.id), ['CHECKOUT_UNDERPAID UNDERPAID', 'UNDERPAID_ACCEPTED RESOLVED']);
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

test('settled in what was paid, the bridge brings the coins over and nothing is exchanged', async () => {
  const shop = await openShop(gateway);
  const checkout = await shop.open('60.00 USD', 'LITECOIN');
  gateway.litecoin.pay(checkout);
  gateway.litecoin.mine(6);
  await market.settle();
  const { blockchainTransactions, state } = await shop.checkout(checkout.id);
  assert.equal(state, 'COMPLETED');
  assert.deepEqual(
    blockchainTransactions.map(({ type, network }: any) => `${type} ${network}`),
    ['CHECKOUT_ORIGIN LITECOIN', 'CHECKOUT_BRIDGE STELLAR', 'CHECKOUT_SETTLEMENT LITECOIN'],
  );
  const [announced] = shop.webhooksOf(checkout.id);
  const [origin, bridge, settlement] = blockchainTransactions;
  assert.deepEqual(announced?.data.checkout.blockchainTransactions, [origin, settlement], 'the credit did not wait');
  assert.ok(bridge.timestamp > settlement.timestamp);
  assert.ok(gateway.stellar.ledger.history.transactionByHash.get(bridge.tx), 'and the coins followed');
  await assertBridgeIsLevel();
});

test('a swap on the market is done when it is in the ledger', async () => {
  const shop = await openShop(gateway);
  const checkout = await shop.open('100.00 USD', 'STELLAR');
  await payLumens(checkout);
  await market.sell(usdc, '1000', lumen, await lumenPrice(shop));
  const [held = '0'] = Object.values(await shop.balances());
  const { id, swap } = await shop.post('/swap', {
    ...{ sourceAsset: 'XLM', targetAsset: 'USDC', sourceAmount: '100', webhook: gateway.webhookUrl },
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
    ...{ sourceAsset: 'XLM', targetAsset: 'USDC', sourceAmount: '100', webhook: gateway.webhookUrl },
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
  const debt = { reference: 'debt', kind: 'settlement_reversed' as const, merchantId: null, checkoutId: null, lines };
  await gateway.db.begin((tx) => postEntries(tx, [debt], gateway.clock.now()));
  await market.settle();
  assert.deepEqual(await shop.balances(), {
    'available/XLM': String(BigInt(held) - 60_0000000n),
    'pending/XLM': '600000000',
  });
});
