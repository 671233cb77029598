import assert from 'node:assert/strict';
import { test } from 'node:test';
import { payerTexts } from '../networks/families/bank/bank-payer-texts.ts';
import { createLook } from '../web/page-layout.ts';
import { checkoutPage } from './checkout-page.ts';
import type { PublicCheckout } from './public-checkout.ts';
import { sampleCheckout } from './sample-checkouts.ts';

const now = new Date('2026-03-01T12:00:00Z');
const look = createLook('en', { isSandbox: false, files: { stylesheet: '', script: '' } });

/** What of the page a person reads. */
const wordsOf = (checkout: PublicCheckout): string =>
  checkoutPage(look, checkout, { now, rendering: {} })
    .toString()
    .replaceAll(/<[^>]*>/g, ' ')
    .replaceAll(/\s+/g, ' ');

test('what goes back of a paid order is told in place of the celebration, and at banks while it is ordered', () => {
  const paid = sampleCheckout('completed', now, 'en');
  const [sent] = sampleCheckout('refunded', now, 'en').refunds;
  assert.ok(sent);
  const part = wordsOf({ ...paid, refunds: [{ ...sent, amount: '0.0001' }] });
  assert.match(part, /0\.0001.BTC was sent back Your order is paid.*Refunded Sent to this address/);
  assert.doesNotMatch(part, /Thank you|ordered/);
  const iban = { address: 'DE22200411110123456789', isToAccount: true, txHash: null };
  const ordered = { ...sent, ...iban, network: 'SEPA', networkName: 'SEPA', amount: '9.00', assetCode: 'EUR' };
  const underWay = { since: now, takes: payerTexts.sepaBack };
  const both = wordsOf({ ...paid, refunds: [sent, { ...ordered, underWay }] });
  assert.match(
    both,
    /A refund of 9\.00.EUR was ordered.*Refunded.*Refund ordered To this account DE22 2004 1111 0123 4567 89/,
  );
  assert.match(both, /Ordered on March 1, 2026, and not there yet\. It usually takes/);
});

test('what is on its way back by bank is said once, with where to', () => {
  const over = sampleCheckout('overpaid', now, 'en');
  const [sent] = sampleCheckout('refunded', now, 'en').refunds;
  assert.ok(sent && over.wayBack);
  const refunds = [{ ...sent, network: 'SEPA', underWay: { since: now, takes: payerTexts.sepaBack } }];
  const offer = { goodUntil: null, canSendAgain: false, state: 'sending' } as const;
  const wayBack = { ...over.wayBack, kept: 'nothing', offers: [offer] } as const;
  const words = wordsOf({ ...over, goesBackToPayer: true, refunds, wayBack });
  assert.match(words, /Refund ordered/);
  assert.doesNotMatch(words, /being sent back/);
  const approving = { ...wayBack, offers: [{ ...offer, state: 'approving' }] } as const;
  const asked = wordsOf({ ...over, goesBackToPayer: true, wayBack: approving });
  assert.match(asked, /The shop has to agree first\. Then it goes back to the account/);
  const pix = wordsOf({ ...over, goesBackToPayer: true, wayBack });
  assert.match(pix, /It is being sent back to the account that it came from/);
});
