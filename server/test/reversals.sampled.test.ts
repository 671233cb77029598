/**
 * A bank takes payments back: whole, in part, several times, also when they are final and the money has left. And it
 * takes fees, gives interest, and books what nobody can explain. 60.00 EUR are credited as 59.70; the books count in
 * ten-millionths.
 */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { createAssetCatalog, findAsset } from '../src/catalog/asset-catalog.ts';
import { readConfig } from '../src/config.ts';
import { isNetworkUp, loadNetworkStatus } from '../src/deposits/network-health.ts';
import { houseNeeds } from '../src/finding/house-needs.ts';
import { enqueue } from '../src/jobs/enqueue.ts';
import { postEntries } from '../src/ledger/ledger-store.ts';
import { present } from '../src/lib/assert.ts';
import { newId } from '../src/lib/ids.ts';
import { allowAddress } from '../src/merchants/change-settings.ts';
import { listMovements, lockMovement, unexplainedUnits } from '../src/payments/movement-store.ts';
import { assignMovement, type MovementMeaning } from '../src/watching/assign-movement.ts';
import { takeOpen } from '../src/watching/keep-movements.ts';
import { isSound } from '../src/watching/reconcile.ts';
import { deepTest } from './depth.ts';
import { aCharge, type Gateway, startGateway, withoutLitecoin } from './gateway.ts';
import { createTestBank, type TestBank } from './networks/test-bank.ts';
import { balancesOf, type Committed, openShop, type Shop } from './shop.ts';

const elsewhere = 'DE89370400440532013000';

let gateway: Gateway;
let bank: TestBank;
before(async () => {
  gateway = await startGateway({
    env: withoutLitecoin,
    furtherNetworks(now) {
      bank = createTestBank(now);
      return [bank.connector];
    },
  });
});
after(() => gateway.stop());

async function aShop(): Promise<Shop> {
  const shop = await openShop(gateway);
  await allowAddress(gateway, shop.merchant.merchantId, { range: '127.0.0.1' }, 'operator');
  return shop;
}

async function pass(time: { minutes?: number; hours?: number }): Promise<void> {
  gateway.clock.advance(time);
  await gateway.runUntilIdle();
}

const days = (count: number) => ({ hours: 24 * count });

/** Paid with these many cents, each in a document of its own. */
async function paid(shop: Shop, ...cents: readonly bigint[]): Promise<Committed & { bookings: string[] }> {
  const checkout = await shop.open('60.00 EUR', 'SEPA');
  const bookings = cents.map((each) => bank.pay(checkout.id, each));
  await gateway.runUntilIdle();
  return { ...checkout, bookings };
}

async function takeBack(booking = '', cents = 0n): Promise<void> {
  bank.takeBack(booking, cents);
  await gateway.runUntilIdle();
}

const operator = () => balancesOf(gateway, 'operator/');

test('what is taken back after it was credited and final is taken back from the merchant, who is told so', async () => {
  const shop = await aShop();
  const { id, bookings } = await paid(shop, 6_000n);
  assert.equal(await shop.state(id), 'COMPLETED');
  assert.deepEqual(await shop.balances(), { 'available/EUR': '597000000' });
  await pass(days(20));
  const [row] = await gateway.db`select state from payment where owner_id = ${id}`;
  assert.deepEqual(row, { state: 'FINAL' });

  await takeBack(bookings[0], 6_000n);
  assert.equal(await shop.state(id), 'EXPIRED REORGED');
  assert.deepEqual(await shop.balances(), {});
  assert.deepEqual(shop.eventsOf(id), ['CHECKOUT_COMPLETED COMPLETED', 'CHECKOUT_REVERSED PROCESSING']);
  assert.deepEqual((await shop.timeline(id)).slice(-3), [
    'payment_reversed',
    'state COMPLETED → PROCESSING',
    'state PROCESSING → EXPIRED',
  ]);
  const { blockchainTransactions, paymentTotals } = await shop.checkout(id);
  assert.deepEqual([blockchainTransactions, paymentTotals], [[], []], 'nothing is there any more');
});

