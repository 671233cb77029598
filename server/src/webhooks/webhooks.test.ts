/** What a merchant's server gets to see of an event, and when. */
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { after, afterEach, before, test } from 'node:test';
import type { WebhookDeliveryRecord } from '@quittance/contract/webhook';
import { startApi } from '../../test/start-api.ts';
import { createTestDatabase, type TestDatabase } from '../../test/test-database.ts';
import { endWorlds, onCleanUp, startReceiver, startWorld, status } from '../../test/webhook-world.ts';
import { addMs, hours } from '../lib/clock.ts';
import { attemptsMax } from './delivery-schedule.ts';
import { recordEvent, recordEvents } from './record-event.ts';
import { redeliverWebhook } from './redeliver-webhook.ts';
import { eventsOfSubject } from './webhook-log-store.ts';
import { webhookRoutes } from './webhook-routes.ts';
import { oldestPendingDeliverySeconds } from './webhook-store.ts';

let database: TestDatabase;
before(async () => {
  database = await createTestDatabase();
});
after(() => database.drop());
afterEach(() => endWorlds(database.db));

test('an event reaches the merchant signed, in the envelope that shops read', async () => {
  const receiver = await startReceiver(status(200));
  const world = startWorld(database.db);
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
  const world = startWorld(database.db);
  assert.equal((await world.announce('quiet', 'CHECKOUT_COMPLETED', null)).deliveryId, null);
  assert.equal((await eventsOfSubject(database.db, world.merchantId, 'quiet')).length, 1);
  assert.equal(await world.runner.runDue(), 0);
});

test('events that are recorded together keep the order in which they were given', async () => {
  const receiver = await startReceiver(status(200));
  const world = startWorld(database.db);
  const types = ['ONE', 'TWO', 'THREE', 'FOUR'];
  const { merchantId } = world;
  const common = {
    merchantId,
    subject: 'many',
    data: { text: 'a "b" {c,d} \\ é' },
    apiKey: 'k',
    at: world.deps.clock.now(),
  };
  const recorded = await database.db.begin((tx) =>
    recordEvents(
      tx,
      types.map((type) => ({ ...common, type, webhook: type === 'TWO' ? null : receiver.url })),
    ),
  );
  assert.deepEqual(
    recorded.map(({ deliveryId }) => deliveryId !== null),
    [true, false, true, true],
  );
  for (let second = 0; second < 4; second += 1) await world.pass(1_000);
  assert.deepEqual(
    receiver.received.map((request) => JSON.parse(request.body) as unknown),
    ['ONE', 'THREE', 'FOUR'].map((eventType) => ({ eventType, data: common.data })),
  );
  const events = await eventsOfSubject(database.db, merchantId, 'many');
  assert.deepEqual(
    events.map((event) => event.type),
    types,
  );
  assert.deepEqual(await database.db.begin((tx) => recordEvents(tx, [])), []);
});

test('an event whose transaction fails was never announced', async () => {
  const world = startWorld(database.db);
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
  const world = startWorld(database.db);
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
  const world = startWorld(database.db);
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
  const world = startWorld(database.db);
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

test('after three failures of an event a later one overtakes it, and it is not sent again', async () => {
  const receiver = await startReceiver((response, { body }) =>
    status(body.includes('CHECKOUT_UNDERPAID') ? 500 : 200)(response),
  );
  const world = startWorld(database.db);
  await world.announce('stuck', 'CHECKOUT_UNDERPAID', receiver.url);
  await world.announce('stuck', 'UNDERPAID_ACCEPTED', receiver.url);
  await world.pass(0);
  await world.pass(6_000);
  const overtaken = () => receiver.received.some((request) => request.body.includes('UNDERPAID_ACCEPTED'));
  assert.deepEqual([receiver.received.length, overtaken()], [2, false]);
  await world.pass(15_000);
  await world.pass(2_000);
  assert.deepEqual([receiver.received.length, overtaken()], [4, true]);
  const [newer, older] = await world.deliveries('stuck');
  assert.deepEqual([newer?.state, older?.state, older?.nextAt], ['DELIVERED', 'SUPERSEDED', null]);
  assert.deepEqual(
    [older?.supersededBy, older?.failure],
    [newer?.eventId, 'A newer event, UNDERPAID_ACCEPTED, was sent before it.'],
  );
  await world.pass(hours(24));
  assert.equal(receiver.received.length, 4);
  assert.deepEqual(await database.db`select from job`, []);

  await assert.rejects(redeliverWebhook(world.deps, world.merchantId, older?.id ?? ''), {
    message: `UNDERPAID_ACCEPTED has followed this event, so it is not sent again. Redeliver ${newer?.id} instead.`,
    httpStatus: 409,
  });
  await redeliverWebhook(world.deps, world.merchantId, newer?.id ?? '');
  await world.pass(0);
  assert.equal(receiver.received.at(-1)?.headers['webhook-id'], newer?.eventId);
});

test('a merchant reads the log of a checkout and has an event sent again', async () => {
  const receiver = await startReceiver(status(200));
  const world = startWorld(database.db);
  const api = await startApi({ ...world.deps, routes: webhookRoutes(world.deps) });
  onCleanUp(() => api.close());
  const { merchantId, call } = await api.addMerchant();
  const event = { merchantId, subject: 'checkout0001', type: 'CHECKOUT_COMPLETED', data: {}, apiKey: 'k' };
  await database.db.begin((tx) => recordEvent(tx, { ...event, webhook: receiver.url, at: world.deps.clock.now() }));
  await world.pass(0);

  const log = async () => {
    const { status: code, body } = await call('GET', '/webhook-deliveries?checkoutId=checkout0001');
    assert.equal(code, 200);
    return body['deliveries'] as WebhookDeliveryRecord[];
  };
  const [delivery] = await log();
  assert.equal(delivery?.requestBody, '{"eventType":"CHECKOUT_COMPLETED","data":{}}');
  assert.deepEqual(
    [delivery.state, delivery.timestamp, delivery.deliveredTime, delivery.nextAttemptTime],
    ['DELIVERED', '2026-03-01T12:00:00+00:00', '2026-03-01T12:00:00+00:00', null],
  );
  assert.equal(delivery.attempts[0]?.responseStatus, 200);

  const again = await call('POST', '/webhook-deliveries/redeliver', { deliveryId: delivery.id });
  assert.equal(again.status, 200);
  await world.pass(0);
  assert.equal(receiver.received.length, 2);
  assert.deepEqual(
    (await log()).map((entry) => [entry.id, entry.eventId]),
    [
      [again.body['deliveryId'], delivery.eventId],
      [delivery.id, delivery.eventId],
    ],
  );

  const other = await api.addMerchant();
  assert.deepEqual((await other.call('GET', '/webhook-deliveries?checkoutId=checkout0001')).body, {
    deliveries: [],
    next: null,
  });
  const refused = await other.call('POST', '/webhook-deliveries/redeliver', { deliveryId: delivery.id });
  assert.equal(refused.status, 404);
});
