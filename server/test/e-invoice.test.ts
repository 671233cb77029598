/** Electronic invoices: read back from what is written, they keep the schema and the business rules of EN 16931. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { decimal, formatFixed, fromUnits, plus } from '../src/money/decimal.ts';
import { ciiInvoice } from '../src/papers/cii-invoice.ts';
import { createEInvoice, type EInvoice, type EInvoiceDraft, type Vat } from '../src/papers/e-invoice.ts';
import { ublInvoice } from '../src/papers/ubl-invoice.ts';
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
    identifier: null,
    vatId: 'DE123456789',
    taxNumber: '22/333/44444',
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
    { name: 'Coffee', productId: 'c-1', quantity: '3', price: '9.99', vat: nineteen },
    { name: 'Filter', productId: null, quantity: '0.5', price: '1.005', vat: nineteen },
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

/** Without the characters that XML cannot hold: they are left out. */
function readable(invoice: EInvoice): EInvoice {
  const unwritable = /[^\t\n\r\u{20}-\u{d7ff}\u{e000}-\u{fffd}\u{10000}-\u{10ffff}]/gu;
  return JSON.parse(JSON.stringify(invoice), (_, value: unknown) =>
    typeof value === 'string' ? value.toWellFormed().replaceAll(unwritable, '') : value,
  );
}
