import assert from 'node:assert/strict';
import { test } from 'node:test';
import { attemptsMax, nextAttemptAt } from './delivery-schedule.ts';

const now = new Date('2026-03-01T12:00:00Z');
const gapAfter = (failures: number, random = 0): number | null => {
  const at = nextAttemptAt(failures, now, () => random);
  return at && (at.getTime() - now.getTime()) / 1000;
};

test('the gaps grow from five seconds to a day, and after the last there is none', () => {
  const gaps = Array.from({ length: attemptsMax - 1 }, (_, position) => gapAfter(position + 1));
  const [minute, hour] = [60, 3600];
  assert.deepEqual(gaps, [
    ...[5, 15, 30],
    ...[1, 2, 5, 10, 30].map((many) => many * minute),
    ...[1, 2, 4, 8, 12, 24, 24, 24].map((many) => many * hour),
  ]);
  assert.equal(attemptsMax, 17);
  assert.equal(gapAfter(attemptsMax), null);
  assert.equal(gapAfter(0), null);
});

test('up to a tenth is added, so that what failed together does not come back together', () => {
  assert.equal(gapAfter(1, 0.5), 5.25);
  assert.equal(gapAfter(1, 0.999_999), 5.499);
  assert.equal(gapAfter(16, 0.5), 24 * 3600 * 1.05);
});
