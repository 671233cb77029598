/**
 * What differs where a bank carries the money: days to pay instead of minutes, one currency, and holders of accounts who have
 * names. The bank is one of
 * paper (`networks/paper-bank.ts`); 1 EUR is 1.08 USD, 1 BTC 60,000 USD in the sandbox.
 */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { goalWords } from '../src/account/money/order-words.ts';
import { paymentWindowMs } from '../src/networks/port/definition.ts';
import type { RegisteredNetwork } from '../src/networks/port/registered-network.ts';
import { registeredNetworks } from '../src/networks/registry.ts';
import { aCharge, type Gateway, startGateway, testIssuer, withoutLitecoin } from './gateway.ts';
import { bankAccount, openPaperBank, type PaperBank, type Payer, somebody } from './networks/paper-bank.ts';
import type { Shop } from './shop.ts';
import { openSender } from './transfer-story.ts';

const eur = `EUR:${testIssuer}`;

let gateway: Gateway;
let bank: PaperBank;
let shop: Shop;
before(async () => {
  gateway = await startGateway({
    env: withoutLitecoin,
    furtherNetworks(now) {
      bank = openPaperBank(now);
      return [bank.connector];
    },
  });
  shop = await openSender(gateway, '0');
});
after(() => gateway.stop());

async function later(by: { hours?: number; minutes?: number }): Promise<void> {
  gateway.clock.advance(by);
  await gateway.app.pollRates();
  await gateway.runUntilIdle();
}

async function arrives(text: string, cents: bigint, payer?: Payer): Promise<void> {
  bank.pay(text, cents, payer);
  await gateway.runUntilIdle();
}

const page = async (id: string): Promise<string> => (await fetch(new URL(`/en/checkout/${id}`, gateway.url))).text();

const inDays = (days: number): string =>
  new Date(gateway.clock.now().getTime() + days * 86_400_000).toISOString().replace('.000Z', '+00:00');
const inAnHour = (): string => inDays(1 / 24);

test('whoever pays by bank has a week, in which nothing expires and nothing is late', async () => {
  const { id, reply } = await shop.open('25.00 EUR', 'SEPA');
  assert.equal(reply.expirationTime, inDays(7));
  assert.equal((await shop.checkout(id)).expirationTime, inDays(7));
  assert.equal(reply.depositInstructions.amount, '25');
  await later({ hours: 6 * 24 });
  assert.equal(await shop.state(id), 'PENDING');
  const again = await shop.commit(id, 'SEPA');
  assert.equal(again.reply.depositInstructions.memo, reply.depositInstructions.memo, 'a client that asks again');
  await arrives(reply.depositInstructions.memo, 2500n);
  assert.equal(await shop.state(id), 'COMPLETED');
  assert.deepEqual(shop.eventsOf(id), ['CHECKOUT_COMPLETED COMPLETED']);
});

test('after the week it is over, to the second, and a transfer that comes then is late and credited', async () => {
  const { id, reply } = await shop.open('25.00 EUR', 'SEPA');
  await later({ hours: 7 * 24 - 1, minutes: 59 });
  assert.equal(await shop.state(id), 'PENDING');
  await later({ minutes: 1 });
  assert.equal(await shop.state(id), 'EXPIRED');
  await arrives(reply.depositInstructions.memo, 2500n);
  assert.equal(await shop.state(id), 'DELAYED_COMPLETED LATE');
});

test('who chose the bank and then a coin is on time with the transfer when the hour of the coin is over', async () => {
  const { id } = await shop.post('/checkout/hosted', aCharge('25.00 EUR'));
  const { reply, expirationTime: until } = await shop.commit(id, 'SEPA');
  const coin = await shop.commit(id, 'BITCOIN');
  assert.equal(coin.expirationTime, inAnHour(), 'so long the price of the coin holds');
  assert.equal((await shop.checkout(id)).expirationTime, until, 'so long the checkout waits');
  assert.match(await page(id), /<time class="clock"[^>]*data-whole="3600" data-followed[^>]*>60:01<\/time>/);
  await later({ minutes: 61 });
  assert.equal(await shop.state(id), 'PENDING');
  const shown = await page(id);
  assert.ok(shown.includes(bankAccount), 'the page shows the way that is still open');
  assert.match(shown, /<time class="clock"[^>]*data-whole="604800" data-hours="166"[^>]*>6 days 22 hours<\/time>/);
  assert.ok(!shown.includes(coin.address), 'and not the one that is over');
  await arrives(reply.depositInstructions.memo, 2500n);
  assert.equal(await shop.state(id), 'COMPLETED');
});

