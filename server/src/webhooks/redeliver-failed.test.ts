/** A shop that was away asks for everything it has missed; and tries out a receiver before it goes live. */
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import type { ServerResponse } from 'node:http';
import { after, afterEach, before, test } from 'node:test';
import { createTestDatabase, type TestDatabase } from '../../test/test-database.ts';
import { endWorlds, startReceiver, startWorld, status } from '../../test/webhook-world.ts';
import { addMs, hours } from '../lib/clock.ts';
import { countOpenDeliveries, listDeliveries } from './delivery-list-store.ts';
import { redeliverFailed } from './redeliver-failed.ts';
import { redeliverWebhook } from './redeliver-webhook.ts';
import { sendTestEvent } from './send-test-event.ts';
import { failingUrls } from './undelivered-store.ts';
import { findDelivery } from './webhook-log-store.ts';

let database: TestDatabase;
before(async () => {
  database = await createTestDatabase();
});
after(() => database.drop());
afterEach(() => endWorlds(database.db));

/** A shop whose server answers what the story says, and everything that was announced until it was given up. */
async function startShop() {
  let answer: (response: ServerResponse) => void = status(500);
  const receiver = await startReceiver((response) => answer(response));
  const world = startWorld(database.db);
  const { merchantId } = world;
  return {
    ...world,
    receiver,
    answers: (code: number) => {
      answer = status(code);
    },
    async giveUp() {
      for (let round = 0; round < 40; round += 1) await world.pass(hours(25));
    },
    listed: (filter: 'all' | 'failed' | 'waiting' = 'all') =>
      listDeliveries(database.db, merchantId, filter, { before: null, limit: 100 }),
    counted: () => countOpenDeliveries(database.db, merchantId, 1_000),
    resend: (since = new Date(0)) => redeliverFailed(world.deps, merchantId, since),
    types: () => receiver.received.map(({ body }) => JSON.parse(body).eventType),
  };
}

test('everything that was given up is sent again, once, however often that is asked for', async () => {
  const shop = await startShop();
  for (const subject of ['one', 'two', 'three']) await shop.announce(subject, 'CHECKOUT_COMPLETED', shop.receiver.url);
  await shop.giveUp();
  assert.deepEqual(await shop.counted(), { failed: 3, waiting: 0 });
  shop.answers(200);
  shop.receiver.received.length = 0;
  const both = await Promise.all([shop.resend(), shop.resend()]);
  assert.deepEqual(
    both.map(({ sent }) => sent).toSorted((one, other) => one - other),
    [0, 3],
  );
  assert.deepEqual(await shop.counted(), { failed: 0, waiting: 3 });
  await shop.pass(0);
  assert.equal(shop.receiver.received.length, 3);
  assert.deepEqual(await shop.counted(), { failed: 0, waiting: 0 });
  const states = (await shop.listed()).map(({ state, isReplaced }) => `${state} ${isReplaced}`);
  assert.deepEqual(states.toSorted(), [...Array(3).fill('DELIVERED false'), ...Array(3).fill('FAILED true')]);
});

test('of what was announced about one checkout only the newest is sent again', async () => {
  const shop = await startShop();
  await shop.announce('checkout', 'CHECKOUT_COMMITTED', shop.receiver.url);
  await shop.giveUp();
  await shop.announce('checkout', 'CHECKOUT_COMPLETED', shop.receiver.url);
  await shop.giveUp();
  shop.answers(200);
  shop.receiver.received.length = 0;
  assert.deepEqual(await shop.resend(), { sent: 1 });
  await shop.pass(0);
  assert.deepEqual(shop.types(), ['CHECKOUT_COMPLETED']);
  assert.deepEqual(await shop.counted(), { failed: 0, waiting: 0 });
});

