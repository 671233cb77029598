/**
 * Does together what is asked for at the same time: many small statements, or many small commits, become one.
 *
 * While nothing is running, an item waits only for the rest of its turn of the event loop. Under load, items collect
 * while earlier batches run, so batches grow only as far as necessary. Each caller gets its own answer, when its part
 * is done. A batch that fails is done again one by one, so that nobody fails because of another item: whatever the
 * error says, unless the database does not answer at all when it is asked.
 *
 * Rejected: waiting a few milliseconds for more items. It makes quiet hours slower and busy ones no faster.
 */
import { assert } from '../lib/assert.ts';
import { isDatabaseAway, noAnswer } from './database.ts';

export type Batch<Item, Result> = (items: readonly Item[]) => Promise<readonly Result[]>;

type Waiting<Item, Result> = {
  readonly item: Item;
  readonly resolve: (result: Result) => void;
  readonly reject: (error: unknown) => void;
};

export type BatchLimits<Item> = {
  readonly batchesAtOnce: number;
  readonly itemsMax: number;
  /** A batch ends before it would weigh more than this, or has one item. */
  readonly weightMax?: number;
  readonly weightOf?: (item: Item) => number;
};

/** Fewer than this are not divided: each statement has its own cost. */
const worthSharing = 8;

/** `run` answers in the order of its items. It must be safe to repeat after it failed. */
export function coalesce<Item, Result>(
  run: Batch<Item, Result>,
  limits: BatchLimits<Item>,
  isDatabaseThere: () => Promise<boolean>,
): (item: Item) => Promise<Result> {
  const waiting: Waiting<Item, Result>[] = [];
  let running = 0;
  let isStarting = false;

  async function settle(batch: readonly Waiting<Item, Result>[]): Promise<void> {
    try {
      const results = await run(batch.map(({ item }) => item));
      assert(results.length === batch.length, 'a batch answers every item');
      batch.forEach(({ resolve }, position) => resolve(results[position] as Result));
    } catch (error) {
      if (batch.length === 1) for (const { reject } of batch) reject(error);
      else if (await isDatabaseThere()) await Promise.all(batch.map((one) => settle([one])));
      else {
        // We did not find out which item caused the error, so each item gets one that is true of all.
        const reason = isDatabaseAway(error) ? error : noAnswer(error);
        for (const { reject } of batch) reject(reason);
      }
    }
  }

  function batchSize(itemsMax: number): number {
    const { weightOf, weightMax = Number.POSITIVE_INFINITY } = limits;
    let weight = 0;
    let size = 0;
    for (const { item } of waiting) {
      weight += weightOf?.(item) ?? 0;
      if (size === itemsMax || (size > 0 && weight > weightMax)) break;
      size += 1;
    }
    return size;
  }

  function startBatches(): void {
    isStarting = false;
    while (running < limits.batchesAtOnce && waiting.length > 0) {
      // A burst is shared out over the batches. Otherwise everybody would wait for PostgreSQL, and then PostgreSQL for
      // us.
      const share = Math.max(Math.ceil(waiting.length / (limits.batchesAtOnce - running)), worthSharing);
      running += 1;
      void settle(waiting.splice(0, batchSize(Math.min(share, limits.itemsMax)))).finally(() => {
        running -= 1;
        startBatches();
      });
    }
  }

  return (item) =>
    new Promise((resolve, reject) => {
      waiting.push({ item, resolve, reject });
      if (isStarting || running >= limits.batchesAtOnce) return;
      isStarting = true;
      setImmediate(startBatches);
    });
}
