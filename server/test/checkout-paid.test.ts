/** Paid while the window is open: in one piece, in parts, too much, twice. 60.00 USD are 0.001 BTC or 0.75 LTC. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { type Gateway, startGateway } from './gateway.ts';
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

async function pay(to: { address: string }, amount: string, shop?: Shop, id?: string): Promise<string | undefined> {
  gateway.bitcoin.pay({ address: to.address, amount });
  await gateway.runUntilIdle();
  return shop && id ? shop.state(id) : undefined;
}

test('a payment is shown when it is seen and credited when it is confirmed', async () => {
  const shop = await openShop(gateway);
  const checkout = await shop.open('60.00 USD', 'BITCOIN');
  const { id } = checkout;
  assert.equal(await shop.state(id), 'PENDING');

  const tx = gateway.bitcoin.pay(checkout);
  await gateway.runUntilIdle();
  assert.equal(await shop.state(id), 'PROCESSING');
  assert.deepEqual(await shop.balances(), {}, 'nothing is credited at zero confirmations');
  assert.deepEqual(shop.eventsOf(id), []);

  await mine(1);
  assert.equal(await shop.state(id), 'COMPLETED');
  assert.deepEqual(await shop.balances(), { 'available/BTC': '99500' });
  assert.deepEqual(shop.eventsOf(id), ['CHECKOUT_COMPLETED COMPLETED']);

  const record = await shop.checkout(id);
  assert.equal(record.sourceNetwork, 'BITCOIN');
  assert.equal(record.sourceNetworkName, 'Bitcoin');
  assert.equal(record.depositAddress, checkout.address);
  assert.equal(record.sourceAmountRequired, '0.001');
  assert.equal(record.sourceAmountReceived, '0.001');
  assert.equal(record.settlementAmountRequired, '0.001');
  assert.equal(record.settlementAmountReceived, '0.001');
  assert.equal(record.settlementAmountFeePaid, '0.000005');
  assert.equal(record.settlementAssetId, record.sourceAssetId);
  assert.deepEqual(
    record.blockchainTransactions.map((each: any) => [each.type, each.network, each.amount, each.amountAssetCode]),
    [
      ['CHECKOUT_ORIGIN', 'BITCOIN', '0.001', 'BTC'],
      ['CHECKOUT_SETTLEMENT', 'BITCOIN', '0.000995', 'BTC'],
    ],
  );
  assert.equal(record.blockchainTransactions[0].tx, tx);
  assert.deepEqual(shop.webhooksOf(id)[0]?.data.checkout, record, 'the webhook carries what GET /checkout shows');
  assert.deepEqual(await shop.timeline(id), [
    'created',
    'committed',
    'payment_seen',
    'state PENDING → PROCESSING',
    'payment_in_block',
    'payment_confirmed',
    'state PROCESSING → COMPLETED',
  ]);
});

test('a payment that is first seen in a block is credited all the same', async () => {
  const shop = await openShop(gateway);
  const checkout = await shop.open('60.00 USD', 'BITCOIN');
  gateway.bitcoin.pay(checkout);
  gateway.bitcoin.mine(1);
  await gateway.runUntilIdle();
  assert.equal(await shop.state(checkout.id), 'COMPLETED');
  assert.deepEqual(shop.eventsOf(checkout.id), ['CHECKOUT_COMPLETED COMPLETED']);
});

test('a part waits for the rest, and both are credited together', async () => {
  const shop = await openShop(gateway);
  const checkout = await shop.open('60.00 USD', 'BITCOIN');
  assert.equal(await pay(checkout, '0.0004', shop, checkout.id), 'PENDING PARTIAL');
  await mine(1);
  assert.equal(await shop.state(checkout.id), 'PENDING PARTIAL');
  assert.deepEqual(await shop.balances(), { 'pending/BTC': '40000' });
  assert.deepEqual(shop.eventsOf(checkout.id), []);

  assert.equal(await pay(checkout, '0.0006', shop, checkout.id), 'PROCESSING');
  await mine(1);
  assert.equal(await shop.state(checkout.id), 'COMPLETED');
  assert.deepEqual(await shop.balances(), { 'available/BTC': '99500' });
  assert.deepEqual(shop.eventsOf(checkout.id), ['CHECKOUT_COMPLETED COMPLETED']);
});

test('two outputs of one transaction are two payments', async () => {
  const shop = await openShop(gateway);
  const { id, address } = await shop.open('60.00 USD', 'BITCOIN');
  gateway.bitcoin.chain.pay({ address, units: 70_000n }, { address, units: 30_000n });
  await gateway.runUntilIdle();
  assert.equal(await shop.state(id), 'PROCESSING');
  await mine(1);
  assert.equal(await shop.state(id), 'COMPLETED');
  assert.deepEqual(await shop.balances(), { 'available/BTC': '99500' });
  assert.equal((await shop.checkout(id)).blockchainTransactions.length, 3);
});

test('one transaction can pay two checkouts of two merchants', async () => {
  const [one, other] = [await openShop(gateway), await openShop(gateway)];
  const [first, second] = [await one.open('60.00 USD', 'BITCOIN'), await other.open('120.00 USD', 'BITCOIN')];
  gateway.bitcoin.chain.pay({ address: first.address, units: 100_000n }, { address: second.address, units: 200_000n });
  await mine(1);
  assert.deepEqual(await one.balances(), { 'available/BTC': '99500' });
  assert.deepEqual(await other.balances(), { 'available/BTC': '199000' });
});

test('parts on two networks add up, each credited in its own asset', async () => {
  const shop = await openShop(gateway);
  const onBitcoin = await shop.open('60.00 USD', 'BITCOIN');
  const { id } = onBitcoin;
  const onLitecoin = await shop.commit(id, 'LITECOIN');
  assert.equal(onLitecoin.amount, '0.75');
  assert.equal(await pay(onBitcoin, '0.0005', shop, id), 'PENDING PARTIAL');
  gateway.clock.advance({ seconds: 1 });
  gateway.litecoin.pay({ address: onLitecoin.address, amount: '0.375' });
  await gateway.runUntilIdle();
  assert.equal(await shop.state(id), 'PROCESSING');
  await mine(1);
  assert.equal(await shop.state(id), 'PROCESSING', 'Litecoin wants two confirmations');
  await mine(1);
  assert.equal(await shop.state(id), 'COMPLETED');
  assert.deepEqual(await shop.balances(), { 'available/BTC': '49750', 'available/LTC': '37312500' });
  const { blockchainTransactions } = await shop.checkout(id);
  assert.deepEqual(
    blockchainTransactions.map((each: any) => [each.type, each.amountAssetCode, each.amount]),
    [
      ['CHECKOUT_ORIGIN', 'BTC', '0.0005'],
      ['CHECKOUT_ORIGIN', 'LTC', '0.375'],
      ['CHECKOUT_SETTLEMENT', 'BTC', '0.0004975'],
      ['CHECKOUT_SETTLEMENT', 'LTC', '0.373125'],
    ],
  );
});

test('paid in full on both networks, the later payment waits in suspense', async () => {
  const shop = await openShop(gateway);
  const onBitcoin = await shop.open('60.00 USD', 'BITCOIN');
  const { id } = onBitcoin;
  const onLitecoin = await shop.commit(id, 'LITECOIN');
  await pay(onBitcoin, '0.001');
  gateway.clock.advance({ seconds: 1 });
  gateway.litecoin.pay(onLitecoin);
  await gateway.runUntilIdle();
  gateway.bitcoin.mine(2);
  gateway.litecoin.mine(2);
  for (const watcher of gateway.app.watchers) await watcher.tick(); // Both are confirmed before the checkout is looked at.
  await gateway.runUntilIdle();
  assert.equal(await shop.state(id), 'COMPLETED OVERPAID');
  assert.deepEqual(await shop.balances(), { 'available/BTC': '99500', 'suspense/LTC': '75000000' });
  const { blockchainTransactions } = await shop.checkout(id);
  assert.deepEqual(
    blockchainTransactions.map((each: any) => [each.type, each.amountAssetCode, each.amount]),
    [
      ['CHECKOUT_ORIGIN', 'BTC', '0.001'],
      ['CHECKOUT_ORIGIN', 'LTC', '0.75'],
      ['CHECKOUT_SETTLEMENT', 'BTC', '0.000995'],
    ],
  );
});

test('what is paid beyond the price waits in suspense', async () => {
  const shop = await openShop(gateway);
  const checkout = await shop.open('60.00 USD', 'BITCOIN');
  await pay(checkout, '0.0015');
  await mine(1);
  assert.equal(await shop.state(checkout.id), 'COMPLETED OVERPAID');
  assert.deepEqual(await shop.balances(), { 'available/BTC': '99500', 'suspense/BTC': '50000' });
  assert.deepEqual(shop.eventsOf(checkout.id), ['CHECKOUT_COMPLETED COMPLETED']);
  const record = await shop.checkout(checkout.id);
  assert.equal(record.sourceAmountReceived, '0.0015');
  assert.equal(record.settlementAmountReceived, '0.001');
});

test('an excess that is not worth sending back is the merchant’s', async () => {
  const shop = await openShop(gateway);
  const dust = await shop.open('60.00 USD', 'BITCOIN');
  await pay(dust, '0.00104999');
  await mine(1);
  assert.equal(await shop.state(dust.id), 'COMPLETED');
  assert.deepEqual(await shop.balances(), { 'available/BTC': '104499' }, '100000 less the fee, and 4999 more');

  const excess = await shop.open('60.00 USD', 'BITCOIN');
  await pay(excess, '0.00105');
  await mine(1);
  assert.equal(await shop.state(excess.id), 'COMPLETED OVERPAID');
  assert.deepEqual(await shop.balances(), { 'available/BTC': '203999', 'suspense/BTC': '5000' });
});

test('a second payment after the credit is kept apart', async () => {
  const shop = await openShop(gateway);
  const checkout = await shop.open('60.00 USD', 'BITCOIN');
  await pay(checkout, '0.001');
  await mine(1);
  assert.equal(await pay(checkout, '0.001', shop, checkout.id), 'COMPLETED DUPLICATE');
  await mine(1);
  assert.equal(await shop.state(checkout.id), 'COMPLETED DUPLICATE');
  assert.deepEqual(await shop.balances(), { 'available/BTC': '99500', 'suspense/BTC': '100000' });
  assert.deepEqual(shop.eventsOf(checkout.id), ['CHECKOUT_COMPLETED COMPLETED'], 'announced once');
});

test('the smaller of both tolerances may be missing, to the unit', async () => {
  const shop = await openShop(gateway, { tolerancePercent: '1', toleranceAbsolute: '0.30' });
  const enough = await shop.open('60.00 USD', 'BITCOIN');
  assert.equal(await pay(enough, '0.000995', shop, enough.id), 'PROCESSING', '0.30 of 60.00 USD may be missing');
  await mine(1);
  assert.equal(await shop.state(enough.id), 'COMPLETED');
  assert.deepEqual(await shop.balances(), { 'available/BTC': '99002' }, 'the credit is for what was received');
  assert.equal((await shop.checkout(enough.id)).settlementAmountReceived, '0.000995');

  const short = await shop.open('60.00 USD', 'BITCOIN');
  assert.equal(await pay(short, '0.00099499', shop, short.id), 'PENDING PARTIAL');

  const byPercent = await openShop(gateway, { tolerancePercent: '1', toleranceAbsolute: '100' });
  const onePercent = await byPercent.open('60.00 USD', 'BITCOIN');
  assert.equal(await pay(onePercent, '0.00098999', byPercent, onePercent.id), 'PENDING PARTIAL');
  const exactly = await byPercent.open('60.00 USD', 'BITCOIN');
  assert.equal(await pay(exactly, '0.00099', byPercent, exactly.id), 'PROCESSING');
});

test('a merchant without tolerance is paid to the unit', async () => {
  const shop = await openShop(gateway, { tolerancePercent: '0' });
  const checkout = await shop.open('60.00 USD', 'BITCOIN');
  assert.equal(await pay(checkout, '0.00099999', shop, checkout.id), 'PENDING PARTIAL');
  await mine(1);
  assert.equal(await shop.state(checkout.id), 'PENDING PARTIAL');
});

test('the absolute tolerance is in the currency of the account', async () => {
  const shop = await openShop(gateway, { accountCurrency: 'EUR', tolerancePercent: '5', toleranceAbsolute: '1' });
  const checkout = await shop.open('108.00 USD', 'BITCOIN'); // 100.00 EUR: 1 % may be missing
  assert.equal(checkout.amount, '0.0018');
  assert.equal(await pay(checkout, '0.00178199', shop, checkout.id), 'PENDING PARTIAL');
  const other = await shop.open('108.00 USD', 'BITCOIN');
  assert.equal(await pay(other, '0.001782', shop, other.id), 'PROCESSING');
});

test('larger amounts wait for more confirmations', async () => {
  const shop = await openShop(gateway);
  for (const [price, confirmations] of [
    ['599.00 USD', 1],
    ['600.00 USD', 2],
    ['6000.00 USD', 3],
    ['60000.00 USD', 6],
  ] as const) {
    const checkout = await shop.open(price, 'BITCOIN');
    await pay(checkout, checkout.amount);
    await mine(confirmations - 1);
    assert.equal(await shop.state(checkout.id), 'PROCESSING', `${price} after ${confirmations - 1}`);
    await mine(1);
    assert.equal(await shop.state(checkout.id), 'COMPLETED', `${price} after ${confirmations}`);
  }
});

test('a careful merchant can ask for more confirmations', async () => {
  const shop = await openShop(gateway, { extraConfirmations: 2 });
  const checkout = await shop.open('60.00 USD', 'BITCOIN');
  await pay(checkout, '0.001');
  await mine(2);
  assert.equal(await shop.state(checkout.id), 'PROCESSING');
  await mine(1);
  assert.equal(await shop.state(checkout.id), 'COMPLETED');
});
