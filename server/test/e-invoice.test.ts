/** Electronic invoices: read back from what is written, they keep the schema and the business rules of EN 16931. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { charge } from '@quittance/contract/checkout';
import fc from 'fast-check';
import { findCurrency } from '../src/catalog/currency-catalog.ts';
import { chargeTotal } from '../src/checkouts/charge-total.ts';
import type { CustomerFields } from '../src/counterparties/customer-fields.ts';
import { readInput } from '../src/http/read-input.ts';
import { present } from '../src/lib/assert.ts';
import { type SellerData, untaxedKinds } from '../src/merchants/seller-data.ts';
import { compare, decimal, formatFixed, fromUnits, minus, plus, roundTo, times, zero } from '../src/money/decimal.ts';
import { ciiInvoice } from '../src/papers/cii-invoice.ts';
import { creditSums } from '../src/papers/credit-split.ts';
import { createEInvoice, type EInvoice, type EInvoiceDraft, type Vat } from '../src/papers/e-invoice.ts';
import { eInvoiceOf } from '../src/papers/paper-e-invoice.ts';
import type { CreditReason, PaperFacts } from '../src/papers/paper-facts.ts';
import { paperSums } from '../src/papers/paper-sums.ts';
import { ublInvoice } from '../src/papers/ubl-invoice.ts';
import { roundPrice } from '../src/pricing/round-price.ts';
import { sayIn } from '../src/web/texts/page-texts.ts';
import { brokenRules } from './e-invoice-rules.ts';
import { readCii, readUbl } from './read-e-invoice.ts';
import { hasXmllint, schemaComplaints } from './xmllint.ts';

const nineteen: Vat = { category: 'S', rate: '19' };

const draft: EInvoiceDraft = {
  type: '380',
  number: 'INV-2026-00001',
  issuedOn: '2026-11-18',
  currency: 'EUR',
  decimals: 2,
  notes: ['0.00123 BTC (Bitcoin), transaction 7d1f'],
  orderReference: 'A-4711',
  preceding: null,
  seller: {
    name: 'Nord & Söhne <GmbH>',
    tradingName: 'Kaffee <Nord>',
    identifier: null,
    vatId: 'DE123456789',
    taxNumber: '22/333/44444',
    legalInfo: 'Managing director: Ada Nord',
    email: 'office@nord.example',
    address: { street: 'Hafenstr. 1', more: null, city: 'Hamburg', postcode: '20457', country: 'DE' },
  },
  buyer: {
    name: 'Łukasiewicz S.A.',
    identifier: null,
    vatId: 'PL1234567890',
    email: 'ada@customer.example',
    contact: 'Ada Łukasiewicz',
    address: { street: 'ul. Długa 1', more: 'm. 5', city: 'Kraków', postcode: '31-147', country: 'PL' },
  },
  deliveredOn: null,
  deliveredTo: null,
  paymentMeans: 'Bitcoin',
  paymentTerms: null,
  lines: [
    { name: 'Coffee', productId: 'c-1', quantity: '3', price: '9.99', amount: '29.97', vat: nineteen },
    { name: 'Filter', productId: null, quantity: '0.5', price: '1.005', amount: '0.50', vat: nineteen },
  ],
  allowances: [{ reason: 'Discount', amount: '1.00', vat: nineteen }],
  charges: [{ reason: 'Shipping', amount: '4.90', vat: { category: 'Z', rate: '0' } }],
  exemptBecause: null,
  charged: '39.97',
  statedTax: null,
  paid: '39.97',
};

/** What both syntaxes say of it. Notes become one in UBL. */
const readBoth = (invoice: EInvoice) => [readCii(ciiInvoice(invoice)), readUbl(ublInvoice(invoice))] as const;

