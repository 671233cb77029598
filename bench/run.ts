/** `npm run bench`: what we claim about speed, measured next to baselines in the same run. See README.md. */
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { recordBaselines } from './baselines.ts';
import { measureBlockScan } from './block-scan.ts';
import { type Effort, measureOperations, type Operation, operations, type Rates } from './measure.ts';
import { printReport } from './report.ts';
import { seedCheckouts, settleDown, targetKeyOf } from './seed.ts';
import { startWorld, type World } from './world.ts';

const { values } = parseArgs({ options: { quick: { type: 'boolean', default: false }, only: { type: 'string' } } });
const only = operations.filter((operation) => values.only === undefined || values.only.split(',').includes(operation));
const effort: Effort = values.quick
  ? { seconds: 3, rounds: 1, payments: 1_500 }
  : { seconds: 5, rounds: 3, payments: 4_000 };
const few = 10_000;
const many = values.quick ? 100_000 : 1_000_000;

const say = (text: string): void => void process.stderr.write(`${text}\n`);
const world = await startWorld();
// Three gigabytes of checkouts must not stay behind.
for (const signal of ['SIGINT', 'SIGTERM'] as const)
  process.once(signal, () => void world.stop().finally(() => process.exit(1)));
try {
  const baselines = await recordBaselines(world);
  const grow = async (from: number, to: number): Promise<void> => {
    say(`Storing ${to} checkouts …`);
    await seedCheckouts(world.db, { of: baselines.pendingId, first: from, count: to - from, id: 'scattered' });
    await settleDown(world.db);
  };
  const measure = async (stored: number): Promise<Map<Operation, Rates>> => {
    say(`Measuring with ${stored} stored checkouts …`);
    return measureOperations(world, baselines, await someIds(world), effort, only);
  };

  await grow(0, few);
  const withFew = await measure(few);
  if (values.only !== undefined) {
    printReport({ withFew, withMany: withFew, many: few, blockScan: null, idleMegabytes: null });
  } else {
    await grow(few, many);
    const withMany = await measure(many);
    say('Scanning blocks …');
    const ours = (await someIds(world)).slice(0, 20).map(targetKeyOf);
    const blockScan = await measureBlockScan(world, ours, { transactions: 3_000, blocks: values.quick ? 5 : 11 });
    const idleMegabytes = await idleMemory(world);
    printReport({ withFew, withMany, many, blockScan, idleMegabytes });
  }
} finally {
  await world.stop();
}

async function someIds(world: World): Promise<string[]> {
  const rows = await world.db<{ id: string }>`
    select checkout_id as id from deposit_target order by random() limit 20000`;
  return rows.map((row) => row.id);
}

/** All roles in one process, left alone for a moment after its start. */
async function idleMemory(world: World): Promise<number> {
  const service = await world.startService('all');
  await sleep(5_000);
  const megabytes = await service.rssMegabytes();
  await service.stop();
  return megabytes;
}
