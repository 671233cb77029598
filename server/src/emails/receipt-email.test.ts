import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sampleCheckout } from '../payment-page/sample-checkouts.ts';
import type { PageLanguage } from '../web/texts/page-texts.ts';
import { receiptEmail } from './receipt-email.ts';

const settledAt = new Date('2026-11-15T16:45:00Z');

const urls = { receiptUrl: 'https://pay.example/receipt', pageUrl: 'https://pay.example/' };
const readable = (html: string): string => html.replace(/^[^]*<body/, '').replace(/<[^>]*>/g, '');

function mailIn(language: PageLanguage) {
  const checkout = sampleCheckout('completed', settledAt, language);
  const payments = checkout.payments.flatMap((payment) => [payment, { ...payment, amount: '7.5', assetCode: 'XLM' }]);
  const facts = { settledAt, ...urls, isSandbox: false };
  return receiptEmail(language, { checkout: { ...checkout, payments, timeZone: 'Europe/Berlin' }, ...facts });
}

test('a receipt is dated where the shop is, as its paper is', () => {
  for (const form of [mailIn('de').text, mailIn('de').html])
    assert.match(form, /Bezahlt am 15\. November 2026 um 17:45 MEZ\./);
});

test('what was paid in two coins is a row for each, with its network and what it was worth', () => {
  assert.match(mailIn('de').text, /\nBitcoin: 0,\d+\sBTC \(25,50\s€\)\nBitcoin: 7,5\sXLM \(25,50\s€\)\n/);
});

test('what was too much and what came back of it stand below what was paid', () => {
  const { sums, ...rest } = sampleCheckout('overpaid', settledAt, 'en');
  const checkout = { ...rest, sums: { ...sums, returned: sums.excess } };
  const { text } = receiptEmail('en', { checkout, settledAt, ...urls, isSandbox: false });
  assert.match(text, /Paid with: 0\.0006\sBTC\nToo much: 0\.00009\sBTC \(€4\.50\)\nRefunded: 0\.00009\sBTC \(€4\.50\)/);
  assert.doesNotMatch(mailIn('en').text, /Too much|Refunded/);
});

test('in French a space that does not break stands before every colon, also of those beside a name', () => {
  const base = sampleCheckout('overpaid', settledAt, 'fr');
  const checkout = { ...base, orderReference: 'KN-1', helpEmail: 'aide@shop.example' };
  const { text, html } = receiptEmail('fr', { checkout, settledAt, ...urls, isSandbox: false });
  const asked = decodeURIComponent(/mailto:[^"]*/.exec(html)?.[0] ?? '');
  for (const form of [text, readable(html), asked]) {
    assert.match(form, /\u00a0: /);
    assert.doesNotMatch(form, /[^\u00a0\u202f]:(\s|$)/m);
  }
});

test('in Arabic the names are on the right', () => {
  assert.match(mailIn('ar').html, /<html lang="ar" dir="rtl">[^]*<th scope="row" align="right"/);
  assert.match(mailIn('en').html, /<html lang="en" dir="ltr">[^]*<th scope="row" align="left"/);
});

test('both forms say each payment with its network, its worth, its rate and its transaction', () => {
  const base = sampleCheckout('completed', settledAt, 'en');
  const [first] = base.payments;
  assert.ok(first);
  const second = {
    ...first,
    networkName: 'Stellar',
    amount: '151.2',
    assetCode: 'XLM',
    txHash: 'c0ffee'.repeat(10),
    price: '5.50',
  };
  const checkout = { ...base, payments: [{ ...first, price: '20.00', href: 'https://explorer.example/tx' }, second] };
  const { text, html } = receiptEmail('en', { checkout, settledAt, ...urls, isSandbox: true });
  for (const form of [text, readable(html)])
    for (const fact of [
      'Bitcoin',
      'Stellar',
      '€20.00',
      '€5.50',
      '151.2\u00a0XLM',
      first.txHash,
      second.txHash,
      '€50,000.00',
      'Sandbox',
    ])
      assert.ok(form.includes(fact), `${fact} in ${form}`);
  assert.match(html, new RegExp(`<a[^>]* href="https://explorer\\.example/tx"[^>]*>${first.txHash}</a>`));
});

test('a long order does not make the mail so long that it is cut off: the items are on the paper, and both forms say where', () => {
  const checkout = sampleCheckout('completed', settledAt, 'en');
  const [payment] = checkout.payments;
  assert.ok(payment);
  const mailWith = (count: number, paid: number) => {
    const lines = Array.from({ length: count }, (_, at) => ({
      label: `Item ${at} of many`,
      detail: null,
      amount: '1.00',
    }));
    const payments = Array.from({ length: paid }, () => payment);
    return receiptEmail('en', { checkout: { ...checkout, lines, payments }, settledAt, ...urls, isSandbox: true });
  };
  const [some, many] = [mailWith(50, 20), mailWith(500, 100)];
  assert.ok(readable(some.html).includes('Item 49 of many'));
  assert.doesNotMatch(many.html, /Item \d+ of many/);
  assert.match(many.html, /<a [^>]*href="https:\/\/pay\.example\/receipt"[^>]*>See the items<\/a>/);
  assert.match(readable(many.html), /Paid with\s*0\.00051\u00a0BTC \(€25\.50\)/, 'all of them together');
  assert.ok(readable(some.html).includes(payment.txHash) && !readable(many.html).includes(payment.txHash));
  assert.ok(some.text.includes('Item 49 of many') && many.text.includes(payment.txHash));
  assert.doesNotMatch(many.text, /Item \d+ of many/);
  assert.match(many.text, /\nYour order: https:\/\/pay\.example\/receipt\n/);
  for (const { html } of [some, many]) assert.ok(Buffer.byteLength(html) < 100_000, `${Buffer.byteLength(html)} bytes`);
});

test('where the shop accepted less, the receipt is for what was paid, and says so', () => {
  const { sums, payments, ...base } = sampleCheckout('completed', settledAt, 'en');
  const checkout = {
    ...base,
    payments: payments.map((payment) => ({ ...payment, amount: '0.0002', price: '10.00' })),
    sums: { ...sums, acceptedPrice: '10.00' },
  };
  const { text, html } = receiptEmail('en', { checkout, settledAt, ...urls, isSandbox: false });
  for (const form of [text, readable(html)])
    assert.match(form, /The shop has accepted €10\.00 for this order of €25\.50\./);
  assert.match(text, /\nTotal: €25\.50\nBitcoin: 0\.0002\sBTC \(€10\.00\)\n/);
  assert.match(readable(html), /€10\.00 · Paid on[^]*complete\.\s*€10\.00\s*paid to Sample shop/);
  assert.match(readable(html), /Total\s*€25\.50\s*Bitcoin\s*0\.0002\sBTC\s*€10\.00/);
});
