import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type ChargeLine, chargeLines, shownDetail } from './charge-lines.ts';

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
