/** What a paper adds up to, and what credit notes take back of it: examples, and what holds whatever is sold. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { charge } from '@quittance/contract/checkout';
import fc from 'fast-check';
import { chargeTotal } from '../checkouts/charge-total.ts';
import { readInput } from '../http/read-input.ts';
import { compare, type Decimal, decimal, formatFixed, fromUnits, minus, plus, sum, toUnits } from '../money/decimal.ts';
import { roundPrice } from '../pricing/round-price.ts';
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

test('each line is rounded, and what that took is said', () => {
  const sums = sumsOf({
    lineItems: [{ description: 'Screw', netAmount: '0.105' }],
    taxItems: [{ name: 'VAT', percent: '0.19' }],
  });
  assert.deepEqual(
    [sums.net, taxesOf(sums), sums.total, sums.rounding],
    ['0.11', [['VAT', '19', '0.11', '0.02']], '0.12', '-0.01'],
  );
  assert.deepEqual(
    [sums.lines[0]?.unitPrice, sums.lines[0]?.amount],
    ['0.105', '0.11'],
    'the price of one stays exact',
  );
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

const price = fc.integer({ min: 1, max: 10_000_000 }).map((units) => `${units / 1000}`);
const bill = fc.record({
  lineItems: fc.array(
    fc.record({ description: fc.constant('Thing'), netAmount: price, quantity: fc.constantFrom('1', '3', '0.5') }),
    { minLength: 1, maxLength: 5 },
  ),
  shippingCostItems: fc.array(fc.record({ netAmount: price, taxable: fc.boolean() }), { maxLength: 2 }),
  taxItems: fc.array(fc.record({ name: fc.constant('Tax'), percent: fc.constantFrom('0.19', '0.07', '0.0825', '0') }), {
    maxLength: 3,
  }),
});

const amounts = (sums: PaperSums): Decimal[] =>
  [sums.net, ...sums.taxes.map(({ amount }) => amount), sums.rounding].map((each) => decimal(each));
const added = (parts: readonly Decimal[]): Decimal => sum(parts, (each) => each);
const isSame = (a: Decimal, b: Decimal): boolean => compare(a, b) === 0;

test('lines are the net amount; net, taxes and rounding are the total, whatever is sold and paid', () => {
  fc.assert(
    fc.property(bill, fc.integer({ min: 1, max: 100 }), (posted, percent) => {
      const full = sumsOf(posted);
      const paid = (toUnits(decimal(full.total), 2, 'down') * BigInt(percent)) / 100n;
      fc.pre(paid > 0n);
      for (const sums of [full, sumsOf(posted, { paid: formatFixed(fromUnits(paid, 2), 2) })]) {
        assert.ok(isSame(added(amounts(sums)), decimal(sums.total)));
        assert.ok(
          isSame(
            sum(sums.lines, ({ amount }) => decimal(amount)),
            decimal(sums.net),
          ),
        );
        const most = plus(decimal('0.03'), decimal(`0.0${sums.lines.length}`));
        const off = decimal(sums.rounding.replace('-', ''));
        assert.ok(compare(off, most) <= 0, `less than a cent per line and tax, but ${sums.rounding}`);
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
