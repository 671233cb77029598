/** Whatever a payer reads or hears in one language, its numbers follow that language: on pages, papers and in messages. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { receiptEmail } from '../src/emails/receipt-email.ts';
import { paperPage } from '../src/invoices/paper-page.ts';
import { paperPdf } from '../src/invoices/paper-pdf.ts';
import { checkoutPage, methodsPage } from '../src/payment-page/checkout-page.ts';
import { claimedPage, claimPage, type ShownRefund } from '../src/payment-page/refund-claim-page.ts';
import { sampleCheckout, sampleStates } from '../src/payment-page/sample-checkouts.ts';
import { numberText } from '../src/web/number-text.ts';
import { languageCodes, type PageLanguage } from '../src/web/texts/page-texts.ts';
import { readPdf } from './pdf-text.ts';
import { lookIn, paperIn } from './sample-paper.ts';

const now = new Date('2026-11-16T08:05:00Z');

/** What people read, and what a screen reader says; without styles and values that are meant to be copied exactly. */
function readText(page: string): string {
  const heard = Array.from(
    page.matchAll(/ (?:aria-label|alt|title|data-announce|data-at-\d+)="([^"]*)"/g),
    ([, text]) => text,
  );
  const read = page
    .replaceAll(/<(style|script)[^]*?<\/\1>/g, ' ')
    .replaceAll(/<(\w+)[^>]*class="[^"]*(?:mono|copied)[^"]*"[^>]*>[^]*?<\/\1>/g, ' ')
    .replaceAll(/<\/?span[^>]*>/g, '')
    .replaceAll(/<[^>]*>/g, ' ');
  return [read, ...heard].join('\n').replaceAll('&#39;', "'");
}

/** Numbers with a separator in them: languages write them differently. */
const separatedNumbers = (text: string): string[] =>
  Array.from(text.matchAll(/\d+(?:[.,'٫٬\u00a0\u202f]\d+)+/g), ([number]) => number);

/** The same number as the language writes it, or a text that says that the language writes no number like this. */
function rewritten(language: PageLanguage, number: string): string {
  const parts = new Intl.NumberFormat(language).formatToParts(12345.6);
  const sign = (type: string): string => parts.find((part) => part.type === type)?.value ?? '';
  const plain = number.replaceAll(sign('group'), '').replace(sign('decimal'), '.');
  return /^\d+(\.\d+)?$/.test(plain) ? numberText(language, plain) : `not a number in ${language}`;
}

/** With its sign, which is before the number, behind it, or behind a blank. Marks that only steer do not count. */
const percentages = (text: string): string[] =>
  Array.from(
    text.replaceAll(/[\u061c\u200e\u200f]/g, '').matchAll(/%?[\d.,]*\d[\u00a0\u202f ]?%|%\d[\d.,]*/g),
    ([each]) => each.replaceAll(/[\d.,]+/g, '0'),
  );
const percentageIn = (language: PageLanguage): string[] =>
  percentages(new Intl.NumberFormat(language, { style: 'unit', unit: 'percent' }).format(19));

/** Two digits everywhere: `8:05` beside `08:05` looks like a mistake. */
const clocks = (text: string): string[] => Array.from(text.matchAll(/(?<![\d:])\d+:\d+/g), ([time]) => time);

const refund: ShownRefund = {
  checkoutId: 'sample123456',
  shopName: 'Sample shop',
  state: 'CLAIMABLE',
  amount: '1234.5678',
  sentAmount: '1234.5578',
  worth: { whole: '1234.50', sent: '1234.00', currency: 'EUR' },
  fee: '0.01',
  asset: 'XLM',
  network: 'Stellar',
  orderReference: 'A-1007',
  isByInvoice: false,
  hasMemos: true,
  address: null,
  txHash: null,
  href: null,
  hasPage: true,
  testAddress: null,
  legalLine: null,
  legalLinks: { legalNotice: null, privacy: null, terms: null },
};

async function everythingIn(language: PageLanguage): Promise<Record<string, string>> {
  const look = { ...lookIn(language), sendsReceipts: true };
  const lines = [
    { label: 'Beans', detail: { pieces: '2.5', each: '1234.50' }, amount: '3086.25' },
    { label: 'VAT', detail: { percent: '7.5' }, amount: '231.47' },
  ];
  const sold = {
    lineItems: [{ description: 'Beans', netAmount: '1234.50', quantity: '2.5' }],
    taxItems: [{ name: 'VAT', percent: '0.075' }],
  };
  const checkout = (state: (typeof sampleStates)[number]) => ({ ...sampleCheckout(state, now, language), lines });
  const states = sampleStates.map((state) => [state, checkoutPage(look, checkout(state), { now }).toString()] as const);
  const papers = (['receipt', 'invoice'] as const).map((kind) => [kind, paperIn(look, kind, {}, { sold })] as const);
  const pdfs = papers.map(async ([kind, paper]) => {
    const { runs } = readPdf(await paperPdf(look, paper, null));
    return [`${kind} as PDF`, runs.map(({ text }) => text).join('\n')] as const;
  });
  const mail = receiptEmail(language, {
    checkout: { ...checkout('completed'), total: '3317.72', timeZone: 'Europe/London' },
    settledAt: now,
    receiptUrl: 'https://pay.example/receipt',
    pageUrl: 'https://pay.example/',
    isSandbox: true,
  });
  const pages = [
    ...states,
    ['methods', methodsPage(look, checkout('pending'), { now, isUnavailable: true }).toString()] as const,
    ...papers.map(([kind, paper]) => [kind, paperPage(look, paper).toString()] as const),
    ['claim', claimPage(look, refund, 'token').toString()] as const,
    ['claim of an invoice', claimPage(look, { ...refund, isByInvoice: true }, 'token').toString()] as const,
    [
      'claimed',
      claimedPage(look, { ...refund, state: 'COMPLETED', address: 'G', txHash: 'ab' }, 'token').toString(),
    ] as const,
    ['mail', mail.html] as const,
  ];
  return {
    ...Object.fromEntries(pages.map(([name, page]) => [name, readText(page)])),
    ...Object.fromEntries(await Promise.all(pdfs)),
    'mail as text': mail.text,
  };
}

for (const language of languageCodes)
  test(`the numbers of a page, a paper and a message follow one convention: ${language}`, async () => {
    const everything = await everythingIn(language);
    const seen = { percentages: 0, clocks: 0 };
    for (const [name, text] of Object.entries(everything)) {
      const numbers = separatedNumbers(text);
      assert.ok(numbers.length > 0, `${name} has numbers`);
      for (const number of numbers) assert.equal(rewritten(language, number), number, name);
      for (const each of percentages(text)) assert.equal(each, percentageIn(language)[0], name);
      for (const time of clocks(text)) assert.match(time, /^\d\d:\d\d$/, name);
      seen.percentages += percentages(text).length;
      seen.clocks += clocks(text).length;
    }
    assert.ok(seen.percentages > sampleStates.length && seen.clocks > 5, JSON.stringify(seen));
  });