test('of what is taken back in part the rest counts, and a later payment completes it', async () => {
  const shop = await aShop();
  const { id, bookings } = await paid(shop, 6_000n);
  await takeBack(bookings[0], 2_000n);
  assert.equal(await shop.state(id), 'PENDING PARTIAL REORGED');
  assert.deepEqual(await shop.balances(), { 'pending/EUR': '400000000' });
  const { paymentTotals } = await shop.checkout(id);
  assert.deepEqual([paymentTotals[0].count, paymentTotals[0].amount], [1, '40']);

  await takeBack(bookings[0], 1_000n);
  assert.deepEqual(await shop.balances(), { 'pending/EUR': '300000000' });
  bank.pay(id, 3_000n);
  await gateway.runUntilIdle();
  assert.equal(await shop.state(id), 'COMPLETED REORGED');
  assert.deepEqual(await shop.balances(), { 'available/EUR': '597000000' });
  assert.deepEqual(shop.eventsOf(id), [
    ...['CHECKOUT_COMPLETED COMPLETED', 'CHECKOUT_REVERSED PROCESSING', 'CHECKOUT_COMPLETED COMPLETED'],
  ]);
});

deepTest('what is left of a credited payment months later waits for the merchant, who may accept it', async () => {
  const shop = await aShop();
  const { id, bookings } = await paid(shop, 6_000n);
  await pass(days(100));
  await takeBack(bookings[0], 2_000n);
  await pass({ minutes: 1 }); // Events of one checkout go out one after the other.
  assert.equal(await shop.state(id), 'UNDERPAID PARTIAL REORGED');
  assert.deepEqual(await shop.balances(), { 'suspense/EUR': '400000000' });
  assert.deepEqual(shop.eventsOf(id).slice(1), ['CHECKOUT_REVERSED PROCESSING', 'CHECKOUT_UNDERPAID UNDERPAID']);
  await shop.post('/checkout/accept-underpayment', { checkoutId: id });
  assert.equal(await shop.state(id), 'RESOLVED PARTIAL REORGED');
  assert.deepEqual(await shop.balances(), { 'available/EUR': '398000000' });
});

test('what exceeds the price is taken back without a word to the shop but that it is less', async () => {
  const shop = await aShop();
  const { id, bookings } = await paid(shop, 7_000n);
  assert.equal(await shop.state(id), 'COMPLETED OVERPAID');
  await takeBack(bookings[0], 1_000n);
  assert.equal(await shop.state(id), 'COMPLETED REORGED');
  assert.deepEqual(await shop.balances(), { 'available/EUR': '597000000' });
});

test('however often, in whichever order and before its payment: the books are the same', async () => {
  const shop = await aShop();
  const checkout = await shop.open('60.00 EUR', 'SEPA');
  const booking = bank.newName();
  const first = bank.takeBack(booking, 1_500n, 'early');
  await gateway.runUntilIdle();
  assert.equal((await operator())['suspense/EUR'], '-150000000', 'until its payment comes, nobody knows what it was');
  bank.pay(checkout.id, 6_000n, booking);
  await gateway.runUntilIdle();
  assert.equal((await operator())['suspense/EUR'], undefined);
  assert.deepEqual(await shop.balances(), { 'pending/EUR': '450000000' });
  bank.takeBack(booking, 500n, 'later');
  bank.tellAgain(...bank.documents.slice(-3), first);
  await gateway.runUntilIdle();
  bank.tellAgain(...bank.documents.toReversed());
  await gateway.runUntilIdle();
  assert.deepEqual(await shop.balances(), { 'pending/EUR': '400000000' });
  const [{ count } = { count: 0 }] = await gateway.db<{ count: number }>`
    select count(*)::integer as count from network_movement where key in ('early', 'later')`;
  assert.equal(count, 2);
});

