import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { meetAt } from '../../test/meet-at.ts';
import { createTestDatabase, type TestDatabase } from '../../test/test-database.ts';
import type { Db, Tx } from '../db/database.ts';
import { chainWallet, merchantAccount } from './chart-of-accounts.ts';
import type { Entry } from './entry.ts';
import { lockBalances, openAccounts, postEntries } from './ledger-store.ts';
import { verifyLedger } from './verify-ledger.ts';

const connections = 16;
let database: TestDatabase;
before(async () => {
  database = await createTestDatabase({ poolSize: connections });
});
after(() => database.drop());

const asset = 'BTC:GISSUER';
const at = new Date('2026-01-01T00:00:00Z');
const wallet = chainWallet('BITCOIN', asset);

const subject = { kind: 'checkout', id: 'c' } as const;

function received(reference: string, merchantId: string, units: bigint): Entry {
  const lines = [
    { account: wallet, units: -units },
    { account: merchantAccount(merchantId, 'pending', asset), units },
  ];
  return { reference, kind: 'payment_received', merchantId, subject, lines };
}

function moved(reference: string, from: string, to: string, units: bigint): Entry {
  const lines = [
    { account: from, units: -units },
    { account: to, units },
  ];
  return { reference, kind: 'settlement', merchantId: 'm', subject, lines };
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
      await tx`insert into ledger_entry (reference, kind, subject_kind, subject_id, posted_at)
               values ('by-hand', 'gift', 'checkout', 'c', ${at})`;
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

/**
 * So many pieces of work, as many at a time as there are connections: who has to wait for one gives up after a while, and
 * how long that while is for two hundred is a matter of the machine.
 */
async function atOnce<T>(count: number, work: (number: number) => Promise<T>): Promise<PromiseSettledResult<T>[]> {
  const outcomes: PromiseSettledResult<T>[] = [];
  let next = 0;
  const goOn = async (): Promise<void> => {
    while (next < count) {
      next += 1;
      outcomes.push(...(await Promise.allSettled([work(next)])));
    }
  };
  await Promise.all(Array.from({ length: connections }, goOn));
  return outcomes;
}

test('200 withdrawals of one balance, sixteen at once, cannot overdraw it by a unit', async () => {
  const available = merchantAccount('m', 'available', asset);
  const reserved = merchantAccount('m', 'reserved', asset);
  await database.db.begin((tx) => postEntries(tx, [moved('fund', wallet, available, 1_000n)], at));
  const outcomes = await atOnce(200, (number) =>
    database.db.begin((tx) => postEntries(tx, [moved(`take:${number}`, available, reserved, 7n)], at)),
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
  const outcomes = await atOnce(100, (number) => {
    const [from, to] = number % 2 ? [one, two] : [two, one];
    return database.db.begin((tx) => postEntries(tx, [moved(`swap:${number}`, from, to, 3n)], at));
  });
  assert.ok(outcomes.every(({ status }) => status === 'fulfilled'));
  const balances = await database.db.begin((tx) => lockBalances(tx, [one, two]));
  assert.deepEqual([balances.get(one), balances.get(two)], [10_000n, 10_000n]);
});

test('accounts are locked in the order of their names, whatever order somebody asks in', async () => {
  const [one, two] = [merchantAccount('order-a', 'available', asset), merchantAccount('order-b', 'available', asset)];
  for (const account of [two, one]) await database.db.begin((tx) => openAccounts(tx, [account]));
  const isFree = (tx: Tx) => tx`select from ledger_account where id = ${two} for update nowait`;
  const lockBoth = (tx: Tx) => lockBalances(tx, [two, one]);
  // The second account was left alone until the first is free, or this is refused.
  await meetAt<unknown>(database.db, (tx) => lockBalances(tx, [one]), [
    () => database.db.begin(lockBoth),
    () => database.db.begin(isFree),
  ]);
});

/** What the schema refuses, done all the same by somebody who switches its defences off. */
async function problemsAfter(crime: (db: Db) => Promise<unknown>): Promise<string[]> {
  const scratch = await createTestDatabase();
  const { db } = scratch;
  await db.begin((tx) => postEntries(tx, [received('receipt:sound', 'shop', 9n)], at));
  assert.deepEqual(await verifyLedger(db), [], 'sound before');
  await db.script('alter table ledger_account disable trigger all; alter table ledger_line disable trigger all;');
  await crime(db);
  const problems = await verifyLedger(db);
  await scratch.drop();
  return problems;
}

const pending = merchantAccount('shop', 'pending', asset);
const insertEntry = (db: Db, reference: string) =>
  db`insert into ledger_entry (reference, kind, subject_kind, subject_id, posted_at)
     values (${reference}, 'gift', 'checkout', 'c', ${at})`;
const insertLine = (db: Db, reference: string, account: string, units: number) =>
  db`insert into ledger_line (reference, account_id, units) values (${reference}, ${account}, ${units})`;
const changeBalance = (db: Db, account: string, units: number) =>
  db`update ledger_account set balance = balance + ${units} where id = ${account}`;

test('verification names a balance that is not the sum of its lines', async () => {
  // A wrong one in each direction: the asset as a whole is sound.
  const problems = await problemsAfter(async (db) => {
    await changeBalance(db, wallet, 1);
    await changeBalance(db, pending, -1);
  });
  assert.deepEqual(problems.sort(), [
    `Account ${pending} says 8 but its lines add up to 9.`,
    `Account ${wallet} says -8 but its lines add up to -9.`,
  ]);
});

test('verification names a balance of an account without any lines', async () => {
  const other = merchantAccount('other', 'available', asset);
  const problems = await problemsAfter(async (db) => {
    await db.begin((tx) => openAccounts(tx, [other]));
    await changeBalance(db, other, 3);
  });
  assert.deepEqual(problems.sort(), [
    `Account ${other} says 3 but its lines add up to 0.`,
    `All accounts in ${asset} together are off by 3.`,
  ]);
});

test('verification names an entry that does not balance, though all balances do', async () => {
  const problems = await problemsAfter(async (db) => {
    await insertEntry(db, 'gift');
    await insertLine(db, 'gift', pending, 5);
    await insertEntry(db, 'theft');
    await insertLine(db, 'theft', pending, -5);
  });
  assert.deepEqual(problems.sort(), [`Entry gift is off by 5 ${asset}.`, `Entry theft is off by -5 ${asset}.`]);
});

test('verification names an entry that balances only when its assets are added up', async () => {
  const litecoins = merchantAccount('shop', 'pending', 'LTC:GISSUER');
  const problems = await problemsAfter(async (db) => {
    await db.begin((tx) => openAccounts(tx, [litecoins]));
    await insertEntry(db, 'alchemy');
    await insertLine(db, 'alchemy', pending, -4);
    await insertLine(db, 'alchemy', litecoins, 4);
    await changeBalance(db, pending, -4);
    await changeBalance(db, litecoins, 4);
  });
  assert.deepEqual(problems.sort(), [
    `All accounts in ${asset} together are off by -4.`,
    'All accounts in LTC:GISSUER together are off by 4.',
    `Entry alchemy is off by -4 ${asset}.`,
    'Entry alchemy is off by 4 LTC:GISSUER.',
  ]);
});

test('verification names an account that is overdrawn, and no other that is below zero', async () => {
  const problems = await problemsAfter(async (db) => {
    await insertEntry(db, 'too much');
    await insertLine(db, 'too much', pending, -10);
    await insertLine(db, 'too much', wallet, 10);
    await changeBalance(db, pending, -10);
    await changeBalance(db, wallet, 10);
    await changeBalance(db, wallet, 0);
  });
  assert.deepEqual(problems, [`Account ${pending} is overdrawn: -1.`]);
});

test('verification names an entry without lines', async () => {
  assert.deepEqual(await problemsAfter((db) => insertEntry(db, 'empty')), ['Entry empty has no lines.']);
});
