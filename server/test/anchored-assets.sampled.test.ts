/**
 * Assets that somebody else issues: a merchant may be credited in them, and the operator then owes them. They are on no
 * network of ours, so nothing that leaves may be booked as one. 60.00 USD are 0.001 BTC.
 */

import assert from 'node:assert/strict';
import { after, before, beforeEach, test } from 'node:test';
import { sandboxUsdc } from '@quittance/sandbox/stellar/stellar-network';
import { Asset, Keypair } from '@stellar/stellar-sdk';
import { allowAddress } from '../src/merchants/change-settings.ts';
import { decimal, toUnits } from '../src/money/decimal.ts';
import { deepTest } from './depth.ts';
import type { Gateway } from './gateway.ts';
import { openShop, type Shop } from './shop.ts';
import { type StellarMarket, startGatewayWithMarket, token, usdc } from './stellar-market.ts';
import { stockTreasury } from './stock-treasury.ts';
import { freshAddress, receivedAt } from './transfer-story.ts';

const anchor = Keypair.fromRawEd25519Seed(new Uint8Array(32).fill(11)).publicKey();
const ofAnchor = `BTC:${anchor}`;
const usdcId = `USDC:${sandboxUsdc.issuer}`;

let gateway: Gateway;
let market: StellarMarket;
before(async () => {
  ({ gateway, market } = await startGatewayWithMarket({
    env: {
      VENUES: '*:stellar-dex,treasury',
      ANCHORED_ASSETS: `${ofAnchor}@anchor.example`,
      TREASURY_LIMITS: 'USDC=0,*=-1000',
    },
  }));
});
beforeEach(() => market.close());
after(() => gateway.stop());

/** 600 dollars in bitcoin, credited as the anchor's. */
async function creditedByAnchor(shop: Shop): Promise<string> {
  const checkout = await shop.open('600.00 USD', 'BITCOIN', { anchors: { BITCOIN: ofAnchor } });
  gateway.bitcoin.pay(checkout);
  gateway.bitcoin.mine(6);
  await market.settle();
  assert.equal(await shop.state(checkout.id), 'COMPLETED');
  return checkout.id;
}

const ordersOf = (ownerId: string) => gateway.db`select from venue_order where owner_id = ${ownerId}`;

test('under ORIGIN a preferred anchor decides which asset is credited', async () => {
  const shop = await openShop(gateway);
  const anchors = { BITCOIN: ofAnchor, LITECOIN: ofAnchor };
  const { paymentMethods } = await shop.post('/checkout', {
    charge: { billingCurrency: 'USD', lineItems: [{ description: 'Item', netAmount: 60 }] },
    anchors,
  });
  const methodOn = (network: string) => paymentMethods.find((method: any) => method.network === network);
  assert.deepEqual([methodOn('BITCOIN').settlement.assetId, methodOn('BITCOIN').paymentAmount], [ofAnchor, '0.001']);
  assert.match(methodOn('LITECOIN').settlement.assetId, /^LTC:/, 'an anchor of bitcoin is none of litecoin');
  const checkout = await shop.open('60.00 USD', 'BITCOIN', { anchors });
  gateway.bitcoin.pay(checkout);
  gateway.bitcoin.mine(6);
  await market.settle();
  assert.equal(await shop.state(checkout.id), 'COMPLETED');
  const record = await shop.checkout(checkout.id);
  assert.deepEqual([record.settlementAssetId, record.settlementAmountReceived], [ofAnchor, '0.001']);
  const { wallets } = await shop.get('/wallets');
  assert.equal(wallets.find(({ assetId }: any) => assetId === ofAnchor).available, '0.000995');
  await shop.refused(400, 'POST', '/checkout', {
    charge: { billingCurrency: 'USD', lineItems: [{ description: 'Item', netAmount: 60 }] },
    anchors: { BITCOIN: `BTC:${anchor.replace('G', 'X')}` },
  });
});

test('a swap of it leaves the tokens of our bridge alone, although the market would take them', async () => {
  const shop = await openShop(gateway);
  await creditedByAnchor(shop);
  await market.sell(usdc, '5000', token('BTC'), { n: 1, d: 60_500 });
  const order = { sourceAsset: ofAnchor, targetAsset: 'USDC', sourceAmount: '0.005' };
  const [problem] = await shop.refused(503, 'POST', '/swap', order);
  assert.match(problem ?? '', /^The service can give at most .* USDC from its stock at the moment\.$/);
  await stockTreasury(gateway, usdcId, 1_000_0000000n);
  gateway.clock.advance({ seconds: 1 });
  const { id, swap } = await shop.post('/swap', order);
  assert.deepEqual([swap.state, swap.venue], ['COMPLETED', 'treasury']);
  assert.equal((await ordersOf(id)).length, 0);
});

