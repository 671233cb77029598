/** What the stories stand on: a database that has patience with a busy machine. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createTestDatabase } from './test-database.ts';

/** Nothing else happens in this process meanwhile, as on a machine that has no time for it. Longer than any limit of the service. */
const stallMs = 6_000;
const stall = (): void => void Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, stallMs);

test('a story that the machine keeps waiting loses no connection, transaction or session', async () => {
  const { db, drop } = await createTestDatabase({ poolSize: 1 });
  try {
    const session = await db.session();
    let isLost = false;
    session.onLost(() => {
      isLost = true;
    });
    const found = db.begin(async (tx) => {
      await tx`select 1`;
      const next = db`select 2 as number`; // Waits for the only connection there is.
      stall();
      return { inside: await tx`select 1 as number`, next };
    });
    const { inside, next } = await found;
    assert.deepEqual([inside, await next], [[{ number: 1 }], [{ number: 2 }]]);
    assert.deepEqual(await session`select 3 as number`, [{ number: 3 }]);
    assert.equal(isLost, false);
    await session.end();
  } finally {
    await drop();
  }
});
