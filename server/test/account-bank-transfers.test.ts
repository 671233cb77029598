/** A merchant sends what customers paid by bank to an account of their own, from the first click to its end. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { changeSettings } from '../src/merchants/change-settings.ts';
import { type Form, signed, words } from './account-world.ts';
import { openPaymentWorld, type PaymentWorld } from './payment-file-world.ts';

let world: PaymentWorld;
before(async () => {
  world = await openPaymentWorld();
});
after(() => world.stop());

const list = '/account/transfers';
const [path, destinations] = [`${list}/new`, `${list}/destinations`] as const;
const plainWords = (page: Parameters<typeof words>[0]): string => words(page).replaceAll(/[\u2068\u2069]/g, '');
const formIn = (text: string): Form =>
  Object.fromEntries(
    Array.from(text.matchAll(/<input type="hidden" name="(\w+)" value="([^"]*)">/g), ([, name = '', value = '']) => [
      name,
      value.replaceAll('&amp;', '&'),
    ]),
  );

const account: Form = {
  label: 'House bank',
  network: 'SEPA',
  address: 'de02 1203 0000 0000 2020 51',
  holder: 'new',
  company: 'Teehaus GmbH',
  memoType: 'text',
};
const iban = 'DE02120300000000202051';

async function people() {
  const shop = await world.paidShop();
  const { merchantId } = shop.merchant;
  const name = `${merchantId.slice(-8).toLowerCase()}@shop.example`;
  const owner = await world.world.member('owner', `owner-${name}`, merchantId);
  return { shop, owner, admin: () => world.world.member('admin', `admin-${name}`, merchantId) };
}

test('a form for an account at a bank asks for what a bank asks, and says what is wrong with it', async () => {
  const { shop, owner } = await people();
  const form = await owner.get(`${destinations}/new?network=SEPA`);
  assert.match(form.text, /<option value="SEPA" data-bank selected>/);
  assert.match(words(form), /IBAN, or the number of the account.*BIC of the bank.*Who holds the account.*Company/);
  const wrong = await signed(owner, destinations, { ...account, address: 'DE03120300000000202051' });
  assert.equal(wrong.status, 400);
  assert.match(plainWords(wrong), /This account cannot be paid by SEPA\. Compare the IBAN or number once more/);
  const nobody = await signed(owner, destinations, { ...account, company: '' });
  assert.equal(nobody.status, 400);
  assert.match(plainWords(nobody), /company|first name/i);
  // What somebody had typed before they chose a bank is nowhere to be seen, and decides nothing.
  const added = await signed(owner, destinations, { ...account, memo: 'for the tea', beneficiary: '' });
  assert.equal(added.status, 303, added.text);
  assert.match(
    words(await owner.get(added.location)),
    /House bank SEPA · now DE02 1203 0000 0000 2020 51.*Teehaus GmbH/,
  );
  const { targetAccounts } = await shop.get('/target-accounts');
  const [saved] = targetAccounts.filter(({ label }: { label: string }) => label === 'House bank');
  assert.equal(saved.address, iban, 'stored, and told to programs, without gaps');
});

test('what customers paid in euros is sent to an own IBAN, approved by another, ordered, and arrives', async () => {
  const { shop, owner, admin } = await people();
  const limit = { transferApprovalAbove: '100.00' };
  await changeSettings(world.gateway, shop.merchant.merchantId, limit, 'operator');
  const start = await owner.get(path);
  assert.doesNotMatch(start.text, /<option value="SEPA"/, 'a bank asks whose account it is');
  assert.match(words(start), /Add an account at a bank.*Banks ask whose account it is/);
  const to = /added=(\w+)/.exec((await signed(owner, destinations, account)).location)?.[1] ?? '';
  assert.match((await owner.get(`${path}?to=${to}`)).text, /<option value="EUR:\w+" selected>EUR, /);
  const asked = new URLSearchParams({ to, asset: 'EUR', amount: '120,50' }).toString();
  const review = await owner.get(`${list}/review?${asked}`);
  assert.match(
    words(review),
    /Send €?120\.50( EUR)?\? .*Destination House bank IBAN DE02 1203 0000 0000 2020 51 Holder Teehaus GmbH By bank, over SEPA/,
  );
  assert.match(words(review), /orders it at the bank by hand.*Another amount or account/);
  assert.doesNotMatch(words(review), /Network|Address|confirmation/);
  const sent = await signed(owner, path, formIn(review.text));
  assert.equal(sent.status, 303, sent.text);
  const [place = ''] = sent.location.split('?');
  assert.match(words(await owner.get(place)), /Waits for approval/);
  const approver = await admin();
  const needs = await approver.get(place);
  assert.match(words(needs), /IBAN DE02 1203 0000 0000 2020 51/);
  assert.equal((await signed(approver, `${place}/approve`, {})).status, 303);
  await world.gateway.runUntilIdle();
  const ordered = words(await owner.get(place));
  assert.match(ordered, /IBAN DE02 1203.*By bank, over SEPA/);
  assert.doesNotMatch(ordered, /Network|Address/);
  const file = await world.make();
  assert.ok(world.bank.takeFile(await world.download(file)).isTaken);
  assert.match(words(await owner.get(place)), /It is in an order for the bank.*End-to-end reference/);
  await world.later(1);
  await world.bringStatement();
  await world.later(7);
  await world.bringStatement();
  await owner.signInWithPasskey();
  const over = words(await owner.get(place));
  assert.match(over, /Arrived/);
  assert.doesNotMatch(over, /Network|Address|confirmation/);
  assert.match(words(await owner.get(`${list}?tab=over`)), /House bank SEPA/);
});