function assertSaysAll(invoice: EInvoice): void {
  const [cii, ubl] = readBoth(invoice);
  const { notes } = invoice;
  for (const [read, expected] of [
    [cii, invoice],
    [ubl, { ...invoice, notes: notes.length === 0 ? [] : [notes.join('\n')] }],
  ] as const) {
    assert.deepEqual(read, { ...read, ...expected });
    assert.deepEqual(brokenRules(read), []);
  }
}

test('the sums of an e-invoice follow from its lines, and what is rounded stands by itself', () => {
  const invoice = createEInvoice(draft);
  // 29.97 + 0.50 (0.5025) − 1.00 + 4.90 = 34.37; 19 % of 29.47 are 5.5993.
  assert.deepEqual(invoice.totals, {
    lines: '30.47',
    allowances: '1.00',
    charges: '4.90',
    withoutVat: '34.37',
    vat: '5.60',
    withVat: '39.97',
    paid: '39.97',
    rounding: null,
    due: '0.00',
  });
  assert.deepEqual(
    invoice.vatBreakdown.map(({ category, rate, base, tax }) => [category, rate, base, tax]),
    [
      ['S', '19', '29.47', '5.60'],
      ['Z', '0', '4.90', '0.00'],
    ],
  );
  assert.equal(createEInvoice({ ...draft, charged: '39.98', paid: '39.98' }).totals.rounding, '0.01');
  assertSaysAll(invoice);
});

test('a rule that is broken is noticed', () => {
  const [read] = readBoth(createEInvoice(draft));
  const { totals, seller, buyer, lines } = read;
  const broken = (change: Partial<typeof read>): string[] => brokenRules({ ...read, ...change });
  assert.deepEqual(broken({ totals: { ...totals, withVat: '39.98' } }), ['BR-CO-15', 'BR-CO-16']);
  assert.deepEqual(broken({ totals: { ...totals, rounding: '0.01' } }), ['BR-CO-16']);
  assert.deepEqual(broken({ seller: { ...seller, vatId: null, taxNumber: null } }), [
    'BR-CO-26',
    'BR-S-02 to 04',
    'BR-Z-02 to 04',
  ]);
  assert.deepEqual(broken({ buyer: { ...buyer, address: { ...buyer.address, country: '' } } }), [
    'BR-10, 11',
    'BR-CL-14',
  ]);
  const [first] = lines;
  if (!first) throw new Error('a line');
  assert.deepEqual(broken({ lines: [{ ...first, vat: { category: 'O', rate: null } }, ...lines.slice(1)] }), [
    'BR-S-08',
    'BR-O-01',
    'BR-O-02 to 04',
    'BR-O-11 to 14',
  ]);
});

const euros = (units: bigint): string => formatFixed(fromUnits(units, 2), 2);
const words = fc.string({ unit: 'binary', minLength: 1, maxLength: 20 }).map((text) => `x${text.trim()}`);
const cents = (most: number) => fc.integer({ min: 0, max: most }).map((units) => euros(BigInt(units)));
const vats = fc.oneof(
  fc.constantFrom('19', '7', '8.25', '0.1', '100').map((rate): Vat => ({ category: 'S', rate })),
  fc.constantFrom('Z', 'E', 'AE', 'G', 'K').map((category): Vat => ({ category, rate: '0' })),
);