test('nothing is sent again where a newer event has arrived meanwhile', async () => {
  const shop = await startShop();
  await shop.announce('checkout', 'CHECKOUT_COMMITTED', shop.receiver.url);
  await shop.giveUp();
  shop.answers(200);
  await shop.announce('checkout', 'CHECKOUT_COMPLETED', shop.receiver.url);
  await shop.pass(0);
  assert.deepEqual(await shop.resend(), { sent: 0 });
  assert.deepEqual(await shop.counted(), { failed: 0, waiting: 0 });
});

test('nothing is sent again where a newer event is on its way', async () => {
  const shop = await startShop();
  await shop.announce('checkout', 'CHECKOUT_COMMITTED', shop.receiver.url);
  await shop.giveUp();
  await shop.announce('checkout', 'CHECKOUT_COMPLETED', shop.receiver.url);
  assert.deepEqual(await shop.resend(), { sent: 0 });
  assert.deepEqual(await shop.counted(), { failed: 0, waiting: 1 });
});

test('what was given up before the moment that is asked for stays as it is', async () => {
  const shop = await startShop();
  await shop.announce('old', 'CHECKOUT_COMPLETED', shop.receiver.url);
  await shop.giveUp();
  const since = shop.deps.clock.now();
  await shop.announce('new', 'CHECKOUT_COMPLETED', shop.receiver.url);
  await shop.giveUp();
  assert.deepEqual(await shop.resend(since), { sent: 1 });
  assert.deepEqual(
    (await shop.listed('failed')).map(({ subject }) => subject),
    ['old'],
  );
});

test("another merchant's failures are not touched", async () => {
  const shop = await startShop();
  await shop.announce('mine', 'CHECKOUT_COMPLETED', shop.receiver.url);
  await shop.giveUp();
  assert.deepEqual(await redeliverFailed(shop.deps, 'somebody else', new Date(0)), { sent: 0 });
  assert.deepEqual(await shop.counted(), { failed: 1, waiting: 0 });
});

test('a single one that is sent again is made good as well', async () => {
  const shop = await startShop();
  const { deliveryId } = await shop.announce('one', 'CHECKOUT_COMPLETED', shop.receiver.url);
  await shop.giveUp();
  const again = await redeliverWebhook(shop.deps, shop.merchantId, deliveryId ?? '');
  assert.equal((await findDelivery(database.db, shop.merchantId, deliveryId ?? ''))?.replacedBy, again.deliveryId);
  assert.deepEqual(await shop.counted(), { failed: 0, waiting: 1 });
});

test('what had arrived and is sent again has arrived all the same', async () => {
  const shop = await startShop();
  shop.answers(200);
  const { deliveryId } = await shop.announce('one', 'CHECKOUT_COMPLETED', shop.receiver.url);
  await shop.pass(0);
  await redeliverWebhook(shop.deps, shop.merchantId, deliveryId ?? '');
  const first = await findDelivery(database.db, shop.merchantId, deliveryId ?? '');
  assert.deepEqual([first?.state, first?.replacedBy], ['DELIVERED', null]);
});

test('what was tried in vain since a moment or longer is failing, and what was never tried is not', async () => {
  const shop = await startShop();
  const since = shop.deps.clock.now();
  await shop.announce('one', 'CHECKOUT_COMPLETED', shop.receiver.url);
  await shop.pass(0);
  await shop.announce('two', 'CHECKOUT_COMPLETED', `${shop.receiver.url}/never-tried`);
  const failing = async (moment: Date) =>
    (await failingUrls(database.db, shop.merchantId, moment, 100)).map(({ url, events }) => [url, events]);
  assert.deepEqual(await failing(since), [[shop.receiver.url, 1]]);
  assert.deepEqual(await failing(addMs(since, -1)), []);
  assert.deepEqual(await failingUrls(database.db, 'somebody else', since, 100), []);
});

