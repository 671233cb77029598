/**
 * What a neighbour notices while one party asks for as much as it can: each flood next to the neighbour alone, in the same run.
 * The neighbour is another merchant at an address of its own: it asks for `/status` and creates checkouts, one after the other.
 * Beside it `/health`, which waits for nothing but the thread, shows for how long that was held.
 *
 * A machine that is busy with something else keeps the service waiting as well. Linux counts for how long its thread could have
 * worked and was not let, and that is taken off where we judge ourselves; how long it was held, is how long it worked.
 */
import { Agent, request as httpRequest } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { systemClock } from '../server/src/lib/clock.ts';
import { createEncryption } from '../server/src/lib/encryption.ts';
import { createMerchant } from '../server/src/merchants/create-merchant.ts';
import { createRequest } from './api-requests.ts';
import { type Asked, type Flood, prepareFloods, signed, storeManyCheckouts } from './floods.ts';
import type { Credentials } from './signed-request.ts';
import type { Cluster, Service, World } from './world.ts';

const atOnce = 40;
const floodSeconds = 4;
/** Sent one after the other before the flood, to see what a single one costs. */
const alone = 3;
/** A neighbour is not kept waiting longer, of a hundred times once. */
const promisedMs = 200;
/** No request holds the thread for longer. */
const heldMsMax = 50;

type Figures = {
  readonly name: string;
  readonly statuses: string;
  readonly p50: number;
  readonly p99: number;
  /** Had the thread had a processor whenever it could have worked. */
  readonly ownP99: number;
  /** By one such request with nobody beside it, and by all of them. */
  readonly heldByOneMs: number;
  readonly heldMs: number;
  /** How often the neighbour was answered with something else than 200. */
  readonly turnedAway: number;
};

const agents = new Map<string, Agent>();
function agentOf(address: string): Agent {
  const agent = agents.get(address) ?? new Agent({ keepAlive: true, localAddress: address });
  agents.set(address, agent);
  return agent;
}

function send(port: number, from: string, { method, path, body, headers }: Asked): Promise<number> {
  return new Promise((resolve, reject) => {
    const asked = httpRequest({ host: '127.0.0.1', port, method, path, agent: agentOf(from), headers }, (reply) => {
      reply.resume();
      reply.on('end', () => resolve(reply.statusCode ?? 0));
      reply.on('error', reject);
    });
    asked.on('error', reject);
    asked.end(body);
  });
}

const quantile = (sorted: readonly number[], part: number): number =>
  sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? 0;

type Looked = {
  readonly ms: number;
  readonly ownMs: number;
  readonly workedMs: number;
  readonly isServed: boolean;
};

/** Asks until told to end, and looks each time what the thread did meanwhile. */
async function keepAsking(
  service: Service,
  from: string,
  isOver: () => boolean,
  asked: (number: number) => Asked,
): Promise<Looked[]> {
  const looks: Looked[] = [];
  for (let number = 0; !isOver(); number += 1) {
    const before = service.threadTimes();
    const began = performance.now();
    const status = await send(service.port, from, asked(number));
    const ms = performance.now() - began;
    const after = service.threadTimes();
    const ownMs = Math.max(0, ms - (after.keptWaitingMs - before.keptWaitingMs));
    looks.push({ ms, ownMs, workedMs: after.workedMs - before.workedMs, isServed: status === 200 });
    await sleep(2);
  }
  return looks;
}

const status = (): Asked => ({ method: 'GET', path: '/api/v1/status' });
const health = (): Asked => ({ method: 'GET', path: '/health' });

async function watched(
  service: Service,
  neighbour: Credentials,
  flood: () => Promise<string>,
): Promise<Omit<Figures, 'name' | 'heldByOneMs'>> {
  let isEnded = false;
  const isOver = (): boolean => isEnded;
  const shopping = (number: number): Asked =>
    number % 2 === 0 ? status() : signed(neighbour, 'POST', '/checkout', createRequest('/checkout', number).body);
  const probes = Promise.all([
    keepAsking(service, '127.0.0.2', isOver, shopping),
    keepAsking(service, '127.0.0.3', isOver, health),
  ]);
  const statuses = await flood().finally(() => {
    isEnded = true;
  });
  const [looks, held] = await probes;
  const [all, own] = [looks.map(({ ms }) => ms), looks.map(({ ownMs }) => ownMs)].map((each) => each.toSorted(upwards));
  return {
    statuses,
    p50: quantile(all ?? [], 0.5),
    p99: quantile(all ?? [], 0.99),
    ownP99: quantile(own ?? [], 0.99),
    heldMs: Math.max(...held.map(({ workedMs }) => workedMs)),
    turnedAway: [...looks, ...held].filter(({ isServed }) => !isServed).length,
  };
}

