import assert from 'node:assert/strict';
import { tmpdir } from 'node:os';
import { test } from 'node:test';
import { scratchPlace } from './test-postgres.ts';

test('a run keeps its files in memory where there is room for them, and else where they always were', () => {
  const [little, plenty] = [2 ** 30, 8 * 2 ** 30];
  assert.equal(
    scratchPlace(plenty, () => plenty),
    '/dev/shm',
  );
  assert.equal(
    scratchPlace(plenty, () => little),
    tmpdir(),
  );
  assert.equal(
    scratchPlace(little, () => plenty),
    tmpdir(),
  );
});