test('who chose a coin and then the bank has the hour for the coin and the week for the checkout', async () => {
  const { id } = await shop.open('25.00 EUR', 'BITCOIN');
  await shop.commit(id, 'SEPA');
  assert.equal((await shop.checkout(id)).expirationTime, inDays(7));
  await later({ hours: 2 });
  assert.equal(await shop.state(id), 'PENDING');
  const cancelled = await shop.post('/checkout/cancel', { id });
  assert.equal(cancelled.checkout.state, 'CANCELED', 'cancelling ends all windows');
});

test('a stock that was promised for a coin is not held for the week of the bank', async () => {
  const promised = async (): Promise<number> => {
    const rows = await gateway.db`select from treasury_promise where merchant_id = ${shop.merchant.merchantId}`;
    return rows.length;
  };
  const { id } = await shop.open('25.00 EUR', 'BITCOIN', { settlementAsset: eur });
  assert.equal(await promised(), 1);
  await shop.commit(id, 'SEPA');
  await later({ minutes: 59 });
  assert.equal(await promised(), 1);
  await later({ minutes: 1 });
  assert.deepEqual([await promised(), await shop.state(id)], [0, 'PENDING']);
});

/** The networks on which such a charge can be paid. */
async function offered(price: string, more: Record<string, unknown> = {}): Promise<string[]> {
  const { paymentMethods } = await shop.post('/checkout', aCharge(price, more));
  return paymentMethods.map(({ network }: { network: string }) => network);
}

test('a bank takes charges in its own currency, credited as they are paid, and no others', async () => {
  assert.deepEqual(await offered('25.00 EUR'), ['BITCOIN', 'SEPA']);
  assert.deepEqual(await offered('25.00 EUR', { settlementAsset: eur }), ['BITCOIN', 'SEPA']);
  assert.deepEqual(await offered('25.00 USD'), ['BITCOIN'], 'a week at a rate of today would be a bet on the rate');
  assert.deepEqual(await offered('25.00 USD', { settlementAsset: eur }), ['BITCOIN']);
  assert.deepEqual(await offered('25.00 EUR', { settlementAsset: `BTC:${testIssuer}` }), ['BITCOIN']);
});

test('who takes the rate of the booking is paid by bank for another asset, credited at that rate and promised nothing', async () => {
  const btc = `BTC:${testIssuer}`;
  const taker = await openSender(gateway, '0', { takesRateOfBooking: true });
  const { paymentMethods } = await taker.post('/checkout', aCharge('25.00 USD', { settlementAsset: btc }));
  assert.deepEqual(
    paymentMethods.map(({ network }: { network: string }) => network),
    ['BITCOIN'],
    'a charge in another currency is never paid by bank',
  );
  const { id, reply } = await taker.open('25.00 EUR', 'SEPA', { settlementAsset: btc });
  const promises = await gateway.db`select from treasury_promise where merchant_id = ${taker.merchant.merchantId}`;
  assert.equal(promises.length, 0);
  await arrives(reply.depositInstructions.memo, 2500n);
  assert.equal(await taker.state(id), 'COMPLETED');
  const [settled] = await gateway.db<{ basis: string; asset: string }>`
    select part ->> 'basis' as basis, part ->> 'creditedAsset' as asset
      from settlement, jsonb_array_elements(parts) as part where checkout_id = ${id}`;
  assert.deepEqual(settled, { basis: 'RATE_OF_ARRIVAL', asset: btc });
});

test('a network that gives longer than the hour, or whose money a bank may take back for months, takes only its own currency', () => {
  const isLong = ({ identity }: RegisteredNetwork): boolean => paymentWindowMs(identity) > 3_600_000;
  const atRisk = registeredNetworks.filter((each) => isLong(each) || each.identity.type === 'BANK');
  assert.deepEqual(
    atRisk.map(({ identity }) => [identity.id, identity.takesOwnCurrencyOnly]),
    [
      ['SEPA', true],
      ['SWIFT', true],
      ['PIX', true],
    ],
  );
});

