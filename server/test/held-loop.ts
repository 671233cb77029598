/**
 * For how long a request holds the event loop, on which everybody else waits: the longest turn of the loop while it is
 * answered. No clock of a busy machine decides: a turn counts what this thread has computed (or the time, where that is
 * less), and is compared with known work that is done beside it. Whoever asks is a thread of its own, so that only the
 * service's work counts. What is too long is tried again: chance makes one try slow, a slow request is slow every time.
 */
import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import type { Asked, AskedAnswer } from './asking-thread.ts';

/** In known works. On a machine that does nothing else, one takes a millisecond. */
export const heldAtMost = 50;
const triesMax = 6;

export type Held = { readonly works: number; readonly answer: AskedAnswer };

const sample = JSON.stringify(
  Array.from({ length: 360 }, (_, at) => ({
    at,
    name: `Row ${at} of <something> & more`.repeat(3),
    price: `${at}.50`,
  })),
);

/** What services do all day: JSON is read and written, texts are searched, replaced and put together, rows are sorted. */
export function knownWork(): number {
  const rows = JSON.parse(sample) as { at: number; name: string; price: string }[];
  const byName = new Map(rows.map((row) => [`${row.name} ${row.at}`, row]));
  const sorted = [...byName.keys()].toSorted();
  let page = '';
  for (const name of sorted) page += `<td>${name.replaceAll(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`)}</td>`;
  let sum = 0n;
  for (const { price } of rows) sum += BigInt(price.replace('.', '')) * 10_007n;
  return JSON.stringify(rows).length + page.split('&').length + Number(sum % 97n);
}

const spentMs = (): number => {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
};

/** Starts a measurement of what this thread does from here on; gives it as the lesser of what was computed and what passed. */
function stopwatch(): () => number {
  const [spent, began] = [spentMs(), performance.now()];
  return () => Math.min(spentMs() - spent, performance.now() - began);
}

/** Milliseconds of one known work, measured as what is compared with it. */
export function knownWorkMs(): number {
  const stop = stopwatch();
  for (let again = 0; again < repeated; again += 1) knownWork();
  return stop() / repeated;
}
const repeated = 12;
for (let warm = 0; warm < 100; warm += 1) knownWork();
/** The quickest that was seen. What is short even beside this needs no second look. */
let quickestMs = Math.min(...Array.from({ length: 5 }, knownWorkMs));

/** Counts turns of the loop from here on; what it gives ends that, and says how long the longest one was. */
export function countTurns(): () => Promise<number> {
  let longest = 0;
  let isOver = false;
  let turn = stopwatch();
  const look = (): void => {
    longest = Math.max(longest, turn());
    if (isOver) return;
    turn = stopwatch();
    setImmediate(look);
  };
  setImmediate(look);
  return async () => {
    isOver = true;
    await new Promise((resolve) => setImmediate(resolve));
    return longest;
  };
}

/** The longest turn of the loop while something is done. */
export async function longestTurnMs<T>(work: () => Promise<T>): Promise<{ readonly ms: number; readonly result: T }> {
  const stop = countTurns();
  try {
    return { result: await work(), ms: await stop() };
  } finally {
    await stop();
  }
}

export type Asker = {
  held(asked: () => Asked, options?: { readonly tries?: number }): Promise<Held>;
  ask(asked: Asked): Promise<AskedAnswer>;
  end(): Promise<void>;
};

export function createAsker(): Asker {
  const worker = new Worker(new URL('./asking-thread.ts', import.meta.url));
  const ask = async (asked: Asked): Promise<AskedAnswer> => {
    const answered = once(worker, 'message'); // Rejected where the thread ends with an error.
    worker.postMessage(asked);
    const [answer] = (await answered) as [AskedAnswer | { readonly error: string }];
    if ('error' in answer) throw new Error(answer.error);
    return answer;
  };
  return {
    ask,
    async held(asked, { tries = triesMax } = {}) {
      let least: Held | null = null;
      for (let attempt = 0; attempt < tries; attempt += 1) {
        const next = asked();
        const { ms, result } = await longestTurnMs(() => ask(next));
        let works = ms / quickestMs;
        if (works > heldAtMost) {
          const besideMs = knownWorkMs();
          quickestMs = Math.min(quickestMs, besideMs);
          works = ms / besideMs;
        }
        if (least === null || works < least.works) least = { works, answer: result };
        if (least.works <= heldAtMost) break;
      }
      return least as Held;
    },
    async end() {
      await worker.terminate();
    },
  };
}
