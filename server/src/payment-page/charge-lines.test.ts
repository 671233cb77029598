import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { chargeTotal } from '../checkouts/charge-total.ts';
import { compare, decimal, sum } from '../money/decimal.ts';
import { sayIn } from '../web/texts/page-texts.ts';
import { type ChargeLine, chargeLines, labelText, shownDetail } from './charge-lines.ts';

test('every item is a line: pieces, discount, shipping and each tax with its own amount', () => {
  const lines = chargeLines(
    {
      billingCurrency: 'USD',
      lineItems: [
        { description: 'Mug', netAmount: '9.99', quantity: '2' },
        { description: 'Screw', netAmount: '0.005', quantity: '1' },
      ],
      discountItems: [{ description: 'Loyalty', netAmount: '5' }],
      shippingCostItems: [{ description: 'Parcel', netAmount: '3.9', taxable: false }],
      taxItems: [
        { name: 'City tax', percent: '0.0825' },
        { name: 'State tax', percent: '0.01' },
      ],
    },
    2,
  );
  assert.deepEqual(
    lines.map(({ label, detail, amount }) => [label, detail, amount]),
    [
      ['Mug', { pieces: '2', each: '9.99' }, '19.98'],
      ['Screw', null, '0.005'],
      ['Loyalty', null, '-5.00'],
      ['Parcel', null, '3.90'],
      ['City tax', { percent: '8.25' }, '1.24'],
      ['State tax', { percent: '1' }, '0.15'],
    ],
  );
});

test('a currency without decimals is written without them', () => {
  const charge = { discountItems: [], shippingCostItems: [], taxItems: [{ name: 'VAT', percent: '0.1' }] };
  const lines = chargeLines(
    { ...charge, billingCurrency: 'JPY', lineItems: [{ description: 'Tea', netAmount: '1555', quantity: '1' }] },
    0,
  );
  assert.deepEqual(
    lines.map(({ amount }) => amount),
    ['1555', '156'],
  );
});

test('a tax whose name gives its rate does not give it twice', () => {
  const rateOf = (label: ChargeLine['label'], percent: string) =>
    shownDetail({ label, detail: { percent }, amount: '1.00' });
  for (const name of ['VAT 19 %', 'MwSt. 19%', 'KDV %19', '19,0\u00a0% VAT', 'VAT (19.00 %)'])
    assert.equal(rateOf(name, '19'), null, name);
  assert.equal(rateOf('TVA 5,5 %', '5.5'), null);
  for (const name of ['VAT', 'VAT 19', 'VAT 119 %', 'VAT 1.9 %', 'VAT 7 %'])
    assert.deepEqual(rateOf(name, '19'), { percent: '19' }, name);
});

const many = (count: number, price: string) =>
  Array.from({ length: count }, (_, at) => ({ description: `${at}`, netAmount: price, quantity: '1' }));

test('of many rows the first hundred of each kind are shown, and what all others come to', () => {
  const lines = chargeLines(
    {
      billingCurrency: 'EUR',
      lineItems: many(480, '0.015'),
      discountItems: many(101, '0.01'),
      shippingCostItems: [{ description: 'Parcel', netAmount: '5', taxable: false }],
      taxItems: Array.from({ length: 102 }, (_, at) => ({ name: `${at}`, percent: '0.001' })),
    },
    2,
  );
  assert.equal(lines.length, 101 + 101 + 1 + 101);
  const more = lines.filter(({ label }) => typeof label !== 'string');
  assert.deepEqual(
    more.map(({ label, amount }) => [label, amount]),
    [
      [{ more: 380 }, '5.70'],
      [{ more: 1 }, '-0.01'],
      [{ more: 2 }, '0.01'],
    ],
  );
  assert.equal(labelText(sayIn('en'), { label: { more: 380 } }), 'and 380 more');
});

test('with a hundred rows nothing is left out', () => {
  const lines = chargeLines(
    { billingCurrency: 'EUR', lineItems: many(100, '1'), discountItems: [], shippingCostItems: [], taxItems: [] },
    2,
  );
  assert.deepEqual([lines.length, lines.at(-1)?.label], [100, '99']);
});

test('however many rows of whatever kind there are, the lines come to the total', () => {
  const price = fc.integer({ min: 0, max: 99_999 }).map((cents) => `${cents / 100}`);
  const item = fc.record({ description: fc.constant('a'), netAmount: price, quantity: fc.constant('1') });
  const shipping = fc.record({ description: fc.constant('a'), netAmount: price, taxable: fc.boolean() });
  const tax = fc.record({ name: fc.constant('a'), percent: fc.constantFrom('0', '0.07', '0.19', '1') });
  const size = { maxLength: 130 } as const;
  fc.assert(
    fc.property(
      fc.array(item, { ...size, minLength: 1 }),
      fc.array(item, size),
      fc.array(shipping, size),
      fc.array(tax, size),
      (lineItems, discountItems, shippingCostItems, taxItems) => {
        const charge = { billingCurrency: 'EUR', lineItems, discountItems, shippingCostItems, taxItems };
        const total = sum(chargeLines(charge, 4), ({ amount }) => decimal(amount));
        assert.equal(compare(total, chargeTotal(charge)), 0);
      },
    ),
    { numRuns: 50 },
  );
});
