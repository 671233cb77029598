/**
 * How far documents were read, and what must be known of those that were: how the last one closed, up to which day
 * statements have said all, and which days are not a fortnight ago yet.
 */
import type { Day } from '../../../lib/local-day.ts';
import { NetworkError } from '../../port/connector.ts';
import type { AcceptedDocument, DocumentPlace } from '../../port/documents.ts';
import type { BlockRef, Cursor } from '../../port/receiving.ts';
import type { RewoundCursor } from '../../port/registered-network.ts';

export type BankCursor = {
  readonly place: DocumentPlace;
  /** The document that was read last, whole or in part. */
  readonly tip: { readonly hash: string; readonly time: string } | null;
  /** Units with which the last crediting document that was read whole ended; null: there was none yet, or it has no balance. */
  readonly closing: string | null;
  /** Whether a crediting document was read that says what lay there before it. */
  readonly isOpened: boolean;
  /** Units of all that was booked until then: of notices, which have no balance. */
  readonly bookedBefore: string;
  /** Part of a crediting document is read: the books are between two balances. */
  readonly isWithin: boolean;
  readonly coveredTo: Day | null;
  /** Likewise, but with a balance that proves it. Left out in cursors that are older than this. */
  readonly provenTo?: Day | null;
  /** All up to this position are final. */
  readonly finalTo: number;
  /** Of those after it, the last position of each time, both growing: a document is no more final than those before it. */
  readonly notFinal: readonly (readonly [position: number, time: string])[];
};

export const firstBankCursor: BankCursor = {
  place: { position: 0, number: 0 },
  tip: null,
  closing: null,
  isOpened: false,
  bookedBefore: '0',
  isWithin: false,
  coveredTo: null,
  provenTo: null,
  finalTo: 0,
  notFinal: [],
};

export function readBankCursor(stored: Cursor | null): BankCursor {
  if (stored === null) return firstBankCursor;
  const { place } = stored as Partial<BankCursor>;
  if (typeof place?.position !== 'number' || typeof place.number !== 'number')
    throw new NetworkError('The stored cursor was not made by this connector.', { isRetryable: false });
  return stored as BankCursor;
}

export const blockOf = ({ position, digest, time }: AcceptedDocument): BlockRef => ({
  hash: digest,
  height: position,
  time,
});

export function tipOf({ place, tip }: BankCursor): BlockRef {
  if (tip) return { hash: tip.hash, height: place.position, time: new Date(tip.time) };
  return { hash: `document-${place.position}`, height: place.position, time: new Date(0) };
}

/** With these documents read too, at this moment. */
export function withDocuments(
  { finalTo, notFinal }: Pick<BankCursor, 'finalTo' | 'notFinal'>,
  documents: readonly AcceptedDocument[],
  finalBefore: Date,
): Pick<BankCursor, 'finalTo' | 'notFinal'> {
  const open = [...notFinal];
  for (const { position, time } of documents) {
    const last = open.at(-1);
    if (position <= finalTo || (last && position <= last[0])) continue;
    const told = time.toISOString();
    if (last && told <= last[1]) open[open.length - 1] = [position, last[1]];
    else open.push([position, told]);
  }
  const firstOpen = open.findIndex(([, time]) => new Date(time) > finalBefore);
  const passed = firstOpen === -1 ? open.length : firstOpen;
  return { finalTo: open[passed - 1]?.[0] ?? finalTo, notFinal: open.slice(passed) };
}

/**
 * Documents are accepted for good, so a cursor can simply go back: what is read again is known already. Until there was a
 * balance it goes back to the beginning, because it counts what was booked.
 */
export function rewindBankCursor(stored: Cursor, documents: number): RewoundCursor {
  const cursor = readBankCursor(stored);
  if (cursor.isOpened && documents === 0) return { cursor, firstBlock: cursor.place.position + 1 };
  const before = cursor.isOpened ? Math.max(0, cursor.place.position - documents) : 0;
  const bookedBefore = cursor.isOpened ? cursor.bookedBefore : '0';
  return {
    // Before the document itself: it may have no bookings.
    cursor: { ...cursor, place: { position: before + 1, number: -1 }, tip: null, isWithin: true, bookedBefore },
    firstBlock: before + 1,
  };
}
