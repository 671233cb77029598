/** How far a chain was read, and the newest blocks, to find the way back when the chain gives up some of them. */
import { NetworkError } from '../../port/connector.ts';
import type { BlockRef, Cursor } from '../../port/receiving.ts';

export type UtxoCursor = {
  readonly height: number;
  readonly hash: string;
  readonly time: number; // of the block, in seconds, as the node gives it
  /** The newest blocks read, ascending, this one last: as many as may still be reorganised. */
  readonly recent: readonly (readonly [height: number, hash: string])[];
  /** Outputs of coinbases to us, held back until they can be spent. */
  readonly immature: readonly ImmatureOutput[];
  /** Set by an operator: the blocks above this one, up to `height`, are to be read once more. */
  readonly rereadAbove?: number;
};

export type ImmatureOutput = {
  readonly targetKey: string;
  readonly txHash: string;
  readonly index: string;
  readonly units: string; // JSON has no bigint
  readonly block: { readonly hash: string; readonly height: number; readonly time: number };
};

export const blockRef = (block: { hash: string; height: number; time: number }): BlockRef => ({
  hash: block.hash,
  height: block.height,
  time: new Date(block.time * 1000),
});

export function readCursor(stored: Cursor): UtxoCursor {
  const cursor = stored as Partial<UtxoCursor>;
  if (typeof cursor.height !== 'number' || typeof cursor.hash !== 'string' || !Array.isArray(cursor.recent)) {
    throw new NetworkError('The stored cursor was not made by this connector.', { isRetryable: false });
  }
  return {
    height: cursor.height,
    hash: cursor.hash,
    time: cursor.time ?? 0,
    recent: cursor.recent,
    immature: cursor.immature ?? [],
    ...(typeof cursor.rereadAbove === 'number' && { rereadAbove: cursor.rereadAbove }),
  };
}

/** The cursor after one more block. */
export function advance(
  cursor: UtxoCursor,
  block: { hash: string; height: number; time: number },
  depth: number,
): UtxoCursor {
  const recent = [...cursor.recent, [block.height, block.hash] as const].slice(-depth);
  return { ...cursor, height: block.height, hash: block.hash, time: block.time, recent };
}

/**
 * A cursor that stays where it is, but reads its newest blocks again besides the new ones. Moving it back would be
 * simpler, but would forget the blocks above: if the chain gave up one of them meanwhile, nobody would notice.
 */
export function rewindUtxoCursor(stored: Cursor, blocks: number): { cursor: Cursor; firstBlock: number } {
  const cursor = readCursor(stored);
  const rereadAbove = Math.max(-1, Math.min(cursor.height - blocks, cursor.rereadAbove ?? cursor.height));
  return { cursor: { ...cursor, rereadAbove }, firstBlock: rereadAbove + 1 };
}
