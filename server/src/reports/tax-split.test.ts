import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { chargeTotal } from '../checkouts/charge-total.ts';
import { decimal } from '../money/decimal.ts';
import { roundPrice } from '../pricing/round-price.ts';
import type { Ratio } from '../pricing/share-of-price.ts';
import { type ChargedItems, splitAt, type TaxedCharge, taxedCharge } from './tax-split.ts';

const whole: Ratio = { numerator: 1n, denominator: 1n };

const chargeOf = (items: ChargedItems, decimals = 2): TaxedCharge =>
  taxedCharge(items, roundPrice(chargeTotal(items), decimals), decimals);

const bill = chargeOf({
  lineItems: [{ netAmount: '100' }],
  shippingCostItems: [{ netAmount: '10', taxable: true }, { netAmount: '5' }],
  taxItems: [
    { name: 'VAT', percent: '0.19' },
    { name: 'Eco', percent: '0.02' },
  ],
});

test('a charge is what is taxed, what is not, and each tax; of a part of it, that part of each', () => {
  assert.deepEqual(splitAt(bill, whole), { gross: 138_10n, taxable: 110_00n, untaxed: 5_00n, taxes: [20_90n, 2_20n] });
  const half = { gross: 69_05n, taxable: 55_00n, untaxed: 2_50n, taxes: [10_45n, 1_10n] };
  assert.deepEqual(splitAt(bill, { numerator: 1n, denominator: 2n }), half);
});

test('without a tax all is untaxed, and what cannot be read any more is too', () => {
  const plain = chargeOf({ lineItems: [{ netAmount: '7.005' }] });
  assert.deepEqual(splitAt(plain, whole), { gross: 7_01n, taxable: 0n, untaxed: 7_01n, taxes: [] });
  const unread = splitAt(taxedCharge(null, decimal('12.5'), 2), whole);
  assert.deepEqual([unread.gross, unread.untaxed], [12_50n, 12_50n]);
});

const amount = fc.integer({ min: 0, max: 5_000_000 }).map((units) => `${units / 1000}`);
const anyCharge = fc.record({
  lineItems: fc.array(fc.record({ netAmount: amount, quantity: fc.constantFrom('1', '3', '0.333') }), {
    minLength: 1,
    maxLength: 4,
  }),
  shippingCostItems: fc.array(fc.record({ netAmount: amount, taxable: fc.boolean() }), { maxLength: 2 }),
  taxItems: fc.array(
    fc.record({ name: fc.constantFrom('VAT', 'GST'), percent: fc.constantFrom('0', '0.05', '0.19', '0.09975', '0.2') }),
    { maxLength: 3 },
  ),
});
const anyShare = fc
  .tuple(fc.bigInt(0n, 10n ** 8n), fc.bigInt(1n, 10n ** 8n))
  .map(([numerator, denominator]): Ratio => ({ numerator, denominator }));

test('whatever is sold, and whatever part of it is paid: net and taxes come to what was paid', () => {
  fc.assert(
    fc.property(anyCharge, anyShare, fc.constantFrom(0, 2, 3), (items, share, decimals) => {
      const { gross, taxable, untaxed, taxes } = splitAt(chargeOf(items, decimals), share);
      assert.equal(
        taxes.reduce((sum, tax) => sum + tax, taxable + untaxed),
        gross,
      );
      assert.ok(taxes.every((tax) => tax >= 0n));
    }),
  );
});

test('paid and given back in any steps, the differences come to where it is then, and to nothing once all is given back', () => {
  fc.assert(
    fc.property(anyCharge, fc.array(anyShare, { maxLength: 6 }), (items, steps) => {
      const charge = chargeOf(items);
      const nothing: Ratio = { numerator: 0n, denominator: 1n };
      const taxes = charge.taxes.map(() => 0n);
      let [gross, net, before] = [0n, 0n, nothing];
      for (const after of [...steps, nothing]) {
        const [was, is] = [splitAt(charge, before), splitAt(charge, after)];
        gross += is.gross - was.gross;
        net += is.taxable + is.untaxed - was.taxable - was.untaxed;
        for (const [at, tax] of is.taxes.entries()) taxes[at] = (taxes[at] ?? 0n) + tax - (was.taxes[at] ?? 0n);
        assert.deepEqual([gross, net], [is.gross, is.taxable + is.untaxed]);
        before = after;
      }
      assert.deepEqual([gross, net, ...taxes], [0n, 0n, ...taxes.map(() => 0n)]);
    }),
  );
});