test('what the previous release has sent again counts as made good', async () => {
  const shop = await startShop();
  const { deliveryId } = await shop.announce('one', 'CHECKOUT_COMPLETED', shop.receiver.url);
  await shop.announce('two', 'CHECKOUT_COMPLETED', shop.receiver.url);
  await shop.giveUp();
  const again = await redeliverWebhook(shop.deps, shop.merchantId, deliveryId ?? '');
  await database.db.script(`
    alter table delivery drop column replaced_by;
    alter table api_key drop column label, drop column made_by;
    alter table merchant drop column former_webhook_secret, drop column former_webhook_secret_until;
    drop table failed_request;
    begin; ${await readFile(new URL('../db/migrations/0045_developers.sql', import.meta.url), 'utf8')}; commit;`);
  assert.equal((await findDelivery(database.db, shop.merchantId, deliveryId ?? ''))?.replacedBy, again.deliveryId);
  assert.deepEqual(await shop.counted(), { failed: 1, waiting: 1 });
});

test('deliveries are listed page by page, and nothing is lost or shown twice between the pages', async () => {
  const shop = await startShop();
  for (let count = 0; count < 7; count += 1) {
    await shop.announce(`subject ${count}`, 'CHECKOUT_COMPLETED', shop.receiver.url);
    if (count % 2 === 0) await shop.pass(1_000); // Some have the same time.
  }
  const all = await shop.listed('waiting');
  const paged = [];
  for (let before: { createdAt: Date; id: string } | null = null; ; ) {
    const page = await listDeliveries(database.db, shop.merchantId, 'waiting', { before, limit: 3 });
    paged.push(...page);
    before = page.at(-1) ?? null;
    if (page.length < 3) break;
  }
  assert.equal(all.length, 7);
  assert.deepEqual(paged, all);
});

const merchantOf = (id: string) => ({ id, isWebhookHttpsRequired: false });

test('a test event is signed and sent like all others, once, whatever is answered', async () => {
  const shop = await startShop();
  const { deliveryId } = await sendTestEvent(shop.deps, merchantOf(shop.merchantId), {
    url: shop.receiver.url,
    apiKey: 'k',
  });
  await shop.giveUp();
  assert.deepEqual(shop.types(), ['TEST']);
  assert.match(String(shop.receiver.received[0]?.headers['webhook-signature']), /^v1,/);
  const delivery = await findDelivery(database.db, shop.merchantId, deliveryId);
  assert.deepEqual([delivery?.state, delivery?.attempts[0]?.responseStatus], ['FAILED', 500]);
  assert.deepEqual(await shop.counted(), { failed: 0, waiting: 0 }, 'nothing is missing');
  assert.deepEqual(await shop.resend(), { sent: 0 });
  await redeliverWebhook(shop.deps, shop.merchantId, deliveryId);
  await shop.giveUp();
  assert.deepEqual(shop.types(), ['TEST', 'TEST'], 'a test that is repeated is still a test');
});

test('a test event also goes to a URL that answered 410, which is used again from then on', async () => {
  const shop = await startShop();
  shop.answers(410);
  await shop.announce('one', 'CHECKOUT_COMPLETED', shop.receiver.url);
  await shop.pass(0);
  shop.answers(200);
  await sendTestEvent(shop.deps, merchantOf(shop.merchantId), { url: shop.receiver.url, apiKey: 'k' });
  await shop.pass(0);
  assert.deepEqual(shop.types(), ['CHECKOUT_COMPLETED', 'TEST']);
  assert.deepEqual(await database.db`select from disabled_webhook`, []);
});

test('what is no URL gets a sentence, and nothing is stored', async () => {
  const shop = await startShop();
  for (const url of ['', 'shop.example', 'ftp://shop.example/', 'javascript:alert(1)', `https://x/${'y'.repeat(2000)}`])
    await assert.rejects(
      sendTestEvent(shop.deps, merchantOf(shop.merchantId), { url, apiKey: 'k' }),
      /must be a URL/,
      url,
    );
  const strict = { id: shop.merchantId, isWebhookHttpsRequired: true };
  await assert.rejects(sendTestEvent(shop.deps, strict, { url: 'http://x/', apiKey: 'k' }), /https/);
  assert.deepEqual(await database.db`select from event`, []);
});