test('who asks for the bank all the same is told why not', async () => {
  const { id } = await shop.post('/checkout', aCharge('25.00 USD'));
  const [sentence] = await shop.refused(422, 'POST', '/checkout/commit', { checkoutId: id, network: 'SEPA' });
  assert.match(sentence ?? '', /SEPA is not among this checkout's payment methods/);
});

const iban = 'DE89370400440532013000';
const orderOf = (id: string) => bank.orders.find((order) => order.id === id);

/** A shop that was paid 100 EUR by bank and may send them. */
async function paidShop(): Promise<Shop> {
  const paid = await openSender(gateway, '0', { destinationWaitMinutes: 0 });
  const { id, reply } = await paid.open('100.00 EUR', 'SEPA');
  await arrives(reply.depositInstructions.memo, 10_000n, somebody);
  assert.equal(await paid.state(id), 'COMPLETED');
  return paid;
}

test('money at a bank goes to somebody by name, who is the beneficiary of a target account', async () => {
  const sender = await paidShop();
  const account = { label: 'landlord', network: 'SEPA', address: iban };
  const unnamed = [/On SEPA money goes to somebody by name: send it to a target account with a beneficiary/];
  const order = { network: 'SEPA', asset: 'EUR', amount: '10' };
  const inFull = await sender.refused(400, 'POST', '/transfer', { ...order, address: iban });
  const saved = await sender.refused(400, 'POST', '/target-account', account);
  for (const told of [inFull, saved])
    assert.deepEqual(
      told.map((each) => unnamed[0]?.test(each)),
      [true],
    );

  const { beneficiaryId } = await sender.post('/beneficiary', { beneficiary: { firstname: 'Lea', lastname: 'Wirt' } });
  await sender.post('/target-account', { ...account, beneficiaryId });
  const { transfer } = await sender.post('/transfer', { ...order, targetAccount: 'landlord' });
  assert.equal(transfer.holder, 'Lea Wirt');
  await sender.request('PUT', '/beneficiary', { beneficiary: { id: beneficiaryId, lastname: 'Other' } });
  await gateway.runUntilIdle();
  const named = { name: 'Lea Wirt', street: null, postCode: null, town: null, country: null, bic: null };
  assert.deepEqual(orderOf(transfer.id)?.holder, named, 'as it was when it was asked for');
  bank.bookOrders();
  await gateway.runUntilIdle();
  const done = await sender.get(`/transfer?id=${transfer.id}`);
  assert.deepEqual([done.transfer.state, done.transfer.holder], ['COMPLETED', 'Lea Wirt']);
});

test('more than the bank sends in one piece is refused', async () => {
  const order = { network: 'SEPA', asset: 'EUR', address: iban };
  const told = await shop.refused(400, 'POST', '/transfer', { ...order, amount: '1000000000.00' });
  assert.ok(told.some((each) => each.includes('amount must be at most 999999999.99 EUR on SEPA')));
  const most = await shop.refused(400, 'POST', '/transfer', { ...order, amount: '999999999.99' });
  assert.ok(!most.some((each) => each.includes('at most')));
});

test('a refund at a bank goes back to the account that it came from, and to no other', async () => {
  const sender = await paidShop();
  const [{ id: checkoutId }] = (await sender.get('/checkouts')).checkouts;
  const elsewhere = await sender.refused(400, 'POST', '/refund', { checkoutId, amount: '5', address: iban });
  assert.deepEqual(elsewhere, [
    'On SEPA money goes back only to the account that it came from: leave out the address.',
  ]);
  const parts = await sender.refused(400, 'POST', '/refund', { checkoutId, amount: '5.001' });
  assert.equal(parts[0], 'amount must have at most 2 decimals on SEPA, but is 5.001.');
  const { refund } = await sender.post('/refund', { checkoutId, amount: '5' });
  assert.deepEqual([refund.state, refund.address, refund.holder], ['SENDING', somebody.iban, somebody.name]);
  await gateway.runUntilIdle();
  assert.equal(orderOf(refund.id)?.address, somebody.iban);
  assert.equal(orderOf(refund.id)?.holder?.name, somebody.name);
});

test('where nobody or not one alone is known to have paid, nothing is sent to a guess', async () => {
  const told = async (...payers: (Payer | undefined)[]): Promise<string[]> => {
    const { id, reply } = await shop.open('20.00 EUR', 'SEPA');
    for (const payer of payers) await arrives(reply.depositInstructions.memo, 2000n / BigInt(payers.length), payer);
    assert.equal(await shop.state(id), 'COMPLETED');
    return shop.refused(422, 'POST', '/refund', { checkoutId: id, amount: '5' });
  };
  assert.match((await told(undefined))[0] ?? '', /It is not known from whose account this was paid on SEPA/);
  assert.match((await told(somebody, undefined))[0] ?? '', /It is not known/);
  assert.match((await told(somebody, { name: 'Bob', iban }))[0] ?? '', /paid from several accounts on SEPA/);
});

test('what a person signs names the holder, and all that the bank is told of the holder', () => {
  const goal = { network: 'SWIFT', address: iban, memo: null, memoType: null };
  const holder = { name: 'Lea Wirt', street: null, postCode: null, town: 'Bern', country: 'CH', bic: 'POFICHBEXXX' };
  assert.equal(
    goalWords({ ...goal, holder }, 'landlord'),
    `on SWIFT to ${iban} of Lea Wirt, Bern, CH, BIC POFICHBEXXX (landlord)`,
  );
  assert.equal(goalWords({ ...goal, holder: null }, 'landlord'), `on SWIFT to ${iban} (landlord)`);
});