test('never more than the payment is taken from its merchant: the rest is a loss that a person must explain', async () => {
  const shop = await aShop();
  const { id, bookings } = await paid(shop, 3_000n, 3_000n);
  await takeBack(bookings[0], 2_000n);
  await takeBack(bookings[0], 1_700n);
  assert.deepEqual(await shop.balances(), { 'pending/EUR': '300000000' }, 'the other payment stands');
  assert.equal((await operator())['suspense/EUR'], '-70000000');
  await takeBack(bookings[0], 100n);
  assert.equal((await operator())['suspense/EUR'], '-80000000', 'of what is gone nothing can be taken');
  assert.equal(await shop.state(id), 'PENDING PARTIAL REORGED');
});

test('what has left the account is owed, and repaid first', async () => {
  const shop = await aShop();
  const { bookings } = await paid(shop, 6_000n);
  await pass(days(20));
  const order = { network: 'SEPA', asset: 'EUR', amount: '59.70', address: elsewhere };
  const { transfer } = await shop.post('/transfer', order);
  await gateway.runUntilIdle();
  bank.carryOut();
  await gateway.runUntilIdle();
  assert.equal((await shop.get(`/transfer?id=${transfer.id}`)).transfer.state, 'COMPLETED');
  assert.deepEqual(await shop.balances(), {});
  await takeBack(bookings[0], 6_000n);
  assert.deepEqual(await shop.balances(), { 'receivable/EUR': '-597000000' });
  await paid(shop, 6_000n);
  await paid(shop, 6_000n);
  assert.deepEqual(await shop.balances(), { 'available/EUR': '597000000' });
});

test('what was refunded and is taken back too, the merchant has lost twice', async () => {
  const shop = await aShop();
  await paid(shop, 6_000n);
  const { id, bookings } = await paid(shop, 6_000n);
  await shop.post('/refund', { checkoutId: id, address: elsewhere });
  await gateway.runUntilIdle();
  bank.carryOut();
  await gateway.runUntilIdle();
  assert.equal(await shop.state(id), 'REFUNDED');
  assert.deepEqual(await shop.balances(), { 'available/EUR': '594000000' });
  await takeBack(bookings[0], 6_000n);
  assert.equal(await shop.state(id), 'REFUNDED REORGED');
  assert.deepEqual(await shop.balances(), { 'receivable/EUR': '-3000000' });
});

deepTest('what was sent back of too little and is taken back in part, the merchant owes in part', async () => {
  const shop = await aShop();
  const { id, bookings } = await paid(shop, 3_000n);
  await pass({ hours: 2 });
  assert.equal(await shop.state(id), 'UNDERPAID PARTIAL');
  await shop.post('/refund', { checkoutId: id, amount: '20', address: elsewhere });
  await gateway.runUntilIdle();
  bank.carryOut();
  await gateway.runUntilIdle();
  assert.deepEqual(await shop.balances(), { 'suspense/EUR': '100000000' });
  await takeBack(bookings[0], 1_000n);
  assert.deepEqual(await shop.balances(), {}, 'the rest is what was sent back');
  await takeBack(bookings[0], 500n);
  assert.deepEqual(await shop.balances(), { 'receivable/EUR': '-50000000' });
});

test('a deposit gives back what was taken of it, and keeps the rest', async () => {
  const shop = await aShop();
  const { id } = await shop.post('/deposit-address', { network: 'SEPA', reusable: true, webhook: gateway.webhookUrl });
  const booking = bank.pay(id, 10_000n);
  await gateway.runUntilIdle();
  assert.deepEqual(await shop.balances(), { 'available/EUR': '995000000' });
  await pass(days(30));
  await takeBack(booking, 4_000n);
  assert.deepEqual(await shop.balances(), { 'available/EUR': '597000000' });
  const rest = ['DEPOSIT_COMPLETED COMPLETED', 'DEPOSIT_REVERSED PENDING']; // Each payment tells its own news.
  assert.deepEqual(shop.eventsOf(id).slice(1).toSorted(), rest);
  const { deposit } = await shop.get(`/deposit?id=${id}`);
  assert.deepEqual([deposit.state, deposit.exceptions], ['COMPLETED', ['REORGED']]);
  assert.deepEqual([deposit.paymentTotals[0].count, deposit.paymentTotals[0].amount], [1, '60']);
});

