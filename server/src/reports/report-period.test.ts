import assert from 'node:assert/strict';
import { test } from 'node:test';
import { periodAfter, periodAround, periodBefore, periodKinds, readPeriod } from './report-period.ts';

const spanOf = (name: string): string | null => {
  const period = readPeriod(name);
  return period && `${period.kind} ${period.first} ${period.end}`;
};

test('a period is named as people name it', () => {
  assert.equal(spanOf('2026-10-17'), 'day 2026-10-17 2026-10-18');
  assert.equal(spanOf('2026-12-31'), 'day 2026-12-31 2027-01-01');
  assert.equal(spanOf('2028-02'), 'month 2028-02-01 2028-03-01');
  assert.equal(spanOf('2026-12'), 'month 2026-12-01 2027-01-01');
  assert.equal(spanOf('2026-Q1'), 'quarter 2026-01-01 2026-04-01');
  assert.equal(spanOf('2026-Q4'), 'quarter 2026-10-01 2027-01-01');
  assert.equal(spanOf('2026'), 'year 2026-01-01 2027-01-01');
});

test('what names no period is none', () => {
  for (const name of [
    '',
    'x',
    '2026-13',
    '2026-00',
    '2026-Q5',
    '2026-Q0',
    '2026-02-30',
    '0000',
    '9999',
    '20261',
    '2026-1',
    '-2026-1',
  ])
    assert.equal(readPeriod(name), null, name);
});

test('periods of a kind follow one another without a gap, by names that are read back', () => {
  for (const kind of periodKinds)
    for (const day of ['2024-02-29', '2025-12-31', '2026-01-01', '2026-03-31', '2026-04-01', '2026-11-17']) {
      const period = periodAround(kind, day);
      assert.ok(period.first <= day && day < period.end, `${kind} ${day}`);
      assert.deepEqual(readPeriod(period.name), period);
      assert.equal(periodAfter(period).first, period.end);
      assert.deepEqual(periodBefore(periodAfter(period)), period);
    }
});
