/** Whose turn it is to send about a subject, moment by moment; `delivery-order.sampled.test.ts` plays whole histories. */
import assert from 'node:assert/strict';
import { after, afterEach, before, test } from 'node:test';
import { createTestDatabase, type TestDatabase } from '../../test/test-database.ts';
import { endWorlds, onCleanUp, startWorld } from '../../test/webhook-world.ts';
import { workerLockClass } from '../jobs/job-runner.ts';
import { addMs } from '../lib/clock.ts';
import { newId } from '../lib/ids.ts';
import { takeTurn } from './delivery-turn-store.ts';
import { abandonDelivery, insertRedeliveries, recordAttempt, urlGone } from './webhook-store.ts';

let database: TestDatabase;
before(async () => {
  database = await createTestDatabase();
});
after(() => database.drop());
afterEach(() => endWorlds(database.db));

const attemptLimitMs = 20_000;
let numbers = 0;

/** A worker is alive until it dies, i.e. its session ends. */
async function hire() {
  const session = await database.db.session();
  numbers += 1;
  await session`select pg_advisory_lock(${workerLockClass}::integer, ${numbers}::integer)`;
  let isAlive = true;
  const die = async (): Promise<void> => {
    if (isAlive) await session.end();
    isAlive = false;
  };
  onCleanUp(die);
  return { number: numbers, die };
}

/** Two events about one subject, and whoever wants to send one of them so many milliseconds later. */
async function startSubject() {
  const { db } = database;
  const { merchantId, announce, deliveries } = startWorld(db);
  const ids: string[] = [];
  for (const type of ['FIRST', 'SECOND']) ids.push((await announce('one', type, 'http://shop.test/')).deliveryId ?? '');
  const [first = '', second = ''] = ids;
  const begin = new Date('2026-03-01T12:00:00Z');
  return {
    merchantId,
    first,
    second,
    take(deliveryId: string, worker: number, afterMs: number) {
      const now = addMs(begin, afterMs);
      return takeTurn(db, { merchantId, deliveryId, worker, now, staleBefore: addMs(now, -attemptLimitMs) });
    },
    fail(deliveryId: string, worker: number, afterMs: number) {
      const at = addMs(begin, afterMs);
      const nothing = { responseHeaders: null, responseExcerpt: null, error: null };
      return recordAttempt(
        db,
        { merchantId, id: deliveryId, attemptsBefore: 0, worker },
        { at, durationMs: 1, requestHeaders: {}, responseStatus: 500, ...nothing },
        { move: 'retry', nextAt: addMs(at, 5_000) },
      );
    },
    stateOf: async (deliveryId: string) => (await deliveries('one')).find(({ id }) => id === deliveryId)?.state,
  };
}

test('while a worker sends, nobody else does, about the same event or a newer one', async () => {
  const { take, first, second } = await startSubject();
  const [sender, other] = [await hire(), await hire()];
  assert.equal(await take(first, sender.number, 0), 'mine');
  assert.equal(await take(first, other.number, 1_000), 'taken');
  assert.equal(await take(second, other.number, 1_000), 'taken');
  assert.equal(await take(second, other.number, 10 * attemptLimitMs), 'taken', 'it lives, so it may still send');
  assert.equal(await take(first, sender.number, 1_000), 'mine', 'it may try its own once more');
});

test('when a worker has died the same event is sent at once, a newer one when the attempt must be over', async () => {
  const { take, first, second } = await startSubject();
  const [sender, other] = [await hire(), await hire()];
  await take(first, sender.number, 0);
  await sender.die();
  assert.equal(await take(second, other.number, attemptLimitMs - 1), 'taken');
  assert.equal(await take(second, other.number, attemptLimitMs), 'mine');

  const again = await startSubject();
  const third = await hire();
  await again.take(again.first, other.number, 0);
  await other.die();
  assert.equal(await again.take(again.first, third.number, 1), 'mine');
});

test('who takes over from the dead does not make newer events forget what may be under way', async () => {
  const { take, fail, first, second } = await startSubject();
  const [sender, other] = [await hire(), await hire()];
  await take(first, sender.number, 0);
  await sender.die(); // It has lost its database, and still sends.
  assert.equal(await take(first, other.number, 1_000), 'mine');
  assert.ok(await fail(first, other.number, 2_000));
  assert.equal(await take(second, other.number, attemptLimitMs - 1), 'taken');
  assert.equal(await take(second, other.number, attemptLimitMs), 'mine');
});

test('what is given up does not make newer events forget what may be under way', async () => {
  const { take, merchantId, first, second } = await startSubject();
  const [sender, other] = [await hire(), await hire()];
  await take(first, sender.number, 0);
  await abandonDelivery(database.db, { merchantId, id: first, attemptLimitMs }, urlGone);
  assert.equal(await take(second, other.number, attemptLimitMs - 1), 'taken');
  assert.equal(await take(second, other.number, attemptLimitMs), 'mine');
});

test('what was asked for again at the moment in which a newer event came is not sent after it', async () => {
  const { take, fail, stateOf, merchantId, first, second } = await startSubject();
  const worker = await hire();
  const again = { id: newId(), at: new Date('2026-03-01T12:00:00Z') };
  await database.db.begin((tx) => insertRedeliveries(tx, merchantId, [{ deliveryId: first, id: again.id }], again.at));
  assert.equal(await take(second, worker.number, 0), 'mine');
  assert.equal(await stateOf(first), 'SUPERSEDED');
  assert.ok(await fail(second, worker.number, 1_000));
  assert.equal(await take(again.id, worker.number, 60_000), 'superseded');
  assert.equal(await stateOf(again.id), 'SUPERSEDED');
});
