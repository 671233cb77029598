/** What a paper adds up to, and what credit notes take back of it: examples, and what holds whatever is sold. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { charge } from '@quittance/contract/checkout';
import fc from 'fast-check';
import { chargeTotal } from '../checkouts/charge-total.ts';
import { readInput } from '../http/read-input.ts';
import {
  compare,
  type Decimal,
  decimal,
  formatDecimal,
  formatFixed,
  fromUnits,
  minus,
  roundTo,
  sum,
  times,
  toUnits,
  zero,
} from '../money/decimal.ts';
import { roundPrice } from '../pricing/round-price.ts';
import { splitAt, type TaxSplit, taxedCharge } from '../reports/tax-split.ts';
import { creditSums } from './credit-split.ts';
import type { PaperSums } from './paper-facts.ts';
import { paperSums } from './paper-sums.ts';

function sumsOf(posted: Record<string, unknown>, { paid, decimals = 2 }: { paid?: string; decimals?: number } = {}) {
  const read = readInput(charge, { billingCurrency: 'EUR', ...posted }, { name: 'The charge' });
  const price = roundPrice(chargeTotal(read), decimals);
  return { ...paperSums(read, { price, paid: paid === undefined ? price : decimal(paid), decimals }), decimals };
}

const taxesOf = ({ taxes }: PaperSums) => taxes.map(({ name, percent, base, amount }) => [name, percent, base, amount]);
const linesOf = ({ lines }: PaperSums) => lines.map(({ kind, amount, isTaxed }) => [kind, amount, isTaxed]);

const twoTaxes = {
  lineItems: [{ description: 'Beans', netAmount: '9.00', quantity: '2' }],
  discountItems: [{ description: 'Voucher', netAmount: '2' }],
  shippingCostItems: [{ description: 'Parcel', netAmount: '5.5', taxable: true }],
  taxItems: [
    { name: 'VAT', percent: '0.19' },
    { name: 'Eco', percent: '0.02' },
  ],
};

test('a bill with two taxes is net, each tax by its rate, and the total', () => {
  const sums = sumsOf(twoTaxes);
  assert.deepEqual([sums.net, sums.total, sums.rounding], ['21.50', '26.02', '0.00']);
  assert.deepEqual(taxesOf(sums), [
    ['VAT', '19', '21.50', '4.09'],
    ['Eco', '2', '21.50', '0.43'],
  ]);
  assert.deepEqual(linesOf(sums), [
    ['item', '18.00', true],
    ['discount', '-2.00', true],
    ['shipping', '5.50', true],
  ]);
});

const nineteen = [{ name: 'VAT', percent: '0.19' }];
const many = (count: number, netAmount: string) => ({
  lineItems: Array.from({ length: count }, () => ({ description: 'Screw', netAmount })),
  taxItems: nineteen,
});

test('what is taxed is rounded once, so that the tax is what was charged, however small and many the lines are', () => {
  for (const [posted, net, tax, total, rounding] of [
    [many(500, '0.005'), '2.50', '0.48', '2.98', '0.00'],
    [many(500, '0.0049'), '2.45', '0.47', '2.92', '0.00'],
    [many(200, '0.33335'), '66.67', '12.67', '79.34', '0.00'],
    [many(12, '8.403361'), '100.84', '19.16', '120.00', '0.00'],
    [many(1, '0.105'), '0.11', '0.02', '0.12', '-0.01'],
  ] as const) {
    const sums = sumsOf(posted);
    assert.deepEqual(
      [sums.net, taxesOf(sums), sums.total, sums.rounding],
      [net, [['VAT', '19', net, tax]], total, rounding],
    );
  }
  assert.equal(sumsOf(many(1, '0.105')).lines[0]?.unitPrice, '0.105', 'the price of one stays exact');
});

test('lines come to what is taxed: the largest remainders are rounded up, and of equal ones the first', () => {
  const amountsOf = (posted: Record<string, unknown>) => sumsOf(posted).lines.map(({ amount }) => amount);
  assert.deepEqual(amountsOf(many(3, '0.335')), ['0.34', '0.34', '0.33']);
  const odd = {
    lineItems: ['1.001', '1.004', '2', '1.008'].map((netAmount) => ({ description: 'Tea', netAmount })),
    discountItems: [{ netAmount: '0.006' }],
    shippingCostItems: [{ netAmount: '0.005' }, { netAmount: '0.004' }],
    taxItems: nineteen,
  };
  assert.deepEqual(amountsOf(odd), ['1.00', '1.01', '2.00', '1.01', '-0.01', '0.01', '0.00']);
});

test('shipping that is not taxed is in no tax, and a currency without cents has none', () => {
  const posted = {
    lineItems: [{ description: 'Tea', netAmount: '1000' }],
    shippingCostItems: [{ netAmount: '500' }],
    taxItems: [{ name: 'VAT', percent: '0.1' }],
  };
  const sums = sumsOf(posted, { decimals: 0 });
  assert.deepEqual([sums.net, taxesOf(sums), sums.total], ['1500', [['VAT', '10', '1000', '100']], '1600']);
});

test('where the shop accepted less, net and tax are those of what was paid', () => {
  const sums = sumsOf(twoTaxes, { paid: '20.00' });
  assert.deepEqual(linesOf(sums).at(-1), ['accepted', '-4.97', true]);
  assert.deepEqual([sums.net, sums.total, sums.rounding], ['16.53', '20.00', '0.00']);
  assert.deepEqual(taxesOf(sums), [
    ['VAT', '19', '16.53', '3.14'],
    ['Eco', '2', '16.53', '0.33'],
  ]);
  const mixed = sumsOf(
    {
      lineItems: [{ description: 'Tea', netAmount: '100' }],
      shippingCostItems: [{ netAmount: '50' }],
      taxItems: [{ name: 'VAT', percent: '0.2' }],
    },
    { paid: '85' },
  );
  assert.deepEqual(linesOf(mixed).slice(2), [
    ['accepted', '-50.00', true],
    ['accepted', '-25.00', false],
  ]);
  assert.deepEqual([mixed.net, mixed.taxes[0]?.amount, mixed.rounding], ['75.00', '10.00', '0.00']);
});

test('a bill whose lines cannot be read any more is its total', () => {
  const sums = paperSums(null, { price: decimal('25.5'), paid: decimal('25.5'), decimals: 2 });
  assert.deepEqual(sums, { lines: [], net: '25.50', taxes: [], rounding: '0.00', total: '25.50' });
});

const price = fc.integer({ min: 1, max: 100_000_000 }).map((units) => formatFixed(fromUnits(BigInt(units), 4), 4));
const bill = fc.record({
  lineItems: fc.array(
    fc.record({ description: fc.constant('Thing'), netAmount: price, quantity: fc.constantFrom('1', '3', '0.5') }),
    { minLength: 1, maxLength: 5 },
  ),
  shippingCostItems: fc.array(fc.record({ netAmount: price, taxable: fc.boolean() }), { maxLength: 2 }),
  taxItems: fc.uniqueArray(
    fc.record({ name: fc.constant('Tax'), percent: fc.constantFrom('0.19', '0.07', '0.0825', '0', '1') }),
    { selector: ({ percent }) => percent, maxLength: 3 },
  ),
});

const amounts = (sums: PaperSums): Decimal[] =>
  [sums.net, ...sums.taxes.map(({ amount }) => amount), sums.rounding].map((each) => decimal(each));
const added = (parts: readonly Decimal[]): Decimal => sum(parts, (each) => each);
const isSame = (a: Decimal, b: Decimal): boolean => compare(a, b) === 0;

/** With what lowers it, too, and positions below zero: whatever comes to a price. */
const anyBill = fc.record({
  posted: fc.tuple(bill, fc.array(price, { maxLength: 2 }), fc.array(price, { maxLength: 2 })).map(
    ([{ lineItems, ...rest }, discounts, negatives]): Record<string, unknown> => ({
      ...rest,
      lineItems: [...lineItems, ...negatives.map((each) => ({ description: 'Voucher', netAmount: `-${each}` }))],
      discountItems: discounts.map((netAmount) => ({ netAmount })),
    }),
  ),
  decimals: fc.constantFrom(0, 2, 3),
  percent: fc.integer({ min: 1, max: 100 }),
});

