/** A receipt or an invoice says the same on its page and in its PDF, in every language. */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { inflateSync } from 'node:zlib';
import sharp from 'sharp';
import type { CheckoutState } from '../src/checkouts/checkout-state.ts';
import type { Paper } from '../src/invoices/paper.ts';
import { paperPage } from '../src/invoices/paper-page.ts';
import { paperPdf } from '../src/invoices/paper-pdf.ts';
import { present } from '../src/lib/assert.ts';
import { logoTone } from '../src/merchants/brand-image.ts';
import { ciiInvoice } from '../src/papers/cii-invoice.ts';
import { priceText } from '../src/web/number-text.ts';
import { createLook } from '../src/web/page-layout.ts';
import { languageCodes, type PageLanguage } from '../src/web/texts/page-texts.ts';
import { sampleOf } from './depth.ts';
import { readPdf } from './pdf-text.ts';
import { readArchivalPdf } from './read-archival-pdf.ts';
import { drawnIn, factsOf, files, lookIn, noteOn, paperIn, storedOf } from './sample-paper.ts';
import { hasXmllint, xmlComplaints } from './xmllint.ts';

/** Everything that is on a paper, in its order. */
const saidOn = (paper: Paper): string[] => [
  paper.title,
  ...paper.facts.flatMap(([name, value]) => [name, value]),
  ...paper.parties.flatMap(({ title, lines }) => [title, ...lines]),
  ...[...paper.lines, ...paper.sums, paper.total].flatMap(({ label, detail, amount }) => [label, detail ?? '', amount]),
  paper.note ?? '',
  ...paper.payments.flatMap(({ networkName, amount, rate, txHash }) => [networkName, amount, rate ?? '', txHash]),
  ...paper.excess.flat(),
];

/** Without blanks, and without the marks that only say in which direction a text runs. */
const squeezed = (text: string): string => text.replaceAll(/[\s\u061c\u200e\u200f\u2066-\u2069]/gu, '');

function assertInOrder(text: string, parts: readonly string[], where: string): void {
  let from = 0;
  for (const part of parts.map(squeezed)) {
    const at = squeezed(text).indexOf(part, from);
    assert.notEqual(at, -1, `${where} does not say ${part} after ${squeezed(text).slice(0, from).slice(-40)}`);
    from = at + part.length;
  }
}

const textOf = (page: string): string =>
  page
    .replace(/^[^]*<article/, '<article')
    .replaceAll(/<svg[^]*?<\/svg>|<[^>]*>/g, ' ')
    .replaceAll('&#39;', "'")
    .replaceAll('&amp;', '&');

/** In a sample: one with long words, and one that is read from the right. */
const languages = sampleOf(languageCodes, (each) => each === 'de' || each === 'ar');

for (const kind of ['receipt', 'invoice'] as const)
  test(`the page and the PDF of ${kind === 'receipt' ? 'a receipt' : 'an invoice'} say the same, in every language`, async () => {
    for (const language of languages) {
      const look = lookIn(language);
      const paper = paperIn(look, kind, {
        legalLine: 'Nord GmbH, Hamburg',
        taxId: 'DE 123',
        timeZone: 'Europe/Berlin',
      });
      assertInOrder(textOf(paperPage(look, paper).toString()), saidOn(paper), `the page in ${language}`);
      const { text, links, pages } = readPdf(await paperPdf(look, paper, null));
      assertInOrder(text, saidOn(paper), `the PDF in ${language}`);
      assert.equal(paper.mark?.text, look.say('paid'));
      assert.ok(squeezed(text).includes(squeezed(look.say('paid').toLocaleUpperCase(language))), 'the mark');
      assert.deepEqual(
        paper.excess.map(([name]) => name),
        [look.say('tooMuch'), look.say('refunded')],
      );
      assert.doesNotMatch(text, /\ufffd/, `letters that the fonts lack, in ${language}`);
      assert.deepEqual([links, pages], [['https://explorer.example/tx/7d1f'], 1]);
    }
  });

