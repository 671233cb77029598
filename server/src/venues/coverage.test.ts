/** Whether what is owed and promised is held, by books that are written down here; and when the operator is warned. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { createTestDatabase, type TestDatabase } from '../../test/test-database.ts';
import { createAssetCatalog } from '../catalog/asset-catalog.ts';
import { addMs, hours } from '../lib/clock.ts';
import type { Log } from '../lib/log.ts';
import { decimal, formatDecimal } from '../money/decimal.ts';
import { createCoverageCheck, loadCoverage } from './coverage.ts';
import { savePromises } from './treasury-promise-store.ts';

const issuer = 'GAAZI4TCR3TY5OJHCTJC2A4QSY6CJWJH5IAJTGKIN2ER7LBNVKOCCWN7';
const assets = createAssetCatalog({ issuerAccount: issuer, issuerName: '', issuerDomain: '', issuerAddress: '' });
const btc = `BTC:${issuer}`;
const beginning = new Date('2026-03-01T12:00:00Z');
/** So many units are owed and promised in the end. */
const due = 600n;

let database: TestDatabase;
before(async () => {
  database = await createTestDatabase();
});
after(() => database.drop());

const setBalance = (account: string, units: bigint) => database.db`
  insert into ledger_account (id, asset, balance, may_be_negative) values (${`${account}/${btc}`}, ${btc}, ${units.toString()}, true)
      on conflict (id) do update set balance = excluded.balance`;

const held = (units: bigint) => setBalance('operator/wallet-BITCOIN', -units);

/** Limits are in whole coins: a unit is the least of them. */
async function coverage(limit = '0') {
  const treasuryLimits = new Map([['BTC', decimal(limit)]]);
  const [found, ...others] = await loadCoverage({ assets, treasuryLimits }, database.db);
  assert.deepEqual(others, []);
  return found && { ...found, asset: found.asset.id, ratio: formatDecimal(found.ratio) };
}

test('merchants are owed what they have, payers whom nobody knows what they sent, and checkouts what they were promised', async () => {
  await held(1_000n);
  assert.equal(await coverage(), undefined, 'nothing is due');
  const owedAfter = async (account: string, units: bigint): Promise<bigint | undefined> => {
    await setBalance(account, units);
    return (await coverage())?.owedUnits;
  };
  assert.equal(await owedAfter('merchant/one/available', 400n), 400n);
  assert.equal(await owedAfter('merchant/two/reserved', 100n), 500n);
  assert.equal(await owedAfter('merchant/two/receivable', -30n), 500n, 'what one owes us helps none of the others');
  assert.equal(await owedAfter('operator/equity', 7_000n), 500n);
  assert.equal(await owedAfter('operator/suspense', 50n), 550n);
  await setBalance('operator/suspense', 30n);
  await database.db`
    insert into network_movement (id, network, kind, key, asset, units, open_units, block_hash, block_height, block_time, seen_at)
    values ('left', 'BITCOIN', 'UNKNOWN', 'left', ${btc}, -25, -20, '', 1, now(), now()),
           ('came', 'BITCOIN', 'UNKNOWN', 'came', ${btc}, 5, 5, '', 1, now(), now())`;
  assert.equal((await coverage())?.owedUnits, 550n, 'what left makes what came for somebody no less');
  const promise = { merchantId: 'one', checkoutId: 'c', asset: btc, units: 50n };
  await database.db.begin((tx) => savePromises(tx, [promise], beginning));
  assert.deepEqual(await coverage(), {
    asset: btc,
    heldUnits: 1_000n,
    owedUnits: 550n,
    promisedUnits: 50n,
    ratio: '1.6666', // And not 1.6667, which is more than there is.
  });
});

test('what the operator holds elsewhere counts as held, and what shall stay there as a reserve takes nothing away', async () => {
  await held(1_000n);
  assert.equal((await coverage('-0.0000005'))?.heldUnits, 1_050n);
  assert.equal((await coverage('0.0000005'))?.heldUnits, 1_000n);
});

test('the operator is warned below the limit and not at it, once an hour, and at once when it is short anew', async () => {
  let now = beginning;
  const said: string[] = [];
  const log = { warn: ({ ratio }: { ratio: string }) => said.push(ratio) } as unknown as Log;
  const coverageWarning = decimal('1.1');
  const clock = { now: () => now };
  const check = createCoverageCheck({ assets, treasuryLimits: new Map(), coverageWarning, log, clock });
  const saidWith = async (units: bigint, laterMs: number): Promise<string[]> => {
    await held(units);
    now = addMs(now, laterMs);
    await check(database.db);
    return said.splice(0);
  };
  const enough = (due * 11n) / 10n;
  assert.deepEqual(await saidWith(enough, 0), []);
  assert.deepEqual(await saidWith(enough - 1n, 0), ['1.0983']);
  assert.deepEqual(await saidWith(enough - 1n, hours(1) - 1), []);
  assert.deepEqual(await saidWith(enough - 60n, 1), ['1']);
  assert.deepEqual(await saidWith(enough - 1n, 1), []);
  assert.deepEqual(await saidWith(enough, 1), []);
  assert.deepEqual(await saidWith(enough - 1n, 1), ['1.0983'], 'it was enough in between');
});
