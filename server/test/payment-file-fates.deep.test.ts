/** What else becomes of payments in files: refunds, refusals, returns, declarations that were wrong, suspended merchants; and what is kept. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { forgetPaymentFiles } from '../src/bank-files/forget-payment-files.ts';
import { resumeMerchant, suspendMerchant } from '../src/merchants/suspend-merchant.ts';
import { signed } from './account-world.ts';
import { ada, fileDeed, openPaymentWorld, type PaymentWorld, plainText } from './payment-file-world.ts';
import type { Sender } from './transfer-story.ts';

let world: PaymentWorld;
before(async () => {
  world = await openPaymentWorld();
});
after(() => world.stop());

const statesOf = async (shop: Pick<Sender, 'transfer'>, ...ids: string[]): Promise<string[]> =>
  Promise.all(ids.map(async (id) => (await shop.transfer(id)).state));
const orderIdIn = (bytes: Buffer, payoutId: string): string =>
  new RegExp(`<EndToEndId>(${payoutId.toUpperCase()}-[A-Z0-9]{12})<`).exec(bytes.toString())?.[1] ?? 'none';

test('a refund of what was paid by SEPA goes back to its payer in a file too', async () => {
  const shop = await world.paidShop(3_000n);
  const { refund } = await shop.post('/refund', { checkoutId: shop.checkoutId, amount: '20' });
  await world.gateway.runUntilIdle();
  const bytes = await world.download(await world.make());
  assert.match(bytes.toString(), new RegExp(`<IBAN>${ada.iban}</IBAN>`));
  assert.ok(world.bank.takeFile(bytes).isTaken);
  await world.bringStatement();
  await world.later(7);
  await world.bringStatement();
  assert.equal((await shop.get(`/refund?id=${refund.id}`)).refund.state, 'COMPLETED');
});

test('what the bank refuses or returns fails, whoever asked is told why, and the rest of the file is paid', async () => {
  const shop = await world.paidShop();
  const [refused, returned, paid] = [
    await world.pay(shop, '1'),
    await world.pay(shop, '2'),
    await world.pay(shop, '3'),
  ] as const;
  const file = await world.make();
  const bytes = await world.download(file);
  const answer = world.bank.takeFile(bytes, { isSigned: false });
  world.bank.reject(orderIdIn(bytes, refused), 'AC04');
  world.bank.sign(answer.messageId ?? '');
  await world.bring(world.bank.report(answer.messageId ?? ''));
  const [failed] = shop.webhooksOf(refused);
  assert.equal(failed?.eventType, 'TRANSFER_FAILED');
  assert.match(JSON.stringify(failed?.data), /The bank refused it: AC04/);
  world.bank.giveBack(orderIdIn(bytes, returned), { inDays: 2 });
  await world.bringStatement();
  await world.later(2);
  await world.bringStatement();
  assert.match(await world.filePage(file), /1 booked, may still come back, 1 refused by the bank, 1 came back/);
  await world.later(5);
  await world.bringStatement();
  assert.deepEqual(await statesOf(shop, refused, returned, paid), ['FAILED', 'FAILED', 'COMPLETED']);
  assert.equal((await shop.balances())['reserved/EUR'], undefined);
});

test('what was declared void and booked all the same is paid once', async () => {
  const shop = await world.paidShop();
  const id = await world.pay(shop, '7');
  const file = await world.make();
  const bytes = await world.download(file);
  await world.press(fileDeed(file, 'void'), { declare: 'yes' });
  assert.ok(world.bank.takeFile(bytes).isTaken);
  await world.later(1);
  await world.bringStatement();
  assert.match(await world.filePage(file), /booked, may still come back.*1 booked/);
  await world.later(7);
  await world.bringStatement();
  assert.deepEqual(await statesOf(shop, id), ['COMPLETED']);
  assert.match(await world.page('/operator/bank'), /No payment waits for a file/);
  const ended = await world.press(fileDeed(file, 'void'), { declare: 'yes' });
  assert.equal(ended.status, 409);
});

test('what a suspended merchant asked for is in no file, and what can never be paid is refused', async () => {
  const shop = await world.paidShop();
  const [held, wrong] = [await world.pay(shop, '3'), await world.pay(shop, '2')] as const;
  const { db } = world.gateway;
  await db`update outgoing_transfer set holder = jsonb_set(holder, '{name}', '"公司"') where id = ${wrong}`;
  const other = await world.paidShop();
  const paid = await world.pay(other, '1');
  const by = { actor: 'operator', begin: db.begin } as const;
  await suspendMerchant(world.gateway, shop.merchant.merchantId, 'looked into', by);
  await world.make();
  assert.deepEqual([await world.payoutState(held), await world.payoutState(paid)], ['QUEUED', 'SIGNED']);
  await resumeMerchant(world.gateway, shop.merchant.merchantId, by);
  await world.make();
  await world.gateway.runUntilIdle();
  assert.deepEqual([await world.payoutState(held), await world.payoutState(wrong)], ['SIGNED', 'FAILED']);
  assert.deepEqual(await statesOf(shop, wrong), ['FAILED']);
});

test('a file that was made is not given out when an account in it is suspended, or what it gives back was taken back', async () => {
  const by = { actor: 'operator', begin: world.gateway.db.begin } as const;
  const shop = await world.paidShop();
  const other = await world.paidShop(2_000n);
  await world.pay(shop, '3');
  const { refund } = await other.post('/refund', { checkoutId: other.checkoutId, amount: '15' });
  await world.gateway.runUntilIdle();
  const file = await world.make();
  const told = async (): Promise<string> => plainText((await world.press(fileDeed(file, 'download'))).text);
  await suspendMerchant(world.gateway, shop.merchant.merchantId, 'looked into', by);
  assert.match(await told(), /must not be made now .*the account that asked for them is suspended/);
  await resumeMerchant(world.gateway, shop.merchant.merchantId, by);
  world.bank.correct(other.bookingId);
  await world.bringStatement();
  assert.match(await told(), new RegExp(`must not be made now \\(${refund.id}\\)`));
  await world.press(fileDeed(file, 'void'));
  const bytes = await world.download(await world.make());
  assert.doesNotMatch(bytes.toString(), />15\.00</);
  assert.ok(world.bank.takeFile(bytes).isTaken);
  await world.bringStatement();
});

test('a destination at a bank has a BIC and an address, which are signed with it and written into the file', async () => {
  const shop = await world.paidShop();
  const owner = await world.world.member('owner', 'owner@shop.example', shop.merchant.merchantId);
  const path = '/account/transfers/destinations';
  assert.match((await owner.get(`${path}/new`)).text, /name="bic"/);
  const address = 'DE02120300000000202051';
  const holder = { company: 'Uhr AG', street: 'Marktgasse 1', postCode: '80331', town: 'München', country: 'DE' };
  const form = { label: 'Bern', network: 'SEPA', address, bic: 'BYLADEM1001', beneficiary: 'new', ...holder };
  assert.equal(
    (await signed(owner, path, form, { ...form, bic: 'MARKDEF1100' })).status,
    409,
    'another BIC was signed',
  );
  assert.equal((await signed(owner, path, form, { ...form, town: 'Bern' })).status, 409, 'another town was signed');
  assert.equal((await signed(owner, path, form)).status, 303);
  await world.pay(shop, '5.55', { targetAccount: 'Bern' });
  const file = (await world.download(await world.make())).toString();
  assert.match(file, /<BICFI>BYLADEM1001<\/BICFI>/);
  assert.match(file, /<StrtNm>Marktgasse 1<\/StrtNm><PstCd>80331<\/PstCd><TwnNm>Munchen<\/TwnNm><Ctry>DE<\/Ctry>/);
});

test('what waits too long for somebody is told: payments, files that nobody fetched, files of which nothing is heard', async () => {
  const needs = async (): Promise<string> => world.page('/operator/needs-you');
  await world.make().catch(() => undefined); // What is left of the stories before.
  const shop = await world.paidShop();
  await world.later(1);
  await world.pay(shop, '33');
  assert.match(await world.page('/operator/sending'), /Nothing is stuck.*Waits for a payment file.*33\.00 EUR/);
  world.gateway.clock.advance({ hours: 30 });
  assert.doesNotMatch(await needs(), /33\.00 EUR/, 'the next banking day is not over');
  await world.later(2);
  assert.match(await needs(), /33\.00 EUR wait for a payment file of SEPA 1 payment · Make a file of them/);
  assert.doesNotMatch(await needs(), /do not leave/);
  const file = await world.make();
  assert.doesNotMatch(await needs(), new RegExp(file));
  world.gateway.clock.advance({ minutes: 60 });
  assert.match(await needs(), new RegExp(`Payment file ${file} was made, and nobody has downloaded it`));
  await world.download(file);
  assert.match(await world.page('/operator/sending'), /In a payment file.*33\.00 EUR/);
  await world.later(3);
  assert.doesNotMatch(await needs(), new RegExp(file));
  await world.later(3);
  assert.match(await needs(), new RegExp(`Payment file ${file} is not booked at SEPA 1 payment · Was it signed`));
});

test('the bytes of a file go after their time, and not before the bank has decided about all of it', async () => {
  const { db, clock } = world.gateway;
  const kept = async (): Promise<number> => (await db`select distinct file_id from payment_file_piece`).length;
  const all = await kept();
  await forgetPaymentFiles(db, clock.now());
  const left = await kept();
  assert.ok(left > 0 && left < all, `${left} of ${all}`);
  const [undecided] = await db<{ count: number }>`
    select count(distinct trace ->> 'file')::integer as count from outgoing_transaction
     where trace ? 'file' and state in ('OPEN', 'INCLUDED')`;
  assert.equal(left, undecided?.count);
});