type Made = { readonly sums: PaperSums; readonly charged: TaxSplit };
const distance = (a: Decimal, b: Decimal): Decimal => (compare(a, b) < 0 ? minus(b, a) : minus(a, b));

test('whatever is sold and paid: all adds up, each tax is that which was charged, and the rounding is a few cents', () => {
  fc.assert(
    fc.property(anyBill, ({ posted, decimals, percent }) => {
      const read = readInput(charge, { billingCurrency: 'EUR', ...posted }, { name: 'The charge' });
      const whole = toUnits(roundPrice(chargeTotal(read), decimals), decimals, 'half-up');
      const paid = (whole * BigInt(percent)) / 100n;
      fc.pre(paid > 0n);
      const unit = fromUnits(1n, decimals);
      const made = (units: bigint): Made => ({
        sums: sumsOf(posted, { paid: formatFixed(fromUnits(units, decimals), decimals), decimals }),
        charged: splitAt(taxedCharge(read, fromUnits(whole, decimals), decimals), {
          numerator: units,
          denominator: whole,
        }),
      });
      const full = made(whole);
      for (const { sums, charged } of [full, made(paid)]) {
        assert.ok(isSame(added(amounts(sums)), decimal(sums.total)));
        assert.ok(isSame(added(sums.lines.map(({ amount }) => decimal(amount))), decimal(sums.net)));
        const most = fromUnits(BigInt(sums.taxes.length + 1), decimals);
        assert.ok(compare(distance(decimal(sums.rounding), zero), most) <= 0, `rounding ${sums.rounding}`);
        for (const [at, { base, percent: rate, amount }] of sums.taxes.entries()) {
          const ofBase = times(decimal(base), times(decimal(rate), decimal('0.01')));
          assert.ok(isSame(decimal(amount), roundTo(ofBase, decimals, 'half-up')), 'BR-CO-17');
          const reported = fromUnits(charged.taxes[at] ?? 0n, decimals);
          assert.ok(
            compare(distance(decimal(amount), reported), unit) <= 0,
            `${amount}, and the report ${formatDecimal(reported)}`,
          );
        }
      }
      for (const { unitPrice, quantity, amount, kind } of full.sums.lines) {
        const exact = times(decimal(unitPrice ?? ''), decimal(quantity));
        const signed = kind === 'discount' ? minus(zero, exact) : exact;
        assert.ok(compare(distance(decimal(amount), signed), unit) < 0, `${amount} for ${unitPrice} × ${quantity}`);
      }
    }),
  );
});

