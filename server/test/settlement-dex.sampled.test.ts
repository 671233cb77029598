/**
 * Every payment method settled in every asset over Stellar's market, on one gateway. All are paid, then all are
 * settled, then each is looked at on its own.
 *
 * Everything is traded against dollars, half a percent off the rate, so that bitcoin becomes litecoin over two offers.
 * Nobody can sell tokens that were not issued against coins: the traders get theirs from the first checkouts.
 */

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { EvmChain } from '@quittance/sandbox/evm-chain';
import { Asset } from '@stellar/stellar-sdk';
import { verifyBridge } from '../src/bridge/verify-bridge.ts';
import { decimal } from '../src/money/decimal.ts';
import { settlementFee } from '../src/pricing/settlement-fee.ts';
import { deliverAll } from './deliver-all.ts';
import { deepTest, sampleOf } from './depth.ts';
import type { Gateway } from './gateway.ts';
import { type Code, type Method, methods, paidUnits, payBy, scaleOf, unitsOf, usd } from './payment-methods.ts';
import { type Committed, openShop, type Shop } from './shop.ts';
import { bridgedCodes, type StellarMarket, startGatewayWithMarket, token, usdc } from './stellar-market.ts';
import { withoutStellar } from './without-stellar.ts';

const settled: readonly Code[] = ['BTC', 'BTCLN', 'LTC', 'ETH', 'USDT', 'USDC', 'XLM'];

const usualFees = { percent: decimal('0.005'), minimumUsd: decimal('0') };
const agreedFees = { percent: decimal('0.003'), minimumUsd: decimal('0.25') };

let gateway: Gateway;
let market: StellarMarket;
let ethereum: EvmChain;
let usual: Shop;
let agreed: Shop;
/** What was paid and what was promised for it, by the name of the story. */
const told = new Map<string, Told>();
type Told = Committed & { readonly shop: Shop; readonly method: Method; readonly txs: string[] };

before(async () => {
  ({ gateway, market } = await startGatewayWithMarket({
    withEthereum: true,
    lightningSat: 10_000_000n,
    env: { VENUES: '*:stellar-dex,treasury', STELLAR_CHANNELS: '12', FEE_MINIMUM_USD: '0' },
  }));
  ethereum = gateway.ethereum as EvmChain;
  usual = await openShop(gateway, { highRiskAssets: ['USDT'] });
  agreed = await openShop(gateway, { highRiskAssets: ['USDT'], feePercent: '0.3', feeMinimumUsd: '0.25' });
  await openMarket();
  for (const method of methods.filter(({ code }) => isBridged(code))) await tell(method, 'USDC', '600.00 USD', usual);
  await confirmAll();
  for (const code of bridgedCodes) await market.sellAll(token(code), usdc, { n: Number(usd[code]) * 1005, d: 1000 });
  for (const [position, [method, code]] of pairs().entries())
    if (!told.has(nameOf(method, code))) await tell(method, code, '50.00 USD', position % 2 === 0 ? usual : agreed);
  await confirmAll();
});
after(() => gateway?.stop());

/** In a sample every method and every asset is there once or twice. */
const pairs = (): readonly (readonly [Method, Code])[] =>
  sampleOf(
    methods.flatMap((method) => settled.map((code) => [method, code] as const)),
    (_, at) => at % 6 === 2,
  );
const nameOf = ({ network, code }: Method, credited: string): string => `${code} on ${network} becomes ${credited}`;
const isBridged = (code: string): boolean => bridgedCodes.some((each) => each === code);

/** Whoever wants dollars for it, and whoever sells it for dollars. */
async function openMarket(): Promise<void> {
  for (const code of bridgedCodes)
    await market.sell(usdc, '20000', token(code), { n: 1000, d: Number(usd[code]) * 995 });
  await market.sell(usdc, '20000', Asset.native(), { n: 10_000, d: 995 });
  await market.sell(Asset.native(), '40000', usdc, { n: 1005, d: 10_000 });
}

