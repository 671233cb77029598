/**
 * What was made lately, so that whoever asks again for the same costs nothing: by a key that says all of what it was made from.
 * What several ask for at once is made once. Of all that was made, the youngest are kept, and so many bytes of them.
 */
import { waitOutside } from './wait-outside.ts';

export type KeptResults<Result> = { of(key: string, make: () => Promise<Result>): Promise<Result> };

export function createKeptResults<Result>(options: {
  readonly bytesMax: number;
  readonly bytesOf: (result: Result) => number;
}): KeptResults<Result> {
  const { bytesMax, bytesOf } = options;
  /** The last one that was asked for is the last. */
  const kept = new Map<string, Result>();
  const underWay = new Map<string, Promise<Result>>();
  let bytes = 0;

  function keep(key: string, result: Result): void {
    if (bytesOf(result) > bytesMax) return;
    kept.set(key, result);
    bytes += bytesOf(result);
    for (const [oldest, its] of kept) {
      if (bytes <= bytesMax) return;
      kept.delete(oldest);
      bytes -= bytesOf(its);
    }
  }

  return {
    async of(key, make) {
      const known = kept.get(key);
      if (known !== undefined) {
        kept.delete(key);
        kept.set(key, known);
        return known;
      }
      const others = underWay.get(key);
      if (others) return waitOutside(() => others);
      const made = make();
      underWay.set(key, made);
      try {
        const result = await made;
        keep(key, result);
        return result;
      } finally {
        underWay.delete(key);
      }
    },
  };
}
