/**
 * What is done together in one transaction is decided one after the other: each decision sees what those before it took,
 * though nothing of that is in the database yet. 60.00 USD are 0.001 BTC, and 80 USD are 1 LTC.
 */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { createAssetCatalog, findAsset } from '../src/catalog/asset-catalog.ts';
import { readConfig } from '../src/config.ts';
import { merchantAccount, operatorAccount } from '../src/ledger/chart-of-accounts.ts';
import { postEntries } from '../src/ledger/ledger-store.ts';
import { present } from '../src/lib/assert.ts';
import { newId } from '../src/lib/ids.ts';
import { createConnectors } from '../src/networks/registry.ts';
import { openStock } from '../src/venues/promise-stock.ts';
import { type Gateway, startGateway, testIssuer } from './gateway.ts';
import { openShop, type Shop } from './shop.ts';
import { stockTreasury } from './stock-treasury.ts';
import { madeUp } from './subject-problems.ts';
import { mine } from './transfer-story.ts';

const btc = `BTC:${testIssuer}`;
const ltc = `LTC:${testIssuer}`;

let gateway: Gateway;
before(async () => {
  gateway = await startGateway({ env: { TREASURY_LIMITS: '*=0' } });
});
after(() => gateway.stop());

/** A merchant who owes us: what a reorganisation took away had left already. */
async function openDebtor(units: bigint): Promise<Shop> {
  const shop = await openShop(gateway);
  const lines = [
    { account: merchantAccount(shop.merchant.merchantId, 'receivable', btc), units: -units },
    { account: operatorAccount('rounding', btc), units },
  ];
  const subject = { kind: 'checkout', id: madeUp(newId()) } as const;
  const entry = { reference: `debt:${subject.id}`, kind: 'settlement_reversed', merchantId: null, subject } as const;
  await gateway.db.begin((tx) => postEntries(tx, [{ ...entry, lines }], gateway.clock.now()));
  return shop;
}

/** How many transactions credited this merchant. */
async function transactionsOf({ merchant }: Shop, kind: string): Promise<number> {
  const rows = await gateway.db`
    select distinct xmin::text from ledger_entry where merchant_id = ${merchant.merchantId} and kind = ${kind}`;
  return rows.length;
}

test('two checkouts of an indebted merchant that are credited together repay the debt once', async () => {
  const shop = await openDebtor(150_000n);
  for (const each of [await shop.open('60.00 USD', 'BITCOIN'), await shop.open('60.00 USD', 'BITCOIN')])
    gateway.bitcoin.pay(each);
  await mine(gateway, 1);
  assert.equal(await transactionsOf(shop, 'settlement'), 1, 'they were credited together');
  assert.deepEqual(await shop.balances(), { 'available/BTC': String(2 * 99_500 - 150_000) });
});

test('two credits that are taken back together take what is there once, and the rest is owed', async () => {
  const shop = await openShop(gateway);
  for (const each of [await shop.open('60.00 USD', 'BITCOIN'), await shop.open('60.00 USD', 'BITCOIN')])
    gateway.bitcoin.pay(each);
  await mine(gateway, 1);
  const lines = [
    { account: merchantAccount(shop.merchant.merchantId, 'available', btc), units: -149_000n },
    { account: operatorAccount('rounding', btc), units: 149_000n },
  ];
  const subject = { kind: 'transfer', id: madeUp(newId()) } as const;
  const entry = { reference: `left:${subject.id}`, kind: 'transfer_sent', merchantId: null, subject } as const;
  await gateway.db.begin((tx) => postEntries(tx, [{ ...entry, lines }], gateway.clock.now()));
  gateway.bitcoin.chain.reorganise(1, { keepTransactions: false });
  await gateway.runUntilIdle();
  assert.equal(await transactionsOf(shop, 'settlement_reversed'), 1, 'they were taken back together');
  assert.deepEqual(await shop.balances(), { 'receivable/BTC': '-149000' });
});

test('two payments to one deposit of an indebted merchant repay the debt once', async () => {
  const shop = await openDebtor(150_000n);
  const { depositInstructions } = await shop.post('/deposit-address', { network: 'BITCOIN', reusable: true });
  for (const _ of [1, 2]) gateway.bitcoin.pay({ address: depositInstructions.address, amount: '0.001' });
  await mine(gateway, 1);
  assert.equal(await transactionsOf(shop, 'deposit_credited'), 1, 'they were credited together');
  assert.deepEqual(await shop.balances(), { 'available/BTC': String(2 * 99_500 - 150_000) });
});

test('choices of one batch are promised no more than there is, and no more than the fair share of each', async () => {
  const config = readConfig(gateway.env);
  const assets = createAssetCatalog(config.operator, []);
  const { venueRules, treasuryLimits, treasuryShare } = config;
  const deps = { assets, connectors: createConnectors(config.networks), venueRules, treasuryLimits, treasuryShare };
  const [paid, credited] = [btc, ltc].map((id) => present(findAsset(assets, id), id));
  assert.ok(paid && credited);
  // A share is only kept for others where there are some.
  const [one, two] = [await openShop(gateway), await openShop(gateway)];
  const wish = ({ merchant }: Shop, checkoutId: string, units: bigint) => ({
    merchantId: merchant.merchantId,
    checkoutId,
    units,
    paid,
    credited,
  });
  const [own] = await gateway.db<{ units: string }>`
    select sum(balance)::text as units from ledger_account
     where id = any(${['costs', 'equity', 'fees', 'fx'].map((purpose) => operatorAccount(purpose as 'fx', ltc))})`;
  await stockTreasury(gateway, ltc, 1_000n - BigInt(own?.units ?? 0));
  const wishes = [
    wish(one, 'a', 400n),
    wish(one, 'b', 101n), // Half of what there is may be one merchant's.
    wish(one, 'c', 100n),
    wish(two, 'd', 251n), // And half of what is left another's.
    wish(two, 'd', 250n),
    wish(two, 'd', 250n), // The same once more counts once.
  ];
  await gateway.db.begin(async (tx) => {
    const stock = await openStock(deps, tx, wishes);
    const answers = wishes.map((each) => stock.ask(each) === null);
    assert.deepEqual(answers, [true, false, true, false, true, true]);
    assert.deepEqual(
      stock.made().map(({ checkoutId, units }) => [checkoutId, units]),
      [
        ['a', 400n],
        ['c', 100n],
        ['d', 250n],
      ],
    );
  });
  await stockTreasury(gateway, ltc, BigInt(own?.units ?? 0) - 1_000n);
});