test('what named nobody is taken back from suspense, in part and whole', async () => {
  const before = (await operator())['suspense/EUR'];
  const booking = bank.payNobody(5_000n);
  await gateway.runUntilIdle();
  await takeBack(booking, 2_000n);
  const [rest] = await gateway.db`select units, reversed_at from unmatched_payment where tx_hash = ${booking}`;
  assert.deepEqual(rest, { units: '300000000', reversed_at: null });
  await takeBack(booking, 3_000n);
  assert.equal((await operator())['suspense/EUR'], before);
  const open = await gateway.db`select from unmatched_payment where reversed_at is null and assigned_at is null`;
  assert.equal(open.length, 0);
});

test('money of the operator that is taken back is equity no more', async () => {
  const targetId = newId();
  const payload = { network: 'SEPA', targetId, amount: null };
  const runAt = gateway.clock.now();
  await gateway.db.begin((tx) => enqueue(tx, [{ name: 'funding.address', payload, runAt }]));
  await gateway.runUntilIdle();
  const before = BigInt((await operator())['equity/EUR'] ?? 0);
  const booking = bank.pay(targetId, 100_000n);
  await gateway.runUntilIdle();
  assert.equal((await operator())['equity/EUR'], String(before + 10_000_000_000n));
  await takeBack(booking, 30_000n);
  assert.equal((await operator())['equity/EUR'], String(before + 7_000_000_000n));
  await takeBack(booking, 70_000n);
  assert.equal(BigInt((await operator())['equity/EUR'] ?? 0), before);
});

deepTest('crumbs are taken from their heap, and from what was made of it', async () => {
  const shop = await aShop();
  const checkout = await shop.open('60.00 EUR', 'SEPA');
  const crumbs = [bank.pay(checkout.id, 9n), bank.pay(checkout.id, 8n)];
  await gateway.runUntilIdle();
  const heap = async () => {
    const [row] = await gateway.db<{ waiting_units: string; waiting_count: string; gathered_units: string }>`
      select waiting_units, waiting_count, gathered_units from crumb_heap where owner_id = ${checkout.id}`;
    const lie = await gateway.db<{ units: string }>`
      select units from payment where owner_id like ${`${checkout.id}/%`} and place = 'settled' order by units`;
    const units = lie.map((each) => Number(each.units) / 100_000);
    return [
      Number(row?.waiting_units) / 100_000,
      Number(row?.waiting_count),
      Number(row?.gathered_units) / 100_000,
      units,
    ];
  };
  await takeBack(crumbs[0], 4n);
  assert.deepEqual(await heap(), [0, 0, 0, []], 'nothing is counted before it is final');
  await pass(days(15));
  assert.deepEqual(await heap(), [0, 0, 13, [5, 8]], 'worth a payment together');
  assert.deepEqual(await shop.balances(), { 'suspense/EUR': '1300000' });
  await takeBack(crumbs[1], 2n);
  assert.deepEqual(await heap(), [0, 0, 11, [5, 6]]);
  assert.deepEqual(await shop.balances(), { 'suspense/EUR': '1100000' });
  const last = bank.pay(checkout.id, 7n);
  await pass(days(15));
  assert.deepEqual(await heap(), [7, 1, 11, [5, 6, 7]]);
  await takeBack(last, 3n);
  await takeBack(crumbs[0], 5n);
  assert.deepEqual(await heap(), [0, 0, 10, [4, 6]], 'what waits goes first: one crumb is like another');
  assert.deepEqual(await shop.balances(), { 'suspense/EUR': '1000000' });
  for (const [crumb, cents] of [
    [crumbs[1], 6n],
    [last, 4n],
  ] as const)
    await takeBack(crumb, cents);
  assert.deepEqual(await heap(), [0, 0, 0, []]);
  assert.deepEqual(await shop.balances(), {});
});

