/**
 * What banks tell about an account, in one shape for all their formats. Amounts are units of the currency's decimals and
 * never negative: `direction` says where they went. A text that a bank fills in for want of one (`NOTPROVIDED`,
 * `NONREF`) is null here.
 */
import type { Day } from '../../../lib/local-day.ts';

/** camt.053 and MT940 are statements, with balances; camt.052 a report within the day; camt.054 a notice of single bookings. */
export type StatementKind = 'camt.052' | 'camt.053' | 'camt.054' | 'mt940';

export type Direction = 'credit' | 'debit';

/** BOOK is booked; PDNG is not yet, INFO may never be. */
export type EntryStatus = 'BOOK' | 'PDNG' | 'INFO';

export type AccountTold = {
  readonly iban: string | null;
  readonly other: string | null; // what the bank calls it, where that is no IBAN
  readonly currency: string | null;
  readonly name: string | null;
  readonly bic: string | null;
};

/** Signed: negative is owed to the bank. */
export type Balance = {
  readonly code: string; // OPBD, PRCD, CLBD, ITBD; of MT940 OPBD and CLBD
  readonly isInterim: boolean; // of a page, not of the statement
  readonly units: bigint;
  readonly currency: string;
  readonly day: Day | null;
};

export type Page = { readonly number: number; readonly isLast: boolean };

/** A `Stmt`, `Rpt` or `Ntfctn`, or an MT940: a page of a statement, or all of it. */
export type StatementPart = {
  readonly id: string;
  readonly electronicSequence: string | null;
  readonly legalSequence: string | null;
  readonly page: Page | null;
  readonly createdAt: string | null; // as written
  readonly account: AccountTold;
  readonly period: { readonly from: Day | null; readonly to: Day | null };
  readonly balances: readonly Balance[];
};

export type Party = {
  readonly name: string | null;
  readonly iban: string | null;
  readonly other: string | null;
  readonly bic: string | null;
  /** Left out or null: the bank did not say it in parts. */
  readonly address?: PartyAddress | null;
};

export type PartyAddress = {
  readonly street: string | null;
  readonly postCode: string | null;
  readonly town: string;
  readonly country: string;
};

/** What a booking is, in codes: those of ISO 20022, and the bank's own. */
export type BookingCode = {
  readonly domain: string | null; // PMNT
  readonly family: string | null; // RCDT
  readonly subFamily: string | null; // ESCT
  readonly proprietary: string | null; // NTRF+166+9051, 835, the type of an MT940's line
  readonly issuer: string | null;
};

export type Charge = {
  readonly units: bigint;
  readonly currency: string;
  readonly direction: Direction;
  readonly isIncluded: boolean | null; // in the amount of the entry; null: the bank does not say
};

/** Why money came back. */
export type ReturnTold = {
  readonly reason: string | null; // AC04, or the bank's own code
  readonly texts: readonly string[];
  readonly originalCode: BookingCode | null;
};

/** An amount as somebody else named it, perhaps in another currency: what was instructed before charges were taken. */
export type AmountTold = { readonly units: bigint; readonly currency: string };

export type BankDetail = {
  readonly units: bigint;
  readonly direction: Direction;
  readonly servicerRef: string | null;
  readonly txId: string | null;
  readonly uetr: string | null;
  readonly endToEndId: string | null;
  readonly instructionId: string | null;
  readonly messageId: string | null; // of the payment file it was part of
  readonly paymentInfoId: string | null;
  readonly mandateId: string | null;
  readonly code: BookingCode | null; // where it differs from the entry's
  readonly charges: readonly Charge[];
  readonly instructed: AmountTold | null;
  readonly returned: ReturnTold | null;
  readonly references: readonly string[]; // structured creditor references
  readonly texts: readonly string[]; // all that may name what was paid for, the references not among them
  readonly payer: Party;
  readonly payee: Party;
  /** What the bank took in the same booking, and no payment. */
  readonly isCharge?: boolean;
};

/** Several payments of one file that were booked as one sum. */
export type Batch = {
  readonly messageId: string | null;
  readonly paymentInfoId: string | null;
  readonly count: number | null;
};

/** An entry as the bank marked it. What a reversal's mark means is known when the balances are. */
export type BankEntry = {
  readonly units: bigint;
  readonly currency: string;
  readonly direction: Direction;
  readonly isReversal: boolean;
  readonly status: EntryStatus;
  readonly bookingDay: Day | null;
  readonly valueDay: Day | null;
  readonly entryRef: string | null;
  readonly servicerRef: string | null;
  readonly code: BookingCode;
  readonly charges: readonly Charge[];
  readonly batches: readonly Batch[];
  readonly text: string | null;
  /** At least one, and they come to the entry. */
  readonly details: readonly BankDetail[];
  /** Details that do not come to the entry: for people to look at. The entry is then one, without a text to be matched by. */
  readonly unproven: readonly BankDetail[];
};

/** What a bank says became of a payment file of ours, of one batch of it, or of one payment. */
export type FileAnswer = {
  readonly about: 'file' | 'batch' | 'payment';
  readonly messageId: string | null; // ours, as in the file
  readonly paymentInfoId: string | null;
  readonly instructionId: string | null;
  readonly endToEndId: string | null;
  readonly status: string; // RJCT, ACSC …
  readonly meaning: AnswerMeaning;
  readonly reasons: readonly { readonly code: string | null; readonly texts: readonly string[] }[];
};

/** Only a rejection decides something; only a statement says that money moved. */
export type AnswerMeaning = 'rejected' | 'partly-rejected' | 'payee-verified' | 'payee-doubted' | 'under-way';

/** What a reader comes across, in this order: entries, then the part of a statement that they are in. */
export type BankEvent =
  | { readonly kind: 'message'; readonly message: MessageTold }
  | { readonly kind: 'entry'; readonly entry: BankEntry }
  | { readonly kind: 'part'; readonly part: StatementPart }
  | { readonly kind: 'answer'; readonly answer: FileAnswer };

export type MessageTold = {
  readonly kind: StatementKind | 'pain.002';
  readonly version: string | null; // 08
  readonly id: string | null;
  readonly createdAt: string | null;
  readonly page: Page | null;
  /** Of an answer: what the payment file is called that it answers. */
  readonly answers?: string | null;
};

export const opposite: Readonly<Record<Direction, Direction>> = { credit: 'debit', debit: 'credit' };

export const signedUnits = (booked: { readonly units: bigint; readonly direction: Direction }): bigint =>
  booked.direction === 'credit' ? booked.units : -booked.units;

export const nobody: Party = { name: null, iban: null, other: null, bic: null };

const placeholders = /^(NOT ?PROVIDED|NONREF|NOTAVAILABLE|N\/?A|NONE|[0\-.]+)$/i;

/** What a bank fills in for want of something is nothing. */
export const meant = (text: string | null | undefined): string | null => {
  const trimmed = text?.trim() ?? '';
  return trimmed === '' || placeholders.test(trimmed) ? null : trimmed;
};
