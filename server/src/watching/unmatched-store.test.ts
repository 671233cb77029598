/** What is kept although it named no checkout. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { createTestDatabase, type TestDatabase } from '../../test/test-database.ts';
import { addMs } from '../lib/clock.ts';
import { newId } from '../lib/ids.ts';
import { unmatchedCrumbs } from './unmatched-crumb-store.ts';
import {
  insertUnmatched,
  listUnmatched,
  type NewUnmatchedPayment,
  unmatchedAt,
  withoutKept,
} from './unmatched-store.ts';

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

test('whose arrival a bank takes back is among those that are looked at, however many strangers sent the same', async () => {
  const { db } = database;
  await db`
    insert into unmatched_payment (id, network, tx_hash, tx_index, asset, units, is_crumb, sender, block_hash, block_height,
                                   block_time, trace, seen_at)
    select 'flood-' || number, 'SEPA', 'flood-' || number, '0', 'EUR', 1, true, 'a stranger', 'block', 7, ${at}, '{}', ${at}
      from generate_series(1, 10000) as number`;
  const hers = stray({ network: 'SEPA', asset: 'EUR', units: 1n, isCrumb: true, txHash: 'hers', sender: 'DE22' });
  await db.begin((tx) => insertUnmatched(tx, [hers], addMs(at, 1)));
  const wanted = { asset: 'EUR', units: 1n };
  const [first] = await unmatchedAt(db, 'SEPA', [
    { ...wanted, sender: null },
    { ...wanted, sender: 'DE22' },
  ]);
  assert.equal(first?.txHash, 'hers');
  const all = await unmatchedAt(db, 'SEPA', [{ ...wanted, sender: null }]);
  assert.deepEqual([all.length, all[0]?.sender], [10_000, 'a stranger']);
});
