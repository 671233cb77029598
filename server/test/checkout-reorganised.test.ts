/** What the chain takes back: replaced, dropped and reorganised payments. 60.00 USD are 0.001 BTC. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { createAssetCatalog } from '../src/catalog/asset-catalog.ts';
import { readConfig } from '../src/config.ts';
import { merchantAccount, operatorAccount } from '../src/ledger/chart-of-accounts.ts';
import type { EntryKind } from '../src/ledger/entry.ts';
import { postEntries } from '../src/ledger/ledger-store.ts';
import { changeSettings } from '../src/merchants/change-settings.ts';
import { formatDecimal } from '../src/money/decimal.ts';
import { countDays, creditedCheckouts } from '../src/reports/count-days.ts';
import { type Gateway, startGateway, testIssuer } from './gateway.ts';
import { openShop, type Shop } from './shop.ts';

let gateway: Gateway;
before(async () => {
  gateway = await startGateway();
});
after(() => gateway.stop());

async function mine(blocks: number): Promise<void> {
  gateway.bitcoin.mine(blocks);
  gateway.litecoin.mine(blocks);
  await gateway.runUntilIdle();
}

async function pass(time: { minutes?: number; hours?: number }): Promise<void> {
  gateway.clock.advance(time);
  await gateway.runUntilIdle();
}

async function pay(to: { address: string }, amount: string): Promise<string> {
  const tx = gateway.bitcoin.pay({ address: to.address, amount });
  await gateway.runUntilIdle();
  return tx;
}

async function reorganise(depth: number, options?: { keepTransactions: boolean }): Promise<void> {
  gateway.bitcoin.chain.reorganise(depth, options);
  await gateway.runUntilIdle();
}

async function paidCheckout(shop: Shop) {
  const checkout = await shop.open('60.00 USD', 'BITCOIN');
  await pay(checkout, '0.001');
  await mine(1);
  assert.equal(await shop.state(checkout.id), 'COMPLETED');
  return checkout;
}

test('a replacement with a higher fee is the same payment, seen when the first one was', async () => {
  const shop = await openShop(gateway);
  const checkout = await shop.open('60.00 USD', 'BITCOIN');
  const original = await pay(checkout, '0.001');
  await pass({ minutes: 90 });
  const replacement = gateway.bitcoin.chain.replace(original);
  await gateway.runUntilIdle();
  assert.equal(await shop.state(checkout.id), 'PROCESSING');
  const { blockchainTransactions } = await shop.checkout(checkout.id);
  assert.deepEqual(
    blockchainTransactions.map(({ tx }: any) => tx),
    [replacement],
  );
  await mine(1);
  assert.equal(await shop.state(checkout.id), 'COMPLETED', 'in time, although the replacement came after the window');
  assert.deepEqual(await shop.balances(), { 'available/BTC': '99500' });
  assert.ok((await shop.timeline(checkout.id)).includes('payment_replaced'));
});

test('a replacement of a replacement inherits the first sight as well', async () => {
  const shop = await openShop(gateway);
  const checkout = await shop.open('60.00 USD', 'BITCOIN');
  const first = await pay(checkout, '0.001');
  await pass({ minutes: 50 });
  const second = gateway.bitcoin.chain.replace(first);
  await gateway.runUntilIdle();
  await pass({ minutes: 50 });
  gateway.bitcoin.chain.replace(second);
  await gateway.runUntilIdle();
  await mine(1);
  assert.equal(await shop.state(checkout.id), 'COMPLETED');
});

test('a replacement that is mined before we see it inherits the first sight', async () => {
  const shop = await openShop(gateway);
  const checkout = await shop.open('60.00 USD', 'BITCOIN');
  const original = await pay(checkout, '0.001');
  await pass({ minutes: 90 });
  gateway.bitcoin.chain.replace(original);
  await mine(1);
  assert.equal(await shop.state(checkout.id), 'COMPLETED');
});

test('a payer who takes his money elsewhere has not paid', async () => {
  const shop = await openShop(gateway);
  const checkout = await shop.open('60.00 USD', 'BITCOIN');
  const original = await pay(checkout, '0.001');
  assert.equal(await shop.state(checkout.id), 'PROCESSING');
  const { faucetAddress } = gateway.bitcoin.chain;
  gateway.bitcoin.chain.replace(original, [{ address: faucetAddress, units: 100_000n }]);
  await gateway.runUntilIdle();
  assert.equal(await shop.state(checkout.id), 'PENDING');
  await mine(1);
  await pass({ minutes: 60 });
  assert.equal(await shop.state(checkout.id), 'EXPIRED');
  assert.deepEqual(await shop.balances(), {});
  assert.deepEqual(shop.eventsOf(checkout.id), []);
});

test('after the window a payment that is taken elsewhere leaves an expired checkout', async () => {
  const shop = await openShop(gateway);
  const checkout = await shop.open('60.00 USD', 'BITCOIN');
  const original = await pay(checkout, '0.001');
  await pass({ minutes: 61 });
  assert.equal(await shop.state(checkout.id), 'PROCESSING');
  gateway.bitcoin.chain.replace(original, [{ address: gateway.bitcoin.chain.faucetAddress, units: 100_000n }]);
  await gateway.runUntilIdle();
  assert.equal(await shop.state(checkout.id), 'EXPIRED');
});

test('a replacement that pays less is worth what it pays', async () => {
  const shop = await openShop(gateway);
  const checkout = await shop.open('60.00 USD', 'BITCOIN');
  const original = await pay(checkout, '0.001');
  gateway.bitcoin.chain.replace(original, [{ address: checkout.address, units: 40_000n }]);
  await gateway.runUntilIdle();
  assert.equal(await shop.state(checkout.id), 'PENDING PARTIAL');
  await mine(1);
  await pass({ minutes: 60 });
  assert.equal(await shop.state(checkout.id), 'UNDERPAID PARTIAL');
  assert.deepEqual(await shop.balances(), { 'suspense/BTC': '40000' });
});

test('a dropped payment no longer counts, and the customer can pay again', async () => {
  const shop = await openShop(gateway);
  const checkout = await shop.open('60.00 USD', 'BITCOIN');
  const tx = await pay(checkout, '0.001');
  gateway.bitcoin.chain.drop(tx);
  await gateway.runUntilIdle();
  assert.equal(await shop.state(checkout.id), 'PENDING');
  assert.ok((await shop.timeline(checkout.id)).includes('payment_dropped'));
  await pay(checkout, '0.001');
  await mine(1);
  assert.equal(await shop.state(checkout.id), 'COMPLETED');
  assert.deepEqual(await shop.balances(), { 'available/BTC': '99500' });
});

test('a reorganisation before the credit only takes time', async () => {
  const shop = await openShop(gateway);
  const checkout = await shop.open('600.00 USD', 'BITCOIN'); // two confirmations
  await pay(checkout, checkout.amount);
  await mine(1);
  assert.equal(await shop.state(checkout.id), 'PROCESSING');
  await reorganise(1);
  assert.equal(await shop.state(checkout.id), 'PROCESSING');
  await mine(1);
  assert.equal(await shop.state(checkout.id), 'PROCESSING', 'counted from its new block');
  await mine(1);
  assert.equal(await shop.state(checkout.id), 'COMPLETED');
  assert.deepEqual(shop.eventsOf(checkout.id), ['CHECKOUT_COMPLETED COMPLETED']);
});

test('a reorganisation before the credit that loses the payment takes the checkout back', async () => {
  const shop = await openShop(gateway);
  const checkout = await shop.open('600.00 USD', 'BITCOIN');
  await pay(checkout, checkout.amount);
  await mine(1);
  await reorganise(1, { keepTransactions: false });
  assert.equal(await shop.state(checkout.id), 'PENDING');
  assert.deepEqual(await shop.balances(), {});
});

test('a reorganisation that takes back a part in suspense leaves an expired checkout', async () => {
  const shop = await openShop(gateway);
  const checkout = await shop.open('60.00 USD', 'BITCOIN');
  await pass({ minutes: 61 });
  await pay(checkout, '0.0004');
  await mine(1);
  assert.equal(await shop.state(checkout.id), 'UNDERPAID PARTIAL');
  await reorganise(1, { keepTransactions: false });
  assert.equal(await shop.state(checkout.id), 'EXPIRED');
  assert.deepEqual(await shop.balances(), {});
  await pay(checkout, '0.0004');
  await mine(1);
  assert.equal(await shop.state(checkout.id), 'UNDERPAID PARTIAL');
  assert.deepEqual(await shop.balances(), { 'suspense/BTC': '40000' });
});

test('a reorganisation below the credit takes it back, says so, and credits again when it is confirmed again', async () => {
  const shop = await openShop(gateway);
  const { id } = await paidCheckout(shop);
  await reorganise(1);
  assert.equal(await shop.state(id), 'PROCESSING REORGED');
  assert.deepEqual(await shop.balances(), {});
  assert.deepEqual(shop.eventsOf(id), ['CHECKOUT_COMPLETED COMPLETED', 'CHECKOUT_REVERSED PROCESSING']);
  const reversed = shop.webhooksOf(id)[1]?.data.checkout;
  assert.equal(reversed.settlementAmountReceived, '0');
  assert.deepEqual(
    reversed.blockchainTransactions.map(({ type }: any) => type),
    ['CHECKOUT_ORIGIN'],
  );

  await mine(1);
  assert.equal(await shop.state(id), 'COMPLETED REORGED');
  assert.deepEqual(await shop.balances(), { 'available/BTC': '99500' });
  assert.deepEqual(shop.eventsOf(id).slice(2), ['CHECKOUT_COMPLETED COMPLETED']);
  assert.deepEqual((await shop.timeline(id)).slice(-5), [
    'payment_unconfirmed',
    'state COMPLETED → PROCESSING',
    'payment_in_block',
    'payment_confirmed',
    'state PROCESSING → COMPLETED',
  ]);
});

test('a credited payment that a reorganisation loses for good is taken back for good', async () => {
  const shop = await openShop(gateway);
  const { id } = await paidCheckout(shop);
  await reorganise(1, { keepTransactions: false });
  assert.deepEqual(await shop.balances(), {});
  assert.equal(await shop.state(id), 'PENDING REORGED');
  assert.deepEqual(shop.eventsOf(id), ['CHECKOUT_COMPLETED COMPLETED', 'CHECKOUT_REVERSED PROCESSING']);
  await pass({ minutes: 60 });
  assert.equal(await shop.state(id), 'EXPIRED REORGED');
});

test('a reorganisation after which the payment is in another block at once ends where it began', async () => {
  const shop = await openShop(gateway);
  const { id } = await paidCheckout(shop);
  gateway.bitcoin.chain.reorganise(1);
  await mine(1);
  assert.equal(await shop.state(id), 'COMPLETED', 'nobody need know');
  assert.deepEqual(await shop.balances(), { 'available/BTC': '99500' });
  assert.deepEqual(shop.eventsOf(id), ['CHECKOUT_COMPLETED COMPLETED']);
});

test('a reversal of an overpaid checkout takes the suspense back too', async () => {
  const shop = await openShop(gateway);
  const checkout = await shop.open('60.00 USD', 'BITCOIN');
  await pay(checkout, '0.0015');
  await mine(1);
  await reorganise(1);
  assert.equal(await shop.state(checkout.id), 'PROCESSING REORGED');
  assert.deepEqual(await shop.balances(), {});
  await mine(1);
  assert.equal(await shop.state(checkout.id), 'COMPLETED OVERPAID REORGED');
  assert.deepEqual(await shop.balances(), { 'available/BTC': '99500', 'suspense/BTC': '50000' });
});

test('an excess that was kept and is taken back is credited no longer, and again when it is back', async () => {
  const shop = await openShop(gateway);
  const { merchantId } = shop.merchant;
  await changeSettings(gateway, merchantId, { accountCurrency: 'BTC' }, 'operator');
  const { operator, anchoredAssets } = readConfig(gateway.env);
  const assets = createAssetCatalog(operator, anchoredAssets);
  const always = { from: new Date(0), to: new Date('2100-01-01') };
  const spans = [{ day: '2026-03-01', ...always }];
  const credited = async (): Promise<string[]> =>
    (await countDays(gateway.db, { assets }, { merchantId, currency: 'BTC' }, spans)).map((day) =>
      formatDecimal(day.credited),
    );
  const checkout = await shop.open('60.00 USD', 'BITCOIN');
  await pay(checkout, '0.0015');
  await mine(1);
  await shop.post('/checkout/accept-excess', { checkoutId: checkout.id });
  assert.deepEqual(await shop.balances(), { 'available/BTC': '149250' });
  assert.deepEqual(await credited(), ['0.0014925']);
  gateway.clock.advance({ hours: 2 });
  await reorganise(1);
  assert.deepEqual([await shop.balances(), await credited()], [{}, ['0']], 'as in the books');
  gateway.clock.advance({ hours: 2 });
  await mine(1);
  assert.deepEqual(await shop.balances(), { 'available/BTC': '149250' });
  assert.deepEqual(await credited(), ['0.0014925']);
  assert.deepEqual(await creditedCheckouts(gateway.db, { assets }, merchantId, always), [checkout.id]);
});

test('of two payments only one is taken back: the other waits', async () => {
  const shop = await openShop(gateway);
  const checkout = await shop.open('60.00 USD', 'BITCOIN');
  await pay(checkout, '0.0004');
  await mine(1);
  await pay(checkout, '0.0006');
  await mine(1);
  assert.deepEqual(await shop.balances(), { 'available/BTC': '99500' });
  await reorganise(1, { keepTransactions: false });
  assert.equal(await shop.state(checkout.id), 'PENDING PARTIAL REORGED');
  assert.deepEqual(await shop.balances(), { 'pending/BTC': '40000' });
  await pass({ minutes: 60 });
  assert.equal(await shop.state(checkout.id), 'UNDERPAID PARTIAL REORGED');
  assert.deepEqual(shop.eventsOf(checkout.id).slice(1), [
    'CHECKOUT_REVERSED PROCESSING',
    'CHECKOUT_UNDERPAID UNDERPAID',
  ]);
});

test('an accepted underpayment that is reorganised is credited again without asking again', async () => {
  const shop = await openShop(gateway);
  const checkout = await shop.open('60.00 USD', 'BITCOIN');
  await pay(checkout, '0.0004');
  await pass({ minutes: 61 });
  await mine(1);
  await shop.post('/checkout/accept-underpayment', { checkoutId: checkout.id });
  await gateway.runUntilIdle();
  assert.deepEqual(await shop.balances(), { 'available/BTC': '39800' });
  await reorganise(1);
  assert.deepEqual(await shop.balances(), {});
  assert.deepEqual(shop.eventsOf(checkout.id).slice(2), ['CHECKOUT_REVERSED PROCESSING']);
  await mine(1);
  assert.equal(await shop.state(checkout.id), 'RESOLVED PARTIAL REORGED');
  assert.deepEqual(await shop.balances(), { 'available/BTC': '39800' });
  assert.deepEqual(shop.eventsOf(checkout.id).slice(3), ['UNDERPAID_ACCEPTED RESOLVED']);
});

test('money that the merchant has already spent becomes a debt, repaid first from later credits', async () => {
  const shop = await openShop(gateway);
  const { merchantId } = shop.merchant;
  const { id } = await paidCheckout(shop);
  const btc = `BTC:${testIssuer}`;
  await gateway.db.begin((tx) =>
    postEntries(
      tx,
      [
        {
          kind: 'settlement' satisfies EntryKind,
          reference: `test:spent:${id}`,
          merchantId,
          subject: { kind: 'checkout', id },
          lines: [
            { account: merchantAccount(merchantId, 'available', btc), units: -80_000n },
            { account: operatorAccount('equity', btc), units: 80_000n },
          ],
        },
      ],
      gateway.clock.now(),
    ),
  );
  await reorganise(1, { keepTransactions: false });
  assert.deepEqual(await shop.balances(), { 'receivable/BTC': '-80000' });
  assert.deepEqual(shop.eventsOf(id).slice(1), ['CHECKOUT_REVERSED PROCESSING']);

  const next = await shop.open('30.00 USD', 'BITCOIN');
  await pay(next, '0.0005');
  await mine(1);
  assert.equal(await shop.state(next.id), 'COMPLETED', 'credited, and used for the debt');
  assert.deepEqual(await shop.balances(), { 'receivable/BTC': '-30250' });

  const third = await shop.open('60.00 USD', 'BITCOIN');
  await pay(third, '0.001');
  await mine(1);
  assert.deepEqual(await shop.balances(), { 'available/BTC': '69250' });
});
