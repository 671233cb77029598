/** Events on their way to a merchant's server: a real receiver on loopback, real jobs, a clock that the test moves. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, afterEach, before, test } from 'node:test';
import { createTestDatabase, type TestDatabase } from '../../test/test-database.ts';
import { createJobRunner, type JobHandlers } from '../jobs/job-runner.ts';
import { addMs, hours } from '../lib/clock.ts';
import { createGuardedFetch, type GuardedFetch } from '../lib/guarded-fetch.ts';
import { newId } from '../lib/ids.ts';
import { createLog } from '../lib/log.ts';
import { Secret } from '../lib/secret.ts';
import { deliverWebhook } from './deliver-webhook.ts';
import { attemptsMax } from './delivery-schedule.ts';
import { recordEvent } from './record-event.ts';
import { redeliverWebhook } from './redeliver-webhook.ts';
import { deliveriesOfSubject, eventsOfSubject } from './webhook-log-store.ts';
import { oldestPendingDeliverySeconds } from './webhook-store.ts';

let database: TestDatabase;
before(async () => {
  database = await createTestDatabase();
});
after(() => database.drop());

const cleanUps: (() => void | Promise<void>)[] = [];
afterEach(async () => {
  for (const cleanUp of cleanUps.splice(0)) await cleanUp();
  await database.db`truncate job, event, delivery, delivery_attempt, disabled_webhook`;
});

type Received = { path: string; headers: IncomingHttpHeaders; body: string };

async function startReceiver(answer: (response: ServerResponse, received: Received) => void) {
  const received: Received[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const one = {
        path: request.url ?? '',
        headers: request.headers,
        body: Buffer.concat(chunks).toString('utf8'),
      };
      received.push(one);
      answer(response, one);
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  cleanUps.push(() => {
    server.close();
    server.closeAllConnections();
  });
  return { received, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook` };
}

const status = (code: number) => (response: ServerResponse) => void response.writeHead(code).end(`answer ${code}`);

function startWorld(options: { fetch?: GuardedFetch; isHttpsRequired?: boolean } = {}) {
  const { db } = database;
  const merchantId = newId();
  let now = new Date('2026-03-01T12:00:00Z');
  const clock = { now: () => now };
  const log = createLog('silent');
  const secrets = {
    apiSecret: new Secret('qx7k-2m4p-9d1s-zz0a-b3c4-e5f6'),
    webhookSecret: new Secret('whsec_MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3ODlhYmNkZWY='),
    isHttpsRequired: options.isHttpsRequired ?? false,
  };
  const deps = {
    db,
    clock,
    log,
    fetch: options.fetch ?? createGuardedFetch({ allowLoopback: true, timeoutMs: 300, replyBytesMax: 4_000 }),
    secretsOf: async () => secrets,
    random: () => 0,
  };
  const handlers = {
    'webhook.deliver': (payload) => deliverWebhook(deps, payload),
    'checkout.advance': async () => undefined,
    'idempotency.forget': async () => undefined,
  } as Partial<JobHandlers> as JobHandlers;
  const runner = createJobRunner({ db, clock, log, handlers, concurrency: 4 });
  cleanUps.push(() => runner.stop());
  return {
    merchantId,
    deps,
    secrets,
    runner,
    announce: (subject: string, type: string, webhook: string | null) =>
      db.begin((tx) =>
        recordEvent(tx, {
          merchantId,
          subject,
          type,
          data: { checkout: { id: subject } },
          webhook,
          apiKey: 'k',
          at: now,
        }),
      ),
    async pass(ms: number) {
      now = addMs(now, ms);
      await runner.runDue();
    },
    deliveries: (subject: string) => deliveriesOfSubject(db, merchantId, subject, 100),
  };
}

test('an event reaches the merchant signed, in the envelope that shops read', async () => {
  const receiver = await startReceiver(status(200));
  const world = startWorld();
  const { eventId } = await world.announce('checkout0001', 'CHECKOUT_COMPLETED', receiver.url);
  assert.equal(await oldestPendingDeliverySeconds(database.db, addMs(world.deps.clock.now(), 4_000)), 4);
  await world.pass(0);

  const [request] = receiver.received;
  assert.equal(request?.body, '{"eventType":"CHECKOUT_COMPLETED","data":{"checkout":{"id":"checkout0001"}}}');
  const auth = createHash('sha256').update(`qx7k-2m4p-9d1s-zz0a-b3c4-e5f6${request.body}`).digest('hex');
  assert.equal(request.headers['x-webhook-auth'], auth);
  assert.equal(request.headers['content-type'], 'application/json');
  assert.equal(request.headers['webhook-id'], eventId);
  assert.equal(request.headers['webhook-timestamp'], String(world.deps.clock.now().getTime() / 1000));

  const [delivery] = await world.deliveries('checkout0001');
  assert.equal(delivery?.state, 'DELIVERED');
  assert.deepEqual(delivery.deliveredAt, world.deps.clock.now());
  assert.equal(delivery.attempts[0]?.responseExcerpt, 'answer 200');
  assert.equal(delivery.attempts[0]?.requestHeaders['X-Webhook-Auth'], `${auth.slice(0, 8)}…`);
  assert.ok(!JSON.stringify(delivery).includes('qx7k'));
  assert.equal(await oldestPendingDeliverySeconds(database.db, world.deps.clock.now()), 0);
  assert.deepEqual(await database.db`select from job`, []);
});

test('without a webhook the event is kept and nothing is sent', async () => {
  const world = startWorld();
  assert.equal((await world.announce('quiet', 'CHECKOUT_COMPLETED', null)).deliveryId, null);
  assert.equal((await eventsOfSubject(database.db, world.merchantId, 'quiet')).length, 1);
  assert.equal(await world.runner.runDue(), 0);
});

test('an event whose transaction fails was never announced', async () => {
  const world = startWorld();
  const event = { subject: 's', type: 'X', data: {}, webhook: 'http://127.0.0.1/', apiKey: 'k', at: new Date(0) };
  const failing = database.db.begin(async (tx) => {
    await recordEvent(tx, { merchantId: world.merchantId, ...event });
    throw new Error('the change failed');
  });
  await assert.rejects(failing, /the change failed/);
  assert.deepEqual(await database.db`select from job union all select from event union all select from delivery`, []);
});

test('a shop that does not know the order yet gets the event again until it does', async () => {
  const answers = [404, 401, 400, 500, 302, 200];
  const receiver = await startReceiver((response) => status(answers.shift() ?? 200)(response));
  const world = startWorld();
  await world.announce('early', 'CHECKOUT_COMPLETED', receiver.url);
  await world.pass(0);
  for (const gap of [5_000, 15_000, 30_000, 60_000]) {
    const before = receiver.received.length;
    await world.pass(gap - 1);
    assert.equal(receiver.received.length, before, 'too early');
    await world.pass(1);
    assert.equal(receiver.received.length, before + 1);
  }
  const [waiting] = await world.deliveries('early');
  assert.equal(waiting?.state, 'PENDING');
  assert.match(waiting.attempts[4]?.error ?? '', /Redirects are not followed/);
  await world.pass(120_000);

  const [delivery] = await world.deliveries('early');
  assert.equal(delivery?.state, 'DELIVERED');
  assert.deepEqual(
    delivery.attempts.map((attempt) => attempt.responseStatus),
    [404, 401, 400, 500, 302, 200],
  );
  assert.equal(new Set(receiver.received.map((request) => request.headers['webhook-id'])).size, 1);
  assert.equal(new Set(receiver.received.map((request) => request.body)).size, 1);
});

test('after four days of failures a delivery is given up', async () => {
  const receiver = await startReceiver(status(500));
  const world = startWorld();
  await world.announce('broken', 'CHECKOUT_COMPLETED', receiver.url);
  await world.pass(0);
  for (let attempt = 1; attempt < attemptsMax; attempt += 1) await world.pass(hours(24));
  await world.pass(hours(48));
  assert.equal(receiver.received.length, attemptsMax);
  const [delivery] = await world.deliveries('broken');
  assert.deepEqual([delivery?.state, delivery?.nextAt], ['FAILED', null]);
  assert.match(delivery?.failure ?? '', /^Given up after 17 attempts\.$/);
  assert.deepEqual(await database.db`select from job`, []);
});

test('events of one checkout keep their order, and other checkouts do not wait for it', async () => {
  let isShopUp = false;
  const receiver = await startReceiver((response) => status(isShopUp ? 200 : 503)(response));
  const world = startWorld();
  await world.announce('one', 'CHECKOUT_UNDERPAID', receiver.url);
  await world.announce('one', 'UNDERPAID_ACCEPTED', receiver.url);
  await world.announce('two', 'CHECKOUT_COMPLETED', receiver.url);
  await world.pass(0);
  const seen = () => receiver.received.map((request) => JSON.parse(request.body).eventType as string);
  assert.deepEqual(seen().sort(), ['CHECKOUT_COMPLETED', 'CHECKOUT_UNDERPAID']);

  isShopUp = true;
  receiver.received.length = 0;
  await world.pass(5_000);
  await world.pass(1_000);
  await world.pass(1_000);
  assert.deepEqual(
    seen().filter((type) => type !== 'CHECKOUT_COMPLETED'),
    ['CHECKOUT_UNDERPAID', 'UNDERPAID_ACCEPTED'],
  );
});

test('after three failures of an event, a later one may overtake it', async () => {
  const receiver = await startReceiver((response, { body }) =>
    status(body.includes('CHECKOUT_UNDERPAID') ? 500 : 200)(response),
  );
  const world = startWorld();
  await world.announce('stuck', 'CHECKOUT_UNDERPAID', receiver.url);
  await world.announce('stuck', 'UNDERPAID_ACCEPTED', receiver.url);
  await world.pass(0);
  await world.pass(6_000);
  const overtaken = () => receiver.received.some((request) => request.body.includes('UNDERPAID_ACCEPTED'));
  assert.deepEqual([receiver.received.length, overtaken()], [2, false]);
  await world.pass(15_000);
  await world.pass(2_000);
  assert.deepEqual([receiver.received.length, overtaken()], [4, true]);
  const states = (await world.deliveries('stuck')).map((delivery) => delivery.state);
  assert.deepEqual(states, ['DELIVERED', 'PENDING']);
});

test('410 disables the URL for this merchant until a redelivery is asked for', async () => {
  let code = 410;
  const receiver = await startReceiver((response) => status(code)(response));
  const world = startWorld();
  await world.announce('gone', 'CHECKOUT_UNDERPAID', receiver.url);
  await world.announce('gone', 'UNDERPAID_ACCEPTED', receiver.url);
  await world.pass(0);
  await world.pass(1_000);
  assert.equal(receiver.received.length, 1);
  const deliveries = await world.deliveries('gone');
  assert.deepEqual(
    deliveries.map(({ state, failure }) => [state, failure?.includes('410 Gone')]),
    [
      ['FAILED', true],
      ['FAILED', true],
    ],
  );
  assert.equal((await world.announce('gone', 'REFUND_COMPLETED', receiver.url)).deliveryId, null);
  const other = startWorld();
  assert.notEqual((await other.announce('fine', 'CHECKOUT_COMPLETED', receiver.url)).deliveryId, null);

  code = 200;
  const [accepted] = deliveries;
  const again = await redeliverWebhook(world.deps, world.merchantId, accepted?.id ?? '');
  await world.pass(0);
  assert.equal((await world.deliveries('gone'))[0]?.id, again.deliveryId);
  assert.equal((await world.deliveries('gone'))[0]?.state, 'DELIVERED');
  assert.ok(receiver.received.some((request) => request.headers['webhook-id'] === accepted?.eventId));
  assert.notEqual((await world.announce('gone', 'REFUND_COMPLETED', receiver.url)).deliveryId, null);
});

test('a delivery of another merchant cannot be redelivered', async () => {
  const world = startWorld();
  const { deliveryId } = await world.announce('mine', 'CHECKOUT_COMPLETED', 'http://127.0.0.1:1/');
  await assert.rejects(redeliverWebhook(world.deps, newId(), deliveryId ?? ''), { code: 'not_found' });
  await assert.rejects(redeliverWebhook(world.deps, world.merchantId, 'unknown'), { code: 'not_found' });
  assert.equal((await world.deliveries('mine')).length, 1);
});

test('silence, a huge answer, binary and an inner address are each told in the log', async () => {
  const silent = await startReceiver(() => undefined);
  const huge = await startReceiver((response) => void response.end('x'.repeat(1_000_000)));
  const binary = await startReceiver((response) => void response.writeHead(500).end(Buffer.from([0, 255, 65])));
  const world = startWorld();
  await world.announce('silent', 'E', silent.url);
  await world.announce('huge', 'E', huge.url);
  await world.announce('binary', 'E', binary.url);
  await world.announce('inner', 'E', 'http://10.0.0.1/');
  await world.pass(0);
  const attempt = async (subject: string) => (await world.deliveries(subject))[0]?.attempts[0];
  assert.match((await attempt('silent'))?.error ?? '', /did not answer within 0\.3 seconds/);
  assert.equal((await attempt('huge'))?.responseExcerpt?.length, 2_000);
  assert.equal((await world.deliveries('huge'))[0]?.state, 'DELIVERED');
  assert.equal((await attempt('binary'))?.responseExcerpt, '\uFFFD\uFFFDA');
  assert.match((await attempt('inner'))?.error ?? '', /does not lead to a public address/);
  assert.equal((await world.deliveries('inner'))[0]?.state, 'PENDING');
});

test('a merchant who requires https gets nothing over http', async () => {
  const receiver = await startReceiver(status(200));
  const world = startWorld({ isHttpsRequired: true });
  await world.announce('safe', 'E', receiver.url);
  await world.pass(0);
  assert.equal(receiver.received.length, 0);
  assert.match((await world.deliveries('safe'))[0]?.attempts[0]?.error ?? '', /must start with https/);
});

test('the secret that signs is the one of the moment of sending', async () => {
  let code = 500;
  const receiver = await startReceiver((response) => status(code)(response));
  const world = startWorld();
  await world.announce('rotated', 'E', receiver.url);
  await world.pass(0);
  world.secrets.apiSecret = new Secret('new0-new0-new0-new0-new0-new0');
  code = 200;
  await world.pass(5_000);
  const auth = (secret: string, body = '') => createHash('sha256').update(`${secret}${body}`).digest('hex');
  const [first, second] = receiver.received;
  assert.equal(first?.headers['x-webhook-auth'], auth('qx7k-2m4p-9d1s-zz0a-b3c4-e5f6', first?.body));
  assert.equal(second?.headers['x-webhook-auth'], auth('new0-new0-new0-new0-new0-new0', second?.body));
});

test('two workers with the same delivery write one attempt and lose nothing', async () => {
  const receiver = await startReceiver(status(500));
  const world = startWorld();
  const { deliveryId } = await world.announce('twice', 'E', receiver.url);
  const payload = { merchantId: world.merchantId, deliveryId: deliveryId ?? '' };
  const outcomes = await Promise.allSettled([deliverWebhook(world.deps, payload), deliverWebhook(world.deps, payload)]);
  assert.deepEqual(
    outcomes.map((outcome) => outcome.status),
    ['rejected', 'rejected'],
  );
  assert.equal((await world.deliveries('twice'))[0]?.attempts.length, 1);
});

test('a worker killed after sending and before writing that down sends again with the same webhook-id', async () => {
  let worker: ReturnType<typeof spawn> | undefined;
  const receiver = await startReceiver((response) => {
    if (receiver.received.length === 1) worker?.kill('SIGKILL');
    else status(200)(response);
  });
  const world = startWorld();
  const { eventId } = await world.announce('killed', 'CHECKOUT_COMPLETED', receiver.url);

  const at = (path: string): string => JSON.stringify(new URL(path, import.meta.url).href);
  const program = `
    import { openDatabase } from ${at('../db/database.ts')};
    import { createJobRunner } from ${at('../jobs/job-runner.ts')};
    import { createGuardedFetch } from ${at('../lib/guarded-fetch.ts')};
    import { createLog } from ${at('../lib/log.ts')};
    import { Secret } from ${at('../lib/secret.ts')};
    import { deliverWebhook } from ${at('./deliver-webhook.ts')};
    const db = openDatabase({ url: ${JSON.stringify(database.url)}, poolSize: 2 });
    const clock = { now: () => new Date('2026-03-01T12:00:00Z') };
    const log = createLog('silent');
    const secrets = { apiSecret: new Secret('s'), webhookSecret: new Secret('whsec_AAAA'), isHttpsRequired: false };
    const deps = { db, clock, log, fetch: createGuardedFetch({ allowLoopback: true }), secretsOf: async () => secrets };
    const handlers = { 'webhook.deliver': (payload) => deliverWebhook(deps, payload) };
    await createJobRunner({ db, clock, log, handlers, concurrency: 1 }).runDue();`;
  worker = spawn(process.execPath, ['--input-type=module', '--eval', program], { stdio: 'inherit' });
  const [, signal] = (await once(worker, 'exit')) as [number | null, string | null];
  assert.equal(signal, 'SIGKILL');
  assert.deepEqual((await world.deliveries('killed'))[0]?.attempts, []);

  // PostgreSQL frees the dead worker's lock as soon as it notices the closed connection.
  while (receiver.received.length < 2) {
    await world.pass(0);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  assert.deepEqual(
    receiver.received.map((request) => request.headers['webhook-id']),
    [eventId, eventId],
  );
  const [delivery] = await world.deliveries('killed');
  assert.deepEqual([delivery?.state, delivery?.attempts.length], ['DELIVERED', 1]);
});
