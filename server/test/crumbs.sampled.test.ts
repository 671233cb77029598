/**
 * Anybody can send any number of tiny payments: the work of one look stays bounded, the money is counted together, and
 * nobody else is harmed. 60.00 USD are 600 XLM or 0.001 BTC.
 */
import assert from 'node:assert/strict';
import { after, afterEach, before, test } from 'node:test';
import { createAssetCatalog } from '../src/catalog/asset-catalog.ts';
import { findDossier } from '../src/checkouts/checkout-store.ts';
import { readConfig } from '../src/config.ts';
import type { Tx } from '../src/db/database.ts';
import { findDeposit } from '../src/deposits/custom-deposit-store.ts';
import { listJobs, retryParkedJob } from '../src/jobs/job-store.ts';
import { present } from '../src/lib/assert.ts';
import { decimal, toUnits } from '../src/money/decimal.ts';
import { createConnectors } from '../src/networks/registry.ts';
import { findArrivals } from '../src/payments/crumb-store.ts';
import { paymentsAlwaysTold } from '../src/payments/is-crumb.ts';
import { giveUpArrivals, knownArrivals } from '../src/payments/payment-store.ts';
import { crumbUnits, flood, floodWithTokens } from './crumb-flood.ts';
import { deepTest } from './depth.ts';
import { type Gateway, startGateway, withoutLitecoin } from './gateway.ts';
import { type Committed, openShop, type Shop } from './shop.ts';

/** With 150,000 it is the same, but takes a minute to store: `bench/measure-crumb-flood.ts`. */
const crumbs = 3_000;
const bitcoinFinality = 100;

let gateway: Gateway;
before(async () => {
  gateway = await startGateway({ hasStellar: true, env: withoutLitecoin });
});
after(() => gateway.stop());
afterEach(async () => {
  const wrong = await gateway.db`
    select id from crumb_heap heap
     where waiting_units + gathered_units <> (select coalesce(sum(units), 0) from payment
                                               where merchant_id = heap.merchant_id and owner_id = heap.id and place = 'settled')`;
  assert.deepEqual(wrong, [], 'a heap is worth what lies on it');
});

const lumens = (amount: string): bigint => toUnits(decimal(amount), 7, 'down');

function pay(to: { address: string; reply: any }, ...amounts: readonly string[]): void {
  const payments = amounts.map((amount) => ({ address: to.address, units: lumens(amount) }));
  gateway.stellar.pay(to.reply.depositInstructions.memo, ...payments);
}

async function closeLedger(): Promise<void> {
  gateway.stellar.close();
  await gateway.runUntilIdle();
}

async function openDeposit(shop: Shop, network: string): Promise<Committed> {
  const reply = await shop.post('/deposit-address', { network, reusable: true, webhook: gateway.webhookUrl });
  return { ...reply.depositInstructions, id: reply.id, reply, expirationTime: '' };
}

function floodDeps() {
  const config = readConfig(gateway.env);
  const network = present(createConnectors(config.networks).get('STELLAR'), 'Stellar').network;
  const assets = createAssetCatalog(config.operator, config.anchoredAssets);
  return { db: gateway.db, clock: gateway.clock, assets, network };
}

test('a flood of crumbs: what is paid is credited, the neighbour too, and nothing grows with the flood', async () => {
  const [shop, neighbour] = [await openShop(gateway), await openShop(gateway)];
  const checkout = await shop.open('60.00 USD', 'STELLAR');
  const deposit = await openDeposit(shop, 'STELLAR');
  const other = await neighbour.open('60.00 USD', 'STELLAR');
  await flood(floodDeps(), [checkout.id, deposit.id], crumbs);
  gateway.takenByStory['XLM'] = 2n * BigInt(crumbs) * crumbUnits; // No node holds what was only told.
  for (const to of [checkout, other]) pay(to, '600');
  pay(deposit, '5');
  await closeLedger();

  assert.equal(await neighbour.state(other.id), 'COMPLETED');
  assert.equal(await shop.state(checkout.id), 'COMPLETED');
  assert.deepEqual(shop.eventsOf(checkout.id), ['CHECKOUT_COMPLETED COMPLETED']);
  assert.deepEqual(shop.eventsOf(deposit.id), ['DEPOSIT_COMPLETED COMPLETED']);
  const { merchantId } = shop.merchant;
  assert.equal((await findDossier(gateway.db, merchantId, checkout.id))?.payments.length, 1);
  assert.equal((await findDeposit(gateway.db, merchantId, deposit.id))?.payments.length, 1);
  const record = await shop.checkout(checkout.id);
  const waiting = { crumbCount: crumbs, crumbAmount: '0.03' };
  const rail = { network: 'STELLAR', assetId: 'XLM:NATIVE', assetCode: 'XLM' };
  assert.deepEqual(record.paymentTotals, [{ ...rail, count: 1, amount: '600', ...waiting }]);
  const shown = (await shop.get(`/deposit?id=${deposit.id}`)).deposit;
  assert.deepEqual(shown.paymentTotals, [{ ...rail, count: 1, amount: '5', ...waiting }]);
  assert.deepEqual(await shop.timeline(checkout.id), [
    ...['created', 'committed', 'payment_seen', 'payment_confirmed', 'state PENDING → PROCESSING'],
    'state PROCESSING → COMPLETED',
  ]);
  const [lumen] = (await gateway.count()).filter(({ asset }) => asset === rail.assetId);
  assert.equal(lumen?.crumbs, gateway.takenByStory['XLM']);
});

