import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isCommonPassword } from './common-passwords.ts';

test('words that are tried first are common, also several of them, repeated ones and rows', () => {
  for (const text of [
    'passwordpassword',
    'Password2024!!',
    'qwertypassword',
    'abcabcabcabcab',
    '123456789012',
    'xyxyxyxyxyxy',
  ])
    assert.ok(isCommonPassword(text), text);
  for (const text of ['correct-battery-lamp', 'abcdefxyz-abcdefuvw', 'Zug nach Ulm um acht', '𝔘nter 𝔘lmen'])
    assert.ok(!isCommonPassword(text), text);
});

test('words that begin with words are read once each, however often they are repeated', () => {
  assert.ok(!isCommonPassword(`${'password'.repeat(3_000)}qx`));
});