const drafts: fc.Arbitrary<EInvoiceDraft> = fc
  .record({
    isCreditNote: fc.boolean(),
    isOutside: fc.boolean(),
    lines: fc.array(
      fc.record({
        name: words,
        productId: fc.option(words),
        quantity: fc.constantFrom('1', '2', '3.5', '0.333', '0', '1000'),
        price: fc.oneof(cents(1_000_000), fc.constantFrom('0.005', '1.23456789', '0.0000001')),
        amount: cents(1_000_000),
        vat: vats,
      }),
      { minLength: 1, maxLength: 6 },
    ),
    allowances: fc.array(fc.record({ reason: words, amount: cents(5000), vat: vats }), { maxLength: 2 }),
    charges: fc.array(fc.record({ reason: words, amount: cents(5000), vat: vats }), { maxLength: 2 }),
    notes: fc.array(words, { maxLength: 3 }),
    beside: fc.integer({ min: -3, max: 3 }),
    isPaid: fc.boolean(),
  })
  .map(({ isCreditNote, isOutside, beside, isPaid, ...given }) => {
    const outside: Vat = { category: 'O', rate: null };
    const kept = <T extends { readonly vat: Vat }>(all: readonly T[]): T[] =>
      all.map((each) => (isOutside ? { ...each, vat: outside } : each));
    const { seller, buyer } = draft;
    const parts = {
      ...draft,
      type: isCreditNote ? ('381' as const) : ('380' as const),
      preceding: isCreditNote ? { number: 'INV-2026-00001', issuedOn: '2026-11-17' } : null,
      lines: kept(given.lines),
      allowances: kept(given.allowances),
      charges: kept(given.charges),
      notes: given.notes,
      exemptBecause: 'Small business',
      seller: isOutside ? { ...seller, vatId: null, identifier: seller.taxNumber } : seller,
      buyer: isOutside ? { ...buyer, vatId: null } : buyer,
      deliveredOn: '2026-11-17',
      deliveredTo: 'PL',
      charged: '0.00',
      paid: '0.00',
    };
    const { withVat } = createEInvoice(parts).totals;
    const charged = formatFixed(plus(decimal(withVat), fromUnits(BigInt(beside), 2)), 2);
    return { ...parts, charged, paid: isPaid ? charged : '0.00', paymentTerms: isPaid ? null : 'Nothing was sent.' };
  });

test('whatever is sold, both syntaxes say all of it and break no rule', () => {
  fc.assert(
    fc.property(drafts, (given) => {
      const invoice = createEInvoice(given);
      assertSaysAll(readable(invoice));
    }),
    { numRuns: 100 },
  );
});

test('whatever is sold, the XML of Factur-X keeps the schema', (context) => {
  if (!hasXmllint()) {
    assert.notEqual(process.env['CI'], 'true', 'libxml2-utils must be installed where CI=true');
    context.skip('xmllint is not installed: apt-get install libxml2-utils');
    return;
  }
  const samples = fc.sample(drafts, 60).map((given) => ciiInvoice(createEInvoice(given)));
  assert.equal(schemaComplaints([ciiInvoice(createEInvoice(draft)), ...samples]), '');
  assert.match(schemaComplaints(['<Invoice/>']), /fails to validate/);
});

const merchantSaid: SellerData = {
  street: 'Hafenstr. 1',
  postcode: '20457',
  city: 'Hamburg',
  country: 'DE',
  vatId: 'DE123456789',
  taxNumber: '22/333/44444',
  untaxedAs: 'Z',
  exemptBecause: null,
};

