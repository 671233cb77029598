/** What is kept although it named no checkout. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { createTestDatabase, type TestDatabase } from '../../test/test-database.ts';
import { newId } from '../lib/ids.ts';
import { unmatchedCrumbs } from './unmatched-crumb-store.ts';
import { insertUnmatched, listUnmatched, type NewUnmatchedPayment, withoutKept } from './unmatched-store.ts';

let database: TestDatabase;
before(async () => {
  database = await createTestDatabase();
});
after(() => database.drop());

const at = new Date('2026-03-01T12:00:00Z');
const stray = (more: Partial<NewUnmatchedPayment>): NewUnmatchedPayment => ({
  id: newId(),
  network: 'STELLAR',
  txHash: 'aa',
  txIndex: '0',
  asset: 'XLM:NATIVE',
  units: 100n,
  isCrumb: false,
  sender: null,
  memo: null,
  trace: {},
  dayBegan: null,
  block: { hash: 'block', height: 7, time: at },
  ...more,
});

test('a person goes through what is worth it, and is told of crumbs in one line', async () => {
  const { db } = database;
  const worthIt = stray({ txHash: 'worth' });
  const crumbs = ['1', '2', '3'].map((txIndex) => stray({ txHash: 'crumbs', txIndex, units: 1n, isCrumb: true }));
  await db.begin((tx) => insertUnmatched(tx, [worthIt, ...crumbs], at));
  assert.deepEqual(
    (await listUnmatched(db)).map(({ id }) => id),
    [worthIt.id],
  );
  assert.deepEqual(await unmatchedCrumbs(db), [{ network: 'STELLAR', asset: 'XLM:NATIVE', count: 3, units: 3n }]);
});

test('what is kept in suspense is not taken for a payment when it is read again', async () => {
  const { db } = database;
  await db.begin((tx) => insertUnmatched(tx, [stray({ txHash: 'kept', txIndex: '1' })], at));
  const [kept, sibling, other] = [
    { txHash: 'kept', index: '1' },
    { txHash: 'kept', index: '2' },
    { txHash: 'other', index: '1' },
  ];
  assert.deepEqual(await withoutKept(db, 'STELLAR', [kept, sibling, other]), [sibling, other]);
  assert.deepEqual(await withoutKept(db, 'BITCOIN', [kept]), [kept], 'on another network it is another one');
});
