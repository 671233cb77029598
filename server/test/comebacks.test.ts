/**
 * A bank gives back what we sent: days after it was booked, whole, in part, several times, before it told that it was booked,
 * and more than was sent. 60.00 EUR are credited as 59.70; the books count in ten-millionths.
 */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { createAssetCatalog } from '../src/catalog/asset-catalog.ts';
import { readConfig } from '../src/config.ts';
import { houseNeeds } from '../src/finding/house-needs.ts';
import { needsYou } from '../src/finding/needs-you.ts';
import { present } from '../src/lib/assert.ts';
import { newId } from '../src/lib/ids.ts';
import { allowAddress } from '../src/merchants/change-settings.ts';
import { suspendMerchant } from '../src/merchants/suspend-merchant.ts';
import { insertPayouts } from '../src/sending/payout-store.ts';
import { returnUnmatched } from '../src/watching/return-unmatched.ts';
import { listUnmatched } from '../src/watching/unmatched-store.ts';
import { aCharge, type Gateway, startGateway, withoutLitecoin } from './gateway.ts';
import { createTestBank, type TestBank } from './networks/test-bank.ts';
import { returnDeps } from './return-deps.ts';
import { balancesOf, openShop, type Shop } from './shop.ts';

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
  for (let count = 0; count < 12; count += 1) shops.push(await openPaid());
  await pass(days(20)); // All of it may leave.
});
after(() => gateway.stop());

type PaidShop = Shop & { readonly paid: string[]; readonly bookings: string[] };
const shops: PaidShop[] = [];

/** A shop that was paid 60.00 EUR twice. */
async function openPaid(): Promise<PaidShop> {
  const shop = await openShop(gateway);
  await allowAddress(gateway, shop.merchant.merchantId, { range: '127.0.0.1' }, 'operator');
  const paid = [await shop.open('60.00 EUR', 'SEPA'), await shop.open('60.00 EUR', 'SEPA')].map(({ id }) => id);
  const bookings = paid.map((id) => bank.pay(id, 6_000n));
  return { ...shop, paid, bookings };
}

/** Each story has a shop of its own, with 119.40 EUR. */
const paidShop = (): PaidShop => present(shops.pop(), 'a shop');

async function pass(time: { minutes?: number; hours?: number }): Promise<void> {
  gateway.clock.advance(time);
  await gateway.runUntilIdle();
}

const days = (count: number) => ({ hours: 24 * count });

async function sendOut(shop: Shop, amount: string): Promise<string> {
  const order = { network: 'SEPA', asset: 'EUR', amount, address: elsewhere, webhook: gateway.webhookUrl };
  const { transfer } = await shop.post('/transfer', order);
  await gateway.runUntilIdle();
  return transfer.id;
}

async function carryOut(): Promise<void> {
  bank.carryOut();
  await gateway.runUntilIdle();
}

async function comeBack(...told: Parameters<TestBank['comeBack']>): Promise<void> {
  bank.comeBack(...told);
  await pass({ minutes: 1 }); // Events of one subject go out one after the other.
}

const transferOf = async (shop: Shop, id: string) => (await shop.get(`/transfer?id=${id}`)).transfer;
const suspense = async () => BigInt((await balancesOf(gateway, 'operator/'))['suspense/EUR'] ?? 0);
const unmatchedNeeds = async () =>
  (await houseNeeds({ db: gateway.db, clock: gateway.clock, networks: ['SEPA'] })).filter(
    ({ kind }) => kind === 'unmatched',
  );

test('a transfer that came back has failed, and the merchant has the money again', async () => {
  const shop = paidShop();
  const id = await sendOut(shop, '59.70');
  await carryOut();
  assert.equal((await transferOf(shop, id)).state, 'COMPLETED');
  assert.deepEqual(await shop.balances(), { 'available/EUR': '597000000' });
  await pass(days(3));

  await comeBack(id, 5_970n);
  const { state, failure, cameBack, failureCost, endTime } = await transferOf(shop, id);
  assert.deepEqual(
    [state, failure, cameBack, failureCost],
    ['FAILED', 'It had arrived, and came back: Account closed', '59.7', '0'],
  );
  assert.equal(new Date(endTime) > new Date(gateway.clock.now().getTime() - 600_000), true, 'when it came back');
  assert.deepEqual(await shop.balances(), { 'available/EUR': '1194000000' });
  assert.deepEqual(shop.eventsOf(id), ['TRANSFER_COMPLETED COMPLETED', 'TRANSFER_FAILED FAILED']);
  const again = await sendOut(shop, '59.70');
  await carryOut();
  assert.equal((await transferOf(shop, again)).state, 'COMPLETED');
});