/** An invoice, or with `credit` a note that takes so much of it back after `before`. */
function issued(
  posted: Record<string, unknown>,
  {
    data = {},
    fields = {},
    paid,
    credit,
  }: {
    readonly data?: Partial<SellerData>;
    readonly fields?: CustomerFields;
    readonly paid?: string;
    readonly credit?: { readonly before: string; readonly amount: string; readonly kind: CreditReason['kind'] };
  } = {},
) {
  const { billingCurrency: currency, ...read } = readInput(
    charge,
    { billingCurrency: 'EUR', ...posted },
    { name: 'The charge' },
  );
  const decimals = present(findCurrency(currency), 'a currency').decimals;
  const price = roundPrice(chargeTotal(read), decimals);
  const sums = paperSums(
    { ...read, billingCurrency: currency },
    { price, paid: paid === undefined ? price : decimal(paid), decimals },
  );
  const facts: PaperFacts = {
    kind: 'invoice',
    checkoutId: 'c0ffee',
    orderReference: 'A-4711',
    paidAt: '2026-11-17T23:30:00.000Z',
    timeZone: 'Europe/Berlin',
    suppliedOn: '2026-11-18',
    language: 'en',
    currency,
    decimals,
    isSandbox: false,
    seller: {
      name: 'Nord GmbH',
      tradingName: 'Kaffee Nord',
      legalLine: null,
      postalAddress: ['Hafenstr. 1', '20457 Hamburg'],
      taxId: null,
      email: 'office@nord.example',
      data: { ...merchantSaid, ...data },
    },
    buyer: {
      customerId: 'customer00001',
      email: 'ada@customer.example',
      fields: {
        company: 'Łukasiewicz S.A.',
        lastname: 'Łukasiewicz',
        countrycode: 'PL',
        taxid: 'PL 123-456-78-90',
        ...fields,
      },
    },
    ...sums,
    asked: null,
    payments: [
      {
        amount: '0.00123',
        assetCode: 'BTC',
        network: 'BITCOIN',
        networkName: 'Bitcoin',
        rate: { code: 'BTC', price: '55555.56', currency: 'EUR', sources: ['kraken'], conversionPercent: null },
        txHash: '7d1f',
        href: null,
        worth: null,
      },
    ],
    excess: [],
    returned: [],
    corrects: null,
  };
  const paper = { number: 'INV-2026-00001', issuedAt: new Date('2026-11-17T23:45:00Z'), facts };
  if (!credit) return { paper, ...eInvoiceOf(paper) };
  const { before, amount, kind } = credit;
  const note: PaperFacts = {
    ...facts,
    ...creditSums(facts, before, amount),
    kind: 'creditNote',
    payments: kind === 'refund' ? facts.payments : [],
    corrects: {
      paperId: 'paper0000001',
      kind: 'invoice',
      number: 'INV-2026-00001',
      day: '2026-11-18',
      reason: { kind, text: null },
    },
  };
  const notePaper = { number: 'CRN-2026-00001', issuedAt: new Date('2026-11-20T12:00:00Z'), facts: note };
  return { paper: notePaper, ...eInvoiceOf(notePaper) };
}

const coffee = {
  lineItems: [{ description: 'Coffee', netAmount: '9.99', quantity: '3' }],
  discountItems: [{ netAmount: '1' }],
  shippingCostItems: [{ description: 'Parcel', netAmount: '4.9' }],
  taxItems: [{ name: 'VAT', percent: '0.19' }],
};

test('an issued invoice is an e-invoice: paid, with the coins in words, and untaxed shipping as the shop says', () => {
  const { invoice, lacks } = issued(coffee);
  assert.deepEqual(lacks, []);
  const read = readCii(ciiInvoice(present(invoice, 'an e-invoice')));
  assert.deepEqual(
    [read.number, read.issuedOn, read.orderReference, read.paymentMeans, read.paymentMeansCode, read.totals.due],
    ['INV-2026-00001', '2026-11-18', 'A-4711', 'Bitcoin', '68', '0.00'],
  );
  assert.match(read.notes.join(), /^Bitcoin: 0\.00123\u00a0BTC; .*1\u00a0BTC = €55,555\.56; .*: 7d1f$/);
  assert.deepEqual(
    [...read.lines, ...read.allowances, ...read.charges].map(({ amount, vat }) => [amount, vat.category]),
    [
      ['29.97', 'S'],
      ['1.00', 'S'],
      ['4.90', 'Z'],
    ],
  );
  assert.equal(read.buyer.vatId, 'PL1234567890');
  assert.deepEqual([read.seller.name, read.seller.tradingName], ['Nord GmbH', 'Kaffee Nord']);
});