deepTest(
  'after a flood nobody reads through all payments to find a few, whatever PostgreSQL thinks of them',
  async () => {
    const shop = await openShop(gateway);
    const { merchantId } = shop.merchant;
    const [checkout, deposit] = [await shop.open('60.00 USD', 'STELLAR'), await openDeposit(shop, 'STELLAR')];
    for (const to of [checkout, deposit]) pay(to, '5');
    await closeLedger();
    const [arrived] = await gateway.db<{ target_key: string; tx_hash: string }>`
    select target_key, tx_hash from payment where owner_id = ${checkout.id}`;
    const { target_key: key, tx_hash: hash } = present(arrived, 'the payment');
    const looks: Record<string, (tx: Tx) => Promise<unknown>> = {
      'at a checkout': (tx) => findDossier(tx, merchantId, checkout.id),
      'at a deposit': (tx) => findDeposit(tx, merchantId, deposit.id),
      'at what came to a target': (tx) => findArrivals(tx, 'STELLAR', [key]),
      'at what is known of a transaction': (tx) => knownArrivals(tx, 'STELLAR', [`${hash}:0`]),
      'at what vanished': (tx) => giveUpArrivals(tx, 'STELLAR', [{ txHash: hash, replacedBy: null }]),
    };
    await rolledBack(async (tx) => {
      // So many crumbs that hardly anybody else is in PostgreSQL's sample, and the statistics that it makes of that.
      await tx`delete from payment where owner_id not in (${checkout.id}, ${deposit.id})`;
      await tx`
      insert into payment (merchant_id, owner_id, purpose, id, network, tx_hash, tx_index, target_key, asset, units, state,
                           confirmations_required, first_seen_at)
      select ${merchantId}, 'heap-' || n % 2, 'crumb', n, 'STELLAR', 'flood-' || n % 2, n, 'target-' || n % 2,
             'XLM:NATIVE', 1, 'FINAL', 1, now() from generate_series(1, 40000) n`;
      await tx`analyze payment`;
      for (const [look, take] of Object.entries(looks)) {
        const before = await scansOfPayments(tx);
        await take(tx);
        const { whole, indexed } = await scansOfPayments(tx);
        assert.equal(whole, before.whole, `a look ${look} reads the table from end to end`);
        assert.ok(indexed > before.indexed, `a look ${look} reads payments`);
      }
    });
  },
);

async function rolledBack(work: (tx: Tx) => Promise<void>): Promise<void> {
  const undone = new Error('undone');
  const attempt = gateway.db.begin(async (tx) => {
    await work(tx);
    throw undone;
  });
  await attempt.catch((error: unknown) => {
    if (error !== undone) throw error;
  });
}

/** By this transaction alone. */
async function scansOfPayments(tx: Tx): Promise<{ whole: number; indexed: number }> {
  const [row] = await tx<{ whole: number; indexed: number }>`
    select seq_scan::integer as whole, idx_scan::integer as indexed from pg_stat_xact_user_tables
     where relid = 'payment'::regclass`;
  return present(row, 'the table');
}

