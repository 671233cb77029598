/**
 * Everything that can be asked of one checkout at the same moment, by several processes' worth of wiring: its lock, and
 * the references of its entries, make one story of it. What shares a balance is told in `races-for-money`, and each lock
 * by itself, without luck, in `races-for-records`.
 */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { type App, createApp } from '../src/app.ts';
import { readConfig } from '../src/config.ts';
import { type Db, openDatabase } from '../src/db/database.ts';
import { enqueue, type NewJob } from '../src/jobs/enqueue.ts';
import { aCharge, type Gateway, type Reply, startGateway } from './gateway.ts';
import { patience } from './test-database.ts';
import { untilRested } from './until.ts';

let gateway: Gateway;
let otherDb: Db;
let other: App;
before(async () => {
  gateway = await startGateway();
  const config = readConfig(gateway.env);
  otherDb = openDatabase({ url: gateway.databaseUrl, poolSize: 8, ...patience });
  other = createApp({ config, publicUrl: 'https://pay.test', db: otherDb, clock: gateway.clock, log: gateway.log });
  await other.refresh();
});
after(async () => {
  await Promise.all(other.runners.map((runner) => runner.stop()));
  await otherDb.close();
  await gateway.stop();
});

const create = async (): Promise<string> =>
  (await gateway.post('/checkout', aCharge('60.00 USD', { webhook: gateway.webhookUrl }))).id;
const commit = (checkoutId: string, network = 'BITCOIN'): Promise<Reply> =>
  gateway.request('POST', '/checkout/commit', { checkoutId, network });
const cancel = (checkoutId: string): Promise<Reply> => gateway.request('POST', '/checkout/cancel', { checkoutId });

const timelineOf = async (id: string): Promise<string[]> =>
  (await gateway.db<{ what: string }>`select what from timeline where checkout_id = ${id} order by id`).map(
    ({ what }) => what,
  );

test('fifty identical commits at once give the same instructions and one commitment', async () => {
  const id = await create();
  const replies = await Promise.all(Array.from({ length: 50 }, () => commit(id)));
  assert.deepEqual([...new Set(replies.map((reply) => reply.status))], [200]);
  assert.equal(new Set(replies.map((reply) => JSON.stringify(reply.body))).size, 1);
  assert.equal((await gateway.db`select from commitment where checkout_id = ${id}`).length, 1);
  assert.equal((await gateway.db`select from deposit_target where owner_id = ${id}`).length, 1);
  assert.equal((await gateway.db`select from job where payload ->> 'checkoutId' = ${id}`).length, 1);
  assert.deepEqual(await timelineOf(id), ['created', 'committed']);
});

test('of a cancellation and a commit in the same instant the later one counts', async () => {
  const id = await create();
  await commit(id);
  assert.equal((await cancel(id)).status, 200);
  assert.equal((await commit(id)).status, 200);
  assert.equal(await gateway.state(id), 'PENDING');
  assert.equal((await cancel(id)).status, 200);
  assert.equal(await gateway.state(id), 'CANCELED');
  await gateway.runUntilIdle();
  assert.equal(await gateway.state(id), 'CANCELED');
});

test('a clock that lags behind does not undo the later decision', async () => {
  const id = await create();
  await commit(id);
  gateway.clock.advance({ seconds: 2 });
  await cancel(id);
  gateway.clock.advance({ seconds: -1 });
  await commit(id);
  assert.equal(await gateway.state(id), 'PENDING');
  gateway.clock.advance({ seconds: -1 });
  await cancel(id);
  gateway.clock.advance({ seconds: 1 });
  await gateway.runUntilIdle();
  assert.equal(await gateway.state(id), 'CANCELED');
});

test('commits, cancellations and payments that race end in the state of the last of them', async () => {
  const ids = await Promise.all(Array.from({ length: 12 }, create));
  const replies = await Promise.all(
    ids.flatMap((id) => [commit(id), cancel(id), commit(id, 'LITECOIN'), cancel(id), commit(id)]),
  );
  assert.ok(replies.every((reply) => reply.status === 200 || reply.status === 409));
  for (const id of ids) {
    const last = (await timelineOf(id)).at(-1);
    assert.equal(await gateway.state(id), last === 'canceled' ? 'CANCELED' : 'PENDING', `after ${last}`);
  }

  const before = (await gateway.balances())['available/BTC'] ?? '0';
  const instructions = await Promise.all(ids.map((id) => commit(id)));
  for (const { body } of instructions) gateway.bitcoin.pay(body.depositInstructions);
  await Promise.all([gateway.runUntilIdle(), ...ids.flatMap((id) => [cancel(id), commit(id, 'LITECOIN'), commit(id)])]);
  gateway.bitcoin.mine(1);
  await Promise.all([gateway.runUntilIdle(), ...ids.flatMap((id) => [cancel(id), commit(id)])]);
  await gateway.runUntilIdle();
  for (const id of ids) {
    assert.match(await gateway.state(id), /^(DELAYED_)?COMPLETED$/);
    assert.deepEqual(await gateway.db`select type from event where subject = ${id}`, [{ type: 'CHECKOUT_COMPLETED' }]);
  }
  const credited = BigInt((await gateway.balances())['available/BTC'] ?? '0') - BigInt(before);
  assert.equal(credited, 99_500n * BigInt(ids.length));
});

test('looking at a checkout twenty times at once credits it once', async () => {
  const { db, clock } = gateway;
  const before = BigInt((await gateway.balances())['available/BTC'] ?? '0');
  const id = await create();
  gateway.bitcoin.pay((await commit(id)).body.depositInstructions);
  gateway.bitcoin.mine(1);
  for (const watcher of gateway.app.watchers) await untilRested(watcher);
  const look: NewJob = {
    name: 'checkout.advance',
    payload: { merchantId: gateway.merchant.merchantId, checkoutId: id },
    runAt: clock.now(),
  };
  await db.begin((tx) =>
    enqueue(
      tx,
      Array.from({ length: 20 }, () => look),
    ),
  );
  const runs = await Promise.all([...gateway.app.runners, ...other.runners].map((runner) => runner.runDue()));
  assert.ok(runs.reduce((sum, count) => sum + count, 0) >= 21);
  await gateway.runUntilIdle();
  assert.equal(await gateway.state(id), 'COMPLETED');
  assert.equal((await db`select from event where subject = ${id}`).length, 1);
  assert.equal((await db`select from settlement where checkout_id = ${id}`).length, 1);
  assert.equal(BigInt((await gateway.balances())['available/BTC'] ?? '0') - before, 99_500n);
  assert.deepEqual(await db`select from job where last_error is not null or parked_reason is not null`, []);
});
