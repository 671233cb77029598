import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { formatDecimal } from '../money/decimal.ts';
import { type ChargeItems, chargeTotal } from './charge-total.ts';

const totalOf = (charge: ChargeItems): string => formatDecimal(chargeTotal(charge));

test('a single item costs its net amount', () => {
  assert.equal(totalOf({ lineItems: [{ netAmount: '169.99' }] }), '169.99');
});

test('a line item counts as often as its quantity says, in fractions too', () => {
  // 3 × 19.99 + 0.5 × 8 = 59.97 + 4
  const lineItems = [
    { netAmount: '19.99', quantity: '3' },
    { netAmount: '8', quantity: '0.5' },
  ];
  assert.equal(totalOf({ lineItems }), '63.97');
  assert.equal(totalOf({ lineItems: [{ netAmount: '5', quantity: '0' }] }), '0');
});

test('discounts lower the net, and with it the tax', () => {
  // net 100 − 25 = 75; tax 10 % of 75 = 7.5
  const charge = {
    lineItems: [{ netAmount: '100' }],
    discountItems: [{ netAmount: '20' }, { netAmount: '5' }],
    taxItems: [{ percent: '0.1' }],
  };
  assert.equal(totalOf(charge), '82.5');
});

test('shipping is taxed only when it says so', () => {
  // net 100 + 10 + 6 = 116; taxable 116 − 16 + 6 = 106; tax 20 % = 21.2
  const charge = {
    lineItems: [{ netAmount: '100' }],
    shippingCostItems: [{ netAmount: '10' }, { netAmount: '6', taxable: true }],
    taxItems: [{ percent: '0.20' }],
  };
  assert.equal(totalOf(charge), '137.2');
  const untaxed = { ...charge, shippingCostItems: [{ netAmount: '16', taxable: false }] };
  assert.equal(totalOf(untaxed), '136');
});

test('several taxes add up and do not compound', () => {
  // 8.25 % and 1.75 % of 200 are 20, not 20.29.
  const charge = { lineItems: [{ netAmount: '200' }], taxItems: [{ percent: '0.0825' }, { percent: '0.0175' }] };
  assert.equal(totalOf(charge), '220');
});

test('everything together, worked by hand', () => {
  // lines 2 × 49.95 + 0.333 = 100.233; discount 10.1; shipping 7.77 untaxed and 3.3 taxed
  // net = 100.233 − 10.1 + 11.07 = 101.203; taxable = 101.203 − 11.07 + 3.3 = 93.433
  // tax = 93.433 × 0.0825 = 7.7082225; total = 108.9112225
  const charge = {
    lineItems: [{ netAmount: '49.95', quantity: '2' }, { netAmount: '0.333' }],
    discountItems: [{ netAmount: '10.1' }],
    shippingCostItems: [{ netAmount: '7.77' }, { netAmount: '3.3', taxable: true }],
    taxItems: [{ percent: '0.0825' }],
  };
  assert.equal(totalOf(charge), '108.9112225');
});

test('what a float gets wrong is exact here', () => {
  assert.equal(totalOf({ lineItems: [{ netAmount: '0.1', quantity: '3' }] }), '0.3');
  assert.equal(
    totalOf({ lineItems: [{ netAmount: '1.005', quantity: '1000000000000000001' }] }),
    '1005000000000000001.005',
  );
  assert.equal(
    totalOf({ lineItems: [{ netAmount: '1' }, { netAmount: '0.000000000000000000000001' }] }),
    '1.000000000000000000000001',
  );
});

test('a discount larger than the goods gives a total below zero, for the caller to refuse', () => {
  assert.equal(totalOf({ lineItems: [{ netAmount: '5' }], discountItems: [{ netAmount: '7.5' }] }), '-2.5');
});

/** The literal formula of spec §2.4 in fractions, sharing no arithmetic with the product. */
type Fraction = readonly [numerator: bigint, denominator: bigint];
const add = ([a, b]: Fraction, [c, d]: Fraction): Fraction => [a * d + c * b, b * d];
const subtract = (x: Fraction, [c, d]: Fraction): Fraction => add(x, [-c, d]);
const multiply = ([a, b]: Fraction, [c, d]: Fraction): Fraction => [a * c, b * d];
const sumOf = (items: readonly Fraction[]): Fraction => items.reduce(add, [0n, 1n]);

function fraction(text: string): Fraction {
  const [whole = '', decimals = ''] = text.split('.');
  return [BigInt(whole + decimals), 10n ** BigInt(decimals.length)];
}

function literalTotal(charge: Required<ChargeItems>): Fraction {
  const amounts = (items: readonly { netAmount: string }[]) => sumOf(items.map((item) => fraction(item.netAmount)));
  const lines = sumOf(
    charge.lineItems.map((item) => multiply(fraction(item.quantity ?? '1'), fraction(item.netAmount))),
  );
  const shipping = charge.shippingCostItems ?? [];
  const net = add(subtract(lines, amounts(charge.discountItems ?? [])), amounts(shipping));
  const taxableSum = add(subtract(net, amounts(shipping)), amounts(shipping.filter((item) => item.taxable === true)));
  const taxes = sumOf((charge.taxItems ?? []).map((item) => fraction(item.percent)));
  return add(net, multiply(taxableSum, taxes));
}

const amountText = fc
  .tuple(fc.bigInt({ min: 0n, max: 10n ** 12n }), fc.option(fc.stringMatching(/^\d{1,10}$/), { nil: undefined }))
  .map(([whole, decimals]) => (decimals === undefined ? `${whole}` : `${whole}.${decimals}`));
const percentText = fc.stringMatching(/^0\.\d{1,6}$/);
const charges = fc.record({
  lineItems: fc.array(fc.record({ netAmount: amountText, quantity: fc.option(amountText, { nil: undefined }) }), {
    minLength: 1,
    maxLength: 4,
  }),
  discountItems: fc.array(fc.record({ netAmount: amountText }), { maxLength: 3 }),
  shippingCostItems: fc.array(
    fc.record({ netAmount: amountText, taxable: fc.option(fc.boolean(), { nil: undefined }) }),
    { maxLength: 3 },
  ),
  taxItems: fc.array(fc.record({ percent: percentText }), { maxLength: 3 }),
});

test('every charge totals exactly what the literal formula says', () => {
  fc.assert(
    fc.property(charges, (charge) => {
      const { digits, scale } = chargeTotal(charge);
      const [numerator, denominator] = literalTotal(charge);
      assert.equal(digits * denominator, numerator * 10n ** BigInt(scale));
    }),
  );
});

test('the order of the items does not matter', () => {
  fc.assert(
    fc.property(charges, (charge) => {
      const turned = {
        lineItems: charge.lineItems.toReversed(),
        discountItems: charge.discountItems.toReversed(),
        shippingCostItems: charge.shippingCostItems.toReversed(),
        taxItems: charge.taxItems.toReversed(),
      };
      assert.deepEqual(chargeTotal(turned), chargeTotal(charge));
    }),
  );
});
