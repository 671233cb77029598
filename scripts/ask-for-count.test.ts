import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Db } from '@quittance/server/db/database';
import { enqueueUnlessThere } from '@quittance/server/jobs/enqueue';
import { saveReconciliations } from '@quittance/server/watching/reconciliation-store';
import { createTestDatabase, type TestDatabase } from '../server/test/test-database.ts';
import { until } from '../server/test/until.ts';
import { requestCount, uncounted } from './ask-for-count.ts';

let database: TestDatabase;
before(async () => {
  database = await createTestDatabase();
});
after(() => database.drop());

const noon = new Date('2026-03-01T12:00:00Z');
const count = (db: Db, network: string, checkedAt: Date): Promise<void> => {
  const units = { held: 0n, booked: 0n, arriving: 0n, crumbs: 0n, leaving: 0n, underway: 0n, difference: 0n };
  return db.begin((tx) => saveReconciliations(tx, [{ network, asset: 'BTC', checkedAt, countedTo: null, ...units }]));
};

test('a network whose node never answered is missed, and so is one whose count is old', async () => {
  const { db } = database;
  assert.equal(await uncounted(db, noon), null, 'nothing is watched');
  await db`insert into network_cursor (network, epoch) values ('PIX', 1)`;
  assert.equal(await uncounted(db, noon), null, 'a bank does not say by Pix what it holds');
  await db`insert into network_cursor (network, epoch) values ('BITCOIN', 1), ('LITECOIN', 1)`;
  await count(db, 'BITCOIN', noon);
  assert.deepEqual(await uncounted(db, noon), ['LITECOIN']);
  await count(db, 'LITECOIN', noon);
  assert.deepEqual(await uncounted(db, noon), []);
  const later = new Date(noon.getTime() + 1);
  assert.deepEqual((await uncounted(db, later))?.sort(), ['BITCOIN', 'LITECOIN']);
});

test('however often a count is asked for, one job is left, and one that was given up is tried again', async () => {
  const { db } = database;
  const jobs = () =>
    db<{ since: string; isParked: boolean }>`
      select payload ->> 'since' as since, parked_reason is not null as "isParked" from job
       where name = 'books.reconcile'`;
  await Promise.all(Array.from({ length: 5 }, () => requestCount(db, noon)));
  assert.deepEqual(await jobs(), [{ since: noon.toISOString(), isParked: false }]);
  await db`update job set claimed_by = 1`;
  await requestCount(db, noon);
  assert.equal((await jobs()).length, 1, 'somebody is at it');
  const later = new Date(noon.getTime() + 60_000);
  await db`update job set claimed_by = null, parked_reason = 'no luck', attempts = 20`;
  await requestCount(db, later);
  assert.deepEqual(await jobs(), [{ since: later.toISOString(), isParked: false }]);
  await db`delete from job`;
});

test('who asks while another one is asking waits for that, and leaves no second job', async () => {
  const { db } = database;
  const isAwaited = async (): Promise<boolean> =>
    (
      await db`
        select from pg_locks
         where locktype = 'advisory' and not granted
           and database = (select oid from pg_database where datname = current_database())`
    ).length > 0;
  let isOver = false;
  const second = await db.begin(async (tx) => {
    await enqueueUnlessThere(tx, { name: 'books.reconcile', payload: {}, runAt: noon });
    const asking = requestCount(db, noon).then(() => {
      isOver = true;
    });
    await until('it waits', async () => isOver || (await isAwaited()));
    return { asking }; // Not awaited in here: it waits for us.
  });
  await second.asking;
  assert.equal((await db`select from job where name = 'books.reconcile'`).length, 1);
  await db`delete from job`;
});
