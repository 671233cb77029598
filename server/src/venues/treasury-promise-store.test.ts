/** What the treasury has, as the books say it. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { createTestDatabase, type TestDatabase } from '../../test/test-database.ts';
import { promisesOf, readStock, releasePromises, savePromises } from './treasury-promise-store.ts';
import { positionAccounts } from './treasury-stock.ts';

let database: TestDatabase;
before(async () => {
  database = await createTestDatabase();
});
after(() => database.drop());

const asset = 'BTC:G';

test('a checkout is promised the larger of two amounts, in whatever order they come', async () => {
  const { db } = database;
  const owners = ['rising', 'falling'].map((checkoutId) => ({ merchantId: 'm', checkoutId }));
  const [rising, falling] = owners.map((owner) => ({ ...owner, asset }));
  assert.ok(rising && falling);
  const at = new Date('2026-03-01T12:00:00Z');
  await db.begin((tx) =>
    savePromises(
      tx,
      [
        { ...rising, units: 5n },
        { ...falling, units: 7n },
      ],
      at,
    ),
  );
  await db.begin((tx) =>
    savePromises(
      tx,
      [
        { ...rising, units: 7n },
        { ...falling, units: 5n },
      ],
      at,
    ),
  );
  assert.deepEqual(
    (await promisesOf(db, owners)).map(({ units }) => units),
    [7n, 7n],
  );
  await db.begin((tx) => releasePromises(tx, [rising]));
  assert.deepEqual(await promisesOf(db, owners), [{ ...falling, units: 7n }]);
});

test('the stock is what the operator brought, earned and exchanged, less costs, what merchants owe and what nobody explained', async () => {
  const { db } = database;
  const balances = {
    'operator/equity/BTC:G': 1_000,
    'operator/fees/BTC:G': 200,
    'operator/fx/BTC:G': -50,
    'operator/costs/BTC:G': -7,
    'merchant/one/receivable/BTC:G': -30,
    'merchant/two/receivable/BTC:G': -3,
    'merchant/one/available/BTC:G': 5_000,
  };
  for (const [id, balance] of Object.entries(balances))
    await db`insert into ledger_account (id, asset, balance, may_be_negative) values (${id}, ${asset}, ${balance}, true)`;
  const own = async () => {
    const { rows } = await readStock(db, [asset], positionAccounts(asset));
    return rows.find(({ merchantId }) => merchantId === null)?.units;
  };
  assert.equal(await own(), 1_110n);
  for (const [id, units, open] of [
    ['left', -500, -400],
    ['explained', -300, 0],
    ['came', 200, 200],
  ])
    await db`
      insert into network_movement (id, network, kind, key, asset, units, open_units, block_hash, block_height, block_time, seen_at)
      values (${id}, 'SEPA', 'UNKNOWN', ${id}, ${asset}, ${units}, ${open}, '', 1, now(), now())`;
  assert.equal(await own(), 710n);
});
