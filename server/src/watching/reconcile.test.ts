import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isBetween, isSound } from './reconcile.ts';

test('as much may be missing as is under way, and nothing may be there too much', () => {
  const cases: readonly [difference: bigint, underway: bigint, isSound: boolean][] = [
    [0n, 0n, true],
    [-1n, 0n, false],
    [-10n, 10n, true],
    [-11n, 10n, false],
    [1n, 0n, false],
    [1n, 10n, false],
  ];
  for (const [difference, underway, expected] of cases)
    assert.equal(isSound({ difference, underway }), expected, `${difference} of ${underway}`);
});

test('what was counted after a time and until now was counted in between', () => {
  const [since, now] = [new Date('2026-03-01T12:00:00Z'), new Date('2026-03-01T12:10:00Z')];
  const at = (from: Date, ms: number): boolean => isBetween(since, new Date(from.getTime() + ms), now);
  assert.deepEqual([at(since, 0), at(since, 1), at(now, 0), at(now, 1)], [false, true, true, false]);
  assert.equal(isBetween(null, now, now), false);
});