test('of a transfer that came back in part the rest stays sent, until all of it came back', async () => {
  const shop = paidShop();
  const id = await sendOut(shop, '50');
  await carryOut();
  await comeBack(id, 2_000n);
  const inPart = await transferOf(shop, id);
  assert.deepEqual([inPart.state, inPart.failure, inPart.cameBack], ['COMPLETED', null, '20']);
  assert.deepEqual(await shop.balances(), { 'available/EUR': '894000000' });
  await comeBack(id, 3_000n);
  const whole = await transferOf(shop, id);
  assert.deepEqual([whole.state, whole.cameBack], ['FAILED', '50']);
  assert.deepEqual(await shop.balances(), { 'available/EUR': '1194000000' });
  assert.deepEqual(
    shop.webhooksOf(id).map(({ eventType, data }) => [eventType, (data['transfer'] as { cameBack?: string }).cameBack]),
    [
      ['TRANSFER_COMPLETED', undefined],
      ['TRANSFER_COMPLETED', '20'],
      ['TRANSFER_FAILED', '50'],
    ],
  );
});

test('told twice, in any order and before the payment was booked, it comes back once', async () => {
  const shop = paidShop();
  const id = await sendOut(shop, '50');
  const first = bank.comeBack(id, 1_000n, 'early');
  bank.tellAgain(first, first);
  await gateway.runUntilIdle();
  assert.equal((await transferOf(shop, id)).state, 'SENT', 'it waits until the payment is booked');
  assert.deepEqual(await shop.balances(), { 'available/EUR': '694000000', 'reserved/EUR': '500000000' });
  await carryOut();
  assert.deepEqual(await shop.balances(), { 'available/EUR': '794000000' });
  bank.comeBack(id, 1_000n, 'later');
  bank.tellAgain(...bank.documents.slice(-3).toReversed(), first);
  await gateway.runUntilIdle();
  bank.tellAgain(...bank.documents.toReversed());
  await gateway.runUntilIdle();
  assert.deepEqual(await shop.balances(), { 'available/EUR': '894000000' });
  assert.equal((await transferOf(shop, id)).cameBack, '20');
});

test('more than was sent is nobody’s, and needs a person', async () => {
  const shop = paidShop();
  const id = await sendOut(shop, '50');
  await carryOut();
  const [lay, needs] = [await suspense(), (await unmatchedNeeds()).length];
  await comeBack(id, 4_000n);
  await comeBack(id, 1_200n);
  await comeBack(id, 100n);
  assert.equal((await transferOf(shop, id)).cameBack, '50');
  assert.deepEqual(await shop.balances(), { 'available/EUR': '1194000000' });
  assert.equal((await suspense()) - lay, 30_000_000n);
  const found = (await unmatchedNeeds()).slice(needs);
  assert.deepEqual(
    found.map(({ amount, sender, memo }) => [amount?.units, sender, memo]),
    [
      [20_000_000n, elsewhere, 'Account closed'],
      [10_000_000n, elsewhere, 'Account closed'],
    ],
  );
});

test('what comes back of nothing that we sent is nobody’s too', async () => {
  const shop = paidShop();
  const id = await sendOut(shop, '50');
  const lay = await suspense();
  await comeBack('nosuchpayout', 700n);
  assert.equal((await suspense()) - lay, 70_000_000n);
  // It waited for a payment that was never made.
  bank.comeBack(id, 5_000n);
  await gateway.runUntilIdle();
  bank.refuseOrders();
  await gateway.runUntilIdle();
  assert.equal((await transferOf(shop, id)).state, 'FAILED');
  assert.deepEqual(await shop.balances(), { 'available/EUR': '1194000000' }, 'once, because it was never sent');
  assert.equal((await suspense()) - lay, 570_000_000n);
});

