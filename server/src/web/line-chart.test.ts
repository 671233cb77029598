import assert from 'node:assert/strict';
import { test } from 'node:test';
import { decimal, formatDecimal } from '../money/decimal.ts';
import { lineChart } from './line-chart.ts';

const draw = (...values: (number | null)[]): string =>
  lineChart({
    points: values.map((value) => ({ value: value === null ? null : decimal(value), title: `<${value}>` })),
    labels: ['00:00'],
    scaleText: formatDecimal,
  }).toString();
const lines = (chart: string): string[] =>
  [...chart.matchAll(/class="line-1" d="([^"]*)"/g)].map(([, path = '']) => path);

test('a line goes from the first point to the last one, below the end of a round scale', () => {
  const chart = draw(0, 40, 63);
  assert.deepEqual(lines(chart), ['M0 100L150 50L300 21.3']);
  assert.match(chart, /<li>80<\/li><li>60<\/li><li>40<\/li><li>20<\/li><li>0<\/li>/);
  assert.match(chart, /<title>&lt;63&gt;<\/title>/);
});

test('what is below zero is drawn as nothing', () => {
  assert.deepEqual(lines(draw(-5, 10)), ['M0 100L300 0']);
});

test('what nobody knows is a gap, and a single point is still seen', () => {
  assert.deepEqual(lines(draw(1, null, 1, 1)), ['M0 0h50', 'M200 0L300 0']);
  assert.deepEqual(lines(draw(null, null)), []);
});
