/**
 * What is kept of a file that was accepted, as JSON: of each statement how it opened and closed, of each booking all that
 * `observe` needs. Nothing of the file itself has to be read again.
 */

import { withoutHidden } from '../../../lib/hidden-characters.ts';
import type { Day } from '../../../lib/local-day.ts';
import { formatFixed, fromUnits } from '../../../money/decimal.ts';
import type { Told } from '../../port/documents.ts';
import { isFileId, isOrderId } from './bank-orders.ts';
import type { BankDetail, BankEntry, FileAnswer, Party, PartyAddress, StatementKind } from './bank-statement.ts';
import { lastPageOf, type PagePlace, type ProvenStatement } from './check-statement.ts';
import { currencyDecimals } from './currency-decimals.ts';
import { detailTexts } from './detail-texts.ts';
import type { ReversalMeaning } from './join-pages.ts';
import { type EntryKind, kindOfEntry, type OurPayments } from './kind-of-entry.ts';

export type StatementTold = {
  readonly kind: StatementKind;
  readonly from: Day | null;
  readonly to: Day;
  /** On which it first tells of a booking. Left out in what was accepted long ago, or tells of none. */
  readonly firstDay?: Day;
  readonly currency: string;
  readonly opening: string | null; // units
  readonly closing: string | null;
  readonly bookedCount: number;
  readonly reversals: ReversalMeaning;
  /** Whether its bookings count, by the settings of the day on which it was accepted. */
  readonly isCrediting: boolean;
  /** It was shown before, and credits since it was brought again. */
  readonly isLate?: boolean;
  /** Booked, each detail by itself. Left out in what was accepted long ago. */
  readonly paymentCount?: number;
  /** By what it is known again under another name, or with other bytes. Left out in what was accepted long ago. */
  readonly content?: string;
  /** Its number, if the bank gives it one. Left out in what was accepted long ago. */
  readonly sequence?: string;
  /** More of its last day may come: it ends within a statement of the bank, or says that it goes on until later. */
  readonly isOpen?: boolean;
  /** A person told it, because messages of the bank did not go on from each other. */
  readonly isCorrection?: boolean;
  /** The last page of what it is a part of; null or left out: nothing more of it is to come. */
  readonly page?: PagePlace | null;
};

/** `booked` counts; `seen` is told by a message that does not credit, or is not booked yet. */
export type BookingTold = {
  readonly what: 'booked' | 'seen';
  /** The name that it has as a payment: the same whichever message tells of it. */
  readonly tx: string;
  readonly kind: EntryKind;
  readonly units: string; // negative: it left
  readonly day: Day;
  readonly payer: Pick<Party, 'name' | 'iban' | 'other' | 'bic' | 'address'>;
  /** All that may name a target. */
  readonly texts: readonly string[];
  /** What the payer ordered, as `100.00 USD`, where that is not what came. Left out in what was accepted long ago. */
  readonly instructed?: string | null;
  /** For people: what the bank wrote. */
  readonly note: string | null;
  /** What the bank calls it, by which it is found there. Left out in what was accepted long ago. */
  readonly bankReference?: string | null;
  readonly ids: OrderIds;
};

/** By these a payment of our own is known again. */
export type OrderIds = Pick<BankDetail, 'endToEndId' | 'instructionId' | 'messageId' | 'paymentInfoId'> & {
  readonly entryRef: string | null;
  readonly batches: readonly string[];
};

export type AnswerTold = { readonly what: 'answer'; readonly answer: FileAnswer };

export const asTold = (value: StatementTold | BookingTold | AnswerTold): Told => value;

export const statementOf = (told: Told): StatementTold | null =>
  typeof told['kind'] === 'string' && told['kind'] !== 'pain.002' ? (told as StatementTold) : null;

export const answerOf = (told: Told): FileAnswer | null =>
  told['what'] === 'answer' ? (told as AnswerTold).answer : null;

export const bookingOf = (told: Told): BookingTold | null =>
  told['what'] === 'booked' || told['what'] === 'seen' ? (told as BookingTold) : null;

/** What a record changes of the balance. */
export function bookedUnits(told: Told): bigint {
  const booking = bookingOf(told);
  return booking?.what === 'booked' ? BigInt(booking.units) : 0n;
}

/** `today`: nothing is booked later, whatever a file says: such a day would be final never. */
export function statementTold(
  { statement, opening, reversals }: ProvenStatement,
  {
    currency,
    creditsFrom,
    today,
  }: { readonly currency: string; readonly creditsFrom: StatementKind; readonly today: Day },
): StatementTold {
  const { kind, period, closing, bookedCount, paymentCount, content, sequence, firstDay } = statement;
  const to = period.to ?? closing?.day ?? today;
  const isInterim = kind !== 'camt.052' && closing?.isInterim === true;
  return {
    kind,
    from: period.from,
    to: to < today ? to : today,
    ...(firstDay !== null && { firstDay }),
    currency,
    isCrediting: kind === creditsFrom,
    opening: opening?.toString() ?? null,
    closing: closing?.units.toString() ?? null,
    bookedCount,
    reversals,
    paymentCount,
    content,
    ...(sequence !== null && { sequence: storable(sequence) }),
    ...((isInterim || to > today) && { isOpen: true }),
    ...(statement.isCorrection && { isCorrection: true }),
    ...(lastPageOf(statement) && { page: lastPageOf(statement) }),
  };
}

