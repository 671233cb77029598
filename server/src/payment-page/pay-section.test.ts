import assert from 'node:assert/strict';
import { test } from 'node:test';
import { bankInstructions } from '../networks/families/bank/bank-payer.ts';
import { createLook } from '../web/page-layout.ts';
import { checkoutPage } from './checkout-page.ts';
import type { PublicCheckout } from './public-checkout.ts';
import { sampleCheckout } from './sample-checkouts.ts';

const look = createLook('en', { isSandbox: true, sendsReceipts: true, files: { stylesheet: '', script: '' } });
const now = new Date('2026-03-01T12:00:00Z');

test('by bank, the page shows what a bank asks for, field by field, and its code where there is one', () => {
  const sample = sampleCheckout('memo', now, 'en');
  assert.ok(sample.pay);
  const [address, memo] = ['DE89370400440532013000', 'RF19ABC123DEF456'];
  const pageBy = (scheme: 'sepa' | 'swift'): string => {
    const account = { scheme, name: 'Ada & Co', iban: address, bic: 'COBADEFFXXX' };
    const request = { assetCode: 'EUR', amount: '12.50', address, memo, joint: null };
    const instructions = bankInstructions(account)(request);
    const pay = { ...sample.pay, ...request, instructions, codeText: instructions.link.qrText, joint: null };
    return checkoutPage(look, { ...sample, pay } as PublicCheckout, { now }).toString();
  };
  const [sepa, swift] = [pageBy('sepa'), pageBy('swift')];
  for (const page of [sepa, swift]) {
    assert.match(page, /<dt>Recipient<\/dt><dd>Ada &amp; Co<\/dd>/);
    for (const value of ['Ada &amp; Co', address, 'COBADEFFXXX', memo, '12.50'])
      assert.ok(page.includes(`data-copy="${value}"`), value);
    assert.match(page, /<dt>Reference<\/dt>[^]*class="warning"[^]*Enter this reference and nothing else/);
    assert.doesNotMatch(page, /With this memo|To this address|Send only|Paying from an exchange/);
  }
  assert.match(sepa, /next banking day/);
  assert.match(swift, /\(OUR\)/);
  assert.deepEqual(
    [sepa, swift].map((page) => page.includes('id="zoom-1"')),
    [true, false],
  );
});
