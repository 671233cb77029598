import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createKeptResults } from './kept-results.ts';

const start = () => {
  const made: string[] = [];
  const results = createKeptResults<string>({ bytesMax: 6, bytesOf: (result) => result.length });
  const ask = (key: string, length = 3): Promise<string> =>
    results.of(key, async () => {
      made.push(key);
      if (length === 0) throw new Error('it failed');
      return key.repeat(length);
    });
  return { made, ask };
};

test('what was made is not made again, and what several ask for at once is made once', async () => {
  const { made, ask } = start();
  assert.deepEqual(await Promise.all([ask('a'), ask('a')]), ['aaa', 'aaa']);
  assert.equal(await ask('a'), 'aaa');
  assert.deepEqual(made, ['a']);
});

test('of what was made, the bytes that were asked for last are kept', async () => {
  const { made, ask } = start();
  for (const key of ['a', 'b', 'a', 'c', 'a', 'b']) await ask(key);
  assert.deepEqual(made, ['a', 'b', 'c', 'b']);
  await ask('d', 7);
  await ask('d', 7);
  assert.deepEqual(made.slice(4), ['d', 'd'], 'too large to be kept');
  await ask('b');
  assert.equal(made.at(-1), 'd', 'and it drove nothing out');
});

test('a failure is not kept', async () => {
  const { made, ask } = start();
  await assert.rejects(ask('a', 0), /it failed/);
  assert.equal(await ask('a'), 'aaa');
  assert.deepEqual(made, ['a', 'a']);
});
