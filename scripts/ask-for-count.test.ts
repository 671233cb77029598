import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Db } from '@quittance/server/db/database';
import { saveReconciliations } from '@quittance/server/payments/reconciliation-store';
import { createTestDatabase, type TestDatabase } from '../server/test/test-database.ts';
import { uncounted } from './ask-for-count.ts';

let database: TestDatabase;
before(async () => {
  database = await createTestDatabase();
});
after(() => database.drop());

const noon = new Date('2026-03-01T12:00:00Z');
const count = (db: Db, network: string, checkedAt: Date): Promise<void> => {
  const units = { held: 0n, booked: 0n, arriving: 0n, crumbs: 0n, leaving: 0n, underway: 0n, difference: 0n };
  return db.begin((tx) => saveReconciliations(tx, [{ network, asset: 'BTC', checkedAt, ...units }]));
};

test('a network whose node never answered is missed, and so is one whose count is old', async () => {
  const { db } = database;
  assert.equal(await uncounted(db, noon), null, 'nothing is watched');
  await db`insert into network_cursor (network, epoch) values ('BITCOIN', 1), ('LITECOIN', 1)`;
  await count(db, 'BITCOIN', noon);
  assert.deepEqual(await uncounted(db, noon), ['LITECOIN']);
  await count(db, 'LITECOIN', noon);
  assert.deepEqual(await uncounted(db, noon), []);
  const later = new Date(noon.getTime() + 1);
  assert.deepEqual((await uncounted(db, later))?.sort(), ['BITCOIN', 'LITECOIN']);
});
