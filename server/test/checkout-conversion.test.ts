/** The customer pays bitcoin, the merchant is credited dollars: by the treasury, at the quoted rate, with a buffer. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { decimal } from '../src/money/decimal.ts';
import { saveRates } from '../src/pricing/rate-store.ts';
import { aCharge, type Gateway, startGateway } from './gateway.ts';
import { balancesOf, openShop } from './shop.ts';

const inDollars = { settlementAsset: 'USDC' };

let gateway: Gateway;
before(async () => {
  const margins = { RATE_AGE_PERCENT: '0', RATE_FEW_SOURCES_PERCENT: '0' }; // One story is about these.
  gateway = await startGateway({ ratesAreKept: true, env: { RATE_SOURCES: 'kraken,bitstamp,ecb', ...margins } });
  await market();
});
after(() => gateway.stop());

/** Two sources agree on these prices now. */
async function market(prices: { btc: string } = { btc: '60000' }): Promise<void> {
  const observedAt = gateway.clock.now();
  const usd = { BTC: prices.btc, LTC: '80', USDC: '1' };
  await saveRates(
    gateway.db,
    ['kraken', 'bitstamp'].flatMap((source) =>
      Object.entries(usd).map(([code, price]) => ({ source, code, usd: decimal(price), observedAt })),
    ),
  );
  await gateway.runUntilIdle();
}

async function pass(time: { minutes?: number; hours?: number; seconds?: number }): Promise<void> {
  gateway.clock.advance(time);
  await gateway.runUntilIdle();
}

async function payAndMine(to: { address: string }, amount: string): Promise<void> {
  gateway.bitcoin.pay({ address: to.address, amount });
  gateway.bitcoin.mine(1);
  await gateway.runUntilIdle();
}

test('the customer’s price carries the buffer, which pays for a fall of as much', async () => {
  const shop = await openShop(gateway);
  const fxBefore = await balancesOf(gateway, 'operator/fx/');
  const { id, paymentMethods } = await shop.post('/checkout', {
    charge: { billingCurrency: 'USD', lineItems: [{ description: 'Item', netAmount: '60.00' }] },
    ...inDollars,
  });
  const [onBitcoin] = paymentMethods;
  assert.equal(onBitcoin.paymentAmount, '0.00101', 'one percent more than 0.001');
  const { assetId, ...terms } = onBitcoin.settlement;
  assert.match(assetId, /^USDC:G/);
  assert.deepEqual(terms, { amount: '60', netAmount: '59.7', fee: '0.3' });

  const committed = await shop.commit(id, 'BITCOIN');
  assert.deepEqual(committed.reply.settlement, onBitcoin.settlement);
  await market({ btc: '59406' });
  await payAndMine(committed, '0.00101');
  assert.equal(await shop.state(id), 'COMPLETED');
  assert.deepEqual(await shop.balances(), { 'available/USDC': '597000000' }, 'although bitcoin lost 0.99 %');
  const fx = await balancesOf(gateway, 'operator/fx/');
  assert.equal(BigInt(fx['BTC'] ?? 0) - BigInt(fxBefore['BTC'] ?? 0), 101_000n);
  assert.equal(BigInt(fx['USDC'] ?? 0) - BigInt(fxBefore['USDC'] ?? 0), -600_000_000n);

  const record = await shop.checkout(id);
  assert.equal(record.settlementAssetId, assetId);
  assert.equal(record.settlementAmountRequired, '60');
  assert.equal(record.settlementAmountReceived, '60');
  assert.equal(record.settlementAmountFeePaid, '0.3');
  assert.equal(record.sourceAmountRequired, '0.00101');
  assert.equal(record.blockchainTransactions[1].amount, '59.7');
  assert.equal(record.blockchainTransactions[1].amountAssetCode, 'USDC');
  await market();
});

test('what has fallen further is credited at what it is worth when it confirms, and the record says so', async () => {
  const shop = await openShop(gateway);
  await market();
  const checkout = await shop.open('60.00 USD', 'BITCOIN', inDollars);
  await market({ btc: '30000' });
  await payAndMine(checkout, '0.00101');
  assert.equal(await shop.state(checkout.id), 'COMPLETED', 'the customer has done what was asked');
  assert.deepEqual(await shop.balances(), { 'available/USDC': '301485000' }, '30.3 less the fee');
  assert.ok((await shop.timeline(checkout.id)).includes('quote_outrun'));
  await market();
});

test('settled in the asset that is paid, there is no buffer', async () => {
  const shop = await openShop(gateway);
  const { paymentMethods } = await shop.post('/checkout', {
    charge: { billingCurrency: 'USD', lineItems: [{ description: 'Item', netAmount: 60 }] },
    settlementAsset: 'BTC',
  });
  assert.equal(paymentMethods[0].paymentAmount, '0.001');
  assert.equal(paymentMethods[0].settlement.netAmount, '0.000995');
  assert.equal(paymentMethods[1].paymentAmount, '0.7575', 'litecoin has to be converted');
  assert.equal(paymentMethods[1].settlement.netAmount, '0.000995');
});

