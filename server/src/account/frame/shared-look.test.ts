import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createSharedLook } from './shared-look.ts';

function stage() {
  let ms = 0;
  let looks = 0;
  const look = createSharedLook<number>({ now: () => new Date(ms) });
  return {
    pass: (more: number) => void (ms += more),
    ask: (key = 'a', version = '1') => look(key, version, async () => (looks += 1)),
    fail: () =>
      look('a', '1', () => {
        looks += 1;
        return Promise.reject(new Error('away'));
      }),
    looks: () => looks,
  };
}

test('all who look within a second share one look', async () => {
  const { ask, pass, looks } = stage();
  assert.deepEqual(await Promise.all([ask(), ask(), ask()]), [1, 1, 1]);
  pass(999);
  assert.equal(await ask(), 1);
  pass(1);
  assert.equal(await ask(), 2, 'a second later it is looked anew');
  pass(-5_000);
  assert.equal(await ask(), 3, 'also when the clock was put back');
  assert.equal(looks(), 3);
});

test('what happened, or belongs to another account, is another look', async () => {
  const { ask } = stage();
  assert.deepEqual([await ask('a', '1'), await ask('a', '2'), await ask('b', '2'), await ask('a', '2')], [1, 2, 3, 2]);
});

test('a look that failed is not kept for who comes next', async () => {
  const { ask, fail, looks } = stage();
  await assert.rejects(Promise.all([fail(), ask()]), /away/);
  assert.equal(looks(), 1);
  assert.equal(await ask(), 2);
});