test('where the shop accepted less, page and PDF say what was paid of which total, in every language', async () => {
  for (const language of languages) {
    const look = lookIn(language);
    for (const kind of ['receipt', 'invoice'] as const) {
      const paper = paperIn(look, kind, {}, { accepted: '10.00' });
      const [paid, total] = [priceText(language, '10.00', 'EUR'), priceText(language, '25.50', 'EUR')];
      assert.ok(paper.note?.includes(paid) && paper.note.includes(total), `${language}: ${paper.note}`);
      assert.ok(paper.payments[0]?.amount.endsWith(`(${paid})`), `${language}: ${paper.payments[0]?.amount}`);
      assertInOrder(textOf(paperPage(look, paper).toString()), saidOn(paper), `the page in ${language}`);
      assertInOrder(readPdf(await paperPdf(look, paper, null)).text, saidOn(paper), `the PDF in ${language}`);
    }
  }
});

test('an invoice is dated where the shop is, names country and tax ids, and splits net, tax and total', () => {
  const settings = { timeZone: 'Europe/Berlin', taxId: 'DE 123456789', legalLine: 'Nord GmbH, Hamburg' };
  const german = paperIn(lookIn('de'), 'invoice', settings);
  assert.deepEqual(german.facts, [
    ['Nummer', 'INV-2026-00007'],
    ['Ausstellungsdatum', '15. November 2026'],
    ['Bestellcode', german.id],
    ['Bezahlt am', '15. November 2026'],
  ]);
  assert.deepEqual(german.parties, [
    {
      title: 'Verkauft von',
      lines: ['Sample shop', 'Nord GmbH, Hamburg', 'USt-IdNr.: DE 123456789', 'account@nord.example'],
    },
    {
      title: 'Rechnung an',
      lines: ['Ada Łukasiewicz', 'İstanbul', 'Türkei', 'Steuernummer: TR 4711', 'ada@customer.example'],
    },
  ]);
  const sums = german.sums.map(({ label, detail, amount }) => [label, detail, amount].map((each) => each ?? ''));
  assert.deepEqual(sums, [
    ['Nettobetrag', '', '21,25\u00a0€'],
    ['VAT', '20\u00a0%', '4,25\u00a0€'],
  ]);
  assert.equal(german.total.amount, '25,50\u00a0€');
  assert.equal(german.payments[0]?.rate, '1\u00a0BTC = 55.555,56\u00a0€');
  const farEast = paperIn(lookIn('de'), 'invoice', { timeZone: 'Asia/Tokyo' });
  assert.deepEqual(farEast.facts[1], ['Ausstellungsdatum', '16. November 2026'], 'where it is the next day already');
  assert.match(paperIn(lookIn('en'), 'receipt').facts[3]?.[1] ?? '', /16:45 UTC$/, 'UTC unless the shop says');
});

const refund = { kind: 'refund', text: null } as const;

test('a credit note says what it corrects, why and what it takes back, the same on page and PDF, in every language', async () => {
  const invoice = storedOf(factsOf({ kind: 'invoice' }));
  for (const language of languages) {
    const look = lookIn(language);
    for (const note of [
      noteOn(invoice, '10.00', refund),
      noteOn(invoice, '25.50', { kind: 'reversal', text: null }),
      noteOn(invoice, '0.30', { kind: 'hand', text: 'Two beans were missing' }),
    ]) {
      const paper = drawnIn(look, note, [invoice, note]);
      assertInOrder(textOf(paperPage(look, paper).toString()), saidOn(paper), `the page in ${language}`);
      const { text } = readPdf(await paperPdf(look, paper, null));
      assertInOrder(text, saidOn(paper), `the PDF in ${language}`);
      assert.doesNotMatch(text, /\ufffd/, `letters that the fonts lack, in ${language}`);
      assert.ok(squeezed(paper.facts[2]?.[1] ?? '').includes('INV-2026-00007'), language);
      assert.equal(paper.total.amount, priceText(language, note.facts.total, 'EUR'));
    }
  }
  const english = drawnIn(lookIn('en'), noteOn(invoice, '10.00', refund), [invoice]);
  assert.deepEqual(english.facts.slice(0, 4), [
    ['Number', 'CRN-2026-00007'],
    ['Date of issue', 'November 15, 2026'],
    ['Corrects', 'Invoice INV-2026-00007 of November 15, 2026', `/en/invoice/${english.id}?paper=invoice&key=key`],
    ['Reason', 'Money was sent back'],
  ]);
  const byHand = drawnIn(lookIn('en'), noteOn(invoice, '0.30', { kind: 'hand', text: null }), [invoice]);
  assert.deepEqual([byHand.mark, byHand.note], [null, 'This paper alone sends no money.']);
});