test('credited in it, our own tokens are not bought for it', async () => {
  const shop = await openShop(gateway);
  await market.sell(usdc, '1000', token('BTC'), { n: 1, d: 60_500 });
  const forTokens = await shop.open('600.00 USD', 'BITCOIN', { settlementAsset: 'USDC' });
  gateway.bitcoin.pay(forTokens);
  gateway.bitcoin.mine(6);
  await market.settle();
  await market.sellAll(token('BTC'), Asset.native(), { n: 595_000, d: 1 });

  const checkout = await shop.open('60.00 USD', 'STELLAR', { settlementAsset: ofAnchor });
  const { address, memo, amount } = checkout.reply.depositInstructions;
  gateway.stellar.pay(memo, { address, units: toUnits(decimal(amount), 7, 'up') });
  await market.settle();
  assert.equal(await shop.state(checkout.id), 'COMPLETED');
  assert.equal((await ordersOf(checkout.id)).length, 0);
});

deepTest('with a market as the only venue the treasury still leads out of it', async () => {
  const shop = await openShop(gateway);
  await creditedByAnchor(shop);
  await gateway.restart(undefined, { VENUES: '*:stellar-dex' });
  await stockTreasury(gateway, usdcId, 1_000_0000000n);
  for (const targetAsset of ['USDC', 'BTC']) {
    const { swap } = await shop.post('/swap', { sourceAsset: ofAnchor, targetAsset, sourceAmount: '0.004' });
    assert.deepEqual([swap.state, swap.venue], ['COMPLETED', 'treasury']);
  }
  // Nothing leads into it: nobody has named the treasury for that, so there is no price either.
  const into = { sourceAsset: 'XLM', targetAsset: ofAnchor, sourceAmount: '1' };
  const refusal = ['There is no market for XLM in BTC.'];
  assert.deepEqual(await shop.refused(422, 'GET', `/swap/quote?${new URLSearchParams(into).toString()}`), refusal);
  await gateway.restart();
});

deepTest('a refund of it is in the coin that was paid, out of what the merchant has of that', async () => {
  const shop = await openShop(gateway);
  await allowAddress(gateway, shop.merchant.merchantId, { range: '127.0.0.1' }, 'operator');
  const checkoutId = await creditedByAnchor(shop);
  const address = freshAddress();
  assert.deepEqual(await shop.refused(422, 'POST', '/refund', { checkoutId, address, asset: ofAnchor }), [
    'BTC of anchor.example is on no network: leave out the asset, or name the one that was paid.',
  ]);
  const order = { checkoutId, address, amount: '0.005', feePaidBy: 'customer' };
  assert.deepEqual(await shop.refused(422, 'POST', '/refund', order), [
    'This needs 0.005 BTC, but 0 BTC are available.',
  ]);
  // What it was credited can become that coin.
  await shop.post('/swap', { sourceAsset: ofAnchor, targetAsset: 'BTC', targetAmount: '0.005' });
  gateway.clock.advance({ seconds: 1 });
  const { refund } = await shop.post('/refund', order);
  assert.deepEqual([refund.assetCode, refund.network, refund.basis], ['BTC', 'BITCOIN', 'PAID_UNITS']);
  assert.notEqual(refund.assetId, ofAnchor);
  await gateway.runUntilIdle();
  gateway.bitcoin.mine(6);
  await market.settle();
  assert.equal((await shop.get(`/refund?id=${refund.id}`)).refund.state, 'COMPLETED');
  assert.equal(await receivedAt(gateway, address), toUnits(decimal(refund.amountSent), 8, 'down'));
});

test('taken out of the settings it is offered to nobody, and what was credited in it stays in view', async () => {
  const shop = await openShop(gateway);
  const checkoutId = await creditedByAnchor(shop);
  const promised = await shop.open('60.00 USD', 'BITCOIN', { anchors: { BITCOIN: ofAnchor } });
  const before = await shop.checkout(checkoutId);
  const idle = await openShop(gateway);
  await gateway.restart(undefined, { ANCHORED_ASSETS: '' });

  assert.deepEqual(await shop.checkout(checkoutId), before);
  assert.equal((await shop.get('/checkouts')).checkouts.length, 2);
  const walletsOf = async (of: Shop) =>
    (await of.get('/wallets')).wallets.filter(({ assetId }: any) => assetId === ofAnchor);
  assert.deepEqual(
    (await walletsOf(shop)).map(({ available }: any) => available),
    ['0.00995'],
  );
  assert.deepEqual(await walletsOf(idle), []);
  const { assets } = await shop.get('/assets');
  assert.ok(assets.every(({ id }: any) => id !== ofAnchor));
  const charge = { billingCurrency: 'USD', lineItems: [{ description: 'Item', netAmount: 60 }] };
  for (const wish of [{ anchors: { BITCOIN: ofAnchor } }, { settlementAsset: ofAnchor }])
    await shop.refused(400, 'POST', '/checkout', { charge, ...wish });
  await shop.refused(400, 'POST', '/swap', { sourceAsset: 'BTC', targetAsset: ofAnchor, sourceAmount: '0.001' });

  gateway.bitcoin.pay(promised);
  gateway.bitcoin.mine(6);
  await market.settle();
  assert.equal((await shop.checkout(promised.id)).settlementAssetId, ofAnchor, 'as it was promised');
  await shop.post('/swap', { sourceAsset: ofAnchor, targetAsset: 'BTC', sourceAmount: '0.010945' });
  assert.deepEqual(await walletsOf(shop), []);
  await gateway.restart();
});
