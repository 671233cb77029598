/**
 * Writes down what may be lost, such as a log, without anybody waiting for it: what comes within a moment is written
 * together. While the database is away, or slower than what comes, the newest items are dropped, so memory stays
 * bounded; a failure is told and forgotten.
 */
export type WriteLater<Item> = {
  add(item: Item): void;
  /** Writes what is left. For the end of the process. */
  end(): Promise<void>;
};

const momentMs = 200;
const itemsMax = 1_000;

export function writeLater<Item>(
  write: (items: readonly Item[]) => Promise<void>,
  onFailure: (error: unknown, lost: number) => void,
): WriteLater<Item> {
  let waiting: Item[] = [];
  let isPlanned = false;
  let writing: Promise<void> = Promise.resolve();

  async function writeAll(): Promise<void> {
    const items = waiting;
    waiting = [];
    isPlanned = false;
    if (items.length === 0) return;
    try {
      await write(items);
    } catch (error) {
      onFailure(error, items.length);
    }
  }

  /** One after the other: a slow database gets no more to do. */
  function writeNext(): Promise<void> {
    writing = writing.then(writeAll);
    return writing;
  }

  return {
    add(item) {
      if (waiting.length >= itemsMax) return;
      waiting.push(item);
      if (isPlanned) return;
      isPlanned = true;
      setTimeout(() => void writeNext(), momentMs).unref();
    },
    end: writeNext,
  };
}