test('what is missing or cannot be said is named, and nothing else is written', () => {
  const lacksOf = (...args: Parameters<typeof issued>): string[] => {
    const { invoice, lacks } = issued(...args);
    assert.equal(invoice === null, lacks.length > 0);
    return [...lacks];
  };
  const untaxed = { ...coffee, taxItems: [] };
  const nobody = { company: '', lastname: '', countrycode: '', taxid: '' };
  assert.deepEqual(lacksOf(coffee, { data: { country: null, vatId: null, taxNumber: null } }), [
    'seller_country',
    'seller_tax',
  ]);
  assert.deepEqual(lacksOf(coffee, { fields: nobody }), ['buyer_name', 'buyer_country']);
  assert.deepEqual(lacksOf(coffee, { data: { untaxedAs: null } }), ['untaxed']);
  assert.deepEqual(lacksOf({ ...coffee, shippingCostItems: [] }, { data: { untaxedAs: null } }), []);
  assert.deepEqual(
    lacksOf({ ...coffee, shippingCostItems: [{}] }, { data: { untaxedAs: null } }),
    [],
    'it costs nothing',
  );
  assert.deepEqual(lacksOf(coffee, { data: { untaxedAs: 'O' } }), ['mixed']);
  assert.deepEqual(lacksOf(untaxed, { data: { untaxedAs: 'O' } }), []);
  assert.deepEqual(lacksOf(untaxed, { data: { untaxedAs: 'O', taxNumber: null } }), ['seller_tax_number']);
  assert.deepEqual(lacksOf(untaxed, { data: { untaxedAs: 'AE' }, fields: { taxid: '47/11' } }), ['buyer_vat_id']);
  const reverse = { data: { untaxedAs: 'AE' as const } };
  assert.deepEqual(lacksOf(untaxed, reverse), []);
  assert.deepEqual(lacksOf(untaxed, { ...reverse, fields: { taxid: 'DE 811 907 980' } }), ['buyer_abroad']);
  assert.deepEqual(lacksOf(untaxed, { data: { untaxedAs: 'AE', country: 'GR' }, fields: { taxid: 'EL123456789' } }), [
    'buyer_abroad',
  ]);
  assert.deepEqual(lacksOf(untaxed, { data: { untaxedAs: 'K', vatId: null } }), ['seller_vat_id']);
  assert.deepEqual(lacksOf(untaxed, { data: { untaxedAs: 'G', vatId: null }, fields: { taxid: '' } }), [
    'seller_vat_id',
  ]);
  const two = [...coffee.taxItems, { name: 'Eco', percent: '0.02' }];
  assert.deepEqual(lacksOf({ ...coffee, taxItems: two }), ['several_taxes']);
  assert.deepEqual(lacksOf({ ...coffee, taxItems: [{ name: 'VAT', percent: '0' }] }), [], 'a rate of zero is no tax');
  assert.deepEqual(lacksOf({ ...coffee, billingCurrency: 'VEF' }), ['currency']);
  assert.deepEqual(lacksOf({ ...coffee, billingCurrency: 'KWD' }), ['decimals']);
  assert.deepEqual(lacksOf({ ...coffee, billingCurrency: 'BTC' }), ['currency', 'decimals']);
  const voucher = { description: 'Voucher', netAmount: '-5' };
  assert.deepEqual(lacksOf({ ...coffee, lineItems: [...coffee.lineItems, voucher] }), ['negative']);
  assert.deepEqual(lacksOf({ ...coffee, discountItems: [{ netAmount: '-1' }] }), ['negative']);
});

test('a credit note for a part says what of it is tax, and one by hand that no money was sent', () => {
  const part = { before: '0.00', amount: '10.00' };
  const sent = present(issued(coffee, { credit: { ...part, kind: 'refund' } }).invoice, 'an e-invoice');
  assert.deepEqual([sent.type, sent.preceding], ['381', { number: 'INV-2026-00001', issuedOn: '2026-11-18' }]);
  assert.deepEqual([sent.totals.paid, sent.totals.due, sent.paymentTerms], ['10.00', '0.00', null]);
  const byHand = present(issued(coffee, { credit: { ...part, kind: 'hand' } }).invoice, 'an e-invoice');
  assert.deepEqual([byHand.totals.paid, byHand.totals.due, byHand.paymentMeans], [null, '10.00', null]);
  assert.equal(byHand.paymentTerms, sayIn('en')('creditMovesNoMoney'));
  for (const each of [sent, byHand]) assertSaysAll(each);
});