test('crumbs become one payment when their sum is worth it, and what they pay is credited', async () => {
  const shop = await openShop(gateway);
  const checkout = await shop.open('60.00 USD', 'STELLAR');
  pay(checkout, '590', '0.05');
  await closeLedger();
  assert.equal(await shop.state(checkout.id), 'PENDING PARTIAL');
  pay(checkout, ...Array.from({ length: 99 }, () => '0.099'));
  await closeLedger();
  assert.equal(await shop.state(checkout.id), 'COMPLETED');
  const { blockchainTransactions, paymentTotals, sourceAmountReceived } = await shop.checkout(checkout.id);
  const paid = blockchainTransactions.filter(({ type }: any) => type === 'CHECKOUT_ORIGIN');
  assert.deepEqual(paid.map(({ amount }: any) => amount).toSorted(), ['590', '9.851']);
  assert.deepEqual([paymentTotals[0].count, paymentTotals[0].crumbCount], [2, 0]);
  assert.equal(sourceAmountReceived, '599.851');
  assert.equal((await shop.timeline(checkout.id)).filter((what) => what === 'crumbs_gathered').length, 1);

  // More of them make another payment only when they are a tenth of those before, or a day later.
  pay(checkout, '0.06', '0.06');
  await closeLedger();
  assert.equal(await shop.state(checkout.id), 'COMPLETED');
  gateway.clock.advance({ hours: 25 });
  await closeLedger();
  assert.equal(await shop.state(checkout.id), 'COMPLETED DUPLICATE');
  assert.equal((await shop.balances())['suspense/XLM'], '1200000');
});

test('crumbs to a reusable deposit are credited together, with one event', async () => {
  const shop = await openShop(gateway);
  const deposit = await openDeposit(shop, 'STELLAR');
  pay(deposit, ...Array.from({ length: 60 }, () => '0.01'));
  await closeLedger();
  assert.deepEqual(shop.eventsOf(deposit.id), ['DEPOSIT_COMPLETED COMPLETED']);
  const shown = (await shop.get(`/deposit?id=${deposit.id}`)).deposit;
  assert.deepEqual([shown.state, shown.amountReceived, shown.payments.length], ['COMPLETED', '0.6', 1]);
});

test('on a chain that may give up blocks crumbs count once they are final, and are coins like any other', async () => {
  const shop = await openShop(gateway);
  const checkout = await shop.open('60.00 USD', 'BITCOIN');
  const crumb = { address: checkout.address, amount: '0.00003' };
  gateway.bitcoin.pay(crumb);
  const lost = gateway.bitcoin.pay(crumb);
  await gateway.runUntilIdle();
  gateway.bitcoin.chain.replace(lost, [{ address: gateway.bitcoin.chain.faucetAddress, units: 1_000n }]);
  gateway.bitcoin.pay(crumb);
  gateway.bitcoin.mine(1);
  await gateway.runUntilIdle();
  assert.equal(await shop.state(checkout.id), 'PENDING', 'nothing was seen that counts');
  gateway.bitcoin.mine(bitcoinFinality);
  await gateway.runUntilIdle();
  const record = await shop.checkout(checkout.id);
  assert.deepEqual([record.state, record.sourceAmountReceived], ['PENDING', '0.00006']);
  const [coins] = await gateway.db<{ count: number; units: string }>`
    select count(*)::integer as count, sum(units) as units from payment join deposit_target target
        on target.network = payment.network and target.key = payment.target_key
     where target.owner_id = ${checkout.id} and state = 'FINAL'`;
  assert.deepEqual(coins, { count: 2, units: '6000' });
});

test('crumbs are paid by the quote that stood when they came, not by one that was asked for since', async () => {
  const shop = await openShop(gateway);
  const checkout = await shop.open('60.00 USD', 'BITCOIN');
  const crumb = { address: checkout.address, units: 4_900n };
  gateway.bitcoin.chain.pay(...Array.from({ length: 21 }, () => crumb));
  gateway.bitcoin.mine(1);
  await gateway.runUntilIdle();
  gateway.clock.advance({ minutes: 61 });
  await gateway.runUntilIdle();
  await shop.commit(checkout.id, 'BITCOIN'); // Because the coin has risen meanwhile: fewer would be enough.
  gateway.bitcoin.mine(bitcoinFinality);
  await gateway.runUntilIdle();
  const found = await findDossier(gateway.db, shop.merchant.merchantId, checkout.id);
  const { payments, commitments } = present(found, 'the checkout');
  assert.deepEqual(
    payments.map(({ commitmentId, units }) => [commitmentId, units]),
    [[commitments[0]?.id, 102_900n]],
  );
  assert.match(await shop.state(checkout.id), /^COMPLETED/);
});

