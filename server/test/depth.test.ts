import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isSample } from './depth.ts';

test('a file that tells only a sample says so in its name, because the deep tests find it by that', () => {
  assert.throws(isSample, /\.test\.m?[jt]s tells only a sample of something: name it \*\.sampled\.test\.ts\.$/);
});