async function tell(method: Method, credited: string, price: string, shop: Shop): Promise<void> {
  const name = nameOf(method, credited);
  const id = await shop.create(price, { settlementAsset: credited });
  const checkout = await shop.commit(id, method.network, method.code);
  told.set(name, { ...checkout, shop, method, txs: [await payBy(gateway, method, checkout)] });
}

async function confirmAll(): Promise<void> {
  gateway.bitcoin.mine(6);
  gateway.litecoin.mine(6);
  await ethereum.mine(12);
  for (let ledgers = 0; ledgers < 60; ledgers += 1) {
    await gateway.runUntilIdle();
    const open = await gateway.db`
      select from checkout where state = 'PROCESSING'
      union all select from outgoing_transfer where state in ('QUEUED', 'SIGNED') limit 1`;
    if (open.length === 0) return deliverAll(gateway);
    gateway.clock.advance({ seconds: 5 });
    gateway.stellar.close();
  }
  throw new Error('not everything was settled');
}

/** What the entries of a checkout posted to accounts of this kind, by asset code. */
async function posted(checkoutId: string, account: string): Promise<Record<string, bigint>> {
  const rows = await gateway.db<{ code: string; units: string }>`
    select split_part(split_part(account_id, '/', -1), ':', 1) as code, sum(units) as units
      from ledger_line join ledger_entry using (reference)
     where subject_id = ${checkoutId} and account_id like ${account} group by 1`;
  return Object.fromEntries(rows.map(({ code, units }) => [code, BigInt(units)]));
}

async function ordersOf(
  checkoutId: string,
): Promise<{ source_units: string; received_units: string; tx_hash: string }[]> {
  return gateway.db`select source_units, received_units, tx_hash from venue_order
                     where owner_id = ${checkoutId} and state = 'DONE'`;
}

/** The same bitcoin under two names. */
const coinOf = (code: Code): Code => (code === 'BTCLN' ? 'BTC' : code);

for (const [method, credited] of pairs())
  test(`${nameOf(method, credited)} as quoted`, async () => {
    const found = told.get(nameOf(method, credited));
    assert.ok(found, 'it was paid');
    const { id, shop, reply, txs } = found;
    const record = await shop.checkout(id);
    assert.deepEqual([record.state, record.exceptions], ['COMPLETED', []]);
    const { settlement } = reply;
    const paid = method.code;
    assert.deepEqual(
      [record.settlementAssetId, record.settlementAmountReceived, record.settlementAmountFeePaid],
      [settlement.assetId, settlement.amount, settlement.fee],
    );
    const [gross, fee] = [unitsOf(settlement.amount, credited), unitsOf(settlement.fee, credited)];
    const schedule = shop === usual ? usualFees : agreedFees;
    assert.equal(fee, settlementFee(gross, scaleOf(credited), decimal(usd[credited]), schedule));
    assert.deepEqual(await posted(id, 'merchant/%/available/%'), { [credited]: gross - fee });
    assert.deepEqual(await posted(id, 'operator/fees/%'), { [credited]: fee });

    const isExchanged = coinOf(paid) !== coinOf(credited);
    const orders = await ordersOf(id);
    assert.equal(orders.length, isExchanged ? 1 : 0, 'exchanged once, or not at all');
    const [order] = orders;
    const position = await posted(id, 'operator/fx/%');
    if (order) {
      const received = ledgerGave(order.tx_hash, credited);
      assert.equal(BigInt(order.received_units), received, 'what the books say is what the ledger says');
      assert.equal(
        position[credited] ?? 0n,
        received - gross,
        'what the market gave beyond the quote is the operator’s',
      );
      const rest = paidUnits(found.method, found) - BigInt(order.source_units);
      assert.equal(position[paid] ?? 0n, rest, 'all was sold but what Stellar cannot count');
    } else if (paid === credited) assert.deepEqual(position, {});
    else assert.deepEqual([position[paid], position[credited]], [paidUnits(found.method, found), -gross]);

    const { blockchainTransactions } = record;
    const types = ['ORIGIN', ...(isBridged(paid) ? ['BRIDGE'] : []), 'SETTLEMENT'].map((type) => `CHECKOUT_${type}`);
    assert.deepEqual(
      blockchainTransactions.map(({ type }: any) => type),
      types,
    );
    assert.equal(blockchainTransactions[0].tx, txs[0], 'the payment that its node knows');
    const onStellar = blockchainTransactions.filter(
      ({ type, network }: any) => type !== 'CHECKOUT_ORIGIN' && network === 'STELLAR',
    );
    for (const { tx } of order ? onStellar : onStellar.slice(0, isBridged(paid) ? 1 : 0))
      assert.ok(gateway.stellar.ledger.history.transactionByHash.get(tx), `${tx} is in the ledger`);
    assert.equal(blockchainTransactions.at(-1).tx, order ? order.tx_hash : `settlement:${id}:1`);
    const [event, ...more] = shop.webhooksOf(id);
    assert.deepEqual([event?.eventType, more], ['CHECKOUT_COMPLETED', []]);
    assert.deepEqual(event?.data.checkout.blockchainTransactions, blockchainTransactions);
    const home = isBridged(credited) || paid !== credited ? 'STELLAR' : method.network;
    assert.equal(blockchainTransactions.at(-1).network, home, 'where the credited asset lives');
  });

