/** What counts as a point to die at: whoever goes on must be able to tell it from the one before. */
import assert from 'node:assert/strict';
import { after, afterEach, before, beforeEach, test } from 'node:test';
import { type Db, openDatabase } from '../src/db/database.ts';
import { type PostgresProxy, startPostgresProxy } from './postgres-proxy.ts';
import { createTestDatabase, type TestDatabase } from './test-database.ts';
import { turns } from './until.ts';

let database: TestDatabase;
before(async () => {
  database = await createTestDatabase();
  await database.db.script('create table coin (id integer); create sequence coin_sequence');
});
after(() => database.drop());

let proxy: PostgresProxy;
let db: Db;
beforeEach(async () => {
  proxy = await startPostgresProxy(database.url);
  db = openDatabase({ url: proxy.url, poolSize: 2 });
});
afterEach(async () => {
  await db.close();
  await proxy.close();
  await database.db`truncate coin`;
});

const insert = (on: Db | Parameters<Parameters<Db['begin']>[0]>[0]) => on`insert into coin values (1)`;

async function pointsOf(work: () => Promise<unknown>): Promise<number> {
  void proxy.haltAt({ point: Number.POSITIVE_INFINITY });
  await work();
  return proxy.points;
}

test('before the first statement there is one, and reading adds none', async () => {
  assert.equal(await pointsOf(() => db`select * from coin`), 1);
  assert.equal(
    await pointsOf(async () => {
      await db`select * from coin`;
      await db`select * from coin for update`;
      await db.begin((tx) => tx`select * from coin for no key update skip locked`);
    }),
    1,
  );
});

const changes: Record<string, () => Promise<unknown>> = {
  'an insert': () => insert(db),
  'an insert inside a with': () => db`with added as (insert into coin values (1) returning id) select * from added`,
  'a sequence': () => db`select nextval('coin_sequence')`,
  'a transaction of several changes': () =>
    db.begin(async (tx) => {
      await Promise.all([insert(tx), insert(tx)]);
      await tx`select * from coin`;
      await tx`update coin set id = 2`;
    }),
};
for (const [name, change] of Object.entries(changes))
  test(`${name} adds one, again and again`, async () => {
    assert.equal(await pointsOf(change), 2);
    assert.equal(await pointsOf(change), 2);
  });

test('what changes no row, fails or is rolled back adds none', async () => {
  const nothing = async (): Promise<void> => {
    await db`update coin set id = 2`;
    await db`delete from coin`;
    await assert.rejects(db`insert into coin values (${'no number'})`);
    const failing = db.begin(async (tx) => {
      await insert(tx);
      throw new Error('rolled back');
    });
    await assert.rejects(failing, /rolled back/);
    await assert.rejects(
      db.begin(async (tx) => {
        await insert(tx);
        await tx`select 1 / 0`;
      }),
    );
  };
  assert.equal(await pointsOf(nothing), 1);
  assert.deepEqual(await database.db`select * from coin`, []);
});

test('what happens outside adds one before the next statement, whatever it is', async () => {
  const ask = async (): Promise<void> => {
    await insert(db);
    proxy.noteMove();
    proxy.noteMove();
    await db`select * from coin`;
    await db`select * from coin`;
  };
  assert.equal(await pointsOf(ask), 3);
});

test('the traffic stops there: what was committed stays, and nobody is told', async () => {
  const coins = async (): Promise<number> => (await database.db`select * from coin`).length;
  const halted = proxy.haltAt({ point: 3 });
  let told = 0;
  const dying = assert.rejects(async () => {
    for (const _ of turns()) {
      await insert(db);
      told += 1;
    }
  });
  await halted;
  await proxy.cut();
  await dying;
  assert.deepEqual([await coins(), told], [2, 1]);
});
