/**
 * A hundred thousand bookings are read in the memory of a piece, as they are and out of a ZIP. What is alive is asked after
 * everything else was collected.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { zipSync } from 'fflate';
import { readBankFile } from '../src/networks/families/bank/read-bank-file.ts';
import { startCpuStopwatch } from './cpu-stopwatch.ts';
import { longStatement } from './long-statement.ts';

const entries = 100_000;
const early = 10_000;
/** A few bytes for each further booking: whatever was kept of one would be more. */
const allowedBytes = 1_500_000;
/** Twenty times what it takes on a machine with nothing else to do. */
const allowedMs = 200_000;

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;

/** What is alive, in bytes: objects, and buffers outside of the heap. */
function alive(): number {
  collect();
  collect();
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}

async function readAll(bytes: Uint8Array): Promise<void> {
  const before = alive();
  const stopwatch = startCpuStopwatch();
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
  assert.ok(stopwatch() < allowedMs, `${stopwatch()} ms`);
}

test('a statement of 100,000 bookings, as it is', async () => {
  await readAll(longStatement(entries));
});

test('the same in a ZIP, which is unpacked as it is read', async () => {
  await readAll(zipSync({ 'long.xml': [longStatement(entries), { level: 1 }] }));
});