test('an overpayment is kept in what was paid', async () => {
  const shop = await openShop(gateway);
  const checkout = await shop.open('60.00 USD', 'BITCOIN', inDollars);
  await payAndMine(checkout, '0.00151');
  assert.equal(await shop.state(checkout.id), 'COMPLETED OVERPAID');
  assert.deepEqual(await shop.balances(), { 'available/USDC': '597000000', 'suspense/BTC': '50000' });
});

test('within the tolerance the credit is proportional', async () => {
  const shop = await openShop(gateway);
  const checkout = await shop.open('60.00 USD', 'BITCOIN', inDollars);
  await payAndMine(checkout, '0.00100495');
  assert.equal(await shop.state(checkout.id), 'COMPLETED');
  assert.deepEqual(await shop.balances(), { 'available/USDC': '594015000' });
});

test('a late payment is converted at the rate when it confirms', async () => {
  const shop = await openShop(gateway);
  const checkout = await shop.open('60.00 USD', 'BITCOIN', inDollars);
  await pass({ minutes: 61 });
  await market({ btc: '58000' });
  await payAndMine(checkout, '0.00101');
  assert.equal(await shop.state(checkout.id), 'DELAYED_COMPLETED LATE');
  const { settlementAmountReceived, settlementAmountFeePaid } = await shop.checkout(checkout.id);
  assert.deepEqual([settlementAmountReceived, settlementAmountFeePaid], ['58.58', '0.2929']);
  assert.deepEqual(await shop.balances(), { 'available/USDC': '582871000' });
  await market();
});

test('of an underpaid checkout completed late, only the late part takes the rate of its day', async () => {
  const shop = await openShop(gateway);
  await market();
  const checkout = await shop.open('60.00 USD', 'BITCOIN', inDollars);
  await payAndMine(checkout, '0.000505');
  await pass({ minutes: 61 });
  await market({ btc: '59500' });
  await payAndMine(checkout, '0.000505');
  assert.equal(await shop.state(checkout.id), 'DELAYED_COMPLETED LATE');
  const { settlementAmountReceived, settlementAmountFeePaid } = await shop.checkout(checkout.id);
  assert.deepEqual([settlementAmountReceived, settlementAmountFeePaid], ['60.0475', '0.3002375'], '30 and 30.0475');
  assert.deepEqual(await shop.balances(), { 'available/USDC': '597472625' });
  await market();
});

test('parts in two assets are credited in one', async () => {
  const shop = await openShop(gateway);
  await market();
  const onBitcoin = await shop.open('60.00 USD', 'BITCOIN', inDollars);
  const onLitecoin = await shop.commit(onBitcoin.id, 'LITECOIN');
  gateway.litecoin.pay({ address: onLitecoin.address, amount: '0.37875' });
  gateway.litecoin.mine(2);
  await payAndMine(onBitcoin, '0.000505');
  assert.equal(await shop.state(onBitcoin.id), 'COMPLETED');
  const { settlementAmountReceived, settlementAmountFeePaid } = await shop.checkout(onBitcoin.id);
  assert.deepEqual([settlementAmountReceived, settlementAmountFeePaid], ['60', '0.3']);
  assert.deepEqual(await shop.balances(), { 'available/USDC': '597000000' });
});

test('an accepted underpayment is converted at the rate of the acceptance', async () => {
  const shop = await openShop(gateway);
  const checkout = await shop.open('60.00 USD', 'BITCOIN', inDollars);
  await payAndMine(checkout, '0.0005');
  await pass({ minutes: 60 });
  assert.deepEqual(await shop.balances(), { 'suspense/BTC': '50000' });
  await market({ btc: '90000' });
  const { checkout: accepted } = await shop.post('/checkout/accept-underpayment', { checkoutId: checkout.id });
  assert.equal(accepted.settlementAmountReceived, '45');
  assert.deepEqual(await shop.balances(), { 'available/USDC': '447750000' });
  await market();
});

test('without a market the credit waits, says so, and comes when there is one', async () => {
  const shop = await openShop(gateway);
  const checkout = await shop.open('60.00 USD', 'BITCOIN', inDollars);
  await pass({ minutes: 61 });
  await payAndMine(checkout, '0.00101');
  assert.equal(await shop.state(checkout.id), 'PROCESSING LATE NO_MARKET');
  assert.deepEqual(await shop.balances(), { 'pending/BTC': '101000' });
  assert.deepEqual(shop.eventsOf(checkout.id), []);
  await pass({ minutes: 10 });
  assert.equal(await shop.state(checkout.id), 'PROCESSING LATE NO_MARKET');
  const notes = await shop.timeline(checkout.id);
  assert.equal(notes.filter((what) => what === 'no_market').length, 1, 'said once');

  await market();
  await pass({ minutes: 1 });
  assert.equal(await shop.state(checkout.id), 'DELAYED_COMPLETED LATE');
  assert.deepEqual(await shop.balances(), { 'available/USDC': '602970000' });
  assert.deepEqual(shop.eventsOf(checkout.id), ['CHECKOUT_COMPLETED DELAYED_COMPLETED']);
});