/** More than any bank delivers of one booking, and as much as is looked through for references. */
const charactersMost = 100_000;
const noteCharactersMost = 500;

/** By the form of their ids; whether they are ours is looked up when they are read (`own-bookings.ts`). */
const ours: OurPayments = { hasEndToEndId: isOrderId, hasBatch: isFileId };

export function bookingTold(
  entry: BankEntry,
  detail: BankDetail,
  named: Pick<BookingTold, 'what' | 'tx' | 'day'>,
): BookingTold {
  const texts = storableTexts(detailTexts(entry, detail));
  const { name, iban, other, bic, address = null } = detail.payer;
  return {
    what: named.what,
    tx: named.tx,
    kind: kindOf(entry, detail),
    units: String(detail.direction === 'credit' ? detail.units : -detail.units),
    day: named.day,
    payer: {
      name: storable(name),
      iban,
      other: storable(other),
      bic: storable(bic),
      ...(address !== null && { address: storableAddress(address) }),
    },
    texts,
    instructed: instructedOf(entry, detail),
    note: noteOf(entry, detail, texts),
    bankReference: storable(detail.servicerRef ?? entry.servicerRef),
    ids: {
      endToEndId: storable(detail.endToEndId),
      instructionId: storable(detail.instructionId),
      messageId: storable(detail.messageId),
      paymentInfoId: storable(detail.paymentInfoId),
      entryRef: storable(entry.entryRef),
      batches: entry.batches.flatMap(({ messageId, paymentInfoId }) =>
        [storable(messageId), storable(paymentInfoId)].filter((id) => id !== null),
      ),
    },
  };
}

/** What is taken back of fees and interest is of their kind too, the other way round. */
function kindOf(entry: BankEntry, detail: BankDetail): EntryKind {
  const kind = kindOfEntry(entry, detail, ours);
  if (kind !== 'correction') return kind;
  const taken = kindOfEntry({ ...entry, isReversal: false }, { ...detail, returned: null }, ours);
  return taken === 'fee' || taken === 'interest' ? taken : kind;
}

function instructedOf({ currency }: BankEntry, { instructed, units, direction }: BankDetail): string | null {
  if (instructed === null || direction === 'debit') return null;
  if (instructed.units === units && instructed.currency === currency) return null;
  const decimals = currencyDecimals(instructed.currency);
  return storable(`${formatFixed(fromUnits(instructed.units, decimals), decimals)} ${instructed.currency}`);
}

function noteOf(entry: BankEntry, detail: BankDetail, texts: readonly string[]): string | null {
  const other = detail.direction === 'credit' ? detail.payer : detail.payee;
  const ordered = instructedOf(entry, detail);
  const deducted = ordered === null ? null : `${ordered} were instructed`;
  const parts = [
    other.name,
    ...texts,
    deducted,
    ...(detail.returned?.texts ?? []),
    detail.returned?.reason ?? null,
    entry.text,
  ];
  const unique = [...new Set(parts.flatMap((part) => withoutHidden(storable(part) ?? '') || []))];
  return unique.length === 0 ? null : unique.join(' · ').slice(0, noteCharactersMost).toWellFormed();
}

/** For people: what an answer is about, the bank's code for what became of it, and why. */
export function answerNote({ about, messageId, paymentInfoId, endToEndId, status, reasons }: FileAnswer): string {
  const id = { file: messageId, batch: paymentInfoId, payment: endToEndId }[about];
  const why = reasons.flatMap(({ code, texts }) => [code, ...texts]);
  const parts = [id === null ? about : `${about} ${id}`, status, ...why].flatMap(
    (part) => storable(part)?.trim() || [],
  );
  return [...new Set(parts)].join(' · ').slice(0, noteCharactersMost).toWellFormed();
}

function storableTexts(texts: readonly string[]): readonly string[] {
  let left = charactersMost;
  return texts.flatMap((text) => {
    const kept = storable(text.slice(0, Math.max(0, left))) ?? '';
    left -= kept.length;
    return kept === '' ? [] : [kept];
  });
}

const storableAddress = ({ street, postCode, town, country }: PartyAddress): PartyAddress => ({
  street: storable(street),
  postCode: storable(postCode),
  town: storable(town),
  country: storable(country),
});

/** PostgreSQL keeps no zero bytes and no halves of characters in JSON. */
function storable<T extends string | null>(text: T): T {
  return (text === null ? null : text.replaceAll('\0', '').toWellFormed()) as T;
}
