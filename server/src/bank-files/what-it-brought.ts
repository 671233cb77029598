/** What a file brought, in one look: what its bookings became, and whether the books agree with the balance of the bank. */
import type { Query } from '../db/database.ts';
import { present } from '../lib/assert.ts';
import { formatUnits } from '../money/amount.ts';
import { formatFixed, fromUnits } from '../money/decimal.ts';
import type { DocumentPlace } from '../networks/port/documents.ts';
import { isSound } from '../watching/reconcile.ts';
import { lastReconciliations } from '../watching/reconciliation-store.ts';
import type { BankAsset } from './accept-store.ts';
import { bookingFates, fateAdvice, fateWords, isUncounted, movesNothing } from './booking-fate.ts';
import {
  type BroughtDocument,
  documentsOf,
  type FateSum,
  type MatchedBooking,
  matchedBookings,
  sumsByFate,
} from './brought-store.ts';
import { readPlace } from './read-place.ts';

/** 'not credited': it tells a balance of which the books have nothing. */
export type Agreement = 'agree' | 'differ' | 'unknown' | 'no balance' | 'not credited';

export type Brought = {
  readonly asset: BankAsset;
  readonly sums: readonly FateSum[];
  /** The first of those that were matched. */
  readonly matched: readonly MatchedBooking[];
  readonly closingUnits: bigint | null;
  readonly books: Agreement;
  /** By how much the bank holds more than the books say. */
  readonly difference: { readonly units: bigint; readonly scale: number };
  /** Whether all is sorted, and the books were compared since. */
  readonly isSettled: boolean;
};

export const matchedShown = 20;

export async function whatItBrought(
  query: Query,
  ledgerScale: (asset: string) => number,
  file: { readonly id: string; readonly network: string },
): Promise<Brought> {
  const { network } = file;
  const documents = await documentsOf(query, file.id);
  const newest = present(documents.at(-1), 'a document of a file that was accepted');
  const { asset, position: last } = newest;
  const positions = documents.map(({ position }) => position);
  const closed = documents.findLast(hasBalance) ?? documents.findLast((each) => each.closingUnits !== null);
  const closingUnits = closed?.closingUnits ?? null;
  const readTo = await readPlace(query, network);
  const [sums, matched, counts] = await Promise.all([
    sumsByFate(query, network, { positions, readTo }),
    matchedBookings(query, network, { positions, limit: matchedShown }),
    lastReconciliations(query),
  ]);
  const ordered = bookingFates.flatMap((fate) => sums.find((each) => each.fate === fate) ?? []);
  const count = counts.find((each) => each.network === network && (each.countedTo ?? 0) >= last);
  const isRead = isWhole(newest, readTo) && !sums.some(({ fate }) => fate === 'unread');
  const difference = count
    ? { units: count.difference, scale: ledgerScale(count.asset) }
    : { units: 0n, scale: asset.scale };
  const compared = count === undefined ? 'unknown' : isSound(count) ? 'agree' : 'differ';
  const uncompared = closingUnits === null ? 'no balance' : 'not credited';
  const books = closed && hasBalance(closed) ? compared : uncompared;
  return { asset, sums: ordered, matched, closingUnits, books, difference, isSettled: isRead && books !== 'unknown' };
}

const hasBalance = ({ isCrediting, closingUnits }: BroughtDocument): boolean => isCrediting && closingUnits !== null;

const isWhole = ({ position, recordCount }: BroughtDocument, readTo: DocumentPlace): boolean =>
  readTo.position > position || (readTo.position === position && readTo.number >= recordCount);

/** Whether what a file brought can be said. Who waits for it asks this: counting a hundred thousand bookings takes seconds. */
export async function isToldWhole(
  query: Query,
  { id, network }: { readonly id: string; readonly network: string },
): Promise<boolean> {
  const documents = await documentsOf(query, id);
  const newest = present(documents.at(-1), 'a document of a file that was accepted');
  if (!isWhole(newest, await readPlace(query, network))) return false;
  if (!documents.some(hasBalance)) return true;
  const counts = await lastReconciliations(query);
  return counts.some((each) => each.network === network && (each.countedTo ?? 0) >= newest.position);
}

const amount = ({ scale, assetCode }: BankAsset, units: bigint): string =>
  `${formatFixed(fromUnits(units, scale), scale)} ${assetCode}`;

/** A line for each kind of thing that bookings became, with what to do about it; and one about the books. */
export function broughtLines(brought: Brought): string[] {
  const { asset, sums, matched } = brought;
  const more = (sums.find(({ fate }) => fate === 'matched')?.count ?? 0) - matched.length;
  return [
    ...sums.flatMap((sum) => {
      const { fate } = sum;
      const advice = fateAdvice[fate];
      const line = `${fateWords[fate]}${sumWords(asset, sum)}${advice ? `. ${advice}` : ''}`;
      return fate === 'matched'
        ? [line, ...matched.map((each) => `  ${matchedLine(asset, each)}`), ...moreLine(more)]
        : [line];
    }),
    booksSentence(brought),
  ].filter((line) => line !== '');
}

function sumWords(asset: BankAsset, { fate, count, units }: FateSum): string {
  if (isUncounted(fate)) return '';
  return movesNothing.has(fate) ? `: ${count}` : `: ${count}, ${amount(asset, units)}`;
}

const matchedLine = (asset: BankAsset, { units, purpose, ownerId }: MatchedBooking): string =>
  `${amount(asset, units)} for ${purpose} ${ownerId}`;
const moreLine = (more: number): string[] => (more > 0 ? [`  and ${more} more`] : []);

export function booksSentence({ asset, books, closingUnits, difference }: Brought): string {
  if (closingUnits === null) return '';
  const closing = amount(asset, closingUnits);
  if (books === 'agree') return `The books agree with the balance of the bank. It ends with ${closing}.`;
  if (books === 'not credited')
    return `It ends with ${closing}, and credits nothing: the books are compared with messages that do.`;
  if (books === 'unknown') return `It ends with ${closing}. The books are being compared with it.`;
  const { units, scale } = difference;
  const [size, word] = units < 0n ? [-units, 'less'] : [units, 'more'];
  return `It ends with ${closing}, and the books DIFFER: the bank holds ${formatUnits(size, scale)} ${asset.assetCode} ${word} than they say. See Money in the operator’s area.`;
}
