/**
 * By what a booking is known again. Banks give no number that all of them keep unique, so a booking is what is told of it,
 * its likeness; and because two equal bookings on one day are genuine, also which one it is of its likes.
 *
 * Which one it is, is counted over the day and not within a document: a day may be split over pages, statements and files.
 * Whoever reads a document says how many of a likeness came in the documents before it: bookings of statements that follow
 * each other are different ones, so the count goes on. A document that tells again what an earlier one told (a report of
 * the day so far) counts from nothing, and meets the identities that are known.
 */
import { createHash } from 'node:crypto';
import type { BankDetail, BankEntry } from './bank-statement.ts';
import { detailTexts } from './detail-texts.ts';

/**
 * `account` is ours, however the bank wrote it. The bank's reference is part of it where the bank gave this detail one: that
 * of an entry with several details is common to them, and a placeholder was read as none.
 */
export function likenessOf(account: string, entry: BankEntry, detail: BankDetail): string {
  const told = [
    account,
    entry.bookingDay ?? entry.valueDay ?? '',
    detail.direction,
    entry.currency,
    String(detail.units),
    detail.servicerRef ?? '',
    detail.txId ?? '',
    detail.uetr ?? '',
    detail.endToEndId ?? '',
    detail.payer.iban ?? detail.payer.other ?? '',
    squeezed(detailTexts(entry, detail).join('')),
  ];
  return createHash('sha256').update(JSON.stringify(told)).digest('hex');
}

/** Banks wrap, pad and upper-case texts differently each time they print them. */
const squeezed = (text: string): string => text.replaceAll(/\s+/g, '').toUpperCase();

/** Counts on from what is known: the next ordinal of a likeness, the first is 1. */
export function countOrdinals(known: ReadonlyMap<string, number> = new Map()): (likeness: string) => number {
  const counts = new Map<string, number>();
  return (likeness) => {
    const ordinal = (counts.get(likeness) ?? known.get(likeness) ?? 0) + 1;
    counts.set(likeness, ordinal);
    return ordinal;
  };
}

export const identityOf = (likeness: string, ordinal: number): string =>
  createHash('sha256').update(`${likeness} ${ordinal}`).digest('hex');
