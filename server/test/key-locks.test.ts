/** Which requests with a key are running is known to all processes, at a price that others do not pay. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createKeyLocks } from '../src/http/key-locks.ts';
import { createTestDatabase } from './test-database.ts';

test('however many run at once, what PostgreSQL has to remember of them has an end', async (t) => {
  const database = await createTestDatabase();
  const [here, elsewhere] = [createKeyLocks(database.db), createKeyLocks(database.db)];
  t.after(async () => {
    await Promise.all([here.end(), elsewhere.end()]);
    await database.drop();
  });
  const locked = async (): Promise<number> => {
    const [row] = await database.db<{ locks: number }>`
      select count(*)::integer as locks from pg_locks
       where locktype = 'advisory' and classid = 7030
         and database = (select oid from pg_database where datname = current_database())`;
    return row?.locks ?? 0;
  };
  const names = Array.from({ length: 1_200 }, (_, number) => `merchant key-${number}`);
  const held = await Promise.all(names.map((name) => here.hold(name)));
  assert.ok(
    held.every((lock) => lock !== null),
    'everyone has a turn',
  );
  assert.equal(await locked(), 1_000);
  assert.deepEqual(
    await Promise.all(names.map((name) => here.hold(name))),
    names.map(() => null),
  );
  assert.equal(await elsewhere.hold(names[0] ?? ''), null);
  await Promise.all(held.map((lock) => lock?.release()));
  assert.equal(await locked(), 0);
  for (const locks of [here, elsewhere]) {
    const again = await locks.hold(names.at(-1) ?? '');
    assert.ok(again);
    assert.equal(await locked(), 1);
    await again.release();
  }
});
