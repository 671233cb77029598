import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { atLeastOne } from '../../test/at-least-one.ts';
import { GatewayError } from '../lib/errors.ts';
import { coalesce } from './coalesce.ts';
import { isDatabaseAway } from './database.ts';

const limits = { batchesAtOnce: 1, itemsMax: 3 };
const isThere = async () => true;

test('what is asked for at the same time is done together, and everyone gets their own answer', async () => {
  const batches: number[][] = [];
  const double = coalesce(
    async (items: readonly number[]) => {
      batches.push([...items]);
      return items.map((item) => item * 2);
    },
    limits,
    isThere,
  );
  assert.deepEqual(await Promise.all([1, 2, 3, 4, 5].map(double)), [2, 4, 6, 8, 10]);
  assert.deepEqual(batches, [
    [1, 2, 3],
    [4, 5],
  ]);
});

test('what comes while a batch is running waits for the next one', async () => {
  const batches: number[][] = [];
  let finish: () => void = () => undefined;
  const ask = coalesce(
    async (items: readonly number[]) => {
      batches.push([...items]);
      if (batches.length === 1) await new Promise<void>((resolve) => (finish = resolve));
      return items;
    },
    limits,
    isThere,
  );
  const first = ask(1);
  await nextTurn();
  const later = [ask(2), ask(3)];
  await nextTurn();
  assert.deepEqual(batches, [[1]]);
  finish();
  assert.deepEqual(await Promise.all([first, ...later]), [1, 2, 3]);
  assert.deepEqual(batches, [[1], [2, 3]]);
});

test('a burst is shared out among the batches that may run, a small one is not', async () => {
  const sizes: number[] = [];
  const ask = coalesce(
    async (items: readonly number[]) => {
      sizes.push(items.length);
      return items;
    },
    { batchesAtOnce: 2, itemsMax: 64 },
    isThere,
  );
  const burst = (count: number) => Promise.all(Array.from({ length: count }, (_, item) => ask(item)));
  await burst(48);
  await burst(7);
  assert.deepEqual(sizes, [24, 24, 7]);
});

test('one bad item fails alone', async () => {
  const ask = coalesce(
    async (items: readonly number[]) => {
      if (items.includes(2)) throw new Error('two');
      return items;
    },
    limits,
    isThere,
  );
  const outcomes = await Promise.allSettled([1, 2, 3].map(ask));
  assert.deepEqual(
    outcomes.map((outcome) => (outcome.status === 'fulfilled' ? outcome.value : (outcome.reason as Error).message)),
    [1, 'two', 3],
  );
});

test('an error that speaks of a database that is away is not believed while the database answers', async () => {
  const ask = coalesce(
    async (items: readonly number[]) => {
      if (items.includes(2)) throw new Error('Query read timeout');
      return items;
    },
    limits,
    isThere,
  );
  const outcomes = await Promise.allSettled([1, 2, 3].map(ask));
  assert.deepEqual(
    outcomes.map(({ status }) => status),
    ['fulfilled', 'rejected', 'fulfilled'],
  );
});

test('when the database is away nobody is made to wait for it again', async () => {
  let runs = 0;
  const ask = coalesce(
    async (): Promise<number[]> => {
      runs += 1;
      throw new Error('whatever');
    },
    limits,
    async () => false,
  );
  const outcomes = await Promise.allSettled([1, 2, 3].map(ask));
  assert.ok(outcomes.every((outcome) => outcome.status === 'rejected'));
  assert.equal(runs, 1);
});

test('nobody is told why another one was refused, also when the database is away before it is found out who', async () => {
  const refusal = new GatewayError({ code: 'no', httpStatus: 409, message: 'Your checkout is COMPLETED.' });
  const ask = coalesce(
    async (): Promise<number[]> => {
      throw refusal;
    },
    limits,
    async () => false,
  );
  for (const outcome of atLeastOne(await Promise.allSettled([1, 2, 3].map(ask))))
    assert.ok(outcome.status === 'rejected' && isDatabaseAway(outcome.reason), 'a reason of the moment');
  await assert.rejects(ask(1), refusal, 'who is alone knows that it is meant');
});