test('a debt is repaid first, also by what came back', async () => {
  const shop = paidShop();
  const id = await sendOut(shop, '119.40');
  await carryOut();
  bank.takeBack(shop.bookings[0] ?? '', 6_000n);
  await gateway.runUntilIdle();
  assert.deepEqual(await shop.balances(), { 'receivable/EUR': '-597000000' });
  await comeBack(id, 5_000n);
  assert.deepEqual(await shop.balances(), { 'receivable/EUR': '-97000000' });
  await comeBack(id, 6_940n);
  assert.deepEqual(await shop.balances(), { 'available/EUR': '597000000' });
});

test('a suspended merchant is credited as any other', async () => {
  const shop = paidShop();
  const id = await sendOut(shop, '59.70');
  await carryOut();
  await suspendMerchant(gateway, shop.merchant.merchantId, 'A key was stolen.', { actor: 'operator' });
  await comeBack(id, 5_970n);
  assert.deepEqual(await shop.balances(), { 'available/EUR': '1194000000' });
  const [row] = await gateway.db`select state from transfer where id = ${id}`;
  assert.deepEqual(row, { state: 'FAILED' });
});

async function refunded(shop: Shop, checkoutId: string, more: object = {}): Promise<string> {
  const { refund } = await shop.post('/refund', { checkoutId, address: elsewhere, ...more });
  await gateway.runUntilIdle();
  await carryOut();
  return refund.id;
}

const refundOf = async (shop: Shop, id: string) => (await shop.get(`/refund?id=${id}`)).refund;

async function refundNeeds({ merchant }: Shop): Promise<unknown[]> {
  const deps = { db: gateway.db, clock: gateway.clock, assets: createAssetCatalog(readConfig(gateway.env).operator) };
  const { items } = await needsYou(deps, merchant.merchantId, { limit: 10 });
  return items
    .filter(({ kind }) => kind === 'refundFailed')
    .map(({ refundId, amounts }) => [refundId, amounts?.[0]?.amount]);
}

test('a refund that came back was none: the merchant has it, is told to act, and may refund again', async () => {
  const shop = paidShop();
  const [checkout = ''] = shop.paid;
  const id = await refunded(shop, checkout);
  assert.equal(await shop.state(checkout), 'REFUNDED');
  assert.deepEqual(await shop.balances(), { 'available/EUR': '594000000' });

  await comeBack(id, 6_000n);
  assert.equal(await shop.state(checkout), 'COMPLETED');
  assert.deepEqual(await shop.balances(), { 'available/EUR': '1194000000' });
  const { state, failure, cameBack } = await refundOf(shop, id);
  assert.deepEqual([state, failure, cameBack], ['FAILED', 'It had arrived, and came back: Account closed', '60']);
  assert.deepEqual(shop.eventsOf(checkout), [
    ...['CHECKOUT_COMPLETED COMPLETED', 'REFUND_COMPLETED REFUNDED', 'REFUND_FAILED COMPLETED'],
  ]);
  assert.deepEqual((await shop.timeline(checkout)).slice(-2), ['refund_failed', 'state REFUNDED → COMPLETED']);
  assert.deepEqual(await refundNeeds(shop), [[id, '60']]);

  await refunded(shop, checkout);
  assert.equal(await shop.state(checkout), 'REFUNDED');
  assert.deepEqual(await shop.balances(), { 'available/EUR': '594000000' });
  assert.deepEqual(await refundNeeds(shop), []);
});

test('of a refund that came back in part so much may be refunded again', async () => {
  const shop = paidShop();
  const [checkout = ''] = shop.paid;
  const id = await refunded(shop, checkout);
  await comeBack(id, 1_000n);
  assert.equal(await shop.state(checkout), 'COMPLETED');
  const inPart = await refundOf(shop, id);
  assert.deepEqual([inPart.state, inPart.cameBack], ['COMPLETED', '10']);
  assert.deepEqual(await refundNeeds(shop), [[id, '10']]);
  assert.equal(shop.eventsOf(checkout).at(-1), 'REFUND_PARTIAL COMPLETED');
  await shop.refused(422, 'POST', '/refund', { checkoutId: checkout, address: elsewhere, amount: '10.01' });
  const again = await refunded(shop, checkout);
  assert.equal((await refundOf(shop, again)).amount, '10');
  assert.equal(await shop.state(checkout), 'REFUNDED');
  await comeBack(id, 5_000n);
  await comeBack(again, 1_000n);
  assert.equal(await shop.state(checkout), 'COMPLETED');
  assert.deepEqual(await shop.balances(), { 'available/EUR': '1194000000' });
});

