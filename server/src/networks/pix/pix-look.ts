/**
 * One look at the provider: what came since the cursor, and one part of the past once more. The past matters, because a
 * payment can be contested for 80 days and is listed under the day on which it was made, whenever it is given back.
 */
import { NetworkError } from '../port/connector.ts';
import type { PixApi } from './pix-api.ts';
import { day, firstCursor, minute, overlapMs, type PixCursor, spanMs, startOf } from './pix-cursor.ts';
import { type Listing, listPix, type Span } from './pix-listing.ts';
import type { ListedPix } from './received-pix.ts';

export type Look = {
  /** In time for the first time, as far as we know. */
  readonly news: readonly ListedPix[];
  /** Looked at once more, because it may have been given back, or came to the list late. */
  readonly again: readonly ListedPix[];
  readonly cursor: PixCursor;
  /** The provider's time. */
  readonly at: Date;
};

/** After this nothing is given back any more: 80 days to contest, and as long as banks take to decide, at most. */
export const reversibleMs = 120 * day;
/** The days in which what is listed late, or by another clock, is found all the same. */
const unsureMs = 2 * day;
/** Longer than the overlap, so that every look gets on. */
const shortestMs = 60 * minute;

/** `againMs`: how long after the whole past was looked at it is looked at once more. */
export async function lookAtPix(
  api: PixApi,
  stored: PixCursor | null,
  { now, againMs }: { readonly now: Date; readonly againMs: number },
): Promise<Look> {
  const cursor = stored ?? firstCursor(await timeThere(api, now));
  const from = startOf(cursor);
  const isFarBehind = now.getTime() > cursor.readTo + day;
  const { listing, span } = await listNarrowed(api, {
    from: new Date(from),
    to: new Date(isFarBehind ? from + spanMs : cursor.readTo + day),
  });
  const at = listing.at.getTime();
  // A clock that was ahead is corrected: then it was not read as far as we thought. What is missing is looked for again
  // in the same span.
  const readTo = Math.min(listing.isWhole ? span.to.getTime() : cursor.readTo, at);
  const newest = Math.min(readTo, listing.isWhole ? newestOf(listing.pix, cursor.newest) : cursor.newest);
  const isCaughtUp = listing.isWhole && readTo === at;
  const past = isCaughtUp ? await lookBack(api, cursor.again, at, againMs) : null;
  return {
    news: listing.pix,
    again: past?.pix ?? [],
    cursor: { readTo, newest, again: past?.next ?? cursor.again, told: cursor.told },
    at: listing.at,
  };
}

/** Nobody knows the provider's time before it has answered something. */
async function timeThere(api: PixApi, now: Date): Promise<number> {
  const span = { from: new Date(now.getTime() - overlapMs), to: now };
  return (await listNarrowed(api, span)).listing.at.getTime();
}

/** Within a span in which too much happened, only its first part. */
async function listNarrowed(api: PixApi, whole: Span): Promise<{ listing: Listing; span: Span }> {
  for (let span = whole; ; ) {
    const length = span.to.getTime() - span.from.getTime();
    const listing = await listPix(api, span, length <= shortestMs);
    if (listing !== 'too many') return { listing, span };
    span = { ...span, to: new Date(span.from.getTime() + Math.max(shortestMs, Math.floor(length / 2))) };
  }
}

/** As it is written: what is not ours need not be right, and a wrong time moves nothing. */
function newestOf(pix: readonly ListedPix[], known: number): number {
  const times = pix.map(({ horario }) => (typeof horario === 'string' ? Date.parse(horario) : Number.NaN));
  return times.reduce((most, time) => (time > most ? time : most), known);
}

type Past = { readonly pix: readonly ListedPix[]; readonly next: PixCursor['again'] };

/** A part per look, from the newest to the oldest. Null: not yet time for it. */
async function lookBack(api: PixApi, again: PixCursor['again'], at: number, againMs: number): Promise<Past | null> {
  if (again.before === null && at < again.due) return null;
  // A look at the past that was broken off for months begins anew.
  const before = again.before !== null && again.before > at - reversibleMs ? again.before : null;
  const isNewest = before === null;
  const from = Math.max(at - reversibleMs, isNewest ? at - unsureMs : before - spanMs);
  const listing = await listPix(
    api,
    { from: new Date(from), to: new Date(isNewest ? at + day : before), onlyReturned: !isNewest },
    true,
  );
  if (listing === 'too many') throw new NetworkError('The Pix provider lists too much.', { isRetryable: true });
  const isOver = from <= at - reversibleMs;
  return {
    pix: listing.pix,
    next: isOver ? { before: null, due: at + againMs } : { before: from, due: again.due },
  };
}
