/** Many open payment pages: they are told of changes, and the database does not notice how many they are. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { Agent, get, type IncomingMessage } from 'node:http';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { aCharge, type Gateway, startGateway } from './gateway.ts';

const viewers = 2_000;
const checkouts = 100;
const agent = new Agent({ maxSockets: Number.POSITIVE_INFINITY });

type Stream = { readonly response: IncomingMessage; text(): string };

async function openStream(gateway: Gateway, id: string): Promise<Stream> {
  const request = get(`${new URL(gateway.url).origin}/ajax/checkout/${id}/events`, { agent });
  const [response] = (await once(request, 'response')) as [IncomingMessage];
  let text = '';
  response.setEncoding('utf8').on('data', (chunk: string) => {
    text += chunk;
  });
  response.on('error', () => undefined); // The end of the test cuts them off.
  return { response, text: () => text };
}

const messages = (text: string): string[] => Array.from(text.matchAll(/^data: (.*)$/gm), ([, data]) => data ?? '');

/** What PostgreSQL has answered in this database: outside of transactions, every statement counts as one. */
async function answered(gateway: Gateway): Promise<number> {
  await gateway.db`select pg_stat_force_next_flush()`;
  const [row] = await gateway.db<{ count: string }>`
    select xact_commit::text as count from pg_stat_database where datname = current_database()`;
  return Number(row?.count);
}

test('two thousand open pages cost one query per second between them, and hear of what concerns them', async () => {
  const gateway = await startGateway({ env: { PAGE_VIEWERS_PER_ADDRESS: String(viewers) } });
  try {
    const ids: string[] = [];
    for (let made = 0; made < checkouts; made += 1) {
      const { id } = await gateway.post('/checkout/hosted', aCharge('25.00 USD', { checkoutLanguage: 'en' }));
      ids.push(id);
    }
    const [paid = ''] = ids;
    const { depositInstructions } = await gateway.post('/checkout/commit', { checkoutId: paid, network: 'BITCOIN' });
    const streams: (Stream & { id: string })[] = [];
    for (let round = 0; round < viewers / checkouts; round += 1)
      streams.push(...(await Promise.all(ids.map(async (id) => ({ id, ...(await openStream(gateway, id)) })))));
    assert.ok(streams.every(({ response }) => response.headers['content-type'] === 'text/event-stream'));
    await until(() => streams.every(({ text }) => messages(text()).length === 1));

    const before = await answered(gateway);
    await sleep(4_000);
    const queries = (await answered(gateway)) - before;
    assert.ok(queries >= 2 && queries <= 20, `${queries} statements in four seconds`);

    gateway.bitcoin.pay(depositInstructions);
    await gateway.runUntilIdle();
    const concerned = streams.filter(({ id }) => id === paid);
    await until(() => concerned.every(({ text }) => messages(text()).length >= 2));
    assert.equal(new Set(concerned.map(({ text }) => messages(text()).at(-1))).size, 1);
    assert.ok(streams.every(({ id, text }) => id === paid || messages(text()).length === 1));

    const metrics = await (await fetch(`${new URL(gateway.url).origin}/metrics`)).text();
    assert.match(metrics, new RegExp(`quittance_page_viewers ${viewers}`));
  } finally {
    await gateway.stop(); // Ends all streams: otherwise the server would wait for them.
  }
});

test('an address that has too many pages open is turned away, and may ask instead', async () => {
  const gateway = await startGateway({ env: { PAGE_VIEWERS_PER_ADDRESS: '1' } });
  try {
    const { id } = await gateway.post('/checkout/hosted', aCharge('25.00 USD', { checkoutLanguage: 'en' }));
    const first = await openStream(gateway, id);
    assert.equal(first.response.statusCode, 200);
    const second = await openStream(gateway, id);
    assert.deepEqual([second.response.statusCode, second.response.headers['retry-after']], [503, '30']);
    const origin = new URL(gateway.url).origin;
    const asked = await fetch(`${origin}/ajax/checkout/${id}/version`);
    const page = await (await fetch(`${origin}/en/checkout/${id}`)).text();
    assert.ok(page.includes(`data-version="${await asked.text()}"`), 'page and answer agree');
    first.response.destroy();
    await until(async () => (await openStream(gateway, id)).response.statusCode === 200);
    for (const unknown of ['aaaaaaaaaaaa', 'nonsense'])
      assert.equal((await fetch(`${origin}/ajax/checkout/${unknown}/version`)).status, 404);
  } finally {
    await gateway.stop();
  }
});

async function until(isTrue: () => boolean | Promise<boolean>): Promise<void> {
  const deadline = performance.now() + 15_000;
  while (!(await isTrue())) {
    assert.ok(performance.now() < deadline, 'it took too long');
    await sleep(50);
  }
}
