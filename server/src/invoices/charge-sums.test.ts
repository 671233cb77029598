import assert from 'node:assert/strict';
import { test } from 'node:test';
import { charge } from '@quittance/contract/checkout';
import fc from 'fast-check';
import { chargeTotal } from '../checkouts/charge-total.ts';
import { readInput } from '../http/read-input.ts';
import { compare, decimal, formatFixed, plus, sum } from '../money/decimal.ts';
import { chargeLines } from '../payment-page/charge-lines.ts';
import { roundPrice } from '../pricing/round-price.ts';
import { chargeSums } from './charge-sums.ts';

function sumsOf(posted: Record<string, unknown>) {
  const read = readInput(charge, { billingCurrency: 'EUR', ...posted }, { name: 'The charge' });
  const total = formatFixed(roundPrice(chargeTotal(read), 2), 2);
  return { total, ...chargeSums(chargeLines(read, 2), total) };
}

test('a bill with two taxes is net, each tax by its rate, and the total', () => {
  const { items, net, taxes, rounding, total } = sumsOf({
    lineItems: [{ description: 'Beans', netAmount: '9.00', quantity: '2' }],
    discountItems: [{ description: 'Voucher', netAmount: '2' }],
    shippingCostItems: [{ description: 'Parcel', netAmount: '5.5', taxable: true }],
    taxItems: [
      { name: 'VAT', percent: '0.19' },
      { name: 'Eco', percent: '0.02' },
    ],
  });
  assert.deepEqual([items.length, net, total, rounding], [3, '21.50', '26.02', null]);
  assert.deepEqual(
    taxes.map(({ label, detail, amount }) => [label, detail, amount]),
    [
      ['VAT', { percent: '19' }, '4.09'],
      ['Eco', { percent: '2' }, '0.43'],
    ],
  );
});

test('what rounding took is said, so that the paper adds up', () => {
  const { net, taxes, rounding, total } = sumsOf({
    lineItems: [{ description: 'Screw', netAmount: '0.105', quantity: '1' }],
    taxItems: [{ name: 'VAT', percent: '0.19' }],
  });
  assert.deepEqual([net, taxes[0]?.amount, total, rounding], ['0.105', '0.02', '0.12', '-0.005']);
});

test('net, taxes and rounding are the total, whatever is sold', () => {
  const price = fc.integer({ min: 0, max: 10_000_000 }).map((units) => `${units / 1000}`);
  const bill = fc.record({
    lineItems: fc.array(
      fc.record({ description: fc.constant('Thing'), netAmount: price, quantity: fc.constantFrom('1', '3', '0.5') }),
      { minLength: 1, maxLength: 5 },
    ),
    taxItems: fc.array(fc.record({ name: fc.constant('Tax'), percent: fc.constantFrom('0.19', '0.07', '0.0825') }), {
      maxLength: 3,
    }),
  });
  fc.assert(
    fc.property(bill, (posted) => {
      const { net, taxes, rounding, total } = sumsOf(posted);
      const added = [net, ...taxes.map(({ amount }) => amount), rounding ?? '0'].map((each) => decimal(each));
      assert.equal(
        compare(
          sum(added, (each) => each),
          decimal(total),
        ),
        0,
      );
      assert.ok(
        compare(plus(decimal(rounding ?? '0'), decimal('0.03')), decimal('0')) > 0,
        'less than a cent per line',
      );
    }),
  );
});

test('a bill whose lines cannot be read any more is its total', () => {
  assert.deepEqual(chargeSums([], '25.50'), { items: [], net: '0.00', taxes: [], rounding: null });
});