test('a paper is marked as refunded once notes took everything back, and leads to them', () => {
  const [invoice, receipt] = [storedOf(factsOf({ kind: 'invoice' })), storedOf(factsOf({ kind: 'receipt' }))];
  const markOf = (paper: typeof invoice, notes: (typeof invoice)[], state?: CheckoutState) =>
    drawnIn(lookIn('en'), paper, [invoice, receipt, ...notes], {}, state).mark?.text;
  const part = noteOn(invoice, '10.00', refund);
  const all = noteOn(invoice, '25.50', refund);
  assert.deepEqual([markOf(invoice, [part]), markOf(receipt, [part])], ['Paid', 'Paid']);
  assert.deepEqual([markOf(invoice, [all]), markOf(receipt, [all])], ['Refunded', 'Refunded']);
  const undone = noteOn(invoice, '25.50', { kind: 'reversal', text: null });
  assert.deepEqual([markOf(invoice, [undone]), markOf(receipt, [undone])], ['Cancelled', 'Cancelled']);
  const byHand = noteOn(invoice, '25.50', { kind: 'hand', text: null });
  assert.deepEqual([markOf(invoice, [byHand]), markOf(invoice, [byHand], 'REFUNDED')], ['Cancelled', 'Refunded']);
  assert.equal(markOf(invoice, [undone], 'REFUNDED'), 'Cancelled', 'the refund was of what came afterwards');
  const shown = drawnIn(lookIn('en'), invoice, [invoice, part]);
  const path = `/en/invoice/${shown.id}?note=creditNote&key=key`;
  assert.deepEqual(shown.facts.at(-1), ['Credit note', 'CRN-2026-00007 (€10.00)', path]);
  assert.match(
    paperPage(lookIn('en'), shown).toString(),
    new RegExp(`href="${path.replace('?', '\\?').replace('&', '&amp;')}"`),
  );
});

test('a receipt is for whoever has the link: it names no buyer, and only the seller that the page names', () => {
  const { parties } = paperIn(lookIn('en'), 'receipt');
  assert.deepEqual(parties, [{ title: 'Sold by', lines: ['Sample shop', 'shop@example.com'] }]);
});

test('a long bill goes on over the page, and every page says which it is', async () => {
  const look = lookIn('de');
  const sold = { lineItems: Array.from({ length: 90 }, (_, at) => ({ description: `Ding ${at}`, netAmount: '1.00' })) };
  const { text, pages } = readPdf(await paperPdf(look, paperIn(look, 'invoice', {}, { sold }), null));
  assert.ok(pages >= 3 && pages <= 6, `${pages} pages`);
  assertInOrder(text, ['Ding 0', 'Ding 45', 'Ding 89'], 'the PDF');
  for (let page = 1; page <= pages; page += 1) assert.ok(text.includes(`Seite ${page} von ${pages}`), `page ${page}`);
});

test('in Arabic a PDF begins on the right, and what is in other letters keeps its order', async () => {
  const placesIn = async (language: PageLanguage) => {
    const look = lookIn(language);
    const paper = paperIn(look, 'invoice', { legalLine: 'Nord GmbH, 20095 Hamburg' });
    const { runs } = readPdf(await paperPdf(look, paper, null));
    const placeOf = (text: string): number => present(runs.find((run) => run.text === text)?.x, text);
    return {
      title: placeOf(paper.title),
      label: placeOf(look.say('total')),
      seller: placeOf('Nord GmbH, 20095 Hamburg'),
    };
  };
  const middle = 595 / 2;
  const [german, arabic] = [await placesIn('de'), await placesIn('ar')];
  assert.ok(german.title < 60 && german.label < 60 && german.seller < 60, JSON.stringify(german));
  assert.ok(arabic.title > middle && arabic.label > middle && arabic.seller > middle, JSON.stringify(arabic));
});