deepTest('more payments than anybody needs are counted together too, though each is worth something', async () => {
  const shop = await openShop(gateway);
  const checkout = await shop.open('60.00 USD', 'BITCOIN');
  const small = { address: checkout.address, units: 5_000n };
  gateway.bitcoin.chain.pay(...Array.from({ length: paymentsAlwaysTold + 30 }, () => small));
  gateway.bitcoin.mine(1);
  await gateway.runUntilIdle();
  gateway.bitcoin.pay({ address: checkout.address, amount: '0.002' });
  gateway.bitcoin.mine(1);
  await gateway.runUntilIdle();
  const dossier = await findDossier(gateway.db, shop.merchant.merchantId, checkout.id);
  assert.equal(dossier?.payments.length, paymentsAlwaysTold + 1);
  gateway.bitcoin.mine(bitcoinFinality);
  await gateway.runUntilIdle();
  const { blockchainTransactions, paymentTotals } = await shop.checkout(checkout.id);
  assert.equal(blockchainTransactions.filter(({ type }: any) => type === 'CHECKOUT_ORIGIN').length, 100);
  assert.deepEqual([paymentTotals[0].count, paymentTotals[0].amount], [paymentsAlwaysTold + 2, '0.0285']);
});

deepTest('a flood that is withdrawn again makes no crumb of what the customer pays', async () => {
  const shop = await openShop(gateway);
  const checkout = await shop.open('60.00 USD', 'BITCOIN');
  const much = { address: checkout.address, units: 1_000_000n };
  const flooded = gateway.bitcoin.chain.pay(...Array.from({ length: paymentsAlwaysTold + 1 }, () => much));
  await gateway.runUntilIdle();
  gateway.bitcoin.chain.replace(flooded, [{ address: gateway.bitcoin.chain.faucetAddress, units: 1_000n }]);
  await gateway.runUntilIdle();
  gateway.bitcoin.pay(checkout);
  await gateway.runUntilIdle();
  gateway.bitcoin.mine(1);
  await gateway.runUntilIdle();
  assert.equal(await shop.state(checkout.id), 'COMPLETED');
});

deepTest('a cheap flood on one network makes no crumbs of parts that are paid on another', async () => {
  const shop = await openShop(gateway);
  const checkout = await shop.open('600.00 USD', 'BITCOIN');
  const lumen = await shop.commit(checkout.id, 'STELLAR');
  for (let ledger = 0; ledger < paymentsAlwaysTold / 50; ledger += 1) {
    pay({ address: lumen.address, reply: lumen.reply }, ...Array.from({ length: 50 }, () => '0.1')); // Five dollars.
    gateway.stellar.close();
  }
  await gateway.runUntilIdle();
  for (const amount of ['0.0092', '0.0004', '0.0004']) gateway.bitcoin.pay({ address: checkout.address, amount });
  gateway.bitcoin.mine(2);
  await gateway.runUntilIdle();
  assert.match(await shop.state(checkout.id), /^COMPLETED/);
});

test('a flood of worthless tokens is noted a few times, and then no more', async () => {
  const shop = await openShop(gateway);
  const checkout = await shop.open('60.00 USD', 'STELLAR');
  await floodWithTokens(floodDeps(), checkout.id, 20, 10);
  await closeLedger();
  assert.equal(await shop.state(checkout.id), 'PENDING WRONG_ASSET');
  const notes = (await shop.timeline(checkout.id)).filter((what) => what === 'wrong_token_received');
  assert.equal(notes.length, 6, 'ten tokens each, until there were more than fifty');
  pay(checkout, '600');
  await closeLedger();
  assert.equal(await shop.state(checkout.id), 'COMPLETED WRONG_ASSET');
});

test('a checkout that cannot be looked at harms nobody else, whatever its error says, and ends parked', async () => {
  const [shop, neighbour] = [await openShop(gateway), await openShop(gateway)];
  const poisoned = await shop.open('60.00 USD', 'STELLAR');
  const other = await neighbour.open('60.00 USD', 'STELLAR');
  await gateway.db.script(`
    create function poison() returns trigger language plpgsql as $$ begin
      raise exception 'terminating connection due to administrator command' using errcode = '57P01';
    end $$;
    create trigger poison before update on checkout for each row when (old.id = '${poisoned.id}') execute function poison();`);
  for (const to of [poisoned, other]) pay(to, '600');
  await closeLedger();
  assert.equal(await neighbour.state(other.id), 'COMPLETED');
  assert.equal(await shop.state(poisoned.id), 'PENDING');
  for (let attempt = 0; attempt < 20; attempt += 1) {
    gateway.clock.advance({ minutes: 15 });
    await gateway.runUntilIdle();
  }
  const [job] = await listJobs(gateway.db, gateway.clock.now(), 1);
  assert.deepEqual([job?.name, job?.state, job?.payload['checkoutId']], ['checkout.advance', 'parked', poisoned.id]);

  await gateway.db.script('drop trigger poison on checkout; drop function poison();');
  await retryParkedJob(gateway.db, present(job, 'the parked job').id, gateway.clock.now());
  await gateway.runUntilIdle();
  assert.equal(await shop.state(poisoned.id), 'COMPLETED');
});
