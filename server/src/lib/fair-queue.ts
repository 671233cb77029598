/**
 * Who waits for something that is done one after the other. Parties have turns: whoever has much waiting waits for itself, and
 * whoever has one thing is next but for one thing of each other. A party has so many places, and all together so many; where
 * those are taken, the party with the longest line gives one up for who has less. Pure.
 */
export type FairQueue<Item> = {
  /** What found no place: the item itself, one that gave way to it, or null. */
  add(party: string, item: Item): Item | null;
  /** Whose turn it is. */
  next(): Item | undefined;
  size(): number;
};

export type QueuePlaces = { readonly perParty: number; readonly inAll: number };

export function createFairQueue<Item>({ perParty, inAll }: QueuePlaces): FairQueue<Item> {
  /** In the order of their turns. */
  const lines = new Map<string, Item[]>();
  let size = 0;

  /** Null: nobody has more than who comes would have. */
  function takeFromLongest(besides: number): Item | null {
    let longest: Item[] = [];
    for (const line of lines.values()) if (line.length > longest.length) longest = line;
    return longest.length > besides ? (longest.pop() ?? null) : null;
  }

  return {
    add(party, item) {
      const line = lines.get(party) ?? [];
      if (line.length >= perParty) return item;
      const displaced = size < inAll ? null : takeFromLongest(line.length + 1);
      if (size >= inAll && displaced === null) return item;
      line.push(item);
      lines.set(party, line);
      if (displaced === null) size += 1;
      return displaced;
    },
    next() {
      for (const [party, line] of lines) {
        lines.delete(party);
        const item = line.shift();
        if (line.length > 0) lines.set(party, line);
        size -= 1;
        return item;
      }
      return undefined;
    },
    size: () => size,
  };
}