test('a name in letters of both directions stands in the PDF as on the page, and an address in lines has them on both', async () => {
  const facts = factsOf({ kind: 'invoice' });
  const fields = { company: 'מלך x.io/', adr1: 'Dock 7\nHafenstr. 1', countrycode: 'DE' };
  const paper = (language: PageLanguage): Paper =>
    drawnIn(lookIn(language), storedOf({ ...facts, buyer: { ...present(facts.buyer, 'a buyer'), fields } }));
  const { runs } = readPdf(await paperPdf(lookIn('en'), paper('en'), null));
  const placeOf = (text: string): number => present(runs.find((run) => run.text.trim() === text)?.x, text);
  assert.ok(placeOf('מלך') < placeOf('x.io/'), 'an English page begins on the left, whatever comes first');
  const arabic = readPdf(await paperPdf(lookIn('ar'), paper('ar'), null)).runs.map(({ text }) => text.trim());
  assert.ok(!arabic.includes('x.io/'), 'in Arabic the stroke ends the line on the left');
  assert.match(paperPage(lookIn('en'), paper('en')).toString(), /Dock 7<br>Hafenstr\. 1/);
});

test('a number of Arabic or Persian digits is printed as it is read', async () => {
  for (const language of ['ar', 'en'] as const) {
    const look = lookIn(language);
    const paper = paperIn(look, 'invoice', { legalLine: 'شارع ١٢٣٤, Set ۵۶۷ pcs' });
    const numbers = readPdf(await paperPdf(look, paper, null)).runs.map(({ text }) => text);
    for (const number of ['١٢٣٤', '۵۶۷']) assert.ok(numbers.includes(number), `${number} in ${language}`);
  }
});

test('sums stay on one page, with the last item before them', async () => {
  const look = lookIn('en');
  for (const count of [13, 14, 15, 16, 17, 18, 19, 20, 21]) {
    const lineItems = Array.from({ length: count }, (_, at) => ({ description: `Item ${at}.`, netAmount: '1.00' }));
    const paper = {
      ...paperIn(look, 'invoice', {}, { sold: { lineItems } }),
      sums: [],
      total: { label: 'Total', detail: null, amount: '9' },
    };
    const { runs } = readPdf(await paperPdf(look, paper, null));
    const at = (text: string): number => runs.findIndex((run) => run.text === text);
    const between = runs.slice(at(`Item ${count - 1}.`), at('Total')).map(({ text }) => text);
    assert.deepEqual(between, [`Item ${count - 1}.`, '€1.00'], 'nothing of another page comes between');
  }
});

test('a logo is on the PDF, in the shop’s colour', async () => {
  const create = { width: 300, height: 100, channels: 4, background: '#ff880080' } as const;
  const logo = await sharp({ create }).png().toBuffer();
  const look = createLook('en', {
    isSandbox: true,
    files,
    brand: { ...lookIn('en').brand, pageColour: '#0c5a39', logoSrc: '/images/brand/x.webp', isNameHidden: true },
  });
  const paper = paperIn(look, 'receipt');
  const pdf = await paperPdf(look, paper, { png: logo, tone: 'free' });
  assert.match(pdf.toString('latin1'), /\/Subtype \/Image/);
  const { text } = readPdf(pdf);
  assertInOrder(text, ['Sandbox: this is a test', 'Receipt', 'Sample shop'], 'the PDF');
  assert.equal(text.indexOf('Sample shop') > text.indexOf('Receipt'), true, 'the logo is the name');
});

/** What a PDF draws and writes, as it says so itself. */
const drawn = (pdf: Buffer): string =>
  Array.from(pdf.toString('latin1').matchAll(/>>\nstream\n(q|x[^]*?)\nendstream/g), ([, packed = '']) =>
    inflateSync(Buffer.from(packed, 'latin1')).toString('latin1'),
  ).join('\n');

