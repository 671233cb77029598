import assert from 'node:assert/strict';
import { test } from 'node:test';
import { filesToCheck } from './files-to-check.ts';

const passed = { 'biome.json': 'r', 'a.ts': '1', 'b.ts': '2', 'gone.ts': '3' };
const { 'gone.ts': _, ...left } = passed;

test('what is as it was when it passed is not looked at again', () => {
  assert.deepEqual(filesToCheck(passed, left, ['biome.json']), []);
  assert.deepEqual(filesToCheck(passed, { ...left, 'b.ts': 'x', 'new.ts': '4' }, ['biome.json']), ['b.ts', 'new.ts']);
});

test('the first time, and after other rules, everything is', () => {
  assert.deepEqual(filesToCheck({}, left, ['biome.json']), ['a.ts', 'b.ts']);
  assert.deepEqual(filesToCheck(passed, { ...left, 'biome.json': 'x' }, ['biome.json']), ['a.ts', 'b.ts']);
});
