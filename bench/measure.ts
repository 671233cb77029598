/**
 * Measures every operation next to its baseline, and with few and with many stored checkouts, in turns: if the machine
 * is busy with something else, that slows all of them.
 */
import { once } from 'node:events';
import { commitRequest, createRequest, readRequest } from './api-requests.ts';
import type { BareTask } from './bare-server.ts';
import type { Baselines } from './baselines.ts';
import type { Load, LoadResult } from './load-generator.ts';
import { idsPerClient, pgbenchClients, runPgbench } from './pgbench.ts';
import type { PipelineTask } from './pipeline-worker.ts';
import { seedCheckouts, targetKeyOf } from './seed.ts';
import { type ApiRequest, callApi } from './signed-request.ts';
import { type Service, startProcess, stopProcess, type World } from './world.ts';

export const operations = ['create', 'hosted', 'commit', 'read', 'pipeline'] as const;
export type Operation = (typeof operations)[number];
/** Operations per second. */
export type Rates = { readonly ours: number; readonly baseline: number };

export type Effort = { readonly seconds: number; readonly rounds: number; readonly payments: number };

const connections = 48;
/** Writes are compared with eight clients of pgbench, so they are served as in production: a process for each core. */
const writers = 2;
const idsPerRound = pgbenchClients * idsPerClient;
const firstCommitId = 400_000_000_000;
const firstPaidId = 500_000_000_000;

/** A database with its checkouts. */
export type Place = { readonly world: World; readonly baselines: Baselines; readonly readIds: readonly string[] };

/** For every place, the rates of every round. */
export async function measureOperations(
  places: readonly Place[],
  effort: Effort,
  only: readonly Operation[] = operations,
): Promise<ReadonlyMap<Operation, readonly Rates[]>[]> {
  const stands = await Promise.all(places.map((place) => openStand(place, effort)));
  const results = stands.map(() => new Map<Operation, Rates[]>(only.map((operation) => [operation, []])));
  try {
    for (const stand of stands) await stand.warmUp();
    for (let round = 0; round < effort.rounds; round += 1)
      for (const operation of only)
        for (const [position, stand] of stands.entries())
          results[position]?.get(operation)?.push(await stand.measure(operation, round));
    return results;
  } finally {
    for (const stand of stands) await stand.close();
  }
}

async function openStand({ world, baselines, readIds }: Place, effort: Effort) {
  await world.refresh();
  const services = await Promise.all(Array.from({ length: writers }, () => world.startService('api')));
  const [service] = services as [Service];
  const generator = await startLoadGenerator(world);
  const all = services.map(({ port }) => port);
  const one = [service.port];
  const bare = await startBareServer(world, await aRecord(world, service, baselines.pendingId));
  const { seconds } = effort;
  const pgbench = (baseline: Baselines['create'], offset: number) =>
    runPgbench(world.databaseUrl, { ...baseline, firstId: baseline.firstId + offset }, seconds);
  const reads = { requests: readIds.map(readRequest), isRepeated: true };
  const creations = (path: '/checkout' | '/checkout/hosted') => ({
    requests: Array.from({ length: 1000 }, (_, order) => createRequest(path, order)),
    isRepeated: true,
  });

  const measures: Record<Operation, (offset: number) => Promise<Rates>> = {
    create: async (offset) => ({
      baseline: await pgbench(baselines.create, offset),
      ours: await generator.run(creations('/checkout'), seconds, all),
    }),
    hosted: async (offset) => ({
      baseline: await pgbench(baselines.create, offset + idsPerRound / 2 / pgbenchClients),
      ours: await generator.run(creations('/checkout/hosted'), seconds, all),
    }),
    async commit(offset) {
      const copies = { of: baselines.createdId, id: 'counted' as const };
      const ids = Array.from({ length: seconds * 4_000 }, (_, n) => firstCommitId + offset + n);
      await seedCheckouts(world.db, { ...copies, first: firstCommitId + offset, count: ids.length });
      for (let client = 0; client < pgbenchClients; client += 1) {
        const first = baselines.commit.firstId + offset + client * idsPerClient;
        await seedCheckouts(world.db, { ...copies, first, count: seconds * 500 });
      }
      return {
        baseline: await pgbench(baselines.commit, offset),
        ours: await generator.run(
          { requests: ids.map((id) => commitRequest(String(id))), isRepeated: false },
          seconds,
          all,
        ),
      };
    },
    read: async () => ({
      baseline: await generator.run(reads, seconds, [bare.port]),
      ours: await generator.run(reads, seconds, one),
    }),
    async pipeline(offset) {
      const first = firstPaidId + offset;
      await seedCheckouts(world.db, { of: baselines.pendingId, first, count: effort.payments, id: 'counted' });
      const payments = Array.from({ length: effort.payments }, (_, n) => ({
        targetKey: targetKeyOf(String(first + n)),
        units: baselines.dueUnits,
      }));
      return { baseline: await pgbench(baselines.ledger, offset), ours: await pipelineRate(world, payments) };
    },
  };

  return {
    /** Until Node has compiled the code: after some ten thousand requests it gets no faster. */
    async warmUp(): Promise<void> {
      await generator.run(reads, 5, all);
      await generator.run(reads, 5, [bare.port]);
      await generator.run(creations('/checkout'), 10, all);
      await generator.run(creations('/checkout/hosted'), 3, all);
    },
    async measure(operation: Operation, round: number): Promise<Rates> {
      await world.refresh();
      return measures[operation](round * idsPerRound);
    },
    async close(): Promise<void> {
      await generator.stop();
      await bare.stop();
      for (const each of services) await each.stop();
    },
  };
}

async function startLoadGenerator(world: World) {
  const child = await startProcess('load-generator.ts');
  return {
    async run(
      asked: Pick<Load, 'requests' | 'isRepeated'>,
      seconds: number,
      ports: readonly number[],
    ): Promise<number> {
      child.send({ ...asked, credentials: world.shop, ports, connections, seconds } satisfies Load);
      const [result] = (await once(child, 'message')) as [LoadResult];
      if (result.failed > 0)
        throw new Error(`${result.failed} requests failed, the first with:\n${result.firstFailure}`);
      return result.perSecond;
    },
    stop: () => stopProcess(child),
  };
}

async function startBareServer(world: World, record: string): Promise<{ port: number; stop(): Promise<void> }> {
  const child = await startProcess('bare-server.ts');
  child.send({ apiSecret: world.shop.apiSecret, record } satisfies BareTask);
  const [port] = (await once(child, 'message')) as [number];
  return { port, stop: () => stopProcess(child) };
}

async function pipelineRate(world: World, payments: PipelineTask['payments']): Promise<number> {
  const child = await startProcess('pipeline-worker.ts');
  child.send({ env: world.env, payments } satisfies PipelineTask);
  const [seconds] = (await once(child, 'message')) as [number];
  return payments.length / seconds;
}

function aRecord(world: World, service: Service, id: string): Promise<string> {
  const request: ApiRequest = readRequest(id);
  return callApi(`http://127.0.0.1:${service.port}`, world.shop, request);
}
