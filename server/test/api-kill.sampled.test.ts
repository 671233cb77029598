/**
 * A process that dies anywhere while it answers a request that changes something. The client knows nothing, asks again
 * at once with the same Idempotency-Key, and gets the first answer if there was one: never a second thing, never a 409,
 * never a minute of waiting.
 */
import assert from 'node:assert/strict';
import { after, before, beforeEach, test } from 'node:test';
import { type Endpoint, endpoints } from '@quittance/contract/endpoints';
import type { App } from '../src/app.ts';
import { sampleOf } from './depth.ts';
import { dieEverywhere } from './die-everywhere.ts';
import { digestHeaders, type Reply, testIssuer, withoutLitecoin } from './gateway.ts';
import { type ChangingId, type KeyStory, keyStories, type Wish } from './key-stories.ts';
import { type RefundWorld, startRefundWorld } from './refund-world.ts';
import type { Shop } from './shop.ts';
import { stockTreasury } from './stock-treasury.ts';

let world: RefundWorld;
before(async () => {
  // Papers can be sent where there is a mail server; whether it answers is another story.
  const mail = { SMTP_URL: 'smtp://127.0.0.1:1', MAIL_FROM: 'pay@shop.example' };
  world = await startRefundWorld({ hasStellar: true, env: { ...withoutLitecoin, ...mail } });
  await stockTreasury(world.gateway, `USDC:${testIssuer}`, 1_000_000_0000000n);
});
after(() => world.gateway.stop());
beforeEach(async () => {
  await world.gateway.app.pollRates(); // Many minutes have passed.
  await world.gateway.runUntilIdle();
});

type Asked = Wish & { readonly key: string; readonly raw: string; readonly since: number };
let asked = 0;

/** The answer, if there is one, is lost. */
async function askAt(app: App, shop: Shop, { method, path }: Endpoint, { key, raw, as }: Asked): Promise<void> {
  const url = await app.server.listen({ host: '127.0.0.1', port: 0 });
  const signed = digestHeaders(as ?? shop.merchant, method, path, raw, world.gateway.clock.now());
  const headers = { 'content-type': 'application/json', 'idempotency-key': key, ...signed };
  try {
    await (await fetch(`${url}/api/v1${path}`, { method, headers, body: raw })).text();
  } finally {
    await app.server.close();
  }
}

/** The transactions that wrote what is in the tables now and was not before, and the one that wrote the key. */
async function writersSince(since: number, key: string): Promise<{ all: string[]; ofKey: string | undefined }> {
  const tables = await world.gateway.db<{ writers: string | null }>`
    select (xpath('/row/writers/text()', query_to_xml(format(
             'select string_agg(distinct xmin::text, '','') as writers from %I where xmin::text::bigint >= %s',
             table_name, ${since}::text), false, true, '')))[1]::text as writers
      from information_schema.tables where table_schema = 'public' and table_type = 'BASE TABLE'`;
  const [row] = await world.gateway.db<{ writer: string }>`
    select xmin::text as writer from idempotency_key where key = ${key}`;
  return { all: [...new Set(tables.flatMap(({ writers }) => writers?.split(',') ?? []))], ofKey: row?.writer };
}

async function newTransaction(): Promise<number> {
  const [row] = await world.gateway.db<{ id: string }>`select pg_current_xact_id()::text as id`;
  return Number(row?.id);
}

async function dieAnswering(endpoint: Endpoint, { shop, wish, after: afterAll }: KeyStory): Promise<void> {
  let times = 0;
  const ask = ({ key, body, as }: Asked): Promise<Reply> =>
    shop.request(endpoint.method, endpoint.path, body, { headers: { 'idempotency-key': key }, ...(as && { as }) });
  await dieEverywhere(
    world.gateway,
    {
      async begin(): Promise<Asked> {
        world.gateway.clock.advance({ seconds: 1 }); // Or it would have the signature of the one before.
        await world.gateway.app.pollRates();
        await world.gateway.runUntilIdle();
        const wished = await wish();
        asked += 1;
        times += 1;
        return { ...wished, key: `key-${asked}`, raw: JSON.stringify(wished.body), since: await newTransaction() };
      },
      live: [(app, request) => askAt(app, shop, endpoint, request)],
      async end(request) {
        const { all, ofKey } = await writersSince(request.since, request.key);
        assert.deepEqual(all, ofKey === undefined ? [] : [ofKey], 'all or nothing, and the key with it');
        const first = await ask(request);
        assert.equal(first.status, 200, JSON.stringify(first.body));
        assert.equal(first.headers.get('idempotency-replayed'), ofKey === undefined ? null : 'true');
        const second = await ask(request);
        assert.deepEqual([second.status, second.body], [200, first.body]);
        assert.equal(second.headers.get('idempotency-replayed'), 'true');
        assert.equal(await request.once(first.body), 1);
      },
    },
    { atLeast: 2 },
  );
  await afterAll?.(times);
}

const changing = Object.values<Endpoint>(endpoints).filter(({ method }) => method !== 'GET');

for (const endpoint of sampleOf(changing, (_, at) => at % 8 === 0))
  test(`${endpoint.id} happens once, whenever the process dies`, async () => {
    const open = keyStories(world)[endpoint.id as ChangingId];
    assert.ok(open, 'every endpoint that changes something has a story');
    await dieAnswering(endpoint, await open());
  });