test('an acceptance without a market is kept and carried out when there is one', async () => {
  const shop = await openShop(gateway);
  await market();
  const checkout = await shop.open('60.00 USD', 'BITCOIN', inDollars);
  await payAndMine(checkout, '0.0005');
  await pass({ minutes: 60 });
  const accept = { checkoutId: checkout.id };
  assert.equal((await shop.post('/checkout/accept-underpayment', accept)).checkout.state, 'UNDERPAID');
  assert.equal(await shop.state(checkout.id), 'UNDERPAID NO_MARKET PARTIAL');
  await market();
  await pass({ minutes: 1 });
  assert.equal(await shop.state(checkout.id), 'RESOLVED PARTIAL');
  assert.deepEqual(await shop.balances(), { 'available/USDC': '298500000' });
});

test('a reorganisation takes the converted credit back and books it again', async () => {
  const shop = await openShop(gateway);
  await market();
  const fx = await balancesOf(gateway, 'operator/fx/');
  const checkout = await shop.open('60.00 USD', 'BITCOIN', inDollars);
  await payAndMine(checkout, '0.00101');
  gateway.bitcoin.chain.reorganise(1);
  await gateway.runUntilIdle();
  assert.deepEqual(await shop.balances(), {});
  assert.deepEqual(await balancesOf(gateway, 'operator/fx/'), fx);
  gateway.bitcoin.mine(1);
  await gateway.runUntilIdle();
  assert.equal(await shop.state(checkout.id), 'COMPLETED REORGED');
  assert.deepEqual(await shop.balances(), { 'available/USDC': '597000000' });
});

test('methods without a rate are left out, and without any the error says why', async () => {
  const shop = await openShop(gateway);
  await market();
  const charge = { charge: { billingCurrency: 'USD', lineItems: [{ description: 'Item', netAmount: 60 }] } };
  assert.equal((await shop.post('/checkout', charge)).paymentMethods.length, 2);
  const inEuro = { charge: { ...charge.charge, billingCurrency: 'EUR' } };
  const errors = await shop.refused(503, 'POST', '/checkout', inEuro);
  assert.match(errors[0] as string, /no payment method/);
  assert.match(errors.join(' '), /rate for EUR/);

  await pass({ minutes: 20 });
  const observedAt = gateway.clock.now();
  const litecoin = ['kraken', 'bitstamp'].map((source) => ({ source, code: 'LTC', usd: decimal('80'), observedAt }));
  await saveRates(gateway.db, litecoin);
  await gateway.runUntilIdle();
  const { paymentMethods } = await shop.post('/checkout', charge);
  assert.deepEqual(
    paymentMethods.map((method: any) => method.network),
    ['LITECOIN'],
  );
  await pass({ minutes: 20 });
  assert.match((await shop.refused(503, 'POST', '/checkout', charge)).join(' '), /rate for BTC.*rate for LTC/);
  assert.match((await shop.refused(503, 'POST', '/checkout/hosted', charge)).join(' '), /rate for BTC/);
  assert.deepEqual((await shop.get('/checkouts')).checkouts.length, 2, 'nothing was stored for the refused ones');
});

test('the older the rates and the fewer their sources, the more a conversion costs; after five minutes there is none', async () => {
  await gateway.restart(undefined, {
    RATE_AGE_PERCENT: '0.1',
    RATE_FEW_SOURCES_PERCENT: '0.1',
    SWAP_SPREAD_PERCENT: '0.3',
  });
  await market();
  const shop = await openShop(gateway);
  const priced = async () => {
    const { paymentMethods } = await shop.post('/checkout', aCharge('600.00 USD', inDollars));
    const { quote } = await shop.get('/swap/quote?sourceAsset=BTC&targetAsset=USDC&sourceAmount=0.01');
    return [paymentMethods[0].paymentAmount, quote.rate, quote.spread, quote.targetAmount];
  };
  // Two sources for each of two rates: 0.2 %.
  assert.deepEqual(await priced(), ['0.01015', '60000', '0.5', '594.015']);
  await pass({ minutes: 2 });
  assert.deepEqual(await priced(), ['0.01019', '60000', '0.9', '591.627'], '0.4 % more');
  await pass({ minutes: 3 });
  assert.deepEqual(await priced(), ['0.01025', '60000', '1.5', '588.045']);
  await pass({ seconds: 1 });
  const wish = 'sourceAsset=BTC&targetAsset=USDC&sourceAmount=0.01';
  const [reason] = await shop.refused(503, 'GET', `/swap/quote?${wish}`);
  assert.match(reason ?? '', /^There is no current rate for BTC: 0 of at least 2 sources have a fresh price\.$/);
  await shop.refused(503, 'POST', '/checkout', aCharge('600.00 USD', inDollars));
  await gateway.restart();
  await market();
});
