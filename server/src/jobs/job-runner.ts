/**
 * Runs the jobs it has handlers for, several at once, and deletes what is done. What it has none for waits untouched: while
 * two releases run side by side, the newer one does it. A job that is being done carries its
 * worker: the number of an advisory lock held by a session of the runner. When the process dies, however it dies,
 * PostgreSQL frees the lock and the next runner to look takes its jobs over. The number is also the fence: a runner that
 * was taken for dead and finishes after all stores nothing about a job that has another worker by now.
 *
 * The worker is in the column `claimed_by`, whose name the previous release knows.
 *
 * Jobs that wait for strangers (webhooks) get a runner of their own, so that they never hold up jobs that move money.
 *
 * Rejected: a lease with a time-out (takes as long to notice a death as the longest job may run), and keeping the
 * transaction open that took the job (a webhook that takes 15 s would hold back vacuum everywhere).
 */
import { randomInt } from 'node:crypto';
import { coalesce } from '../db/coalesce.ts';
import { answersInTime, type Db, type Session } from '../db/database.ts';
import { present } from '../lib/assert.ts';
import type { Clock } from '../lib/clock.ts';
import { addMs } from '../lib/clock.ts';
import type { Log } from '../lib/log.ts';
import { NetworkError } from '../networks/port/connector.ts';
import type { JobCatalog, JobName } from './job-catalog.ts';

/**
 * `attempt`: the first is 1. What has failed before may be done separately, so that it fails alone. `worker`: who does
 * the job; alive as long as its advisory lock is held.
 */
export type JobRun = { readonly attempt: number; readonly worker: number };

export type JobHandlers = { [N in JobName]?: (payload: JobCatalog[N], run: JobRun) => Promise<void> };

/** Thrown by a handler when another try is useless: the job is parked where the operator sees it. */
export class GiveUp extends Error {}

/**
 * Thrown by a handler when the job is not due yet. It does not count as a failure. `isFurther`: a step of it is done, and what
 * failed before that is forgotten.
 */
export class RunLater extends Error {
  readonly at: Date;
  readonly isFurther: boolean;
  constructor(at: Date, { isFurther = false } = {}) {
    super(`run again at ${at.toISOString()}`);
    this.at = at;
    this.isFurther = isFurther;
  }
}

type StartedJob = { id: string; name: JobName; payload: never; attempts: number; worker: number };

export type JobRunner = {
  /** Runs everything that is due now, including what that causes, and returns how many jobs ran. */
  runDue(): Promise<number>;
  /** Keeps running due jobs until `stop`. */
  start(): void;
  /** Something was enqueued: look now instead of at the next poll. */
  wake(): void;
  stop(): Promise<void>;
};

/** The first half of the advisory lock that says "this worker is alive"; the second is its number. */
export const workerLockClass = 7_001;
const pollMs = 250;
const orphanCheckMs = 1_000;
/**
 * About two hours. A job that fails so often through nobody else's fault needs a person, and takes no more of our time.
 */
const attemptsMax = 20;
const forgetLimits = { batchesAtOnce: 2, itemsMax: 100 };

