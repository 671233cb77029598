/** What people read of payments by bank: each amount once, days without an hour, and that a bank took a payment back. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { rfReference } from '../src/networks/families/bank/rf-reference.ts';
import { signed, words } from './account-world.ts';
import { ada, openPaymentWorld, type PaymentWorld, plainText } from './payment-file-world.ts';
import { balancesOf } from './shop.ts';
import type { Sender } from './transfer-story.ts';

let world: PaymentWorld;
before(async () => {
  world = await openPaymentWorld();
});
after(() => world.stop());

async function openMug(shop: Sender): Promise<string> {
  const lineItems = [{ description: 'Mug', netAmount: '80.00' }];
  const { id } = await shop.post('/checkout/hosted', { charge: { billingCurrency: 'EUR', lineItems } });
  await shop.commit(id, 'SEPA');
  return id;
}
const pay = (id: string, units: bigint): string =>
  world.bank.pay({ account: world.bank.euro.iban, units, from: ada, text: rfReference(id), bearer: 'OUR' });
const page = async (id: string, language = 'en'): Promise<string> =>
  plainText(await (await fetch(new URL(`/${language}/checkout/${id}`, world.gateway.url))).text());

test('an amount in the currency of the bill is said once, and a booking has a day and no hour', async () => {
  const shop = await world.paidShop();
  const owner = await world.world.member('owner', 'owner@words.example', shop.merchant.merchantId);
  const [part, whole, tooMuch] = [await openMug(shop), await openMug(shop), await openMug(shop)];
  pay(part, 3_000n);
  pay(whole, 8_000n);
  pay(tooMuch, 9_000n);
  await world.later(1);
  await world.bringStatement();
  await owner.signInWithPasskey();
  const rest = await page(part);
  assert.match(rest, /Received: 30\.00 EUR\. .*Received 30\.00 EUR Still missing 50\.00 EUR Price valid/);
  assert.match(await page(tooMuch), /Order 80\.00 EUR You sent 90\.00 EUR Too much 10\.00 EUR More than/);
  assert.match(await page(tooMuch), /Too much 10\.00 EUR Paid on/);
  assert.match(
    await page(tooMuch),
    /The rest is yours: ask the shop for it\..*kept for you: ask the shop to send it back/,
  );
  const account = words(await owner.get(`/account/checkouts/${whole}`));
  assert.match(account, /80\.00 EUR arrived Mar 2, 2026 Booked on Mar 2, 2026/);
  assert.match(account, /To DE93 9901 0203 0000 4011 00 , good until/);
  assert.match(await world.page('/operator/suspense'), /DE55 9909 0000 0700 0000 42/);
  const document = await world.page('/operator/bank/SEPA/3');
  assert.match(document, /Booked until Mar 2, 2026 Balance/);
});

test('a payment that the bank took back is said to be so, to the merchant and to whoever paid, with what to do', async () => {
  const shop = await world.paidShop();
  const owner = await world.world.member('owner', 'owner@back.example', shop.merchant.merchantId);
  const id = await openMug(shop);
  const entry = pay(id, 8_000n);
  await world.bringStatement();
  assert.match(await page(id), /Paid\. Thank you!/);
  world.bank.correct(entry);
  await world.later(1);
  await world.bringStatement();
  await owner.signInWithPasskey();
  assert.match(await page(id), /Payment taken back Ask your bank, and pay what is missing/);
  const account = words(await owner.get(`/account/checkouts/${id}`));
  assert.match(account, /Taken back by the bank The bank took back a payment that had arrived\. Do not deliver on it/);
  assert.match(account, /80\.00 EUR was taken back by the bank/);
  assert.match(account, /Ledger .*Payment taken back/);
  assert.match(words(await owner.get('/account/checkouts')), new RegExp(`${id} Taken back by the bank`));
  const needs = await owner.get('/account/needs-you');
  assert.match(words(needs), new RegExp(`The payment of ${id} was taken back`));
  const [, link = ''] = /href="(\/account\/needs-you\?[^"]*open=takenBack[^"]*)"/.exec(needs.text) ?? [];
  assert.match(
    words(await owner.get(link.replaceAll('&amp;', '&'))),
    /The bank took this payment back after it had arrived/,
  );
  for (const pages of [account, words(needs)]) assert.doesNotMatch(pages, /network|block/i);
  // What is paid again counts like any other payment.
  pay(id, 8_000n);
  await world.bringStatement();
  assert.match(await page(id), /Paid\. Thank you!/);
  assert.doesNotMatch(words(await owner.get('/account/checkouts')), new RegExp(`${id} Taken back`));
});

test('what came back of a payment while it is under way is told to staff and to its merchant', async () => {
  const shop = await world.paidShop();
  const owner = await world.world.member('owner', 'owner@rest.example', shop.merchant.merchantId);
  const id = await world.pay(shop, '40.00');
  const file = await world.make();
  assert.ok(world.bank.takeFile(await world.download(file)).isTaken);
  await world.later(1);
  await world.bringStatement();
  // The other bank keeps a part for itself.
  world.bank.giveBack(`${id}-${file}`.toUpperCase(), { fee: 250n });
  await world.later(1);
  await world.bringStatement();
  await owner.signInWithPasskey();
  assert.match(await world.filePage(file), /booked, may still come back 37\.50 EUR of it came back so far/);
  assert.match(
    words(await owner.get(`/account/transfers/${id}`)),
    /On its way 37\.50 EUR of it came back so far\. That is available again once/,
  );
  await world.later(7);
  await world.bringStatement();
  await owner.signInWithPasskey();
  assert.match(words(await owner.get(`/account/transfers/${id}`)), /It arrived\. 37\.50 EUR of it came back/);
});

test('what is the operator’s own at a bank is brought in by its reference, and moved away in the portal', async () => {
  const { operator, gateway, bank } = world;
  const brought = await world.press('/operator/money/bring-in', { network: 'SEPA' });
  const told = plainText(brought.text);
  assert.match(told, /To the account of: .*IBAN: .*BIC: .*With this reference: /);
  const reference = /With this reference:.*?data-copy="([^"]+)"/s.exec(brought.text)?.[1] ?? '';
  const before = BigInt((await balancesOf(gateway, 'operator/'))['equity/EUR'] ?? 0);
  bank.pay({ units: 4_200n, from: ada, text: reference });
  await world.bringStatement();
  assert.equal(BigInt((await balancesOf(gateway, 'operator/'))['equity/EUR'] ?? 0) - before, 420_000_000n);

  const page = await operator.get('/operator/money/withdraw');
  assert.doesNotMatch(page.text, /<option value="SEPA"/);
  assert.match(plainText(page.text), /at the bank \(SEPA\) you move in the bank’s portal/);
  const order = { network: 'SEPA', asset: 'EUR', amount: '1', address: 'DE89370400440532013000' };
  const refused = await signed(operator, '/operator/money/withdraw', order);
  assert.equal(refused.status, 400);
  assert.match(plainText(refused.text), /Your own money on SEPA is moved in the bank&#39;s portal/);
});
