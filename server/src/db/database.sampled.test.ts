import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { deepTest } from '../../test/depth.ts';
import { startPostgresProxy } from '../../test/postgres-proxy.ts';
import { createTestDatabase, type TestDatabase } from '../../test/test-database.ts';
import { turns } from '../../test/until.ts';
import { isDatabaseAway, openDatabase, type Query, type Tx } from './database.ts';

let database: TestDatabase;
before(async () => {
  database = await createTestDatabase();
});
after(() => database.drop());

const backendOf = async (query: Query): Promise<number> =>
  (await query<{ pid: number }>`select pg_backend_pid() as pid`)[0]?.pid ?? 0;

const jobCount = async (): Promise<number> => (await database.db`select from job`).length;

const addJob = (query: Query) =>
  query`insert into job (name, payload, run_at) values ('checkout.advance', '{}', now()) returning id`;

test('a connection that dies in the middle of a transaction takes neither the process nor the pool with it', async () => {
  const db = openDatabase({ url: database.url, poolSize: 1 });
  const failure = await db
    .begin(async (tx) => {
      await addJob(tx);
      await database.db`select pg_terminate_backend(${await backendOf(tx)})`;
      await sleep(100); // The loss is noticed while no statement is under way.
      await addJob(tx);
    })
    .catch((error: unknown) => error);
  assert.ok(isDatabaseAway(failure), `the caller is told to come back: ${String(failure)}`);
  assert.equal(await jobCount(), 0);
  await db.begin((tx) => addJob(tx));
  assert.equal(await jobCount(), 1);
  await database.db`truncate job`;
  await db.close();
});

test('a statement that is issued after its transaction is over is refused', async () => {
  let escaped: Tx | undefined;
  await database.db.begin(async (tx) => {
    escaped = tx;
    await tx`select 1`;
  });
  await assert.rejects(addJob(escaped as Tx), /over/);

  const late = Promise.withResolvers<unknown>();
  await assert.rejects(
    database.db.begin(async (tx) => {
      const failing = tx`select 1 / 0`;
      const slow = failing.catch(() => sleep(50)).then(() => addJob(tx));
      slow.then(late.resolve, late.resolve);
      await Promise.all([failing, slow]);
    }),
    /division by zero/,
  );
  assert.match(String(await late.promise), /over/);
  assert.equal(await jobCount(), 0);
});

test('statements that failed because of another one before them can be used again on the same connection', async () => {
  const db = openDatabase({ url: database.url, poolSize: 1 });
  const neverPrepared = (tx: Tx) => tx<{ answer: number }>`select 40 + ${2}::integer as answer`;
  const backend = await backendOf(db);
  await assert.rejects(
    db.begin((tx) => Promise.all([tx`select 1 / 0`, neverPrepared(tx), neverPrepared(tx)])),
    /division by zero/,
  );
  assert.deepEqual(await db.begin((tx) => Promise.all([neverPrepared(tx), neverPrepared(tx)])), [
    [{ answer: 42 }],
    [{ answer: 42 }],
  ]);
  assert.equal(await backendOf(db), backend);
  await db.close();
});

test('two transactions that wait for each other both end well', async () => {
  const [one, two] = await Promise.all([addJob(database.db), addJob(database.db)]);
  const ids = [one[0]?.['id'], two[0]?.['id']];
  const touch = (tx: Tx, id: unknown) => tx`update job set attempts = attempts + 1 where id = ${id}`;
  const bothHoldOne = Promise.withResolvers<void>();
  let holding = 0;
  const inOrder = (first: unknown, second: unknown) =>
    database.db.begin(async (tx) => {
      await touch(tx, first);
      holding += 1;
      if (holding >= 2) bothHoldOne.resolve();
      await bothHoldOne.promise;
      await touch(tx, second);
    });
  await Promise.all([inOrder(ids[0], ids[1]), inOrder(ids[1], ids[0])]);
  const rows = await database.db<{ attempts: number }>`select attempts from job`;
  assert.deepEqual(
    rows.map((row) => row.attempts),
    [2, 2],
  );
  await database.db`truncate job`;
});

test('whoever asks too late whether a session was lost is told all the same', async () => {
  const session = await database.db.session();
  await database.db`select pg_terminate_backend(${await backendOf(session)})`;
  await assert.rejects(async () => {
    for (const _ of turns()) await session`select pg_sleep(0.01)`;
  });
  await new Promise<void>((resolve) => session.onLost(resolve));
  await session.end();
});

deepTest('a PostgreSQL that vanishes without a word is given up after a while, and found again', async () => {
  const proxy = await startPostgresProxy(database.url);
  const db = openDatabase({ url: proxy.url, poolSize: 1, silenceMs: 3_000, heartbeatMs: 50, answerMs: 2_000 });
  const session = await db.session();
  await session`select pg_advisory_lock(78)`;
  const lost = new Promise<void>((resolve) => session.onLost(resolve));
  await db.begin((tx) => addJob(tx));

  const vanished = proxy.haltAt({ statement: 1, moment: 'before' });
  const failures = await Promise.all([
    db.begin((tx) => addJob(tx)).catch((error: unknown) => error),
    vanished,
    lost, // By its heartbeat: nobody was asking anything of it.
  ]);
  assert.ok(isDatabaseAway(failures[0]), String(failures[0]));
  proxy.thaw();
  await db.begin((tx) => addJob(tx));
  assert.equal(await jobCount(), 2);
  await db.script('select pg_sleep(2.5)'); // A migration may take its time.
  const next = await db.session();
  const waiting = next`select pg_sleep(3.5)`; // As may a session that waits for a lock.
  await waiting;
  await next.end();
  await session.end();
  await db.close();
  await proxy.close();
  await database.db`truncate job`;
});

deepTest('PostgreSQL itself ends a session, and a transaction, whose process has fallen silent', async () => {
  const db = openDatabase({ url: database.url, poolSize: 1, silenceMs: 2_000, heartbeatMs: 100_000 });
  const silent = await db.session();
  await silent`select pg_advisory_lock(77)`;
  let isLost = false;
  silent.onLost(() => {
    isLost = true;
  });
  const alive = openDatabase({ url: database.url, poolSize: 1, silenceMs: 2_000, heartbeatMs: 50 });
  const beating = await alive.session();
  beating.onLost(() => assert.fail('a session with a heartbeat lives on'));

  await database.db`select pg_advisory_lock(77)`; // Waits until the silent one has lost it.
  const failure = await db
    .begin(async (tx) => {
      await addJob(tx);
      await sleep(4_000);
      await addJob(tx);
    })
    .catch((error: unknown) => error);
  assert.ok(isDatabaseAway(failure), String(failure));
  assert.ok(isLost);
  assert.equal(await jobCount(), 0);
  await beating`select 1`;
  await Promise.all([silent.end(), beating.end()]);
  await Promise.all([db.close(), alive.close()]);
});

test('a full disk, too little memory and a standby are passing troubles; a mistake of ours is none', async () => {
  const raised = (code: string): Promise<unknown> =>
    database.db
      .script(`do $$ begin raise exception using errcode = '${code}'; end $$`)
      .catch((error: unknown) => error);
  for (const code of ['53100', '53200', '53300', '25006', '57P01']) assert.ok(isDatabaseAway(await raised(code)), code);
  for (const code of ['53400', '23505', '42P01', '22003']) assert.ok(!isDatabaseAway(await raised(code)), code);
});