const bySomebody: Parameters<typeof assignMovement>[3] = {
  actor: 'operator',
  begin: (work) => gateway.db.begin(work),
};

/** What the last test left in each of these, for tests that look at what changes. */
async function changes(act: () => Promise<unknown>): Promise<Record<string, bigint>> {
  const before = await operator();
  await act();
  const after = await operator();
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])].filter(
    (name) => !name.startsWith('wallet'),
  );
  const moved = names.map((name) => [name, BigInt(after[name] ?? 0) - BigInt(before[name] ?? 0)] as const);
  return Object.fromEntries(moved.filter(([, units]) => units !== 0n));
}

async function move(...told: Parameters<TestBank['move']>): Promise<void> {
  bank.move(...told);
  await gateway.runUntilIdle();
}

async function explain(as: MovementMeaning['as'], of: string | null = null): Promise<void> {
  const last = present((await listMovements(gateway.db, 1))[0], 'the newest movement');
  await assignMovement(gateway, last.id, { as, of }, bySomebody);
  await gateway.runUntilIdle();
}

test('a fee is a cost, interest and own transfers are the operator’s, and each is booked once', async () => {
  assert.deepEqual(await changes(() => move('FEE', -250n, 'fee of March')), { 'costs/EUR': -25_000_000n });
  assert.deepEqual(await changes(() => move('INTEREST', 120n)), { 'equity/EUR': 12_000_000n });
  assert.deepEqual(await changes(() => move('OWN_MONEY', 5_000n)), { 'equity/EUR': 500_000_000n });
  assert.deepEqual(await changes(() => move('OWN_MONEY', -2_000n)), { 'equity/EUR': -200_000_000n });
  bank.tellAgain(...bank.documents.slice(-4).toReversed());
  assert.deepEqual(await changes(() => gateway.runUntilIdle()), {});
});

test('what left without a word is in suspense until somebody says what it was', async () => {
  gateway.clock.advance({ seconds: 1 });
  assert.deepEqual(await changes(() => move('UNKNOWN', -300n)), { 'suspense/EUR': -30_000_000n });
  const needs = await houseNeeds({ db: gateway.db, clock: gateway.clock, networks: ['SEPA'] });
  assert.equal(needs.filter(({ kind, amount }) => kind === 'unexplained' && amount?.units === -30_000_000n).length, 1);
  const fee = { 'suspense/EUR': 30_000_000n, 'costs/EUR': -30_000_000n };
  assert.deepEqual(await changes(() => explain('FEE')), fee);
  await assert.rejects(explain('OWN_MONEY'), /is explained already/);

  gateway.clock.advance({ seconds: 1 });
  await move('UNKNOWN', -700n);
  const own = { 'suspense/EUR': 70_000_000n, 'equity/EUR': -70_000_000n };
  assert.deepEqual(await changes(() => explain('OWN_MONEY')), own);
});

test('what left without a word was a payment that was taken back: as far as the payment goes', async () => {
  const shop = await aShop();
  const { id, bookings } = await paid(shop, 6_000n);
  gateway.clock.advance({ seconds: 1 });
  await move('UNKNOWN', -6_100n);
  await assert.rejects(explain('REVERSAL', 'no such booking'), /No payment on SEPA is called no such booking/);
  assert.deepEqual(await changes(() => explain('REVERSAL', id)), {
    'fees/EUR': -3_000_000n,
    'suspense/EUR': 600_000_000n,
  });
  assert.deepEqual(await shop.balances(), {});
  assert.equal((await shop.timeline(id)).filter((what) => what === 'payment_reversed').length, 1);
  await assert.rejects(explain('REVERSAL', bookings[0]), /nothing is left/);
  assert.deepEqual(await changes(() => explain('FEE')), { 'suspense/EUR': 10_000_000n, 'costs/EUR': -10_000_000n });
});

