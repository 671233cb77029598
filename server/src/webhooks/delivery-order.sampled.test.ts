/**
 * Whatever happens, a shop never gets an event after a newer one of the same subject: workers that work at the same
 * time, requests that take long to arrive, answers that come late or never, workers that die or lose their database in
 * the middle, redeliveries. The shop is a stand-in here, so that a request arrives and is answered when the history
 * says so; the deliveries, their turns and the workers' locks are real.
 */
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { after, afterEach, before, test } from 'node:test';
import fc from 'fast-check';
import { isSample } from '../../test/depth.ts';
import { createTestDatabase, type TestDatabase } from '../../test/test-database.ts';
import { endWorlds, startWorld } from '../../test/webhook-world.ts';
import type { Session } from '../db/database.ts';
import { RunLater, workerLockClass } from '../jobs/job-runner.ts';
import { addMs } from '../lib/clock.ts';
import { GatewayError } from '../lib/errors.ts';
import { FetchFailed, type GuardedRequest } from '../lib/guarded-fetch.ts';
import { deliverWebhook } from './deliver-webhook.ts';
import { recordEvent } from './record-event.ts';
import { redeliverWebhook } from './redeliver-webhook.ts';
import { createSlowReceivers } from './slow-receivers.ts';
import { deliveriesOfSubject } from './webhook-log-store.ts';

let database: TestDatabase;
before(async () => {
  database = await createTestDatabase();
});
after(() => database.drop());
afterEach(() => endWorlds(database.db));

const fetchDeadlineMs = 15_000;
const subjects = ['one'];
const workers = 3;

type Request = {
  readonly subject: string;
  /** The how many-th event of its subject it is. */
  readonly event: number;
  readonly sentAt: Date;
  readonly worker: Worker;
  hasArrived: boolean;
  /** Until the answer is written down. */
  run: Promise<void> | undefined;
  answer(outcome: number | FetchFailed): void;
};

/** One that has lost its database works on, but its number is dead. */
type Worker = { number: number; session: Session | null; isDead: boolean; jobs: Set<string> };

async function startShop() {
  const { db } = database;
  const { merchantId, deps } = startWorld(db);
  let now = new Date('2026-03-01T12:00:00Z');
  const clock = { now: () => now };
  const announced = new Map(subjects.map((subject) => [subject, 0]));
  const deliveryIds: string[] = [];
  const underWay: Request[] = [];
  const unheard: Request[] = []; // Whoever sent them is dead.
  const arrived = new Map<string, number[]>(subjects.map((subject) => [subject, []]));
  const ended: Promise<void>[] = [];
  const failures: unknown[] = [];
  let numbers = 0;

  async function startWorker(): Promise<Worker> {
    numbers += 1;
    const number = numbers;
    const session = await db.session();
    await session`select pg_advisory_lock(${workerLockClass}::integer, ${number}::integer)`;
    return { number, session, isDead: false, jobs: new Set() };
  }
  const staff = await Promise.all(Array.from({ length: workers }, startWorker));

  function fetchAs(worker: Worker) {
    return (request: GuardedRequest) =>
      new Promise<never>((resolve, reject) => {
        const { eventType, data } = JSON.parse(request.body ?? '') as { eventType: string; data: { subject: string } };
        const one: Request = {
          subject: data.subject,
          event: Number(eventType),
          sentAt: now,
          worker,
          hasArrived: false,
          run: undefined,
          answer(outcome) {
            if (underWay.includes(one)) underWay.splice(underWay.indexOf(one), 1);
            if (outcome instanceof FetchFailed) reject(outcome);
            else resolve({ status: outcome, headers: {}, body: '', isComplete: true } as never);
          },
        };
        underWay.push(one);
      });
  }

  function arrive(request: Request): void {
    if (request.hasArrived) return;
    request.hasArrived = true;
    arrived.get(request.subject)?.push(request.event);
  }

  const pick = <T>(list: readonly T[], which: number): T | undefined => list[which % list.length];
  const steps: Record<string, (which: number) => Promise<unknown> | void> = {
    async announce(which) {
      const subject = pick(subjects, which) ?? '';
      const count = (announced.get(subject) ?? 0) + 1;
      announced.set(subject, count);
      const event = { merchantId, subject, type: String(count), data: { subject }, apiKey: 'k', at: now };
      const { deliveryId } = await db.begin((tx) => recordEvent(tx, { ...event, webhook: 'http://shop.test/' }));
      if (deliveryId) deliveryIds.push(deliveryId);
    },
    async redeliver(which) {
      const id = pick(deliveryIds, which);
      if (id === undefined) return;
      const again = await redeliverWebhook({ db, clock }, merchantId, id).catch((error: unknown) => {
        if (error instanceof GatewayError) return undefined;
        throw error;
      });
      if (again) deliveryIds.push(again.deliveryId);
    },
    /** A job is run until it waits for the shop, or is over. */
    async work(which) {
      const [worker, deliveryId] = [pick(staff, which), pick(deliveryIds.slice(-3), Math.floor(which / workers))];
      if (!worker || worker.isDead || deliveryId === undefined || worker.jobs.has(deliveryId)) return;
      worker.jobs.add(deliveryId);
      const before = underWay.length;
      const own = { ...deps, db, clock, fetch: fetchAs(worker), slowReceivers: createSlowReceivers() };
      let isOver = false;
      const run = deliverWebhook(own, { merchantId, deliveryId }, worker.number)
        .catch((error: unknown) => {
          if (!(error instanceof RunLater)) failures.push(error);
        })
        .finally(() => {
          worker.jobs.delete(deliveryId);
          isOver = true;
        });
      ended.push(run);
      while (!isOver && underWay.length === before) await new Promise((resolve) => setImmediate(resolve));
      const request = underWay[before];
      if (request) request.run = run;
    },
    arrive(which) {
      const request = pick(underWay, which);
      if (request) arrive(request);
    },
    async answer(which) {
      const request = pick(underWay, which);
      if (!request) return;
      arrive(request);
      request.answer(pick([200, 500, 503], which) ?? 200);
      await request.run;
    },
    /** The shop is broken for a while. */
    async fail(which) {
      for (const _ of [1, 2, 3]) {
        await steps['work']?.(which);
        const request = underWay.at(-1);
        if (request) arrive(request);
        request?.answer(500);
        await request?.run;
        await steps['wait']?.(3);
      }
    },
    /** What it was about to send is lost with it. */
    async die(which) {
      const worker = pick(staff, which);
      if (!worker || worker.isDead) return;
      worker.isDead = true;
      await worker.session?.end();
      for (const request of underWay.filter((each) => each.worker === worker)) {
        underWay.splice(underWay.indexOf(request), 1);
        unheard.push(request);
      }
      staff[staff.indexOf(worker)] = await startWorker();
    },
    async loseDatabase(which) {
      const worker = pick(staff, which);
      if (!worker || worker.isDead) return;
      await worker.session?.end();
      const next = await startWorker();
      worker.session = next.session;
      worker.number = next.number;
    },
    wait(which) {
      now = addMs(now, pick([1_000, 6_000, 16_000, 40_000, 3_600_000], which) ?? 0);
      // The deadline of the fetch itself: nothing arrives after it.
      const late = underWay.filter((each) => now.getTime() - each.sentAt.getTime() >= fetchDeadlineMs);
      for (const request of late) request.answer(new FetchFailed('The server did not answer within 15 seconds.'));
    },
  };

  return {
    arrived,
    play: async (kind: string, which: number) => steps[kind]?.(which),
    stateOf: (subject: string) => deliveriesOfSubject(db, merchantId, subject, 100),
    async end() {
      for (const request of [...underWay, ...unheard]) request.answer(new FetchFailed('over'));
      await Promise.allSettled(ended);
      for (const { session } of staff) await session?.end();
      assert.deepEqual(failures, []);
    },
  };
}

