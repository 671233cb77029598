import assert from 'node:assert/strict';
import { after, afterEach, before, test } from 'node:test';
import { waitingAtGate } from '../../test/meet-at.ts';
import { createTestDatabase, type TestDatabase } from '../../test/test-database.ts';
import { until } from '../../test/until.ts';
import { present } from '../lib/assert.ts';
import { systemClock } from '../lib/clock.ts';
import { createLog } from '../lib/log.ts';
import { NetworkError } from '../networks/port/connector.ts';
import { enqueue, type NewJob } from './enqueue.ts';
import type { JobName } from './job-catalog.ts';
import {
  createJobRunner,
  GiveUp,
  type JobHandlers,
  type JobRun,
  type JobRunner,
  RunLater,
  workerLockClass,
} from './job-runner.ts';
import { retryParkedJob } from './job-store.ts';

let database: TestDatabase;
before(async () => {
  database = await createTestDatabase();
});
after(() => database.drop());

const runners: JobRunner[] = [];
afterEach(async () => {
  await Promise.all(runners.splice(0).map((runner) => runner.stop()));
  await database.db`truncate job`;
});

function startRunner(
  handlers: Partial<JobHandlers>,
  options: { concurrency: number; names?: ('checkout.advance' | 'webhook.deliver')[] },
): JobRunner {
  const { db } = database;
  const runner = createJobRunner({
    db,
    clock: systemClock,
    log: createLog('silent'),
    handlers,
    ...options,
  });
  runners.push(runner);
  runner.start();
  return runner;
}

const deliver = (deliveryId: string): NewJob => ({
  name: 'webhook.deliver',
  payload: { merchantId: 'm', deliveryId },
  runAt: new Date(0),
});
const advance: NewJob = {
  name: 'checkout.advance',
  payload: { merchantId: 'm', checkoutId: 'c' },
  runAt: new Date(0),
};

const isEmpty = async () => (await database.db`select from job`).length === 0;

test('a slow job does not hold up those that come after it', async () => {
  const answer = Promise.withResolvers<void>();
  const done: string[] = [];
  const runner = startRunner(
    {
      async 'webhook.deliver'({ deliveryId }) {
        if (deliveryId === 'slow') await answer.promise;
        done.push(deliveryId);
      },
    },
    { concurrency: 2 },
  );
  const quick = Array.from({ length: 20 }, (_, number) => `quick${number}`);
  await database.db.begin((tx) => enqueue(tx, [deliver('slow'), ...quick.map(deliver)]));
  runner.wake();
  await until('the quick ones are done', () => done.length === 20);
  assert.deepEqual(done.toSorted(), quick.toSorted());
  answer.resolve();
  await until('no job is left', isEmpty);
});

test('a runner takes only the jobs it is for, so webhooks that hang leave payments alone', async () => {
  const answer = Promise.withResolvers<void>();
  let advanced = 0;
  startRunner({ 'webhook.deliver': () => answer.promise }, { concurrency: 1, names: ['webhook.deliver'] });
  startRunner(
    { 'checkout.advance': async () => void (advanced += 1) },
    { concurrency: 1, names: ['checkout.advance'] },
  );
  await database.db.begin((tx) => enqueue(tx, [deliver('one'), deliver('two'), advance, advance]));
  await until('both are done', () => advanced === 2);
  answer.resolve();
  await until('no job is left', isEmpty);
});

test('a job that another worker is just starting is left to it, and nobody waits', async () => {
  const { db } = database;
  const done: string[] = [];
  const handlers: Partial<JobHandlers> = { 'webhook.deliver': async ({ deliveryId }) => void done.push(deliveryId) };
  const runner = createJobRunner({ db, clock: systemClock, log: createLog('silent'), handlers, concurrency: 4 });
  runners.push(runner);
  await db.begin((tx) => enqueue(tx, [deliver('theirs'), deliver('ours')]));
  const [ran] = await db.begin(async (tx) => {
    await tx`update job set claimed_by = 1 where payload ->> 'deliveryId' = 'theirs'`;
    const running = runner.runDue();
    await until(
      'ours is done, or waits for theirs',
      async () => done.includes('ours') || (await waitingAtGate(tx)) > 0,
    );
    assert.deepEqual(done, ['ours']);
    return [running];
  });
  assert.equal(await ran, 1);
});