test('a payment that was taken back is named by what it was for; of several it is the one of that amount', async () => {
  const shop = await aShop();
  const { id, bookings } = await paid(shop, 2_000n, 1_500n, 1_500n, 1_000n);
  const left = async (cents: bigint, name: string): Promise<void> => {
    gateway.clock.advance({ seconds: 1 });
    await move('UNKNOWN', -cents);
    await explain('REVERSAL', name);
  };
  const twice = new RegExp(`paid several times: say which, as .*${bookings[2]}:0`);
  await assert.rejects(left(1_500n, id), twice);
  await explain('REVERSAL', `${bookings[2]}:0`);
  await left(2_000n, id);
  await left(1_500n, id); // The other one is gone.
  const reversed = await gateway.db<{ tx: string }>`
    select tx_hash as tx from payment where owner_id = ${id} and state = 'REVERSED'`;
  assert.deepEqual(reversed.map(({ tx }) => tx).toSorted(), bookings.slice(0, 3).toSorted());
});

deepTest(
  'however often a checkout was paid, one of two payments of that amount is never taken for the only one',
  async () => {
    const shop = await aShop();
    const checkout = await shop.open('600.00 EUR', 'SEPA');
    for (let count = 0; count < 101; count += 1) bank.pay(checkout.id, 100n);
    const alike = [bank.pay(checkout.id, 1_500n, 'alike, first'), bank.pay(checkout.id, 1_500n, 'what sorts last')];
    await gateway.runUntilIdle();
    gateway.clock.advance({ seconds: 1 });
    await move('UNKNOWN', -1_500n);
    const which = new RegExp(`paid several times: say which, as ${alike[0]}:0 or ${alike[1]}:0\\.`);
    await assert.rejects(explain('REVERSAL', checkout.id), which);
    await explain('REVERSAL', `${alike[1]}:0`);
  },
);

/** A checkout to which only crumbs came, and what was made of them. */
async function gathered() {
  const shop = await aShop();
  const checkout = await shop.open('60.00 EUR', 'SEPA');
  const crumbs = [bank.pay(checkout.id, 9n), bank.pay(checkout.id, 8n)] as const;
  await pass(days(15));
  assert.deepEqual(await shop.balances(), { 'suspense/EUR': '1700000' });
  const [made] = await gateway.db<{ txHash: string; txIndex: string }>`
    select tx_hash as "txHash", tx_index as "txIndex" from payment where owner_id = ${checkout.id}`;
  return { shop, checkout, crumbs, made: present(made, 'what was made of them') };
}

test('what was made of crumbs is taken back with them alone, and a bank that corrects one stops nobody', async () => {
  const { shop, checkout, crumbs, made } = await gathered();
  gateway.clock.advance({ seconds: 1 });
  await move('UNKNOWN', -17n);
  for (const name of [checkout.id, `${made.txHash}:${made.txIndex}`])
    await assert.rejects(explain('REVERSAL', name), /No payment on SEPA is called/);
  await explain('REVERSAL', crumbs[0]);
  assert.deepEqual(await shop.balances(), { 'suspense/EUR': '800000' });
  await explain('FEE');
  await takeBack(crumbs[1], 8n);
  assert.deepEqual(await shop.balances(), {});
});

