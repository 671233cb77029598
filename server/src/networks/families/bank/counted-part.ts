/** A page of a statement, or all of it, and what its bookings come to. */
import { createHash, type Hash } from 'node:crypto';
import type { Day } from '../../../lib/local-day.ts';
import { type BankEntry, type Page, type StatementKind, type StatementPart, signedUnits } from './bank-statement.ts';

/** What was counted while a part was read. */
export type PartSums = {
  entryCount: number;
  bookedCount: number;
  reversalCount: number;
  booked: bigint; // booked, reversals aside
  reversed: bigint; // booked reversals, as they are marked
  readonly currencies: Set<string>;
  paymentCount: number; // booked, each detail by itself, those of nothing aside
  firstDay: Day | null; // of what is booked
  readonly told: Hash; // all that is told of its bookings
};

export type CountedPart = {
  readonly kind: StatementKind;
  readonly part: StatementPart;
  /** Of the message that it is in, which may have other statements too. */
  readonly message: { readonly page: Page | null; readonly day: Day | null; readonly hasOthers: boolean };
  readonly sums: PartSums;
};

export const noSums = (): PartSums => ({
  entryCount: 0,
  bookedCount: 0,
  reversalCount: 0,
  booked: 0n,
  reversed: 0n,
  currencies: new Set(),
  paymentCount: 0,
  firstDay: null,
  told: createHash('sha256'),
});

export function countEntry(sums: PartSums, entry: BankEntry): void {
  sums.entryCount += 1;
  sums.currencies.add(entry.currency);
  // Detail by detail: an entry may have a hundred thousand of them.
  const { details, unproven, ...alone } = entry;
  for (const told of [{ ...alone, details: details.length }, ...details, ...unproven])
    sums.told.update(JSON.stringify(told, asText));
  if (entry.status !== 'BOOK') return;
  sums.bookedCount += 1;
  sums.paymentCount += entry.details.filter(({ units }) => units !== 0n).length;
  sums.firstDay = earlier(sums.firstDay, entry.bookingDay ?? entry.valueDay);
  if (entry.isReversal) sums.reversalCount += 1;
  sums[entry.isReversal ? 'reversed' : 'booked'] += signedUnits(entry);
}

/** JSON has no integers of any length. */
export const asText = (_name: string, value: unknown): unknown => (typeof value === 'bigint' ? `${value}` : value);

export const earlier = (a: Day | null, b: Day | null): Day | null => (a === null || (b !== null && b < a) ? b : a);
