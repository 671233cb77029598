/** `npm run bench`: what we say about speed, measured next to baselines in the same run. See README.md. */
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { recordBaselines } from './baselines.ts';
import { measureBlockScan } from './block-scan.ts';
import { type Effort, measureOperations, operations, type Place } from './measure.ts';
import { measureBankFile } from './measure-bank-file.ts';
import { measureCrumbFlood } from './measure-crumb-flood.ts';
import { measureFinding } from './measure-finding.ts';
import { measureFloods } from './measure-floods.ts';
import { printNetworkReport } from './network-report.ts';
import { measureNetworks } from './network-scan.ts';
import { printReport } from './report.ts';
import { seedCheckouts, settleDown, targetKeyOf } from './seed.ts';
import { startCluster, type World } from './world.ts';

const { values } = parseArgs({
  options: { quick: { type: 'boolean', default: false }, only: { type: 'string' }, flood: { type: 'string' } },
});
const wanted = values.only?.split(',');
const only = operations.filter((operation) => wanted === undefined || wanted.includes(operation));
const effort: Effort = values.quick
  ? { seconds: 3, rounds: 1, payments: 1_500 }
  : { seconds: 5, rounds: 3, payments: 4_000 };
const few = 10_000;
const many = values.quick ? 100_000 : 1_000_000;

/** How many deposit targets of every network are stored while blocks are read. */
const targetCounts = [100, 10_000, many];
const blocksPerNetwork = values.quick ? 7 : 15;

const say = (text: string): void => void process.stderr.write(`${text}\n`);
const cluster = await startCluster();
// When the run is stopped, its databases of three gigabytes must not stay behind.
for (const signal of ['SIGINT', 'SIGTERM'] as const)
  process.once(signal, () => void cluster.stop().finally(() => process.exit(1)));
try {
  if (only.length > 0) await measureService();
  if (wanted === undefined || wanted.includes('networks'))
    printNetworkReport(targetCounts, await measureNetworks(cluster, targetCounts, blocksPerNetwork, say));
  if (wanted === undefined || wanted.includes('crumbs'))
    await measureCrumbFlood(cluster, values.quick ? 15_000 : 150_000, say);
  if (wanted === undefined || wanted.includes('bank'))
    await measureBankFile(values.quick ? 20_000 : 100_000, values.quick ? 3 : 5, say);
  if (wanted === undefined || wanted.includes('floods'))
    await measureFloods(cluster, new RegExp(values.flood ?? '', 'i'), say);
  if (wanted === undefined || wanted.includes('finding')) await measureFinding(cluster, many, say);
} finally {
  await cluster.stop();
}

async function measureService(): Promise<void> {
  const small = await createPlace('few', few);
  if (wanted !== undefined) {
    const [withFew = new Map()] = await measureOperations([small], effort, only);
    printReport({ withFew, withMany: null, many, blockScan: null, idleMegabytes: null });
  } else {
    const large = await createPlace('many', many);
    say('Measuring …');
    const [withFew = new Map(), withMany = new Map()] = await measureOperations([small, large], effort);
    say('Scanning blocks …');
    const ours = large.readIds.slice(0, 20).map(targetKeyOf);
    const blockScan = await measureBlockScan(large.world, ours, { transactions: 3_000, blocks: values.quick ? 5 : 11 });
    const idleMegabytes = await idleMemory(large.world);
    printReport({ withFew, withMany, many, blockScan, idleMegabytes });
    await large.world.close();
  }
  await small.world.close();
}

async function createPlace(database: string, stored: number): Promise<Place> {
  say(`Storing ${stored} checkouts …`);
  const world = await cluster.createWorld(database);
  const baselines = await recordBaselines(world);
  await seedCheckouts(world.db, { of: baselines.pendingId, first: 0, count: stored, id: 'scattered' });
  await settleDown(world.db);
  return { world, baselines, readIds: await someIds(world) };
}

async function someIds(world: World): Promise<string[]> {
  const rows = await world.db<{ id: string }>`
    select owner_id as id from deposit_target order by random() limit 20000`;
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