deepTest('of a crumb whose worth is gone already nothing is taken, and what left is for a person', async () => {
  const { shop, crumbs, made } = await gathered();
  gateway.clock.advance({ seconds: 1 });
  await move('UNKNOWN', -14n);
  const { id } = present((await listMovements(gateway.db, 1))[0], 'the newest movement');
  await gateway.db.begin(async (tx) => {
    const movement = present(await lockMovement(tx, id), 'what left');
    const { entries } = await takeOpen(tx, { ...movement, ...made }, gateway.clock.now());
    await postEntries(tx, entries, gateway.clock.now());
  });
  const left = await changes(() => takeBack(crumbs[0], 9n));
  assert.equal(left['suspense/EUR'], -600_000n, 'three of nine cents stood');
  assert.deepEqual(await shop.balances(), {});
  assert.equal((await paid(shop, 100n)).bookings.length, 1);
  assert.deepEqual(await shop.balances(), { 'pending/EUR': '10000000' }, 'others are credited');
  const differences = (await gateway.count()).filter((each) => !isSound(each));
  assert.deepEqual(differences, []);
});

test('what left without a word was a payout of ours: it has arrived', async () => {
  const shop = await aShop();
  await paid(shop, 6_000n);
  await pass(days(20));
  const order = { network: 'SEPA', asset: 'EUR', amount: '50', address: elsewhere };
  const { transfer } = await shop.post('/transfer', order);
  await gateway.runUntilIdle();
  gateway.clock.advance({ seconds: 1 });
  await move('UNKNOWN', -4_999n);
  await assert.rejects(explain('PAYOUT', transfer.id), /was of more than this/);
  await explain('FEE');
  gateway.clock.advance({ seconds: 1 });
  bank.carryOutUnnamed();
  await gateway.runUntilIdle();
  assert.equal((await shop.get(`/transfer?id=${transfer.id}`)).transfer.state, 'SENT');
  await assert.rejects(explain('PAYOUT', 'another'), /There is no payout another/);
  await explain('PAYOUT', transfer.id);
  await pass({ minutes: 1 });
  assert.equal((await shop.get(`/transfer?id=${transfer.id}`)).transfer.state, 'COMPLETED');
  assert.deepEqual(await shop.balances(), { 'available/EUR': '97000000' });
});

test('against what nobody has explained no money of the operator leaves', async () => {
  const assets = createAssetCatalog(readConfig(gateway.env).operator);
  const asset = present(findAsset(assets, 'EUR'), 'euros');
  gateway.clock.advance({ seconds: 1 });
  const before = await unexplainedUnits(gateway.db, asset.id);
  await move('UNKNOWN', -1_000n);
  assert.equal(await unexplainedUnits(gateway.db, asset.id), before + 100_000_000n);
  await explain('FEE');
  assert.equal(await unexplainedUnits(gateway.db, asset.id), before);
});

test('the payer reads that the payment was taken back, and not that it is being confirmed again', async () => {
  const shop = await aShop();
  const { id } = await shop.post('/checkout/hosted', aCharge('60.00 EUR'));
  await shop.post('/checkout/commit', { checkoutId: id, network: 'SEPA' });
  const booking = bank.pay(id, 6_000n);
  await gateway.runUntilIdle();
  await takeBack(booking, 2_000n);
  const page = await (await fetch(`${new URL(gateway.url).origin}/en/checkout/${id}`)).text();
  assert.match(page, /was taken back after it had arrived/);
  assert.doesNotMatch(page, /revised its latest blocks/);
});

test('whoever wants more confirmations does not wait for another document', async () => {
  const shop = await openShop(gateway, { extraConfirmations: 5 });
  assert.equal(await shop.state((await paid(shop, 6_000n)).id), 'COMPLETED');
});

test('a bank at which nothing happens for a week is a quiet network, not a silent one', async () => {
  await pass(days(8));
  const status = (await loadNetworkStatus(gateway.db)).find(({ network }) => network === 'SEPA');
  assert.ok(isNetworkUp(status, gateway.clock.now()));
  assert.equal(status?.blocksBehind, 0);
  assert.equal(status?.tipHeight, bank.documents.length, 'a position is where a height would be');
  const shop = await aShop();
  assert.equal(await shop.state((await paid(shop, 6_000n)).id), 'COMPLETED');
});
