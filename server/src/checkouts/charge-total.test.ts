import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import fc from 'fast-check';
import { formatDecimal } from '../money/decimal.ts';
import { type ChargeItems, chargeTotal } from './charge-total.ts';

const totalOf = (charge: ChargeItems): string => formatDecimal(chargeTotal(charge));

/** Shared with the SDKs. Each says how it was worked by hand. */
const vectors = JSON.parse(readFileSync(new URL('../../../sdk/vectors/totals.json', import.meta.url), 'utf8')) as {
  readonly totals: readonly { name: string; worked: string; charge: ChargeItems; total: string }[];
};

for (const { name, worked, charge, total } of vectors.totals)
  test(`a charge is added up: ${name}`, () => assert.equal(totalOf(charge), total, worked));

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