const upwards = (a: number, b: number): number => a - b;

async function pour(port: number, { asked }: Flood, seconds: number): Promise<string> {
  const counts = new Map<string, number>();
  const endsAt = performance.now() + seconds * 1_000;
  let number = alone;
  const one = async (): Promise<void> => {
    while (performance.now() < endsAt) {
      number += 1;
      const answered = await send(port, '127.0.0.1', await asked(number)).then(String, (error) => String(error.code));
      counts.set(answered, (counts.get(answered) ?? 0) + 1);
    }
  };
  await Promise.all(Array.from({ length: atOnce }, one));
  return Array.from(counts, ([answered, count]) => `${count} × ${answered}`).join(', ');
}

/** By each of a few requests, one after the other: the least of them, for the first ones compile. */
async function heldByOne(service: Service, neighbour: Credentials, { asked }: Flood): Promise<number> {
  const times: number[] = [];
  for (let number = 0; number < alone; number += 1) {
    const request = await asked(number);
    const { heldMs } = await watched(service, neighbour, async () =>
      String(await send(service.port, '127.0.0.1', request)),
    );
    times.push(heldMs);
  }
  return Math.min(...times);
}

/** With a shop of its own. */
async function createNeighbour({ db, env }: World): Promise<Credentials> {
  const encryption = createEncryption(Buffer.from(env['MASTER_KEY'] ?? '', 'hex'));
  const made = await createMerchant({ db, clock: systemClock, encryption }, { name: 'Next door' }, 'operator');
  return { apiKey: made.apiKey, apiSecret: made.apiSecret.reveal() };
}

export async function measureFloods(cluster: Cluster, wanted: RegExp, say: (text: string) => void): Promise<void> {
  const world = await cluster.createWorld('floods');
  await world.refresh();
  const service = await world.startService('api,worker');
  try {
    say('Storing a hundred checkouts of 240 KB, and what else is asked for …');
    await storeManyCheckouts(world, service);
    const floods = await prepareFloods(world, service);
    const neighbour = await createNeighbour(world);
    const nobody = () => sleep(floodSeconds * 1_000).then(() => '–');
    await watched(service, neighbour, nobody); // Compiles.
    const figures: Figures[] = [
      { name: 'nobody else', heldByOneMs: 0, ...(await watched(service, neighbour, nobody)) },
    ];
    for (const flood of floods.filter(({ name }) => wanted.test(name))) {
      say(`Flooding: ${flood.name} …`);
      await world.refresh();
      const heldByOneMs = await heldByOne(service, neighbour, flood);
      const found = await watched(service, neighbour, () => pour(service.port, flood, floodSeconds));
      figures.push({ name: flood.name, heldByOneMs, ...found });
    }
    report(figures);
  } finally {
    await service.stop();
    for (const agent of agents.values()) agent.destroy();
    await world.close();
  }
}

function report(figures: readonly Figures[]): void {
  const ms = (value: number): string => `${value.toFixed(0)} ms`.padStart(8);
  console.log(
    `\n## Floods\n\nOf one party, ${atOnce} requests at once for ${floodSeconds} s; a neighbour asks for /status and creates checkouts meanwhile.\n`,
  );
  console.log(
    '| flood | answered | neighbour p50 | p99 | p99 on a free processor | one alone holds the thread | all hold it at most |  |\n| --- | --- | --: | --: | --: | --: | --: | --- |',
  );
  for (const { name, statuses, p50, p99, ownP99, heldByOneMs, heldMs, turnedAway } of figures) {
    const verdicts = [
      ownP99 > promisedMs && 'TOO SLOW',
      heldByOneMs > heldMsMax && 'HELD TOO LONG',
      turnedAway > 0 && `TURNED AWAY ${turnedAway} TIMES`,
    ].filter(Boolean);
    const cells = [p50, p99, ownP99, heldByOneMs, heldMs].map(ms);
    console.log(`| ${[name, statuses, ...cells, verdicts.join(', ')].join(' | ')} |`);
  }
}