test('a logo stands on a plate where the shop’s colour is as dark or as light as itself, and nowhere else', async () => {
  const blank = { width: 40, height: 40, channels: 4, background: '#00000000' } as const;
  const bar = async (background: string): Promise<Buffer> =>
    sharp({ create: blank })
      .composite([{ input: { create: { ...blank, width: 20, background } } }])
      .png()
      .toBuffer();
  const [black, white] = [await bar('#111111'), await bar('#ffffff')];
  assert.deepEqual([await logoTone(black), await logoTone(white)], ['dark', 'light']);
  const plates = async (png: Buffer, pageColour: string): Promise<number> => {
    const brand = { ...lookIn('en').brand, pageColour, logoSrc: '/images/brand/x.webp' };
    const look = createLook('en', { isSandbox: false, files, brand });
    const pdf = await paperPdf(look, paperIn(look, 'receipt'), { png, tone: await logoTone(png) });
    return drawn(pdf).split('1 1 1 scn').length - 1;
  };
  assert.ok((await plates(black, '#14213d')) > (await plates(white, '#14213d')), 'on a dark plane');
  assert.equal(await plates(black, '#fdf6e3'), await plates(white, '#fdf6e3'), 'none that is white on a light one');
  const rounded = async (png: Buffer): Promise<number> => {
    const look = createLook('en', { isSandbox: false, files, brand: { ...lookIn('en').brand, pageColour: '#fdf6e3' } });
    return drawn(await paperPdf(look, paperIn(look, 'receipt'), { png, tone: await logoTone(png) })).split(' c\n')
      .length;
  };
  assert.ok((await rounded(white)) > (await rounded(black)), 'a dark one below a white logo there');
});

test('the face of a PDF follows that of the page, and Arabic has the one that knows its letters', async () => {
  const facesOf = async (font: 'system' | 'serif' | 'mono', language: 'en' | 'ar' = 'en'): Promise<string> => {
    const look = createLook(language, { isSandbox: false, files, brand: { ...lookIn('en').brand, font } });
    const pdf = await paperPdf(look, paperIn(look, 'receipt'), null);
    return [...new Set(pdf.toString('latin1').match(/DejaVu[A-Za-z]+/g))].toSorted().join(' ');
  };
  assert.equal(await facesOf('system'), 'DejaVuSansCondensed DejaVuSansMono');
  assert.equal(await facesOf('serif'), 'DejaVuSansMono DejaVuSerifCondensed');
  assert.equal(await facesOf('mono'), 'DejaVuSansMono');
  assert.doesNotMatch(await facesOf('serif', 'ar'), /Serif/);
});

test('an invoice has the address from its parts where it was not written, and says why something is not taxed', () => {
  const parts = {
    street: 'Hafenstr. 1',
    postcode: '20457',
    city: 'Hamburg',
    country: 'DE',
    vatId: 'DE123456789',
    taxNumber: '22/3',
  };
  const sold = { lineItems: [{ description: 'Tea', netAmount: '10' }] };
  const drawn = (settings: Record<string, unknown>, language: PageLanguage = 'de') =>
    paperIn(lookIn(language), 'invoice', settings, { sold });
  assert.deepEqual(drawn(parts).parties[0]?.lines, [
    'Sample shop',
    'Hafenstr. 1',
    '20457 Hamburg',
    'Deutschland',
    'USt-IdNr.: DE123456789',
    'Steuernummer: 22/3',
    'account@nord.example',
  ]);
  const written = drawn({ ...parts, postalAddress: 'Postfach 7\nHamburg', taxId: 'DE 1234' }).parties[0]?.lines;
  assert.deepEqual(written?.slice(1, 4), ['Postfach 7', 'Hamburg', 'USt-IdNr.: DE 1234']);
  const noteAs = (untaxedAs: string, language?: PageLanguage) =>
    drawn({ ...parts, untaxedAs, exemptBecause: '§ 19 UStG' }, language).note;
  assert.deepEqual(
    ['Z', 'E', 'G'].map((kind) => noteAs(kind)),
    [null, '§ 19 UStG', 'Steuerfreie Ausfuhrlieferung.'],
  );
  const reverse = { ...parts, untaxedAs: 'AE' };
  assert.equal(noteAs('AE', 'en'), 'Reverse charge: the buyer owes the VAT.', 'of another country');
  const boughtBy = (taxid: string) => {
    const facts = factsOf({ kind: 'invoice', settings: reverse, sold });
    const buyer = { ...present(facts.buyer, 'a buyer'), fields: { lastname: 'Nord', countrycode: 'PL', taxid } };
    return drawnIn(lookIn('en'), storedOf({ ...facts, buyer })).note;
  };
  assert.deepEqual(
    ['', '47/11', 'DE 811907980', 'PL 123-456-78-90'].map(boughtBy),
    [null, null, null, 'Reverse charge: the buyer owes the VAT.'],
    'only a business of another country owes it',
  );
  const mixed = paperIn(lookIn('en'), 'invoice', reverse, {
    sold: {
      ...sold,
      shippingCostItems: [{ description: 'Parcel', netAmount: '5' }],
      taxItems: [{ name: 'VAT', percent: '0.2' }],
    },
  });
  assert.deepEqual(
    [mixed.lines.map(({ label }) => label), mixed.note],
    [['Tea', 'Parcel\u00a0*'], '* Reverse charge: the buyer owes the VAT.'],
    'which positions are meant',
  );
  const taxed = paperIn(lookIn('en'), 'invoice', { ...parts, untaxedAs: 'AE' });
  assert.equal(taxed.note, null, 'nothing is untaxed');
});

