import assert from 'node:assert/strict';
import { test } from 'node:test';
import { offeredAs } from '../networks/pix/pix-payer-texts.ts';
import { createLook } from '../web/page-layout.ts';
import { checkoutPage } from './checkout-page.ts';
import { sampleCheckout } from './sample-checkouts.ts';

test('what a bank asks for anew has the price of the bill, and the old code is not to be paid', () => {
  const now = new Date('2026-03-01T12:00:00Z');
  const look = createLook('en', { isSandbox: true, sendsReceipts: true, files: { stylesheet: '', script: '' } });
  const partial = sampleCheckout('partial', now, 'en');
  assert.ok(partial.pay);
  for (const arePricesHeld of [true, false]) {
    const pay = { ...partial.pay, isOutdated: true, offeredAs };
    const page = checkoutPage(
      look,
      { ...partial, pay, arePricesHeld },
      {
        now,
        rendering: { sandbox: { canPay: true, canMine: false, hasFailed: false } },
        live: { version: '1', networks: [] },
      },
    ).toString();
    assert.match(page, /id="new-quote"[^]*Pay with Pix/);
    assert.doesNotMatch(page, /new price|value="pay"/);
  }
});

test('until when a transfer can be made is in a line that is printed, once', () => {
  const now = new Date('2026-03-01T12:00:00Z');
  const look = createLook('en', { isSandbox: false, sendsReceipts: true, files: { stylesheet: '', script: '' } });
  const pending = sampleCheckout('pending', now, 'en');
  assert.ok(pending.pay);
  const words = (target: 'account' | 'address'): string[] => {
    assert.ok(pending.pay);
    const pay = { ...pending.pay, instructions: { ...pending.pay.instructions, target } };
    const page = checkoutPage(look, { ...pending, pay }, { now }).toString();
    return Array.from(page.matchAll(/id="(until|links)">[^]*?Pay by/g), ([, id = '']) => id);
  };
  assert.deepEqual([words('account'), words('address')], [['until'], ['links']]);
});
