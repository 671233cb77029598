/** What an import brought, for people: at the command line, beside the file in its folder, and at the operator's page. */
import { formatFixed, fromUnits } from '../money/decimal.ts';
import type { BankAsset, KindSum } from './accept-store.ts';
import { answerKind } from './booking-fate.ts';
import type { ImportedDocument, ImportedFile } from './import-bank-file.ts';
import { type Brought, broughtLines } from './what-it-brought.ts';

export type ShownKind = { readonly kind: string; readonly count: number; readonly amount: string };

export type ShownDocument = {
  readonly name: string;
  readonly kind: string;
  /** Null: it was accepted earlier. */
  readonly position: number | null;
  readonly bookings: number;
  /** Told by another document before. */
  readonly known: number;
  readonly kinds: readonly ShownKind[];
  readonly closingBalance: string | null;
};

export type ShownImport = {
  readonly network: string;
  readonly asset: string;
  /** Under this id the file is kept; null: nothing of it was new. */
  readonly fileId: string | null;
  readonly documents: readonly ShownDocument[];
};

export type ImportOutcome = { readonly imported: ShownImport } | { readonly refused: string };

/** With all its decimals, as banks write it. */
export const bankAmount = ({ scale }: BankAsset, units: bigint): string => formatFixed(fromUnits(units, scale), scale);

export const shownKinds = (asset: BankAsset, kinds: readonly KindSum[]): ShownKind[] =>
  kinds.map(({ kind, count, units }) => ({ kind, count, amount: bankAmount(asset, units) }));

const shownDocument = (asset: BankAsset, document: ImportedDocument): ShownDocument => ({
  name: document.name,
  kind: document.kind,
  position: document.position,
  bookings: document.recordCount,
  known: document.knownCount,
  kinds: shownKinds(asset, document.kinds),
  closingBalance: document.closingUnits === null ? null : bankAmount(asset, document.closingUnits),
});

export const shownImport = ({ network, asset, fileId, documents }: ImportedFile): ShownImport => ({
  network,
  fileId,
  asset: asset.assetCode,
  documents: documents.map((document) => shownDocument(asset, document)),
});

const counted = (count: number, one: string, many: string): string => `${count} ${count === 1 ? one : many}`;

/** An answer to a payment file has none: it speaks of the file, of its batches and of its payments. */
export const bookingsTold = (kind: string, count: number): string | null =>
  kind === answerKind ? null : counted(count, 'booking', 'bookings');

/** `payment-in` is for programs; `seen` is what is told before it is booked. */
export const kindWords = (kind: string): string => (kind === 'seen' ? 'announced' : kind.replaceAll('-', ' '));

/**
 * A line for each document, and below it one for each kind of booking; or, once they were looked at, below all of them what
 * became of the bookings.
 */
export function importLines({ documents, asset }: ShownImport, brought: Brought | null = null): string[] {
  const fresh = documents.filter(({ position }) => position !== null);
  const head =
    fresh.length === 0
      ? 'Nothing is new: all of it was accepted earlier.'
      : `Accepted: ${counted(fresh.length, 'document', 'documents')}${
          fresh.length < documents.length ? `; ${documents.length - fresh.length} had been accepted earlier` : ''
        }.`;
  const told = (document: ShownDocument): string[] =>
    documentLines(brought === null ? document : { ...document, kinds: [] }, asset);
  return [head, ...fresh.flatMap(told), ...(brought === null ? [] : broughtLines(brought))];
}

/** What is announced, or answered, moves nothing. */
const sumTold = (amount: string, asset: string): string => (/[1-9]/.test(amount) ? `: ${amount} ${asset}` : '');

function documentLines(document: ShownDocument, asset: string): string[] {
  const { name, known, kinds, closingBalance } = document;
  const told = bookingsTold(document.kind, document.bookings);
  const parts = [
    ...(told === null ? [] : [told]),
    ...(known > 0 ? [`${known} told before`] : []),
    ...(closingBalance === null ? [] : [`balance ${closingBalance} ${asset}`]),
  ];
  return [
    parts.length === 0 ? name : `${name}: ${parts.join(', ')}`,
    ...kinds.map(({ kind, count, amount }) => `  ${count} × ${kindWords(kind)}${sumTold(amount, asset)}`),
  ];
}