export function createJobRunner(deps: {
  db: Db;
  clock: Clock;
  log: Log;
  handlers: JobHandlers;
  concurrency: number;
  /** Its handlers wait for other people's servers, and decide themselves when to give up. */
  isPatient?: boolean;
}): JobRunner {
  const { db, clock, log, handlers, concurrency, isPatient = false } = deps;
  const isHopeless = (error: unknown, attempts: number): boolean =>
    error instanceof GiveUp || (!isPatient && attempts >= attemptsMax && !isNodeAway(error));
  let identity: Promise<{ session: Session; number: number }> | undefined;
  let isStopping = false;
  let loop: Promise<void> | undefined;
  let orphansCheckedAt = 0;
  const names = Object.keys(handlers);
  const running = new Map<string, Promise<void>>();
  let wakeUp: () => void = () => undefined;

  function whoAmI(): Promise<{ session: Session; number: number }> {
    identity ??= (async () => {
      const session = await db.session();
      const number = await takeNumber(session).catch(async (error: unknown) => {
        await session.end();
        throw error;
      });
      // Without the session our jobs have no worker, and another runner may already do them: start again with a new
      // number.
      session.onLost(() => {
        identity = undefined;
        log.warn({ worker: number }, 'worker session lost');
      });
      return { session, number };
    })();
    identity.catch(() => {
      identity = undefined;
    });
    return identity;
  }

  /** Jobs of dead workers, and our own jobs whose outcome we failed to store: nobody else would ever free those. */
  async function freeOrphans(): Promise<void> {
    const { number } = await whoAmI();
    const freed = await db<{ id: string }>`
      update job set claimed_by = null
       where (claimed_by = ${number} and id <> all(${[...running.keys()]}::bigint[]))
          or (claimed_by is not null
              and not exists (select from pg_locks
                               where locktype = 'advisory' and classid = ${workerLockClass}::oid
                                 and objid = job.claimed_by::oid
                                 and database = (select oid from pg_database where datname = current_database())))
      returning id`;
    if (freed.length > 0) log.warn({ jobs: freed.length }, 'took over jobs that nobody was working on');
  }

  async function markStarted(limit: number): Promise<StartedJob[]> {
    const { number } = await whoAmI();
    return db<StartedJob>`
      update job set claimed_by = ${number}, attempts = attempts + 1
       where id in (select id from job
                     where claimed_by is null and parked_reason is null and run_at <= ${clock.now()}
                       and name = any(${names})
                     order by run_at, id limit ${limit} for update skip locked)
      returning id, name, payload, attempts, claimed_by as worker`;
  }

  const forget = coalesce(
    async (done: readonly StartedJob[]) => {
      await db`
        delete from job
         using unnest(${done.map((job) => job.id)}::bigint[], ${done.map((job) => job.worker)}::integer[])
                 as done (id, worker)
         where job.id = done.id and job.claimed_by = done.worker`;
      return done.map(() => undefined);
    },
    forgetLimits,
    () => answersInTime(db),
  );

  async function runOne(job: StartedJob): Promise<void> {
    const jobLog = log.child({ job: job.name, jobId: job.id, attempt: job.attempts });
    const { id, worker } = job;
    try {
      const handler = present(handlers[job.name], job.name) as (payload: never, run: JobRun) => Promise<void>;
      await handler(job.payload, { attempt: job.attempts, worker });
      await forget(job);
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error);
      if (error instanceof RunLater) {
        await db`
          update job set claimed_by = null, attempts = case when ${error.isFurther} then 0 else attempts - 1 end, run_at = ${error.at}
           where id = ${id} and claimed_by = ${worker}`;
      } else if (isHopeless(error, job.attempts)) {
        jobLog.error({ err: error }, 'job parked');
        await db`
          update job set claimed_by = null, parked_reason = ${message}, last_error = ${message}
           where id = ${id} and claimed_by = ${worker}`;
      } else {
        const runAt = addMs(clock.now(), backOffMs(job.attempts));
        jobLog.warn({ err: error, runAt }, 'job failed and will be tried again');
        await db`
          update job set claimed_by = null, run_at = ${runAt}, last_error = ${message}
           where id = ${id} and claimed_by = ${worker}`;
      }
    }
  }

  /** Starts as many jobs as there is room for. A slow job takes up only its own room. */
  async function startDue(): Promise<number> {
    const free = concurrency - running.size;
    if (free <= 0) return 0;
    const jobs = await markStarted(free);
    for (const job of jobs) {
      const run = runOne(job)
        .catch((error: unknown) => log.error({ err: error, jobId: job.id }, 'job outcome could not be stored'))
        .finally(() => {
          // After a lost session we may have started the same job again: then the newer run stands here.
          if (running.get(job.id) === run) running.delete(job.id);
          wakeUp();
        });
      running.set(job.id, run);
    }
    return jobs.length;
  }

  async function runDue(): Promise<number> {
    await freeOrphans();
    let total = 0;
    for (let started = await startDue(); started > 0; started = await startDue()) {
      total += started;
      await Promise.all(running.values());
    }
    return total;
  }

  async function keepRunning(): Promise<void> {
    while (!isStopping) {
      const woken = nextWake();
      try {
        if (performance.now() - orphansCheckedAt > orphanCheckMs) {
          orphansCheckedAt = performance.now();
          await freeOrphans();
        }
        await startDue();
      } catch (error) {
        log.error({ err: error }, 'job runner cannot reach its queue');
      }
      await woken;
    }
  }

  /** The timer starts before we look at the queue, so that what is enqueued meanwhile wakes us. */
  function nextWake(): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, pollMs);
      wakeUp = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }

  return {
    runDue,
    start() {
      loop ??= keepRunning();
    },
    wake: () => wakeUp(),
    async stop() {
      isStopping = true;
      wakeUp();
      await loop;
      await Promise.all(running.values());
      const me = await identity?.catch(() => undefined);
      await me?.session.end();
    },
  };
}

async function takeNumber(session: Session): Promise<number> {
  const [row] = await session<{ number: number }>`select nextval('worker_number')::integer as number`;
  const number = present(row, 'a worker number').number;
  await session`select pg_advisory_lock(${workerLockClass}::integer, ${number}::integer)`;
  return number;
}

/** A node that does not answer will answer again later: a job that waits for it is not to blame. */
const isNodeAway = (error: unknown): boolean => error instanceof NetworkError && error.isRetryable;

/**
 * 1 s, 2 s, 4 s … up to ten minutes, plus up to a quarter at random, so that jobs that failed together do not return
 * together.
 */
function backOffMs(attempts: number): number {
  const base = Math.min(600_000, 1_000 * 2 ** Math.min(attempts - 1, 12));
  return base + randomInt(Math.ceil(base / 4) + 1);
}