const often = (kind: string, times: number): string[] => Array.from({ length: times }, () => kind);
const kinds = [
  ...['redeliver', 'arrive', 'die', 'loseDatabase'],
  ...[...often('announce', 2), ...often('answer', 2), ...often('fail', 2), ...often('wait', 2), ...often('work', 8)],
];
const aStep = fc.tuple(fc.constantFrom(...kinds), fc.integer({ min: 0, max: 59 }));

test('no event arrives after a newer one of its subject, in any interleaving', async () => {
  const met = new Set<string>();
  const histories = fc.array(aStep, { minLength: 40, maxLength: 80, size: 'max' });
  await fc.assert(
    fc.asyncProperty(histories, async (history) => {
      const shop = await startShop();
      try {
        for (const [kind, which] of history) await shop.play(kind, which);
        for (const [subject, events] of shop.arrived) {
          assert.deepEqual(
            events,
            events.toSorted((a, b) => a - b),
            `${subject} arrived in order`,
          );
          if (new Set(events).size > 1) met.add('several arrived');
          if (new Set(events).size < events.length) met.add('one arrived again');
          for (const { state } of await shop.stateOf(subject)) met.add(state);
        }
      } finally {
        await shop.end();
      }
    }),
    { seed: 20_260_301, numRuns: isSample() ? 8 : 20, endOnFailure: true },
  );
  // If these histories led nowhere, they would prove nothing.
  for (const name of ['several arrived', 'one arrived again', 'DELIVERED', 'PENDING', 'SUPERSEDED'])
    assert.ok(met.has(name), name);
});

test('what was overtaken before the upgrade is superseded by it', async () => {
  const { db } = database;
  const world = startWorld(db);
  for (const type of ['1', '2', '3']) await world.announce('old', type, 'http://127.0.0.1:1/');
  await db.script(`drop table webhook_turn; alter table delivery drop column superseded_by;
                   alter table checkout drop column awaits_bridge_since`);
  await db`update delivery set attempts = 4 where event_id = (select id from event where type = '1')`;
  await db`update delivery set state = 'DELIVERED', next_at = null, attempts = 1
            where event_id = (select id from event where type = '2')`;
  await db.script(await readFile(new URL('../db/migrations/0026_order_of_deliveries.sql', import.meta.url), 'utf8'));
  const [newest, sent, overtaken] = await world.deliveries('old');
  assert.deepEqual([newest?.state, sent?.state, overtaken?.state], ['PENDING', 'DELIVERED', 'SUPERSEDED']);
  assert.equal(overtaken?.supersededBy, sent?.eventId);
});
