/**
 * How far we have read. All times are the provider's own: two clocks need not agree. In milliseconds, because a cursor
 * is JSON.
 */
import { NetworkError } from '../port/connector.ts';
import type { Cursor } from '../port/receiving.ts';

export type PixCursor = {
  /** Up to here everything was read. */
  readonly readTo: number;
  /**
   * The time of the newest Pix that we saw, whosever it is. What comes next is listed by the same clock, even if that
   * differs from the clock of the provider's answers.
   */
  readonly newest: number;
  /** The next part of the past to be looked through once more ends here; the whole past again from `due` on. */
  readonly again: { readonly before: number | null; readonly due: number };
  /** What went back within the overlap and was told: told once more, it would look like news for ever. */
  readonly told: readonly string[];
};

export const minute = 60_000;
export const day = 24 * 60 * minute;

/** What was booked a little earlier may be listed a little later. */
export const overlapMs = 15 * minute;
/** So far back a quiet account is read at every look. */
const quietMs = 2 * day;
/** Not every provider answers for a longer span. */
export const spanMs = 5 * day;

export function readPixCursor(stored: Cursor): PixCursor {
  const { readTo, newest, again, told = [] } = stored as Partial<PixCursor>;
  const isOurs = typeof readTo === 'number' && typeof newest === 'number' && typeof again?.due === 'number';
  if (isOurs) return { readTo, newest, again, told };
  throw new NetworkError('The stored cursor was not made by this connector.', { isRetryable: false });
}

/** What came within the last day is read too: nobody knows how the clocks differ yet, and only what is ours counts. */
export const firstCursor = (now: number): PixCursor => ({
  readTo: now - day,
  newest: now - day,
  again: { before: null, due: now },
  told: [],
});

export const startOf = ({ readTo, newest }: PixCursor): number =>
  Math.max(Math.min(newest, readTo), readTo - quietMs) - overlapMs;

/** Lets the last minutes be read again, as many as there would be blocks. */
export function rewindPixCursor(stored: Cursor, minutes: number): { cursor: Cursor; firstBlock: number } {
  const cursor = readPixCursor(stored);
  const readTo = Math.max(0, cursor.readTo - minutes * minute);
  return {
    cursor: { ...cursor, readTo, newest: Math.min(cursor.newest, readTo) },
    firstBlock: Math.floor(readTo / minute),
  };
}