test('credit notes in parts take back nothing twice, and together are the mirror of the paper', () => {
  fc.assert(
    fc.property(bill, fc.array(fc.integer({ min: 1, max: 5000 }), { maxLength: 6 }), (posted, steps) => {
      const paper = sumsOf(posted);
      let left = toUnits(decimal(paper.total), 2, 'down');
      let taken = 0n;
      const notes: PaperSums[] = [];
      for (const step of [...steps.map(BigInt), left]) {
        const units = step < left ? step : left;
        if (units === 0n) continue;
        const [before, amount] = [taken, units].map((each) => formatFixed(fromUnits(each, 2), 2)) as [string, string];
        notes.push(creditSums(paper, before, amount));
        [taken, left] = [taken + units, left - units];
      }
      for (const note of notes) {
        assert.ok(isSame(added(amounts(note)), decimal(note.total)), 'a note adds up');
        assert.ok(
          isSame(
            sum(note.lines, ({ amount }) => decimal(amount)),
            decimal(note.net),
          ),
        );
        for (const part of [
          note.net,
          ...note.taxes.map(({ amount }) => amount),
          ...note.lines.map(({ amount }) => amount),
        ])
          assert.ok(!part.startsWith('-'), `${part} is taken back`);
        for (const { base, percent, amount } of note.taxes) {
          const exact = toUnits(decimal(base), 2, 'down') * toUnits(decimal(percent), 4, 'down');
          const off = minus(decimal(amount), fromUnits(exact, 8));
          assert.ok(compare(decimal(formatFixed(off, 8).replace('-', '')), decimal('0.03')) <= 0, 'a tax by its rate');
        }
      }
      const of = (pick: (sums: PaperSums) => string): void =>
        assert.ok(
          isSame(
            sum(notes, (note) => decimal(pick(note))),
            decimal(pick(paper)),
          ),
        );
      of(({ net }) => net);
      of(({ rounding }) => rounding);
      of(({ total }) => total);
      for (const at of paper.taxes.keys()) {
        of(({ taxes }) => taxes[at]?.amount ?? '');
        of(({ taxes }) => taxes[at]?.base ?? '');
      }
    }),
  );
});

test('one note over everything repeats the lines; a part names what it takes of what is taxed and what is not', () => {
  const paper = sumsOf({
    lineItems: [{ description: 'Tea', netAmount: '100' }],
    shippingCostItems: [{ netAmount: '50' }],
    taxItems: [{ name: 'VAT', percent: '0.2' }],
  });
  assert.deepEqual(creditSums(paper, '0.00', '170.00').lines, paper.lines);
  const half = creditSums(paper, '0.00', '85.00');
  assert.deepEqual(linesOf(half), [
    ['part', '50.00', true],
    ['part', '25.00', false],
  ]);
  assert.deepEqual([half.net, taxesOf(half), half.total], ['75.00', [['VAT', '20', '50.00', '10.00']], '85.00']);
});