const prices = fc.oneof(cents(100_000), fc.constantFrom('0.105', '1.23456789', '9.995', '1e2'));
const charges = fc.record({
  billingCurrency: fc.constantFrom('EUR', 'USD', 'JPY'),
  lineItems: fc.array(
    fc.record({
      description: words,
      netAmount: prices,
      quantity: fc.constantFrom('1', '2', '3.5', '0.333', '12'),
    }),
    { minLength: 1, maxLength: 5 },
  ),
  discountItems: fc.array(fc.record({ netAmount: cents(300) }), { maxLength: 2 }),
  shippingCostItems: fc.array(fc.record({ netAmount: prices, taxable: fc.boolean() }), { maxLength: 2 }),
  taxItems: fc.array(
    fc.constantFrom('0.19', '0.07', '0.0825', '0.2').map((percent) => ({ name: 'VAT', percent })),
    { maxLength: 1 },
  ),
});

test('whatever was charged, accepted or taken back, the e-invoice says what the paper says and breaks no rule', () => {
  fc.assert(
    fc.property(
      charges,
      fc.constantFrom(...untaxedKinds),
      fc.constantFrom('refund', 'reversal', 'hand'),
      fc.integer({ min: 1, max: 99 }),
      fc.integer({ min: 1, max: 99 }),
      (posted, untaxedAs, kind, first, second) => {
        const { facts } = issued(posted).paper;
        const share = (whole: string, percent: number): string =>
          formatFixed(
            roundTo(times(decimal(whole), fromUnits(BigInt(percent), 2)), facts.decimals, 'half-up'),
            facts.decimals,
          );
        const isBig = compare(decimal(facts.total), decimal(posted.discountItems.length === 0 ? 1 : 10)) > 0;
        fc.pre(isBig); // Less than nothing is never charged.
        const data = { untaxedAs, exemptBecause: 'Small business' };
        const before = share(facts.total, Math.min(first, second));
        const amount = formatFixed(
          minus(decimal(share(facts.total, Math.max(first, second))), decimal(before)),
          facts.decimals,
        );
        const all = [
          issued(posted, { data }),
          issued(posted, { data, paid: share(facts.total, first) }),
          ...(compare(decimal(amount), zero) > 0 ? [issued(posted, { data, credit: { before, amount, kind } })] : []),
          issued(posted, { data, credit: { before: share('0', 1), amount: facts.total, kind } }),
        ];
        for (const { paper, invoice, lacks } of all) {
          const isMixed = untaxedAs === 'O' && posted.taxItems.length > 0;
          if (lacks.length > 0) {
            assert.ok(
              lacks.every(
                (lack) =>
                  (lack === 'mixed' && isMixed) || lack === 'negative' || (lack === 'rounding' && facts.decimals === 0),
              ),
              lacks.join(),
            );
            continue;
          }
          const made = readable(present(invoice, 'an e-invoice'));
          assertSaysAll(made);
          const { net, taxes, total, rounding } = paper.facts;
          const { totals } = made;
          assert.deepEqual(
            [
              totals.withoutVat,
              totals.vat,
              totals.rounding ?? share('0', 1),
              plus(decimal(totals.due), decimal(totals.paid ?? '0')),
            ],
            [net, taxes[0]?.amount ?? share('0', 1), rounding, decimal(total)],
          );
        }
      },
    ),
    { numRuns: 60 },
  );
});

/** Without the characters that XML cannot hold: they are left out. */
function readable(invoice: EInvoice): EInvoice {
  const unwritable = /[^\t\n\r\u{20}-\u{d7ff}\u{e000}-\u{fffd}\u{10000}-\u{10ffff}]/gu;
  return JSON.parse(JSON.stringify(invoice), (_, value: unknown) =>
    typeof value === 'string' ? value.toWellFormed().replaceAll(unwritable, '') : value,
  );
}
