import assert from 'node:assert/strict';
import { test } from 'node:test';
import { bankInstructions } from '../networks/families/bank/bank-payer.ts';
import { offeredAs } from '../networks/families/bank/bank-payer-texts.ts';
import { pixInstructions } from '../networks/pix/pix-payer.ts';
import { offeredAs as offeredAsPix } from '../networks/pix/pix-payer-texts.ts';
import type { PayerInstructions } from '../networks/port/payer-instructions.ts';
import { createLook } from '../web/page-layout.ts';
import { checkoutPage } from './checkout-page.ts';
import type { PublicCheckout } from './public-checkout.ts';
import { sampleCheckout } from './sample-checkouts.ts';

const look = createLook('en', { isSandbox: true, sendsReceipts: true, files: { stylesheet: '', script: '' } });
const now = new Date('2026-03-01T12:00:00Z');

const shownBy = (instructions: PayerInstructions) => ({
  instructions,
  codeText: instructions.link.qrText,
  joint: null,
  rate: null,
  takesRefundAddress: false,
});
const coinWordsIn = (page: string): string[] =>
  page
    .slice(page.indexOf('<main'))
    .match(/.{0,20}((?<!")wallet|exchange|network fee|Price valid|price is no longer|transaction id)/gi) ?? [];

test('by bank, the page shows what a bank asks for, field by field, and its code where there is one', () => {
  const sample = sampleCheckout('memo', now, 'en');
  assert.ok(sample.pay);
  const [address, memo] = ['DE89370400440532013000', 'RF19ABC123DEF456'];
  const pageBy = (scheme: 'sepa' | 'swift'): string => {
    const account = { scheme, name: 'Ada & Co', iban: address, bic: 'COBADEFFXXX' };
    const request = { assetCode: 'EUR', amount: '12.50', address, memo, joint: null };
    const instructions = bankInstructions(account)(request);
    const pay = { ...sample.pay, ...request, ...shownBy(instructions), offeredAs: offeredAs[scheme] };
    return checkoutPage(look, { ...sample, pay } as PublicCheckout, { now }).toString();
  };
  const [sepa, swift] = [pageBy('sepa'), pageBy('swift')];
  for (const page of [sepa, swift]) {
    assert.match(page, /<dt>Recipient<\/dt><dd>Ada &amp; Co<\/dd>/);
    for (const value of ['Ada &amp; Co', address, 'COBADEFFXXX', memo, '12.50'])
      assert.ok(page.includes(`data-copy="${value}"`), value);
    assert.match(page, /<dt>Reference<\/dt>[^]*class="warning"[^]*Enter this reference and nothing else/);
    assert.doesNotMatch(page, /With this memo|To this address|Send only|Paying from an exchange/);
    assert.deepEqual(coinWordsIn(page), []);
  }
  assert.match(sepa, /Scan the code with your banking app[^]*next banking day/);
  assert.match(swift, /Copy each line into a new transfer abroad[^]*\(OUR\)/);
  assert.deepEqual(
    [sepa, swift].map((page) => page.includes('id="zoom-1"')),
    [true, false],
  );
});

test('by Pix it says where the code is pasted, and warns of no other coin', () => {
  const sample = sampleCheckout('pending', now, 'en');
  const request = { assetCode: 'BRL', amount: '12.50', address: '00020101021226', memo: null, joint: null };
  const pay = { ...sample.pay, ...request, ...shownBy(pixInstructions(request)), offeredAs: offeredAsPix };
  const page = checkoutPage(look, { ...sample, pay } as PublicCheckout, { now }).toString();
  assert.match(page, /choose Pix, and scan this code, or copy it and paste it there/);
  assert.match(page, /A Pix payment arrives within seconds/);
  assert.doesNotMatch(page, /Send only/);
  assert.deepEqual(coinWordsIn(page), []);
});

test('a transfer that comes late is not told of a price that has expired', () => {
  const sample = sampleCheckout('expired', now, 'en');
  const byBank = { rate: null, takesRefundAddress: false, offeredAs: offeredAs.sepa };
  const pay = sample.pay && { ...sample.pay, ...byBank };
  const page = checkoutPage(look, { ...sample, pay }, { now }).toString();
  assert.match(page, /A transfer that is on its way is not lost/);
  assert.match(page, /<button[^>]*>Pay by bank transfer/);
  assert.match(page, /has booked it\. Usually seconds to one banking day\. If it is still missing/);
  assert.deepEqual(coinWordsIn(page), []);
});

test('what a bank has yet to book is confirmed by no network', () => {
  const sample = sampleCheckout('processing', now, 'en');
  const payments = sample.payments.map((payment) => ({ ...payment, network: 'SEPA', networkName: 'SEPA' }));
  const page = checkoutPage(look, { ...sample, payments }, { now }).toString();
  assert.match(page, /It counts as soon as the bank of the shop has booked it/);
  assert.doesNotMatch(page, /network is now confirming/);
  assert.match(checkoutPage(look, sample, { now }).toString(), /network is now confirming/);
});

test('what was sent back says to which account, and over Pix no mark that nobody knows', () => {
  const sample = sampleCheckout('refunded', now, 'en');
  const [refund] = sample.refunds;
  assert.ok(refund);
  const pageOf = (over: object): string =>
    checkoutPage(look, { ...sample, refunds: [{ ...refund, ...over }] }, { now }).toString();
  assert.match(pageOf({}), /Sent to this address/);
  assert.match(pageOf({ isToAccount: true }), /Sent to this account/);
  assert.doesNotMatch(pageOf({ isToAccount: true, address: null }), /Sent to this/);
});
