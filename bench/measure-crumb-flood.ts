/**
 * What a stranger's flood costs everybody else: a checkout and a reusable deposit on Stellar get 150,000 tiny payments
 * each while all roles run in one process, and another merchant's requests are timed all the while. Then the checkout,
 * the deposit and the neighbour's checkout are paid, and it is timed until all of them are credited.
 */
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Order, PaidTarget, Started } from './sandbox-nodes.ts';
import { type Credentials, callApi } from './signed-request.ts';
import { type Cluster, startProcess, stopProcess, type World } from './world.ts';

const slowestMs = 100;
const quietMs = 5_000;

export async function measureCrumbFlood(cluster: Cluster, crumbs: number, say: (text: string) => void): Promise<void> {
  const world = await cluster.createWorld('crumbs');
  const node = await startProcess('sandbox-nodes.ts');
  const ask = async (order: Order): Promise<Started> => {
    node.send(order);
    return ((await once(node, 'message')) as [Started])[0];
  };
  const { url = '', account = '', passphrase = '' } = await ask({ start: 'STELLAR' });
  const service = await world.startService('all', {
    STELLAR_HORIZON_URL: url,
    STELLAR_ACCOUNT: account,
    STELLAR_NETWORK_PASSPHRASE: passphrase,
    BITCOIN_RPC_URL: '',
    BITCOIN_XPUB: '',
    LITECOIN_RPC_URL: '',
    LITECOIN_XPUB: '',
    RATE_SOURCES: 'fixed',
    LOG_LEVEL: 'warn',
  });
  try {
    const origin = `http://127.0.0.1:${service.port}`;
    const shop = createCaller(origin, world.shop);
    await until(async () => (await shop.get('/status')).parts.STELLAR === 'ok');
    const checkout = await shop.checkout();
    const deposit = await shop.deposit();
    const other = await shop.checkout();

    const quiet = timeRequests(shop, other.id);
    await sleep(quietMs);
    const before = await quiet();
    say(`Sending ${crumbs} crumbs to a checkout and to a deposit …`);
    await ask({ flood: [checkout, deposit], crumbs });
    const latencies = timeRequests(shop, other.id);
    const startedAt = performance.now();
    await until(async () => (await stored(world)) >= 2 * crumbs);
    const storedSeconds = (performance.now() - startedAt) / 1000;
    const paidAt = performance.now();
    await ask({ pay: 'STELLAR', targets: [checkout, deposit, other], others: 0 });
    await until(async () => (await shop.state(other.id)) === 'COMPLETED');
    await until(async () => (await shop.state(checkout.id)) === 'COMPLETED');
    const creditedMs = performance.now() - paidAt;
    report(before, await latencies(), {
      crumbs,
      storedSeconds,
      creditedMs,
      bytes: await sizes(world, shop, checkout.id),
    });
  } finally {
    await service.stop();
    await stopProcess(node);
    await world.close();
  }
}

function createCaller(origin: string, credentials: Credentials) {
  const call = async (method: string, path: string, body = ''): Promise<any> =>
    JSON.parse(await callApi(origin, credentials, { method, path, body }));
  const targetOf = (id: string, { address, memo }: { address: string; memo: string | null }) => ({
    id,
    key: '',
    address,
    memo,
  });
  return {
    get: (path: string) => call('GET', path),
    async checkout(): Promise<PaidTarget & { id: string }> {
      const charge = { billingCurrency: 'USD', lineItems: [{ description: 'Item', netAmount: '0.10' }] };
      const { id } = await call('POST', '/checkout', JSON.stringify({ charge }));
      const body = JSON.stringify({ checkoutId: id, network: 'STELLAR' });
      return targetOf(id, (await call('POST', '/checkout/commit', body)).depositInstructions);
    },
    async deposit(): Promise<PaidTarget & { id: string }> {
      const body = JSON.stringify({ network: 'STELLAR', reusable: true });
      const reply = await call('POST', '/deposit-address', body);
      return targetOf(reply.id, reply.depositInstructions);
    },
    state: async (id: string): Promise<string> => (await call('GET', `/checkout?id=${id}`)).checkout.state,
  };
}

type Caller = ReturnType<typeof createCaller>;

/** Sends one request after the other until the returned function is called, which gives their times. */
function timeRequests(shop: Caller, id: string): () => Promise<number[]> {
  const latencies: number[] = [];
  let isOver = false;
  const asking = (async () => {
    while (!isOver) {
      const askedAt = performance.now();
      await shop.get(`/checkout?id=${id}`);
      latencies.push(performance.now() - askedAt);
      await sleep(10);
    }
  })();
  return async () => {
    isOver = true;
    await asking;
    return latencies;
  };
}

const stored = async ({ db }: World): Promise<number> => {
  const [row] = await db<{ count: string }>`
    select coalesce(sum(waiting_count + gathered_count), 0) as count from crumb_heap`;
  return Number(row?.count);
};

async function sizes({ db }: World, shop: Caller, checkoutId: string) {
  const [row] = await db<{ events: string }>`select coalesce(sum(length(body)), 0) as events from event`;
  return {
    record: JSON.stringify(await shop.get(`/checkout?id=${checkoutId}`)).length,
    timeline: JSON.stringify(await shop.get(`/checkout/timeline?id=${checkoutId}`)).length,
    events: Number(row?.events),
  };
}

type Findings = {
  readonly crumbs: number;
  readonly storedSeconds: number;
  readonly creditedMs: number;
  readonly bytes: Record<'record' | 'timeline' | 'events', number>;
};

function report(
  before: readonly number[],
  latencies: readonly number[],
  { crumbs, storedSeconds, creditedMs, bytes }: Findings,
): void {
  const isMet = Math.max(...latencies) < slowestMs;
  const lines = [
    `Flood of 2 × ${crumbs} crumbs, stored in ${storedSeconds.toFixed(0)} s; ${latencies.length} requests meanwhile:`,
    `  ${spread(latencies)} (goal: < ${slowestMs} ms, ${isMet ? 'met' : 'NOT met'})`,
    `  before the flood: ${spread(before)}`,
    `  paid then: the checkout and its neighbour were credited within ${creditedMs.toFixed(0)} ms`,
    `  bytes: record ${bytes.record}, timeline ${bytes.timeline}, all events ${bytes.events}`,
  ];
  process.stdout.write(`${lines.join('\n')}\n`);
}

function spread(latencies: readonly number[]): string {
  const sorted = latencies.toSorted((a, b) => a - b);
  const at = (share: number): string => (sorted[Math.floor((sorted.length - 1) * share)] ?? 0).toFixed(1);
  return `median ${at(0.5)} ms, 99 % within ${at(0.99)} ms, slowest ${at(1)} ms`;
}

async function until(condition: () => Promise<boolean>): Promise<void> {
  while (!(await condition())) await sleep(50);
}