test('every paper is a PDF for archives, and only one with an e-invoice holds it, as Factur-X says', async () => {
  const look = lookIn('ar');
  const paper = { ...paperIn(look, 'invoice'), shopName: 'Nord & Söhne <GmbH>' };
  assert.equal(paper.eInvoice, null, 'the shop has not said enough for one');
  const logo = {
    png: await sharp({ create: { width: 60, height: 20, channels: 4, background: '#ff000080' } })
      .png()
      .toBuffer(),
    tone: 'free' as const,
  };
  const plain = await readArchivalPdf(await paperPdf(look, paper, logo));
  assert.deepEqual([plain.attachments, plain.namedFiles], [[], []]);
  assert.doesNotMatch(plain.metadata, /factur-x/);

  const { eInvoice } = paperIn(look, 'invoice', { country: 'DE', vatId: 'DE123456789' });
  const pdf = await readArchivalPdf(await paperPdf(look, { ...paper, eInvoice }, logo));
  const xml = ciiInvoice(present(eInvoice, 'an e-invoice'));
  assert.deepEqual(pdf.attachments, [
    { name: 'factur-x.xml', type: 'text/xml', relationship: 'Alternative', content: xml, hasDate: true },
  ]);
  assert.deepEqual(pdf.namedFiles, ['factur-x.xml']);
  for (const [name, value] of Object.entries({
    DocumentType: 'INVOICE',
    DocumentFileName: 'factur-x.xml',
    Version: '1.0',
    ConformanceLevel: 'EN 16931',
  })) {
    assert.ok(pdf.metadata.includes(`<fx:${name}>${value}</fx:${name}>`), name);
    assert.ok(pdf.metadata.includes(`<pdfaProperty:name>${name}</pdfaProperty:name>`), `${name} is described`);
  }
  for (const each of [plain, pdf]) {
    assert.deepEqual([each.version, each.isEncrypted, each.hasId], ['%PDF-1.7', false, true]);
    assert.match(each.metadata, /<pdfaid:part>3<\/pdfaid:part>\s*<pdfaid:conformance>B</);
    assert.match(each.metadata, /<rdf:li>Nord &amp; Söhne &lt;GmbH&gt;<\/rdf:li>/);
    assert.equal(each.colours, 'sRGB IEC61966-2.1');
    assert.ok(each.fonts.length >= 3 && each.fonts.every(({ isInside }) => isInside), JSON.stringify(each.fonts));
    assert.deepEqual(each.refused, []);
  }
  if (hasXmllint()) assert.equal(xmlComplaints(pdf.metadata), '', 'the metadata is XML');
});

test('a paper that nobody touched is the same file at every download', async (context) => {
  const logo = {
    png: await sharp({ create: { width: 60, height: 20, channels: 4, background: '#ff000080' } })
      .png()
      .toBuffer(),
    tone: 'free' as const,
  };
  const said = { country: 'DE', vatId: 'DE123456789' };
  const drawn = () => paperPdf(lookIn('de'), paperIn(lookIn('de'), 'invoice', said), logo);
  context.mock.timers.enable({ apis: ['Date'], now: new Date('2026-11-18T10:00:00Z') });
  const first = await drawn();
  context.mock.timers.setTime(new Date('2031-02-03T04:05:06Z').getTime());
  assert.ok(first.equals(await drawn()));
  const look = lookIn('de');
  const ofAnother = paperIn(look, 'invoice', said);
  const fileId = (pdf: Buffer): string | undefined => /\/ID \[<(\w+)>/.exec(pdf.toString('latin1'))?.[1];
  const another = await paperPdf(look, { ...ofAnother, paperId: 'another00001' }, logo);
  assert.ok(fileId(first) !== undefined && fileId(first) !== fileId(another));
});
