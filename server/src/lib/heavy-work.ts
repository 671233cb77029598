/**
 * What is heavy by nature, such as PDFs and pictures, is done by threads beside the event loop, on which everybody else waits. A
 * task is a function of a module, called there with plain data. Parties (merchants) have turns, so that much of one holds up
 * nobody else; what finds no place is refused at once, with how long to wait. A task has a limit of time, after which its thread
 * is ended: no other way stops a computation. Threads begin when there is work, and end when there has been none for a while.
 */
import { availableParallelism } from 'node:os';
import { Worker } from 'node:worker_threads';
import { GatewayError, tryLater } from './errors.ts';
import { createFairQueue, type QueuePlaces } from './fair-queue.ts';
import type { ThreadAnswer, ThreadOrder } from './heavy-thread.ts';
import { waitOutside } from './wait-outside.ts';
import { withBuffers } from './with-buffers.ts';

/** `Run`: the type of the function. What it is given and returns can be cloned; bytes, also one level down, arrive as a Buffer. */
export type HeavyTask<Run> = {
  /** In the metrics. */
  readonly name: string;
  /** `import.meta.resolve(…)` */
  readonly module: string;
  /** Its name in the module. */
  readonly run: string;
  readonly seconds: number;
  /** Only for the compiler: of what type the function is. */
  readonly type?: Run;
};

// biome-ignore lint/suspicious/noExplicitAny: the arguments of any function
type AnyRun = (...given: any[]) => unknown;

export type HeavyOutcome = 'done' | 'failed' | 'late' | 'refused';

export type HeavyWork = {
  /** Throws what the function throws; `tryLater` where there is no place, or no time. */
  run<Run extends AnyRun>(
    task: HeavyTask<Run>,
    party: string,
    ...given: Parameters<Run>
  ): Promise<Awaited<ReturnType<Run>>>;
  waiting(): number;
  threads(): number;
  /** Refuses what waits, and ends all threads. */
  end(): Promise<void>;
};

export type HeavyOptions = {
  readonly threadsMax: number;
  readonly places: QueuePlaces;
  readonly idleMs: number;
  /** Of one thread: what needs more ends the thread, and not the process. */
  readonly memoryMb: number;
  readonly onEnd: (about: { task: string; outcome: HeavyOutcome; seconds: number; waitedSeconds: number }) => void;
};

/** One processor is left to the event loop. A PDF of the largest charge takes a second or two. */
export const usualHeavyOptions: HeavyOptions = {
  threadsMax: Math.max(1, Math.min(4, availableParallelism() - 1)),
  places: { perParty: 8, inAll: 64 },
  idleMs: 60_000,
  memoryMb: 512,
  onEnd: () => undefined,
};

const waitSeconds = 5;

const refused = (): GatewayError =>
  tryLater('heavy_work_waits', 'Many documents are being made right now. Please try again in a moment.', waitSeconds);

const tookTooLong = (): GatewayError =>
  tryLater('heavy_work_late', 'This could not be made in time. Please try again later.', 60);

type Job = {
  readonly task: HeavyTask<unknown>;
  readonly order: ThreadOrder;
  readonly askedAt: number;
  resolve(output: unknown): void;
  reject(error: unknown): void;
};

type Thread = {
  readonly worker: Worker;
  job: { readonly job: Job; readonly startedAt: number; readonly timer: NodeJS.Timeout } | null;
  idle: NodeJS.Timeout | null;
};

