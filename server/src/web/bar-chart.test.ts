import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { compare, decimal, formatDecimal, isLess, minus } from '../money/decimal.ts';
import { barChart, scaleOf } from './bar-chart.ts';

const scale = (...values: string[]): string[] => scaleOf(values.map((value) => decimal(value))).map(formatDecimal);

test('a scale has round steps and reaches just above the largest value', () => {
  assert.deepEqual(scale('430', '1930'), ['2000', '1500', '1000', '500', '0']);
  assert.deepEqual(scale('7.20'), ['8', '6', '4', '2', '0']);
  assert.deepEqual(scale('60'), ['60', '40', '20', '0']);
  assert.deepEqual(scale('0.02'), ['1', '0']);
  assert.deepEqual(scale('104000'), ['150000', '100000', '50000', '0']);
  assert.deepEqual(scale('0', '-5'), ['1', '0'], 'nothing came in');
});

test('every value fits, steps are even and few, and at least half of the height is used where there is any', () => {
  const cents = fc.bigInt(1n, 10n ** 14n).map((units) => ({ digits: units, scale: 2 }));
  fc.assert(
    fc.property(fc.array(cents, { minLength: 1, maxLength: 5 }), (values) => {
      const ends = scaleOf(values);
      const [top = decimal(0), next = decimal(0)] = ends;
      assert.ok(ends.length >= 2 && ends.length <= 5, ends.map(formatDecimal).join());
      assert.ok(values.every((value) => !isLess(top, value)));
      for (const [at, end] of ends.slice(1).entries())
        assert.equal(compare(minus(ends[at] ?? top, end), minus(top, next)), 0);
      const isUsed = values.some((value) => !isLess(value, next));
      assert.ok(isUsed || formatDecimal(top) === '1', `${formatDecimal(top)} for ${values.map(formatDecimal).join()}`);
    }),
  );
});

test('a bar is as high as its part of the scale, below zero there is none, and each leads somewhere', () => {
  const bars = ['100', '50', '-3'].map((value, at) => ({
    value: decimal(value),
    title: `Day ${at}: <${value}>`,
    href: `/days?day=${at}&paid`,
    isMarked: at === 2,
  }));
  const text = barChart({ bars, scale: ['200', '100', '0'], top: decimal(200), labels: ['first'] }).toString();
  assert.deepEqual(
    Array.from(text.matchAll(/class="bar-(\d)" x="(\d+)" y="([\d.]+)" width="6" height="([\d.]+)"/g), (found) =>
      found.slice(1).join(' '),
    ),
    ['0 2 50 50', '0 12 75 25', '1 22 100 0'],
  );
  assert.match(text, /href="\/days\?day=1&amp;paid"/);
  assert.match(text, /<title>Day 0: &lt;100&gt;<\/title>/);
});