test('stopping lets the jobs under way finish', async () => {
  const answer = Promise.withResolvers<void>();
  let begun = false;
  const runner = startRunner(
    {
      async 'webhook.deliver'() {
        begun = true;
        await answer.promise;
      },
    },
    { concurrency: 1 },
  );
  await database.db.begin((tx) => enqueue(tx, [deliver('last')]));
  await until('it has begun', () => begun);
  const stopped = runner.stop();
  answer.resolve();
  await stopped;
  assert.ok(await isEmpty());
});

test('a worker that was taken for dead leaves the job to the one who took it over', async () => {
  const { db } = database;
  const begun: string[] = [];
  const ends = { first: Promise.withResolvers<void>(), second: Promise.withResolvers<void>() };
  const handle = (name: 'first' | 'second') => ({
    'webhook.deliver': () => {
      begun.push(name);
      return ends[name].promise;
    },
  });
  const workerOfJob = async () => (await db<{ claimed_by: number | null }>`select claimed_by from job`)[0]?.claimed_by;
  const first = startRunner(handle('first'), { concurrency: 1 });
  await db.begin((tx) => enqueue(tx, [deliver('one')]));
  await until('the first has begun', () => begun.length === 1);
  const worker = await workerOfJob();
  startRunner(handle('second'), { concurrency: 1 });
  await db`
    select pg_terminate_backend(pid) from pg_locks
     where locktype = 'advisory' and classid = 7001 and objid = ${worker}::integer::oid
       and database = (select oid from pg_database where datname = current_database())`;
  await until('the second has begun', () => begun.includes('second'));
  const successor = await workerOfJob();
  assert.notEqual(successor, worker);

  ends.first.reject(new Error('its transaction was ended'));
  await first.stop(); // It waits for what it has under way.
  assert.equal(await workerOfJob(), successor);
  ends.second.resolve();
  await until('no job is left', isEmpty);
  assert.deepEqual(begun, ['first', 'second']);
});

const noon = new Date('2026-03-01T12:00:00Z');

/** A runner that looks at its queue only when it is told to; noon by its clock. */
function quietRunner(handle: (run: JobRun) => Promise<void>): JobRunner {
  const { db } = database;
  const handlers: JobHandlers = { 'checkout.advance': (_, run) => handle(run) };
  const runner = createJobRunner({
    db,
    clock: { now: () => noon },
    log: createLog('silent'),
    handlers,
    concurrency: 1,
  });
  runners.push(runner);
  return runner;
}

const readJob = async () =>
  (
    await database.db<{ claimed_by: number | null; attempts: number; run_at: Date; parked_reason: string | null }>`
      select claimed_by, attempts, run_at, parked_reason from job`
  )[0];

for (const [ending, outcome] of [
  ['finishes it', () => undefined],
  ['fails', () => Promise.reject(new Error('its transaction was ended'))],
  ['gives it up', () => Promise.reject(new GiveUp('hopeless'))],
  ['puts it off', () => Promise.reject(new RunLater(new Date('2026-03-02T12:00:00Z')))],
] as const)
  test(`a job that is somebody else's by now stays as it is when the worker before it ${ending}`, async () => {
    const { db } = database;
    const successor = 999_999;
    const session = await db.session();
    try {
      await session`select pg_advisory_lock(${workerLockClass}::integer, ${successor}::integer)`;
      const runner = quietRunner(async () => {
        await db`update job set claimed_by = ${successor}, attempts = attempts + 1`;
        await outcome();
      });
      await db.begin((tx) => enqueue(tx, [advance]));
      assert.equal(await runner.runDue(), 1);
      assert.deepEqual(await readJob(), {
        claimed_by: successor,
        attempts: 2,
        run_at: advance.runAt,
        parked_reason: null,
      });
    } finally {
      await session.end();
    }
  });

test('the jobs of the living are left alone, and those of the dead are taken over', async () => {
  const { db } = database;
  const other = 999_999;
  const session = await db.session();
  await session`select pg_advisory_lock(${workerLockClass}::integer, ${other}::integer)`;
  const runner = quietRunner(async () => undefined);
  try {
    await db.begin((tx) => enqueue(tx, [advance]));
    await db`update job set claimed_by = ${other}`;
    assert.equal(await runner.runDue(), 0);
  } finally {
    await session`select pg_advisory_unlock(${workerLockClass}::integer, ${other}::integer)`;
    await session.end();
  }
  assert.equal(await runner.runDue(), 1);
  assert.ok(await isEmpty());
});

