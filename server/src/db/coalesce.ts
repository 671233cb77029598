/**
 * Does together what is asked for at the same time: many small statements, or many small commits, become one.
 *
 * While nothing is running, an item waits for the rest of its turn of the event loop and no longer. Under load, items
 * gather while earlier batches run, so batches grow exactly as far as they have to. Everyone gets an answer of their
 * own, and only when their part is done. A batch that fails is done again one by one, so that nobody fails for a
 * neighbour's reason: whatever the error says, unless the database, asked, does not answer at all.
 *
 * Rejected: waiting a few milliseconds for more to come. It makes the quiet hours slower and the busy ones no faster.
 */
import { assert } from '../lib/assert.ts';
import { isDatabaseAway, noAnswer } from './database.ts';

export type Batch<Item, Result> = (items: readonly Item[]) => Promise<readonly Result[]>;

type Waiting<Item, Result> = {
  readonly item: Item;
  readonly resolve: (result: Result) => void;
  readonly reject: (error: unknown) => void;
};

/** Fewer than this are not divided: a statement has a price of its own. */
const worthSharing = 8;

/** `run` answers in the order of its items. It must be harmless to repeat after it failed. */
export function coalesce<Item, Result>(
  run: Batch<Item, Result>,
  limits: { readonly batchesAtOnce: number; readonly itemsMax: number },
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
        // Whose error it is was not found out, and it may be one that is only true of that one.
        const reason = isDatabaseAway(error) ? error : noAnswer(error);
        for (const { reject } of batch) reject(reason);
      }
    }
  }

  function startBatches(): void {
    isStarting = false;
    while (running < limits.batchesAtOnce && waiting.length > 0) {
      // What came in one burst is shared out, or everybody would wait for PostgreSQL and then PostgreSQL for us.
      const share = Math.max(Math.ceil(waiting.length / (limits.batchesAtOnce - running)), worthSharing);
      running += 1;
      void settle(waiting.splice(0, Math.min(share, limits.itemsMax))).finally(() => {
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