type PathPayment = { readonly amount: string; readonly path: readonly { readonly asset_code?: string }[] };

function pathPayment(hash: string): PathPayment {
  const operations = gateway.stellar.ledger.history.operationsByTransaction.get(hash) ?? [];
  const payment = operations.find(({ type }) => type === 'path_payment_strict_send');
  assert.ok(payment, `${hash} is an exchange`);
  return payment as unknown as PathPayment;
}

/** What it delivered, at our scale. */
const ledgerGave = (hash: string, code: Code): bigint => unitsOf(pathPayment(hash).amount, code);

test('in the end there are as many tokens as coins, of every asset', async () => {
  await gateway.count();
  const proofs = await verifyBridge(gateway.db, gateway.clock.now());
  assert.equal(proofs.length, bridgedCodes.length);
  for (const { asset, tokenUnits, issuedUnits, coinUnits, heldUnits, problems } of proofs) {
    assert.deepEqual(problems, [], asset);
    assert.equal(tokenUnits, issuedUnits, asset);
    assert.ok(issuedUnits > 0n, asset);
    assert.ok(heldUnits - issuedUnits < 10n ** BigInt(scaleOf(asset.split(':')[0] as Code) - 7), asset);
    // Gas for bringing ether together is paid before it is booked.
    if (!asset.startsWith('ETH')) assert.equal(coinUnits, heldUnits, asset);
  }
});

const path = (hash: string): string[] => pathPayment(hash).path.map(({ asset_code }) => asset_code ?? 'XLM');

test('bitcoin becomes litecoin over dollars', async () => {
  const [order] = await ordersOf(told.get(nameOf({ network: 'BITCOIN', code: 'BTC' }, 'LTC'))?.id ?? '');
  assert.deepEqual(path(order?.tx_hash ?? ''), ['USDC']);
});

const bitcoin: Method = { network: 'BITCOIN', code: 'BTC' };
const litecoin: Method = { network: 'LITECOIN', code: 'LTC' };
const lumen: Method = { network: 'STELLAR', code: 'XLM' };

async function open(method: Method, credited: Code, price = '60.00 USD'): Promise<Committed> {
  return usual.commit(await usual.create(price, { settlementAsset: credited }), method.network, method.code);
}

const typesOf = ({ blockchainTransactions }: any): string[] =>
  blockchainTransactions.map(({ type, network }: any) => `${type.replace('CHECKOUT_', '')} ${network}`);

