/** Receivers that misbehave, merchants who change their mind, and workers that die. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { after, afterEach, before, test } from 'node:test';
import { createTestDatabase, type TestDatabase } from '../../test/test-database.ts';
import { endWorlds, startReceiver, startWorld, status } from '../../test/webhook-world.ts';
import { RunLater } from '../jobs/job-runner.ts';
import { newId } from '../lib/ids.ts';
import { Secret } from '../lib/secret.ts';
import { deliverWebhook } from './deliver-webhook.ts';
import { redeliverWebhook } from './redeliver-webhook.ts';

let database: TestDatabase;
before(async () => {
  database = await createTestDatabase();
});
after(() => database.drop());
afterEach(() => endWorlds(database.db));

test('410 disables the URL for this merchant until a redelivery is asked for', async () => {
  let code = 410;
  const receiver = await startReceiver((response) => status(code)(response));
  const world = startWorld(database.db);
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
  const other = startWorld(database.db);
  assert.notEqual((await other.announce('fine', 'CHECKOUT_COMPLETED', receiver.url)).deliveryId, null);

  code = 200;
  await other.pass(0);
  assert.equal((await other.deliveries('fine'))[0]?.state, 'DELIVERED');
  const [refunded, accepted] = await world.deliveries('gone');
  assert.deepEqual([refunded?.eventType, refunded?.state], ['REFUND_COMPLETED', 'FAILED'], 'it can be asked for');
  await assert.rejects(redeliverWebhook(world.deps, world.merchantId, accepted?.id ?? ''), { code: 'event_followed' });
  const again = await redeliverWebhook(world.deps, world.merchantId, refunded?.id ?? '');
  await world.pass(0);
  assert.equal((await world.deliveries('gone'))[0]?.id, again.deliveryId);
  assert.equal((await world.deliveries('gone'))[0]?.state, 'DELIVERED');
  assert.ok(receiver.received.some((request) => request.headers['webhook-id'] === refunded?.eventId));
  assert.notEqual((await world.announce('gone', 'REFUND_COMPLETED', receiver.url)).deliveryId, null);
});

test('an attempt that broke off does not keep the turn of a delivery that is given up', async () => {
  const { db } = database;
  const receiver = await startReceiver(status(200));
  const world = startWorld(db);
  const { secretsOf } = world.deps;
  world.deps.secretsOf = async () => {
    throw new Error('the database is away');
  };
  const { deliveryId } = await world.announce('stuck', 'CHECKOUT_COMPLETED', receiver.url);
  await world.pass(0);
  world.deps.secretsOf = secretsOf;
  await db`insert into disabled_webhook (merchant_id, url, at) values (${world.merchantId}, ${receiver.url}, now())`;
  await world.pass(60_000);
  assert.equal((await world.deliveries('stuck'))[0]?.state, 'FAILED');
  await redeliverWebhook(world.deps, world.merchantId, deliveryId ?? '');
  for (const wait of [0, 2_000, 60_000]) await world.pass(wait);
  assert.equal((await world.deliveries('stuck'))[0]?.state, 'DELIVERED');
});

test('a delivery of another merchant cannot be redelivered', async () => {
  const world = startWorld(database.db);
  const { deliveryId } = await world.announce('mine', 'CHECKOUT_COMPLETED', 'http://127.0.0.1:1/');
  await assert.rejects(redeliverWebhook(world.deps, newId(), deliveryId ?? ''), { code: 'not_found' });
  await assert.rejects(redeliverWebhook(world.deps, world.merchantId, 'unknown'), { code: 'not_found' });
  assert.equal((await world.deliveries('mine')).length, 1);
});

test('silence, a huge answer, binary and an inner address are each told in the log', async () => {
  const silent = await startReceiver(() => undefined);
  const huge = await startReceiver((response) => void response.end('x'.repeat(1_000_000)));
  const binary = await startReceiver((response) => void response.writeHead(500).end(Buffer.from([0, 255, 65])));
  const hasty = startWorld(database.db, { timeoutMs: 300 });
  await hasty.announce('silent', 'E', silent.url);
  await hasty.pass(0);
  assert.match((await hasty.deliveries('silent'))[0]?.attempts[0]?.error ?? '', /did not answer within 0\.3 seconds/);

  const world = startWorld(database.db);
  await world.announce('huge', 'E', huge.url);
  await world.announce('binary', 'E', binary.url);
  await world.announce('inner', 'E', 'http://10.0.0.1/');
  await world.pass(0);
  const attempt = async (subject: string) => (await world.deliveries(subject))[0]?.attempts[0];
  assert.equal((await attempt('huge'))?.responseExcerpt?.length, 2_000);
  assert.equal((await world.deliveries('huge'))[0]?.state, 'DELIVERED');
  assert.equal((await attempt('binary'))?.responseExcerpt, '\uFFFD\uFFFDA');
  assert.match((await attempt('inner'))?.error ?? '', /does not lead to a public address/);
  assert.equal((await world.deliveries('inner'))[0]?.state, 'PENDING');
});

test('a merchant who requires https gets nothing over http', async () => {
  const receiver = await startReceiver(status(200));
  const world = startWorld(database.db, { isHttpsRequired: true });
  await world.announce('safe', 'E', receiver.url);
  await world.pass(0);
  assert.equal(receiver.received.length, 0);
  assert.match((await world.deliveries('safe'))[0]?.attempts[0]?.error ?? '', /must start with https/);
});

test('the secret that signs is the one of the moment of sending', async () => {
  let code = 500;
  const receiver = await startReceiver((response) => status(code)(response));
  const world = startWorld(database.db);
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
  const world = startWorld(database.db);
  const { deliveryId } = await world.announce('twice', 'E', receiver.url);
  const payload = { merchantId: world.merchantId, deliveryId: deliveryId ?? '' };
  const outcomes = await Promise.allSettled([1, 2].map((worker) => deliverWebhook(world.deps, payload, worker)));
  assert.deepEqual(
    outcomes.map((outcome) => outcome.status),
    ['rejected', 'rejected'],
  );
  assert.equal((await world.deliveries('twice'))[0]?.attempts.length, 1);
});

test('a job that comes before its time, as one that was taken over may, does not bother the receiver', async () => {
  const receiver = await startReceiver(status(500));
  const world = startWorld(database.db);
  const { deliveryId } = await world.announce('early', 'E', receiver.url);
  const payload = { merchantId: world.merchantId, deliveryId: deliveryId ?? '' };
  await world.pass(0);
  const isAfterFiveSeconds = (error: unknown): boolean =>
    error instanceof RunLater && error.at.getTime() - world.deps.clock.now().getTime() === 5_000;
  await assert.rejects(deliverWebhook(world.deps, payload, 7), isAfterFiveSeconds);
  assert.equal(receiver.received.length, 1);
});

test('a merchant whose servers are slow waits for a place, and its server is not asked', async (context) => {
  const receiver = await startReceiver(status(200));
  const world = startWorld(database.db);
  const { deliveryId } = await world.announce('slow', 'E', receiver.url);
  const payload = { merchantId: world.merchantId, deliveryId: deliveryId ?? '' };
  context.mock.timers.enable({ apis: ['setTimeout'] });
  const thinking = Promise.withResolvers<void>();
  const attempts = [1, 2, 3, 4].map(() => world.deps.slowReceivers.watch(world.merchantId, () => thinking.promise));
  context.mock.timers.tick(2_000);
  context.mock.timers.reset();
  await assert.rejects(deliverWebhook(world.deps, payload, 7), RunLater);
  assert.equal(receiver.received.length, 0);
  thinking.resolve();
  await Promise.all(attempts);
  await deliverWebhook(world.deps, payload, 7);
  assert.equal(receiver.received.length, 1);
});

test('a worker killed after sending and before writing that down sends again with the same webhook-id', async () => {
  let worker: ReturnType<typeof spawn> | undefined;
  const receiver = await startReceiver((response) => {
    if (receiver.received.length === 1) worker?.kill('SIGKILL');
    else status(200)(response);
  });
  const world = startWorld(database.db);
  const { eventId } = await world.announce('killed', 'CHECKOUT_COMPLETED', receiver.url);

  const at = (path: string): string => JSON.stringify(new URL(path, import.meta.url).href);
  const program = `
    import { openDatabase } from ${at('../db/database.ts')};
    import { createJobRunner } from ${at('../jobs/job-runner.ts')};
    import { createGuardedFetch } from ${at('../lib/guarded-fetch.ts')};
    import { createLog } from ${at('../lib/log.ts')};
    import { Secret } from ${at('../lib/secret.ts')};
    import { deliverWebhook } from ${at('./deliver-webhook.ts')};
    import { createSlowReceivers } from ${at('./slow-receivers.ts')};
    const db = openDatabase({ url: ${JSON.stringify(database.url)}, poolSize: 2 });
    const clock = { now: () => new Date('2026-03-01T12:00:00Z') };
    const log = createLog('silent');
    const secrets = { apiSecret: new Secret('s'), webhookSecrets: [new Secret('whsec_AAAA')], isHttpsRequired: false };
    const fetch = createGuardedFetch({ allowLoopback: true });
    const deps = { db, clock, log, fetch, slowReceivers: createSlowReceivers(), secretsOf: async () => secrets };
    const handlers = { 'webhook.deliver': (payload, { worker }) => deliverWebhook(deps, payload, worker) };
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
