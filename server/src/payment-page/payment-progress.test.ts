import assert from 'node:assert/strict';
import { test } from 'node:test';
import { inGroupsOfFour } from '../web/address-groups.ts';
import { createLook } from '../web/page-layout.ts';
import { stepper } from './payment-progress.ts';
import { processingView } from './processing-view.ts';
import { sampleCheckout } from './sample-checkouts.ts';

const now = new Date('2026-03-01T12:00:00Z');
const look = createLook('en', { isSandbox: false, files: { stylesheet: '', script: '' } });
const nowIn = (page: string): string => /aria-current="step">(.*?)<\/li>/u.exec(page)?.[1] ?? '';

test('a step that is going on is not called done', () => {
  const seen = sampleCheckout('processing', now, 'en');
  assert.equal(nowIn(String(stepper(look, seen))), 'Confirming');
  const confirmed = sampleCheckout('converting', now, 'en');
  assert.equal(nowIn(String(stepper(look, confirmed))), 'Converting');
  assert.equal(nowIn(String(stepper(look, { ...confirmed, isConverted: false }))), 'Crediting');
});

test('who waits reads once how far the payment has come, and how long it usually takes', () => {
  const checkout = sampleCheckout('processing', now, 'en');
  const words = (shown: typeof checkout): string =>
    String(processingView({ look, checkout: shown, now, rendering: {} }).main).replaceAll(/<[^>]*>/g, '');
  assert.equal(words(checkout).split('1 of 2').length, 2);
  assert.match(words(checkout), /you can close this page\. Usually 10 to 20 minutes\./);
  assert.doesNotMatch(words({ ...checkout, coins: [] }), /Usually/);
  const atBank = { ...checkout, payments: checkout.payments.map((each) => ({ ...each, network: 'SEPA' })) };
  assert.doesNotMatch(words(atBank), /1 of 2/, 'a bank books it or not, and counts nothing');
  const two = { ...checkout, payments: checkout.payments.flatMap((each) => [each, each]) };
  assert.equal(words(two).split('1 of 2').length, 4, 'each of two says how far it has come');
});

test('a payment that is confirmed is no longer being confirmed', () => {
  const checkout = { ...sampleCheckout('converting', now, 'en'), isConverted: false };
  const page = String(processingView({ look, checkout, now, rendering: {} }).main);
  assert.match(page, /Your payment is confirmed/);
  assert.match(page, /now being credited to the shop/);
  assert.doesNotMatch(page, /now confirming it/);
});

test('at both ends of an address at least four letters stand out', () => {
  const bold = (address: string): string[] =>
    Array.from(String(inGroupsOfFour(address)).matchAll(/<b>(.*?)<\/b>/gu), ([, text]) => text ?? '');
  assert.deepEqual(bold('aaaabbbbccccddddeeee'), ['aaaa', 'bbbb', 'eeee']);
  assert.deepEqual(bold('aaaabbbbccccddddee'), ['aaaa', 'bbbb', 'dddd', 'ee']);
});