test('two payments of one checkout are exchanged together', async () => {
  const checkout = await open(bitcoin, 'XLM', '600.00 USD');
  gateway.bitcoin.pay({ ...checkout, amount: '0.004' });
  gateway.bitcoin.pay({ ...checkout, amount: '0.0061' });
  await confirmAll();
  const record = await usual.checkout(checkout.id);
  assert.deepEqual([record.state, record.settlementAmountReceived], ['COMPLETED', checkout.reply.settlement.amount]);
  assert.deepEqual(typesOf(record), [
    ...['ORIGIN BITCOIN', 'ORIGIN BITCOIN', 'BRIDGE STELLAR', 'BRIDGE STELLAR', 'SETTLEMENT STELLAR'],
  ]);
  const orders = await ordersOf(checkout.id);
  assert.deepEqual(
    orders.map(({ source_units }) => source_units),
    ['1010000'],
  );
});

test('parts on two networks are exchanged each for itself, and credited by their own quotes', async () => {
  const first = await open(bitcoin, 'USDC', '600.00 USD');
  gateway.bitcoin.pay({ ...first, amount: '0.00505' });
  const second = await usual.commit(first.id, 'LITECOIN', 'LTC');
  gateway.litecoin.pay({ ...second, amount: '3.7875' });
  await confirmAll();
  const record = await usual.checkout(first.id);
  assert.deepEqual([record.state, record.settlementAmountReceived], ['COMPLETED', '600']);
  assert.equal(record.settlementAmountFeePaid, '3');
  const types = [
    ...['BRIDGE STELLAR', 'BRIDGE STELLAR', 'ORIGIN BITCOIN', 'ORIGIN LITECOIN'],
    ...['SETTLEMENT STELLAR', 'SETTLEMENT STELLAR'],
  ];
  assert.deepEqual(typesOf(record).toSorted(), types); // Both parts were seen in the same moment.
  const hashes = record.blockchainTransactions.slice(-2).map(({ tx }: any) => tx);
  assert.deepEqual(new Set(hashes), new Set((await ordersOf(first.id)).map(({ tx_hash }) => tx_hash)));
  assert.equal(new Set(hashes).size, 2);
});

deepTest('a late payment is exchanged too, and credited at the rate of its arrival', async () => {
  const checkout = await open(bitcoin, 'USDC', '600.00 USD');
  assert.deepEqual([checkout.amount, checkout.reply.settlement.amount], ['0.0101', '600']);
  gateway.clock.advance({ minutes: 61 });
  await gateway.app.pollRates();
  gateway.bitcoin.pay(checkout);
  await confirmAll();
  const record = await usual.checkout(checkout.id);
  assert.deepEqual([record.state, record.exceptions], ['DELAYED_COMPLETED', ['LATE']]);
  assert.deepEqual([record.settlementAmountReceived, record.settlementAmountFeePaid], ['606', '3.03']);
  assert.deepEqual(typesOf(record), ['ORIGIN BITCOIN', 'BRIDGE STELLAR', 'SETTLEMENT STELLAR']);
  assert.equal((await ordersOf(checkout.id)).length, 1);
});

async function assertByTreasury(checkout: Committed, failure: RegExp | null): Promise<void> {
  const record = await usual.checkout(checkout.id);
  const { settlement } = checkout.reply;
  assert.deepEqual([record.state, record.settlementAmountReceived], ['COMPLETED', settlement.amount]);
  assert.equal(record.blockchainTransactions.at(-1).tx, `settlement:${checkout.id}:1`);
  const orders = await gateway.db<{ state: string; failure: string }>`
    select state, failure from venue_order where owner_id = ${checkout.id}`;
  assert.deepEqual(
    orders.map(({ state }) => state),
    failure ? ['FAILED'] : [],
  );
  if (failure) assert.match(String(orders[0]?.failure), failure);
  assert.deepEqual(usual.eventsOf(checkout.id), ['CHECKOUT_COMPLETED COMPLETED']);
}