test('a worker does what it has started itself and could not note the end of', async () => {
  const { db } = database;
  const workers: number[] = [];
  const runner = quietRunner(async ({ worker }) => void workers.push(worker));
  await db.begin((tx) => enqueue(tx, [advance]));
  await runner.runDue();
  await db.begin((tx) => enqueue(tx, [advance]));
  await db`update job set claimed_by = ${workers[0]}::integer`;
  assert.equal(await runner.runDue(), 1);
  assert.ok(await isEmpty());
});

test('a job of a kind that this release does not know waits for one that does', async () => {
  const { db } = database;
  const unknown = 'made.up' as JobName;
  await db.begin((tx) => enqueue(tx, [{ ...advance, name: unknown } as NewJob]));
  assert.deepEqual(await runForDays({ 'checkout.advance': async () => undefined }), {
    attempts: 0,
    parked_reason: null,
  });
  assert.deepEqual(await runForDays({ [unknown]: async () => undefined }), undefined);
});

test('a job runs when it is due, and not before', async () => {
  const runner = quietRunner(async () => undefined);
  await database.db.begin((tx) => enqueue(tx, [{ ...advance, runAt: new Date(noon.getTime() + 1) }]));
  assert.equal(await runner.runDue(), 0);
  await database.db`update job set run_at = ${noon}`;
  assert.equal(await runner.runDue(), 1);
});

test('a job that puts itself off has not failed', async () => {
  const later = new Date(noon.getTime() + 1);
  const runner = quietRunner(() => Promise.reject(new RunLater(later)));
  await database.db.begin((tx) => enqueue(tx, [advance]));
  await runner.runDue();
  assert.deepEqual(await readJob(), { claimed_by: null, attempts: 0, run_at: later, parked_reason: null });
});

test('what failed before a step was done is forgotten', async () => {
  const later = new Date(noon.getTime() + 1);
  await database.db.begin((tx) => enqueue(tx, [advance]));
  await database.db`update job set attempts = 5, last_error = 'a node was away'`;
  await quietRunner(() => Promise.reject(new RunLater(later, { isFurther: true }))).runDue();
  assert.deepEqual(await readJob(), { claimed_by: null, attempts: 0, run_at: later, parked_reason: null });
});

test('a job that was given up waits for a person, and has all its attempts again afterwards', async () => {
  const { db } = database;
  const attempts: number[] = [];
  const runner = quietRunner(async ({ attempt }) => {
    attempts.push(attempt);
    if (attempts.length <= 2) throw new GiveUp('hopeless');
  });
  await db.begin((tx) => enqueue(tx, [advance]));
  assert.deepEqual([await runner.runDue(), await runner.runDue()], [1, 0]);
  assert.equal((await readJob())?.parked_reason, 'hopeless');
  const [job] = await db<{ id: string }>`select id from job`;
  assert.ok(await retryParkedJob(db, present(job, 'the job').id, noon));
  assert.equal(await runner.runDue(), 1);
  assert.deepEqual(attempts, [1, 1]);
});

/** Runs what is due again and again, each time an hour later, and gives what became of the only job; undefined: it is done. */
async function runForDays(
  handlers: JobHandlers,
): Promise<{ attempts: number; parked_reason: string | null } | undefined> {
  const { db } = database;
  let now = new Date('2026-03-01T12:00:00Z');
  const runner = createJobRunner({ db, clock: { now: () => now }, log: createLog('silent'), handlers, concurrency: 1 });
  runners.push(runner);
  for (let hour = 0; hour < 48; hour += 1) {
    now = new Date(now.getTime() + 3_600_000);
    await runner.runDue();
  }
  const [job] = await db<{ attempts: number; parked_reason: string | null }>`select attempts, parked_reason from job`;
  return job;
}

test('a job that keeps failing is parked, whatever its error says, and was tried apart from others', async () => {
  const attempts: number[] = [];
  await database.db.begin((tx) => enqueue(tx, [advance]));
  const job = await runForDays({
    async 'checkout.advance'(_, { attempt }) {
      attempts.push(attempt);
      throw new Error('Connection terminated unexpectedly');
    },
  });
  assert.deepEqual(job, { attempts: 20, parked_reason: 'Connection terminated unexpectedly' });
  assert.deepEqual(
    attempts,
    Array.from({ length: 20 }, (_, position) => position + 1),
  );
});

test('a job that waits for a node is not parked', async () => {
  await database.db.begin((tx) => enqueue(tx, [advance]));
  const job = await runForDays({
    async 'checkout.advance'() {
      throw new NetworkError('The node does not answer.', { isRetryable: true });
    },
  });
  assert.deepEqual(job, { attempts: 48, parked_reason: null });
});
