/** How far a chain was read, and the newest blocks, to find the way back when the chain gives up some of them. */
import { NetworkError } from '../../port/connector.ts';
import type { BlockRef, Cursor } from '../../port/receiving.ts';
import type { EvmHeader } from './evm-block.ts';

export type EvmCursor = {
  readonly height: number;
  readonly hash: string;
  readonly time: number; // of the block, in seconds
  /** The newest blocks read, ascending, this one last: as many as may still be reorganised. */
  readonly recent: readonly (readonly [height: number, hash: string])[];
  /** The block at which balances were compared last, and the target after which the next comparison goes on. */
  readonly balancesAt: string;
  readonly balancesAfter: string;
  /** How many times balances were compared. */
  readonly balancesRound: number;
  /** Set by an operator: the blocks above this one, up to `height`, are to be read once more. */
  readonly rereadAbove?: number;
};

export const cursorBlock = (cursor: EvmCursor): BlockRef => ({
  hash: cursor.hash,
  height: cursor.height,
  time: new Date(cursor.time * 1000),
});

export function readEvmCursor(stored: Cursor): EvmCursor {
  const cursor = stored as Partial<EvmCursor>;
  if (
    typeof cursor.height !== 'number' ||
    typeof cursor.hash !== 'string' ||
    typeof cursor.time !== 'number' ||
    !Array.isArray(cursor.recent)
  ) {
    throw new NetworkError('The stored cursor was not made by this connector.', { isRetryable: false });
  }
  return {
    height: cursor.height,
    hash: cursor.hash,
    time: cursor.time,
    recent: cursor.recent as EvmCursor['recent'],
    balancesAt: cursor.balancesAt ?? '',
    balancesAfter: cursor.balancesAfter ?? '',
    balancesRound: cursor.balancesRound ?? 0,
    ...(typeof cursor.rereadAbove === 'number' && { rereadAbove: cursor.rereadAbove }),
  };
}

/** The cursor after one more block. */
export function advanceEvmCursor(cursor: EvmCursor, block: EvmHeader, depth: number): EvmCursor {
  const recent = [...cursor.recent, [block.height, block.hash] as const].slice(-depth);
  return { ...cursor, height: block.height, hash: block.hash, time: block.time, recent };
}

/** A cursor that stays where it is, but reads its newest blocks again. Moved back, it would forget the blocks above. */
export function rewindEvmCursor(stored: Cursor, blocks: number): { cursor: Cursor; firstBlock: number } {
  const cursor = readEvmCursor(stored);
  const rereadAbove = Math.max(-1, Math.min(cursor.height - blocks, cursor.rereadAbove ?? cursor.height));
  return { cursor: { ...cursor, rereadAbove }, firstBlock: rereadAbove + 1 };
}
