import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { createTestDatabase, type TestDatabase } from '../../test/test-database.ts';
import { chainWallet, merchantAccount } from './chart-of-accounts.ts';
import type { Entry } from './entry.ts';
import { lockBalances, postEntries } from './ledger-store.ts';
import { verifyLedger } from './verify-ledger.ts';

let database: TestDatabase;
before(async () => {
  database = await createTestDatabase({ poolSize: 16 });
});
after(() => database.drop());

const asset = 'BTC:GISSUER';
const at = new Date('2026-01-01T00:00:00Z');
const wallet = chainWallet('BITCOIN', asset);

function received(reference: string, merchantId: string, units: bigint): Entry {
  const lines = [
    { account: wallet, units: -units },
    { account: merchantAccount(merchantId, 'pending', asset), units },
  ];
  return { reference, kind: 'payment_received', merchantId, checkoutId: 'c', lines };
}

function moved(reference: string, from: string, to: string, units: bigint): Entry {
  const lines = [
    { account: from, units: -units },
    { account: to, units },
  ];
  return { reference, kind: 'settlement', merchantId: 'm', checkoutId: 'c', lines };
}

test('posting the same entry twice posts it once', async () => {
  const entry = received('receipt:twice', 'twice', 500n);
  const first = await database.db.begin((tx) => postEntries(tx, [entry], at));
  const second = await database.db.begin((tx) => postEntries(tx, [entry], at));
  assert.deepEqual([first.size, second.size], [1, 0]);
  const balances = await database.db.begin((tx) => lockBalances(tx, [merchantAccount('twice', 'pending', asset)]));
  assert.deepEqual([...balances.values()], [500n]);
});

test('an entry that does not balance per asset is refused in code and by PostgreSQL', async () => {
  const entry: Entry = {
    ...received('receipt:odd', 'odd', 5n),
    lines: [
      { account: wallet, units: -5n },
      { account: merchantAccount('odd', 'pending', 'LTC:GISSUER'), units: 5n },
    ],
  };
  await assert.rejects(
    database.db.begin((tx) => postEntries(tx, [entry], at)),
    /is off by -5 BTC:GISSUER/,
  );
  await assert.rejects(
    database.db.begin(async (tx) => {
      await tx`insert into ledger_entry (reference, kind, posted_at) values ('by-hand', 'gift', ${at})`;
      await tx`insert into ledger_account (id, asset, may_be_negative) values ('merchant/x/available/BTC', 'BTC', false)`;
      await tx`insert into ledger_line (reference, account_id, units) values ('by-hand', 'merchant/x/available/BTC', 100)`;
    }),
    /does not balance/,
  );
});

test('rows of the ledger can be neither changed nor deleted', async () => {
  await database.db.begin((tx) => postEntries(tx, [received('receipt:fixed', 'fixed', 7n)], at));
  await assert.rejects(database.db`update ledger_line set units = units * 2`, /append-only/);
  await assert.rejects(database.db`delete from ledger_entry`, /append-only/);
  await assert.rejects(database.db`truncate ledger_line`, /append-only/);
});

test('200 concurrent withdrawals of one balance cannot overdraw it by a unit', async () => {
  const available = merchantAccount('m', 'available', asset);
  const reserved = merchantAccount('m', 'reserved', asset);
  await database.db.begin((tx) => postEntries(tx, [moved('fund', wallet, available, 1_000n)], at));
  const outcomes = await Promise.allSettled(
    Array.from({ length: 200 }, (_, number) =>
      database.db.begin((tx) => postEntries(tx, [moved(`take:${number}`, available, reserved, 7n)], at)),
    ),
  );
  const succeeded = outcomes.filter((outcome) => outcome.status === 'fulfilled').length;
  assert.equal(succeeded, 142); // 142 × 7 = 994; the next one would need 7 of the remaining 6.
  for (const outcome of outcomes) {
    if (outcome.status === 'rejected') assert.match(String(outcome.reason), /would be overdrawn to -1/);
  }
  assert.deepEqual(await verifyLedger(database.db), []);
});

test('entries over the same accounts in opposite order neither deadlock nor lose a unit', async () => {
  const one = merchantAccount('one', 'available', asset);
  const two = merchantAccount('two', 'available', asset);
  await database.db.begin((tx) =>
    postEntries(tx, [moved('fund:one', wallet, one, 10_000n), moved('fund:two', wallet, two, 10_000n)], at),
  );
  await Promise.all(
    Array.from({ length: 100 }, (_, number) =>
      database.db.begin((tx) =>
        postEntries(
          tx,
          [number % 2 ? moved(`swap:${number}`, one, two, 3n) : moved(`swap:${number}`, two, one, 3n)],
          at,
        ),
      ),
    ),
  );
  const balances = await database.db.begin((tx) => lockBalances(tx, [one, two]));
  assert.deepEqual([balances.get(one), balances.get(two)], [10_000n, 10_000n]);
});

test('verification names a balance that was tampered with', async () => {
  const scratch = await createTestDatabase();
  await scratch.db.begin((tx) => postEntries(tx, [received('receipt:tampered', 'tampered', 9n)], at));
  await scratch.db`update ledger_account set balance = balance + 1 where id = ${wallet}`;
  const problems = await verifyLedger(scratch.db);
  assert.equal(problems.length, 2);
  assert.match(problems.join(' '), /says -8 but its lines add up to -9/);
  await scratch.drop();
});
