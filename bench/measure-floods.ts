/**
 * What a neighbour notices while one party asks for as much as it can: each flood next to the neighbour alone, in the same run.
 * The neighbour comes from an address of its own (127.0.0.2) and asks for `/status`, one request after the other. Beside it
 * `/health`, which waits for nothing but the thread, shows for how long that was held.
 */
import { Agent, request as httpRequest } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { callApi, digestHeaders } from './signed-request.ts';
import type { Cluster, World } from './world.ts';

const baseUrl = '/api/v1';
const roundsOfFlood = 120;
const atOnce = 40;
/** A neighbour is not kept waiting longer, of a hundred times once. */
const promisedMs = 200;

type Asked = {
  readonly method: string;
  readonly path: string;
  readonly body?: string;
  readonly headers?: Record<string, string>;
};
type Flood = { readonly name: string; readonly asked: () => Asked };
type Figures = {
  readonly name: string;
  readonly statuses: string;
  readonly p50: number;
  readonly p99: number;
  readonly heldMs: number;
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
    });
    asked.on('error', reject);
    asked.end(body);
  });
}

/** As large as a request may be. */
function largestCharge(): object {
  const row = { description: 'Coffee beans, dark roast, one kilogram, '.padEnd(195, 'x'), netAmount: '60.00' };
  const rows = Array.from({ length: 480 }, () => row);
  const charge = { billingCurrency: 'USD', lineItems: rows, shippingCostItems: rows };
  return { charge, settlementAsset: 'ORIGIN' };
}

async function floodsOf(world: World, port: number): Promise<Flood[]> {
  const origin = `http://127.0.0.1:${port}`;
  const body = JSON.stringify(largestCharge());
  const signed = (method: string, path: string, posted = ''): Asked => ({
    method,
    path: `${baseUrl}${path}`,
    ...(posted !== '' && { body: posted }),
    headers: { 'content-type': 'application/json', ...digestHeaders(world.shop, { method, path, body: posted }) },
  });
  const made = JSON.parse(await callApi(origin, world.shop, { method: 'POST', path: '/checkout/hosted', body })) as {
    id: string;
  };
  for (let more = 0; more < 100; more += 1)
    await callApi(origin, world.shop, { method: 'POST', path: '/checkout', body });
  const numbers = `{"charge":{"billingCurrency":"USD","lineItems":[]},"meta":[${'1,'.repeat(115_000)}1234567890.1234567891]}`;
  return [
    { name: 'GET /checkouts?limit=100 of 240 KB each', asked: () => signed('GET', '/checkouts?limit=100') },
    { name: 'GET /checkout of 240 KB', asked: () => signed('GET', `/checkout?id=${made.id}`) },
    { name: 'POST /checkout of 240 KB', asked: () => signed('POST', '/checkout', body) },
    { name: 'POST of 115,000 numbers, one of them long', asked: () => signed('POST', '/checkout', numbers) },
    { name: 'the page of the largest charge', asked: () => ({ method: 'GET', path: `/en/checkout/${made.id}` }) },
    { name: 'its invoice page', asked: () => ({ method: 'GET', path: `/en/invoice/${made.id}` }) },
    {
      name: 'its forms, 250 KB of text',
      asked: () => ({
        method: 'POST',
        path: `/en/checkout/${made.id}`,
        body: `email=${'a.'.repeat(125_000)}`,
        headers: { 'content-type': 'application/x-www-form-urlencoded', origin },
      }),
    },
    { name: 'pages that do not exist', asked: () => ({ method: 'GET', path: `/en/${'x'.repeat(4_000)}` }) },
    {
      name: 'a search of the manual',
      asked: () => ({ method: 'GET', path: `/docs/search?q=${'checkout+'.repeat(200)}` }),
    },
  ];
}

const quantile = (sorted: readonly number[], part: number): number =>
  sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? 0;

async function watched(port: number, name: string, flood: () => Promise<string>): Promise<Figures> {
  let isOver = false;
  const probe = async (path: string, address: string): Promise<number[]> => {
    const times: number[] = [];
    while (!isOver) {
      const began = performance.now();
      await send(port, address, { method: 'GET', path: `${baseUrl}${path}` });
      times.push(performance.now() - began);
      await sleep(5);
    }
    return times.sort((a, b) => a - b);
  };
  const probes = Promise.all([probe('/status', '127.0.0.2'), probe('/health', '127.0.0.3')]);
  const statuses = await flood().finally(() => {
    isOver = true;
  });
  const [neighbour, health] = await probes;
  return { name, statuses, p50: quantile(neighbour, 0.5), p99: quantile(neighbour, 0.99), heldMs: health.at(-1) ?? 0 };
}

async function pour(port: number, { asked }: Flood): Promise<string> {
  const counts = new Map<number, number>();
  let left = roundsOfFlood;
  const one = async (): Promise<void> => {
    while (left-- > 0) {
      const status = await send(port, '127.0.0.1', asked());
      counts.set(status, (counts.get(status) ?? 0) + 1);
    }
  };
  await Promise.all(Array.from({ length: atOnce }, one));
  return Array.from(counts, ([status, count]) => `${count} × ${status}`).join(', ');
}

export async function measureFloods(cluster: Cluster, say: (text: string) => void): Promise<void> {
  const world = await cluster.createWorld('floods');
  try {
    await world.refresh();
    const service = await world.startService('api');
    say('Storing a hundred checkouts of 240 KB …');
    const floods = await floodsOf(world, service.port);
    const figures = [await watched(service.port, 'nobody else', () => sleep(3_000).then(() => '–'))];
    for (const flood of floods) {
      say(`Flooding: ${flood.name} …`);
      await world.refresh();
      figures.push(await watched(service.port, flood.name, () => pour(service.port, flood)));
    }
    report(figures);
    await service.stop();
  } finally {
    for (const agent of agents.values()) agent.destroy();
    await world.close();
  }
}

function report(figures: readonly Figures[]): void {
  const ms = (value: number): string => `${value.toFixed(0)} ms`.padStart(9);
  console.log(
    `\n## Floods\n\n${roundsOfFlood} requests, ${atOnce} at once, of one party; a neighbour asks for /status meanwhile.\n`,
  );
  console.log(
    '| flood | answered | neighbour p50 | neighbour p99 | thread held at most |  |\n|---|---|---|---|---|---|',
  );
  for (const { name, statuses, p50, p99, heldMs } of figures)
    console.log(
      `| ${name} | ${statuses} | ${ms(p50)} | ${ms(p99)} | ${ms(heldMs)} | ${p99 > promisedMs ? 'TOO LONG' : ''} |`,
    );
}