deepTest('a market with too little in it, and one with nothing, are passed over for the treasury', async () => {
  market.close();
  await market.sell(usdc, '5', token('BTC'), { n: 1, d: 60_000 });
  const [thin, none] = [await open(bitcoin, 'USDC'), await open(litecoin, 'USDC')];
  gateway.bitcoin.pay(thin);
  gateway.litecoin.pay(none);
  await confirmAll();
  await assertByTreasury(thin, /^The market gives 0 USDC for 0\.00101 BTC, but [\d.]+ are the least\.$/);
  await assertByTreasury(none, /^The market gives 0 USDC for 0\.7575 LTC, but [\d.]+ are the least\.$/);
});

async function waitMinutes(minutes: number): Promise<void> {
  for (let passed = 0; passed < minutes; passed += 2) {
    gateway.clock.advance({ minutes: 2 });
    await gateway.runUntilIdle();
  }
}

deepTest(
  'while Stellar is away the treasury settles, after ten minutes, and nothing is exchanged when it is back',
  async () => {
    await openMarket();
    const [coins, lumens] = [await open(bitcoin, 'USDC'), await open(lumen, 'USDC')];
    await payBy(gateway, lumen, lumens);
    const [watcher] = gateway.app.watchers.slice(-1);
    await watcher?.tick(); // Stellar has told of the lumens, and then it is gone.
    await withoutStellar(gateway, async () => {
      gateway.bitcoin.pay(coins);
      gateway.bitcoin.mine(6);
      await gateway.runUntilIdle();
      assert.deepEqual([await usual.state(coins.id), await usual.state(lumens.id)], ['PROCESSING', 'PROCESSING']);
      await waitMinutes(14);
      await assertByTreasury(coins, null);
      await assertByTreasury(lumens, /^Stellar did not carry it out in time\.$/);
    });
    await confirmAll();
    await assertByTreasury(coins, null);
    await assertByTreasury(lumens, /^Stellar did not carry it out in time\.$/);
    const record = await usual.checkout(coins.id);
    assert.deepEqual(
      typesOf(record),
      ['ORIGIN BITCOIN', 'SETTLEMENT STELLAR'],
      'what is issued now is the house’s own',
    );
    const [told] = usual.webhooksOf(coins.id);
    assert.deepEqual(told?.data.checkout.blockchainTransactions, record.blockchainTransactions);
  },
);

deepTest('an exchange that was signed is waited for, because it may have happened', async () => {
  const checkout = await open(lumen, 'USDC');
  await payBy(gateway, lumen, checkout);
  await gateway.runUntilIdle();
  await withoutStellar(gateway, async () => {
    gateway.stellar.close(); // It is exchanged, and nobody tells us.
    await waitMinutes(14);
    assert.equal(await usual.state(checkout.id), 'PROCESSING');
  });
  await confirmAll();
  const record = await usual.checkout(checkout.id);
  assert.deepEqual([record.state, record.settlementAmountReceived], ['COMPLETED', '60']);
  assert.equal((await ordersOf(checkout.id)).length, 1);
  assert.deepEqual(typesOf(record), ['ORIGIN STELLAR', 'SETTLEMENT STELLAR']);
});

deepTest('a process that dies anywhere exchanges and credits once', async () => {
  await openMarket();
  const checkout = await open(litecoin, 'USDC');
  gateway.litecoin.pay(checkout);
  gateway.litecoin.mine(6);
  for (let lives = 0; lives < 6; lives += 1) await gateway.restart(async () => gateway.stellar.close());
  const record = await usual.checkout(checkout.id);
  assert.deepEqual([record.state, record.settlementAmountReceived], ['COMPLETED', '60']);
  assert.equal((await ordersOf(checkout.id)).length, 1);
  assert.deepEqual(await posted(checkout.id, 'merchant/%/available/%'), { USDC: 597_000_000n });
});

test('dollars that were paid on another network are not sold beyond those that are on Stellar', async () => {
  const method: Method = { network: 'ETHEREUM', code: 'USDC' };
  const checkout = await open(method, 'XLM', '20000.00 USD');
  await payBy(gateway, method, checkout);
  await ethereum.mine(70);
  await gateway.runUntilIdle();
  await assertByTreasury(checkout, null);
});
