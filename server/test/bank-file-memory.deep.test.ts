/**
 * A hundred thousand bookings are read in the memory of a piece, as they are and out of a ZIP, and come to the books, in the time
 * for each that it takes for a tenth of them. What is alive is asked after everything else was collected.
 */
import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { zipSync } from 'fflate';
import { importBankFile } from '../src/bank-files/import-bank-file.ts';
import { readConfig } from '../src/config.ts';
import { createEncryption } from '../src/lib/encryption.ts';
import { readBankFile } from '../src/networks/families/bank/read-bank-file.ts';
import { createConnectors } from '../src/networks/registry.ts';
import { isSound } from '../src/watching/reconcile.ts';
import { startCpuStopwatch } from './cpu-stopwatch.ts';
import { startGateway, withoutLitecoin } from './gateway.ts';
import { longStatement } from './long-statement.ts';
import { untilRested } from './until.ts';

const entries = 100_000;
const early = 10_000;
/** A few bytes for each further booking: whatever was kept of one would be more. */
const allowedBytes = 1_500_000;
/** Ten times as many bookings take no more than so many times as long, on a busy machine too. */
const allowedTimes = 25;

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;

/** What is alive, in bytes: objects, and buffers outside of the heap. */
function alive(): number {
  collect();
  collect();
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}

async function msToRead(bytes: Uint8Array): Promise<number> {
  const stopwatch = startCpuStopwatch();
  for await (const _ of (await readBankFile(bytes)).entries());
  return stopwatch();
}

async function readAll(bytesOf: (count: number) => Uint8Array): Promise<void> {
  const [few, bytes] = [bytesOf(early), bytesOf(entries)];
  await msToRead(few); // What is compiled by then is not counted.
  const [msOfFew, ms] = [await msToRead(few), await msToRead(bytes)];
  assert.ok(ms < allowedTimes * msOfFew, `${ms} ms, and ${msOfFew} ms for a tenth`);
  const before = alive();
  const file = await readBankFile(bytes);
  assert.ok(alive() - before < allowedBytes, 'nothing stays of the first reading');
  let [count, sum, atFirst, atLast] = [0, 0n, 0, 0];
  for await (const { entry } of file.entries()) {
    count += 1;
    sum += entry.units;
    if (count === early) atFirst = alive();
    if (count === entries) atLast = alive();
  }
  assert.deepEqual([count, sum, file.statements[0]?.booked], [entries, sum, sum]);
  assert.ok(atLast - atFirst < allowedBytes, `${atLast - atFirst} bytes more after ${entries - early} bookings more`);
}

test('a statement of 100,000 bookings, as it is', async () => {
  await readAll(longStatement);
});

test('the same in a ZIP, which is unpacked as it is read', async () => {
  await readAll((count) => zipSync({ 'long.xml': [longStatement(count), { level: 1 }] }));
});

test('it is accepted whole and told to the books, to the cent', async (context) => {
  const msOfFew = await msToTheBooks(early, context);
  const ms = await msToTheBooks(entries, context);
  assert.ok(ms < allowedTimes * msOfFew, `${ms} ms, and ${msOfFew} ms for a tenth`);
});

async function msToTheBooks(count: number, context: TestContext): Promise<number> {
  const env = { ...withoutLitecoin, SEPA_IBAN: 'DE67500502011234567890', SEPA_ACCOUNT_NAME: 'Shop AG' };
  const gateway = await startGateway({ env });
  context.after(() => gateway.stop());
  const { db, clock } = gateway;
  const { networks, bankFileBytesMax } = readConfig(gateway.env);
  const connectors = createConnectors(networks, clock.now);
  const encryption = createEncryption(Buffer.alloc(32, 7));
  const bytes = Buffer.from(longStatement(count));
  const file = { network: 'SEPA', fileName: 'long.xml', bytes, way: 'COMMAND', actor: 'operator' } as const;
  const stopwatch = startCpuStopwatch();
  await importBankFile({ db, clock, encryption, connectors, bankFileBytesMax }, { ...file, begin: db.begin });
  for (const watcher of gateway.app.watchers) await untilRested(watcher);
  const ms = stopwatch();
  const [held] = (await gateway.count()).filter(({ asset }) => asset.startsWith('EUR:'));
  assert.ok(held && isSound(held), 'the books are the bank’s');
  const [told] = await db<{ count: number; units: string }>`
    select count(*)::integer as count, sum(units)::text as units from unmatched_payment`;
  assert.deepEqual(told, { count, units: String(BigInt(count) * 10_000_000n) });
  return ms;
}
