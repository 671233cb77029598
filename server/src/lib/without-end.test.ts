import assert from 'node:assert/strict';
import { test } from 'node:test';
import { withoutEnd } from './without-end.ts';

test('only what is at the end is left out, however much of it there is', () => {
  const bare = (text: string): string => withoutEnd(text, (sign) => sign === '/');
  for (const [text, expected] of [
    ['', ''],
    ['///', ''],
    ['a', 'a'],
    ['a/b//', 'a/b'],
    [`${'/'.repeat(1_000)}a/`, `${'/'.repeat(1_000)}a`],
  ] as const)
    assert.equal(bare(text), expected);
});