test('what was too little and came back waits for the merchant again, and what came since stays what it was', async () => {
  const shop = paidShop();
  const { id: checkout } = await shop.open('60.00 EUR', 'SEPA');
  bank.pay(checkout, 3_000n);
  await pass(days(1));
  const id = await refunded(shop, checkout);
  assert.equal(await shop.state(checkout), 'REFUNDED PARTIAL');
  bank.pay(checkout, 500n);
  await gateway.runUntilIdle();
  assert.equal(await shop.state(checkout), 'REFUNDED DUPLICATE PARTIAL', 'it belongs to no order of the shop');
  await comeBack(id, 3_000n);
  assert.equal(await shop.state(checkout), 'UNDERPAID PARTIAL');
  assert.deepEqual(await shop.balances(), { 'available/EUR': '1194000000', 'suspense/EUR': '350000000' });
  assert.deepEqual(shop.eventsOf(checkout), [
    ...['CHECKOUT_UNDERPAID UNDERPAID', 'REFUND_COMPLETED REFUNDED', 'REFUND_FAILED UNDERPAID'],
  ]);
});

test('the payer reads of no refund that did not stay', async () => {
  const shop = paidShop();
  const { id: checkout } = await shop.post('/checkout/hosted', aCharge('60.00 EUR'));
  await shop.post('/checkout/commit', { checkoutId: checkout, network: 'SEPA' });
  bank.pay(checkout, 6_000n);
  await gateway.runUntilIdle();
  const id = await refunded(shop, checkout);
  const page = async () => (await fetch(`${new URL(gateway.url).origin}/en/checkout/${checkout}`)).text();
  assert.match(await page(), /refunded/i);
  await comeBack(id, 6_000n);
  assert.doesNotMatch(await page(), /refunded|sent back/i);
});

test('what was sent back to whoever had named nobody lies in suspense again, for a person', async () => {
  const lay = await suspense();
  bank.payNobody(5_000n);
  await gateway.runUntilIdle();
  const [payment] = (await listUnmatched(gateway.db)).filter(({ memo }) => memo === 'order?');
  assert.ok(payment);
  const deps = { ...returnDeps(gateway), connectors: new Map([['SEPA', bank.connector]]) };
  const { returnId } = await returnUnmatched(deps, payment.id, { destination: null, feeUnits: 10_000_000n });
  await gateway.runUntilIdle();
  await carryOut();
  assert.equal(await suspense(), lay);
  const needs = (await unmatchedNeeds()).length;
  await comeBack(returnId ?? '', 4_900n);
  assert.equal((await suspense()) - lay, 490_000_000n);
  const found = (await unmatchedNeeds()).slice(needs);
  assert.deepEqual(
    found.map(({ amount, memo }) => [amount?.units, memo]),
    [[490_000_000n, 'Account closed']],
  );
});

test('what the operator took out and came back is the operator’s again', async () => {
  paidShop();
  bank.move('OWN_MONEY', 20_000n);
  await gateway.runUntilIdle();
  const equity = async () => BigInt((await balancesOf(gateway, 'operator/'))['equity/EUR'] ?? 0);
  const before = await equity();
  const [asset] = await gateway.db<{ asset: string }>`select asset from payment where network = 'SEPA' limit 1`;
  const id = newId();
  const destination = { address: elsewhere, memo: null, memoType: null, holder: null };
  const whose = { purpose: 'withdrawal', merchantId: 'operator' } as const;
  const payout = { id, network: 'SEPA', asset: asset?.asset ?? '', units: 1_000_000_000n, ...destination, ...whose };
  await gateway.db.begin((tx) => insertPayouts(tx, [payout], gateway.clock.now()));
  await gateway.runUntilIdle();
  await carryOut();
  assert.equal(await equity(), before - 1_000_000_000n);
  await comeBack(id, 3_000n);
  await comeBack(id, 7_000n);
  assert.equal(await equity(), before);
});
