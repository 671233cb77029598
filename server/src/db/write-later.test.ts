import assert from 'node:assert/strict';
import { test } from 'node:test';
import { writeLater } from './write-later.ts';

test('what comes together is written together, and nobody waits for it', async () => {
  const written: number[][] = [];
  const log = writeLater<number>(
    async (items) => void written.push([...items]),
    () => assert.fail('nothing fails'),
  );
  for (const item of [1, 2, 3]) log.add(item);
  assert.deepEqual(written, []);
  await log.end();
  assert.deepEqual(written, [[1, 2, 3]]);
  await log.end();
  assert.deepEqual(written, [[1, 2, 3]], 'nothing is written twice');
});

test('what cannot be written is told and forgotten, and the next is written', async () => {
  const written: number[][] = [];
  const lost: number[] = [];
  const log = writeLater<number>(
    async (items) => {
      if (items.includes(1)) throw new Error('no database');
      written.push([...items]);
    },
    (_, count) => void lost.push(count),
  );
  log.add(1);
  await log.end();
  log.add(2);
  await log.end();
  assert.deepEqual([lost, written], [[1], [[2]]]);
});

test('of a flood only the first thousand are kept', async () => {
  let count = 0;
  const log = writeLater<number>(
    async (items) => {
      count += items.length;
    },
    () => assert.fail('nothing fails'),
  );
  for (let item = 0; item < 5_000; item += 1) log.add(item);
  await log.end();
  assert.equal(count, 1_000);
});
