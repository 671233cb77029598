/**
 * The catalogue says of every asset, network and currency what it can be used for. Here each of these is tried, at the
 * endpoint that does it, and the flag must say the same: a client that believes a flag is not refused, and one that does
 * not find a flag misses nothing.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Keypair } from '@stellar/stellar-sdk';
import { allowAddress } from '../src/merchants/change-settings.ts';
import { isSample } from './depth.ts';
import { aCharge, type Gateway, startGateway, withoutLitecoin } from './gateway.ts';
import { openShop, type Shop } from './shop.ts';
import { holdFromEarlier, stockTreasury } from './stock-treasury.ts';
import { somewhere } from './transfer-story.ts';

const anchor = Keypair.fromRawEd25519Seed(new Uint8Array(32).fill(11)).publicKey();

type Flags = Record<string, boolean>;

/** Tries are requests that differ, so their signatures do, but for a swap there and back at one moment. */
async function isDone(shop: Shop, gateway: Gateway, method: string, path: string, body?: unknown): Promise<boolean> {
  gateway.clock.advance({ seconds: 1 });
  const { status } = await shop.request(method, path, body);
  assert.ok(status < 500 || status === 503, `${path}: ${status}`); // 503: what the stock lacks may be there later.
  return status === 200;
}

async function anyOf<Item>(items: readonly Item[], isOne: (item: Item) => Promise<boolean>): Promise<boolean> {
  for (const item of items) if (await isOne(item)) return true;
  return false;
}

/** Somebody who has a hundred of everything, of coins really; and an operator who has whatever can come in. */
async function richShop(gateway: Gateway): Promise<Shop> {
  const shop = await openShop(gateway, { highRiskAssets: ['USDT'] });
  await allowAddress(gateway, shop.merchant.merchantId, { range: '127.0.0.1' }, 'operator');
  const { assets } = await shop.get('/assets');
  for (const [network, chain] of [
    ['BITCOIN', gateway.bitcoin],
    ['LITECOIN', gateway.litecoin],
  ] as const) {
    const { status, body } = await shop.request('POST', '/deposit-address', { network });
    if (status === 200) chain.pay({ address: body.depositInstructions.address, amount: '1' });
    chain.mine(12);
  }
  await gateway.runUntilIdle();
  for (const { id, networks } of assets) {
    await holdFromEarlier(gateway, shop.merchant.merchantId, id, 10n ** 20n);
    const comesIn = (network: string) => isDone(shop, gateway, 'POST', '/deposit-address', { network, asset: id });
    if (await anyOf(networks, comesIn)) await stockTreasury(gateway, id, 10n ** 24n);
  }
  await gateway.runUntilIdle();
  return shop;
}

const addresses: Record<string, string> = {
  BITCOIN: somewhere,
  LITECOIN: 'rltc1qw508d6qejxtdg4y5r3zarvary0c5xw7k693xs3',
};

async function compare(gateway: Gateway): Promise<Record<string, string>> {
  const shop = await richShop(gateway);
  const done = (method: string, path: string, body?: unknown) => isDone(shop, gateway, method, path, body);
  const { assets } = await shop.get('/assets');
  const { networks } = await shop.get('/networks');
  const { currencies } = await shop.get('/currencies');
  const { paymentMethods } = await shop.post('/checkout', aCharge('1000.00 USD', { settlementAsset: 'ORIGIN' }));
  const seen: Record<string, string> = {};
  const [taken, sent] = [new Set<string>(), new Set<string>()];

  for (const asset of assets) {
    const { id } = asset;
    const others = assets.filter((other: { id: string }) => other.id !== id).map((other: { id: string }) => other.id);
    const swap = (sourceAsset: string, targetAsset: string) =>
      done('POST', '/swap', { sourceAsset, targetAsset, sourceAmount: '0.1' });
    const deposit = (network: string) => done('POST', '/deposit-address', { network, asset: id });
    const transfer = (network: string) =>
      done('POST', '/transfer', { network, asset: id, amount: '0.01', address: addresses[network] ?? somewhere });
    for (const network of asset.networks) {
      if (await deposit(network)) taken.add(`${network} ${id}`);
      if (await transfer(network)) sent.add(`${network} ${id}`);
    }
    const tried: Flags = {
      checkouts: paymentMethods.some(({ relatedAssetId }: { relatedAssetId: string }) => relatedAssetId === id),
      deposits: asset.networks.some((network: string) => taken.has(`${network} ${id}`)),
      settlement: await done('POST', '/checkout', aCharge('100.00 USD', { settlementAsset: id })),
      swaps: await anyOf(others, async (other: string) => (await swap(id, other)) || (await swap(other, id))),
      transfers: asset.networks.some((network: string) => sent.has(`${network} ${id}`)),
    };
    const told = Object.fromEntries(Object.keys(tried).map((flag) => [flag, asset[flag]]));
    assert.deepEqual(told, tried, id);
    const name = id.endsWith(anchor) ? `${asset.assetCode} of an anchor` : asset.assetCode;
    seen[name] = Object.keys(tried)
      .filter((flag) => tried[flag])
      .join(' ');
  }
  for (const { id, deposits, transfers } of networks) {
    const [isTaken, isSent] = [taken, sent].map((those) => [...those].some((one) => one.startsWith(`${id} `)));
    assert.deepEqual([deposits, transfers], [isTaken, isSent], id);
  }
  const own = new Map(
    assets.filter(({ id }: { id: string }) => !id.endsWith(anchor)).map((one: any) => [one.assetCode, one]),
  );
  for (const { assetCode: code, billing, settlement, payment } of currencies) {
    const charge = { billingCurrency: code, lineItems: [{ description: 'x', netAmount: '100000' }] };
    const total = await done('POST', '/checkout/validate-checkout-charge', { charge });
    assert.equal(billing, total, `${code} is billed`);
    if (own.has(code) || settlement)
      assert.equal(settlement, (own.get(code) as Flags | undefined)?.['settlement'], `${code} is credited`);
    assert.equal(
      payment,
      paymentMethods.some(({ assetCode }: { assetCode: string }) => assetCode === code),
      `${code} is paid`,
    );
  }
  return seen;
}

test('what the catalogue says is what the endpoints do: an operator with stock elsewhere, who can send', async (t) => {
  const gateway = await startGateway();
  t.after(() => gateway.stop());
  const seen = await compare(gateway);
  assert.equal(seen['BTC'], 'checkouts deposits settlement swaps transfers');
  assert.equal(seen['EUR'], 'settlement swaps', 'the operator vouches for it');
});

if (!isSample())
  test('the same without any stock elsewhere, with one network that only receives, and with an anchor', async (t) => {
    const env = {
      ...withoutLitecoin,
      BITCOIN_XPRV: '',
      TREASURY_LIMITS: '*=0',
      ANCHORED_ASSETS: `BTC:${anchor}@anchor.example`,
    };
    const gateway = await startGateway({ env });
    t.after(() => gateway.stop());
    const seen = await compare(gateway);
    assert.equal(seen['BTC'], 'checkouts deposits settlement swaps');
    assert.equal(seen['BTC of an anchor'], 'settlement swaps');
    assert.equal(seen['EUR'], 'swaps', 'what an account holds of it has a way out, and nothing leads into it');
  });
