/** Money that came in another asset of ours than was chosen. On Stellar, where one address takes them all. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { sandboxUsdc } from '@quittance/sandbox/stellar/stellar-network';
import { Keypair } from '@stellar/stellar-sdk';
import { allowAddress } from '../src/merchants/change-settings.ts';
import { decimal, toUnits } from '../src/money/decimal.ts';
import { type Gateway, startGateway, withoutLitecoin } from './gateway.ts';
import { type Committed, openShop, type Shop } from './shop.ts';

const usdc = `${sandboxUsdc.code}:${sandboxUsdc.issuer}`;

let gateway: Gateway;
before(async () => {
  gateway = await startGateway({ hasStellar: true, env: withoutLitecoin });
});
after(() => gateway.stop());

async function sender(): Promise<Shop> {
  const shop = await openShop(gateway);
  await allowAddress(gateway, shop.merchant.merchantId, { range: '127.0.0.1' }, 'operator');
  return shop;
}

async function pay({ id, address }: Committed, amount: string, asset?: string): Promise<void> {
  gateway.stellar.pay(id, { address, units: toUnits(decimal(amount), 7, 'down'), ...(asset && { asset }) });
  gateway.stellar.close();
  await gateway.runUntilIdle();
}

/** Channels are opened and transactions sent in ledgers that close when they are told to. */
async function closeLedgers(): Promise<void> {
  for (let ledger = 0; ledger < 8; ledger += 1) {
    await gateway.runUntilIdle();
    gateway.stellar.close();
  }
  await gateway.runUntilIdle();
}

test('dollars instead of lumens are sent back, and the checkout is still to be paid', async () => {
  const shop = await sender();
  const customer = Keypair.random();
  gateway.stellar.openAccount(customer, '10', usdc);
  const checkout = await shop.open('60.00 USD', 'STELLAR');
  await pay(checkout, '60', usdc);
  assert.equal(await shop.state(checkout.id), 'PENDING WRONG_ASSET');
  const { refund } = await shop.post('/refund', { checkoutId: checkout.id, address: customer.publicKey() });
  assert.deepEqual([refund.assetCode, refund.network, refund.amount], ['USDC', 'STELLAR', '60']);
  await closeLedgers();
  assert.equal((await shop.get(`/refund?id=${refund.id}`)).refund.state, 'COMPLETED');
  assert.deepEqual(await shop.balances(), {});
  assert.equal(await shop.state(checkout.id), 'PENDING WRONG_ASSET');
  await pay(checkout, checkout.amount);
  assert.equal(await shop.state(checkout.id), 'COMPLETED WRONG_ASSET');
});

test('dollars beside the lumens that were asked for can be kept', async () => {
  const shop = await sender();
  const checkout = await shop.open('60.00 USD', 'STELLAR');
  await pay(checkout, '60', usdc);
  await pay(checkout, checkout.amount);
  assert.equal(await shop.state(checkout.id), 'COMPLETED WRONG_ASSET');
  const { 'available/XLM': lumens } = await shop.balances();
  await shop.post('/checkout/accept-excess', { checkoutId: checkout.id });
  assert.deepEqual(await shop.balances(), { 'available/USDC': '597000000', 'available/XLM': lumens });
});

test('dollars that came instead of lumens count once dollars are chosen', async () => {
  const shop = await sender();
  const checkout = await shop.open('60.00 USD', 'STELLAR');
  await pay(checkout, '60', usdc);
  assert.equal(await shop.state(checkout.id), 'PENDING WRONG_ASSET');
  const inDollars = await shop.commit(checkout.id, 'STELLAR', 'USDC');
  assert.equal(inDollars.amount, '0', 'nothing is left to pay');
  await gateway.runUntilIdle();
  assert.equal(await shop.state(checkout.id), 'COMPLETED');
  assert.deepEqual(await shop.balances(), { 'available/USDC': '597000000' });
  assert.deepEqual(shop.eventsOf(checkout.id), ['CHECKOUT_COMPLETED COMPLETED']);
  assert.ok((await shop.timeline(checkout.id)).includes('payment_assigned'));
});

test('dollars that were stored while dollars were being chosen count too, though neither saw the other', async () => {
  const shop = await sender();
  const checkout = await shop.open('60.00 USD', 'STELLAR');
  await pay(checkout, '60', usdc);
  await shop.commit(checkout.id, 'STELLAR', 'USDC');
  await gateway.db`update payment set commitment_id = null where owner_id = ${checkout.id}`; // As both leave it.
  await gateway.runUntilIdle();
  assert.equal(await shop.state(checkout.id), 'COMPLETED');
  assert.deepEqual(await shop.balances(), { 'available/USDC': '597000000' });
});

test('too few of them are a part, also after the window, and what was sent back is none', async () => {
  const shop = await sender();
  const customer = Keypair.random();
  gateway.stellar.openAccount(customer, '10', usdc);
  const checkout = await shop.open('60.00 USD', 'STELLAR');
  await pay(checkout, '5', usdc);
  await shop.post('/refund', { checkoutId: checkout.id, address: customer.publicKey() });
  await closeLedgers();
  await pay(checkout, '20', usdc);
  gateway.clock.advance({ minutes: 61 });
  await gateway.runUntilIdle();
  assert.equal(await shop.state(checkout.id), 'EXPIRED WRONG_ASSET');
  const inDollars = await shop.commit(checkout.id, 'STELLAR', 'USDC');
  assert.equal(inDollars.amount, '40');
  await gateway.runUntilIdle();
  assert.equal(await shop.state(checkout.id), 'PENDING PARTIAL WRONG_ASSET');
  await pay(inDollars, inDollars.amount, usdc);
  assert.equal(await shop.state(checkout.id), 'COMPLETED WRONG_ASSET');
  assert.deepEqual(await shop.balances(), { 'available/USDC': '597000000' });
});