export function createHeavyWork(options: Partial<HeavyOptions> = {}): HeavyWork {
  const { threadsMax, places, idleMs, memoryMb, onEnd } = { ...usualHeavyOptions, ...options };
  const queue = createFairQueue<Job>(places);
  const threads = new Set<Thread>();
  const ending = new Set<Promise<unknown>>();
  let isEnded = false;

  function refuse({ task, askedAt, reject }: Job): void {
    onEnd({ task: task.name, outcome: 'refused', seconds: 0, waitedSeconds: secondsSince(askedAt) });
    reject(refused());
  }

  /** The others wait no longer for it than until it is out of the way. */
  function retire(thread: Thread): void {
    if (!threads.delete(thread)) return;
    clearTimeout(thread.idle ?? undefined);
    const ended = thread.worker.terminate().finally(() => ending.delete(ended));
    ending.add(ended);
  }

  function finish(thread: Thread, outcome: HeavyOutcome, settle: (job: Job) => void): void {
    const current = thread.job;
    if (!current) return;
    thread.job = null;
    clearTimeout(current.timer);
    const { job, startedAt } = current;
    const waitedSeconds = (startedAt - job.askedAt) / 1000;
    onEnd({ task: job.task.name, outcome, seconds: secondsSince(startedAt), waitedSeconds });
    settle(job);
  }

  function begin(): Thread {
    // It needs nothing of what the process knows, such as secrets in its environment.
    const worker = new Worker(new URL('./heavy-thread.ts', import.meta.url), {
      env: {},
      resourceLimits: { maxOldGenerationSizeMb: memoryMb },
    });
    const thread: Thread = { worker, job: null, idle: null };
    threads.add(thread);
    worker.on('message', (answer: ThreadAnswer) => {
      if ('output' in answer) finish(thread, 'done', ({ resolve }) => resolve(withBuffers(answer.output)));
      else finish(thread, 'failed', ({ reject }) => reject(thrownBy(answer)));
      if (threads.has(thread)) rest(thread);
      serve();
    });
    const die = (error: unknown): void => {
      retire(thread);
      finish(thread, 'failed', ({ reject }) => reject(error));
      serve();
    };
    worker.on('error', die);
    worker.on('messageerror', die);
    worker.on('exit', (code) => die(new Error(`a thread for heavy work ended with ${code}`)));
    return thread;
  }

  /** While it has nothing to do, the process may end. */
  function rest(thread: Thread): void {
    thread.worker.unref();
    thread.idle = setTimeout(() => retire(thread), idleMs).unref();
  }

  function serve(): void {
    if (isEnded) return;
    for (;;) {
      const idle = [...threads].find(({ job }) => job === null);
      if (!idle && threads.size >= threadsMax) return;
      const job = queue.next();
      if (!job) return;
      work(idle ?? begin(), job);
    }
  }

  function work(thread: Thread, job: Job): void {
    clearTimeout(thread.idle ?? undefined);
    thread.worker.ref();
    const timer = setTimeout(() => {
      retire(thread);
      finish(thread, 'late', ({ reject }) => reject(tookTooLong()));
      serve();
    }, job.task.seconds * 1000);
    thread.job = { job, startedAt: performance.now(), timer };
    try {
      thread.worker.postMessage(job.order);
    } catch (error) {
      // Something in it is no data: a mistake of ours.
      finish(thread, 'failed', ({ reject }) => reject(error));
      rest(thread);
    }
  }

  return {
    run: (task, party, ...given) =>
      waitOutside(
        () =>
          new Promise((resolve, reject) => {
            const order = { module: task.module, run: task.run, given };
            const job: Job = {
              task,
              order,
              askedAt: performance.now(),
              resolve: resolve as (output: unknown) => void,
              reject,
            };
            const out = isEnded ? job : queue.add(party, job);
            if (out) refuse(out);
            serve();
          }),
      ),
    waiting: queue.size,
    threads: () => threads.size,
    async end() {
      isEnded = true;
      for (let job = queue.next(); job; job = queue.next()) refuse(job);
      for (const thread of [...threads]) {
        retire(thread);
        finish(thread, 'refused', ({ reject }) => reject(refused()));
      }
      await Promise.all(ending);
    },
  };
}

const secondsSince = (moment: number): number => (performance.now() - moment) / 1000;

/** An expected failure is one here, too. */
const thrownBy = (answer: Exclude<ThreadAnswer, { output: unknown }>): unknown => {
  if (!('expected' in answer)) return answer.error;
  const { code, httpStatus, told, headers, facts } = answer.expected;
  return new GatewayError({ code, httpStatus, message: told, headers: { ...headers }, facts: { ...facts } });
};
