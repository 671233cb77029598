import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { sayIn } from '../web/texts/page-texts.ts';
import type { FactLine, PaperFacts } from './paper-facts.ts';
import { itemLines, sumLines } from './paper-rows.ts';

const reader = { say: sayIn('en'), language: 'en' } as const;

const line = (cents: number, isTaxed = true): FactLine => ({
  kind: 'item',
  label: 'Tea',
  quantity: '1',
  unitPrice: null,
  amount: (cents / 100).toFixed(2),
  isTaxed,
});

const factsOf = (lines: readonly FactLine[], taxes: PaperFacts['taxes'] = []): PaperFacts => {
  const facts = { lines, taxes, net: '1.00', rounding: '0.00', currency: 'EUR', decimals: 2 };
  return facts as unknown as PaperFacts;
};

/** Of a text such as −€1,234.56. */
const centsOf = (text: string): number => Number(text.replaceAll(/\D/g, '')) * (/^[^\d]*[-−]/u.test(text) ? -1 : 1);

const linesOf = (count: number): FactLine[] => Array.from({ length: count }, (_, at) => line(at));

test('two hundred lines of a paper are listed, and of more it is said how many and what they come to', () => {
  assert.equal(itemLines(reader, factsOf(linesOf(200))).at(-1)?.label, 'Tea');
  const shown = itemLines(reader, factsOf(linesOf(201)));
  assert.equal(shown.length, 200);
  assert.deepEqual(shown.at(-1), { label: 'and 2 more', detail: null, amount: '€3.99' });
});

test('however many lines there are, those on the paper come to the sum of all, also of those that are marked', () => {
  const lines = fc.array(fc.tuple(fc.integer({ min: -9_999, max: 999_999 }), fc.boolean()), { maxLength: 260 });
  fc.assert(
    fc.property(lines, fc.integer({ min: 1, max: 4 }), (some, times) => {
      const all = Array.from({ length: times }, () => some).flat();
      const facts = factsOf(all.map(([cents, isTaxed]) => line(cents, isTaxed)));
      const shown = itemLines(reader, facts, ({ isTaxed }) => !isTaxed);
      assert.ok(shown.length <= 201);
      for (const isMarked of [false, true]) {
        const sum = shown
          .filter(({ label }) => label.endsWith('*') === isMarked)
          .reduce((total, { amount }) => total + centsOf(amount), 0);
        const exact = all.reduce((total, [cents, isTaxed]) => (isTaxed === isMarked ? total : total + cents), 0);
        assert.equal(sum, exact);
      }
    }),
    { numRuns: 40 },
  );
});

test('twenty taxes are listed, and of more what they come to', () => {
  const taxes = Array.from({ length: 500 }, (_, at) => ({
    name: `T${at}`,
    percent: '1',
    base: '1.00',
    amount: '0.01',
  }));
  const shown = sumLines(reader, factsOf([line(100)], taxes));
  assert.deepEqual(
    [shown.length, shown.at(-1)],
    [21, { label: 'and 481 more', detail: null, amount: '€4.81' }],
    'the net amount, nineteen and the rest',
  );
  assert.equal(sumLines(reader, factsOf([line(100)], taxes.slice(0, 20))).at(-1)?.label, 'T19');
});
