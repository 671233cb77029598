/**
 * An account of ours at a bank that tells everything in files, and a service that imports each at once. Its clock is a day
 * further with each statement. What a bank writes is written by `write-bank-statement.ts`.
 */
import { writeCorrection } from '../../src/networks/families/bank/correction.ts';
import { rfReference } from '../../src/networks/families/bank/rf-reference.ts';
import type { Connector } from '../../src/networks/port/connector.ts';
import { sepaNetwork } from '../../src/networks/sepa/sepa.ts';
import { swiftNetwork } from '../../src/networks/swift/swift.ts';
import {
  type CamtForm,
  closingOf,
  type WrittenEntry,
  type WrittenStatement,
  writeCamt,
  writeMt940,
} from '../write-bank-statement.ts';
import { createMemoryDocuments, type Imported } from './memory-documents.ts';

export const ourIban = 'DE67500502011234567890';
export const payerIban = 'DE22200411110123456789';
const dayMs = 86_400_000;

export type MessageKind = CamtForm['kind'] | 'mt940';

export type StatementBank = ReturnType<typeof openStatementBank>;

/** `code`: German business code; 166 is a payment that came, 808 a fee, 899 a correction. */
export type Booking = {
  readonly cents: bigint; // negative: it left
  readonly text?: string;
  readonly endToEndId?: string | null;
  readonly isReversal?: boolean;
  readonly code?: string;
  readonly status?: WrittenEntry['status'];
  readonly name?: string;
  readonly iban?: string;
  readonly servicerRef?: string | null;
  /** Null: it is not told. */
  readonly bic?: string | null;
  /** Of who paid from an account without an IBAN. */
  readonly number?: string;
  readonly address?: WrittenEntry['details'][number]['address'];
  /** What the payer ordered, where banks on the way took their part. */
  readonly instructedCents?: bigint;
};

type ByHand = Parameters<typeof writeCorrection>[0];

export type StatementBankOptions = {
  /** Left out: SEPA's, in euros. */
  readonly swiftCurrency?: 'USD' | 'EUR';
  readonly creditsFrom?: MessageKind;
  readonly opening?: bigint;
  readonly form?: Partial<CamtForm>;
  readonly isInstant?: boolean;
  /** Left out: a clock of its own. */
  readonly now?: () => Date;
};

export function openStatementBank(options: StatementBankOptions = {}) {
  const { creditsFrom = 'camt.053' } = options;
  const documents = createMemoryDocuments();
  let today = Date.parse('2026-03-02T12:00:00Z');
  let balance = options.opening ?? 0n;
  let numbers = 0;
  let pending: WrittenEntry[] = [];

  const now = options.now ?? ((): Date => new Date(today));
  const day = (): string => now().toISOString().slice(0, 10);
  const account = { iban: ourIban, bic: 'HELADEF1822', holder: 'Shop AG', otherNames: [], address: null };
  const writing = { fileVersion: 'pain.001.001.09' as const, isInstant: options.isInstant ?? false };
  const createConnector = (from: MessageKind = creditsFrom): Connector =>
    options.swiftCurrency
      ? swiftNetwork.connect(
          { ...account, ...writing, creditsFrom: from, currency: options.swiftCurrency, charges: 'SHA' },
          now,
        )
      : sepaNetwork.connect({ ...account, ...writing, creditsFrom: from }, now);

  const entryOf = ({ cents, ...more }: Booking): WrittenEntry => ({
    direction: cents > 0n ? 'credit' : 'debit',
    isReversal: more.isReversal ?? false,
    status: more.status ?? 'BOOK',
    bookingDay: day(),
    valueDay: day(),
    servicerRef: more.servicerRef === undefined ? `REF${++numbers}` : more.servicerRef,
    text: null,
    code: more.code ?? (cents > 0n ? '166' : '177'),
    details: [
      {
        units: cents > 0n ? cents : -cents,
        endToEndId: more.endToEndId ?? null,
        txId: null,
        name: more.name ?? 'Ada Payer',
        iban: more.iban ?? payerIban,
        bic: more.bic === undefined ? 'COBADEFFXXX' : more.bic,
        number: more.number,
        address: more.address,
        references: [],
        texts: more.text === undefined ? [] : [more.text],
        instructed: more.instructedCents,
      },
    ],
  });

  function write(kind: MessageKind, entries: readonly WrittenEntry[], opening: bigint): Uint8Array {
    const statement: WrittenStatement = {
      id: `${kind}-${++numbers}`,
      sequence: numbers,
      iban: ourIban,
      currency: options.swiftCurrency ?? 'EUR',
      opening,
      entries,
      day: day(),
    };
    if (kind === 'mt940') return Buffer.from(writeMt940(statement, false));
    const form = { kind, version: 8, prefix: '', isPretty: false, reversalsAreTurned: false, ...options.form };
    return Buffer.from(writeCamt(statement, { ...form, kind }));
  }

  return {
    documents,
    createConnector,
    now,
    day,
    entryOf,
    write,
    get balance() {
      return balance;
    },
    get pending() {
      return pending;
    },
    referenceFor: (id: string): string => rfReference(id),
    /** It will be in the next statement. */
    book(...bookings: readonly Booking[]): void {
      pending.push(...bookings.map(entryOf));
    },
    forget(): void {
      pending = [];
    },
    /** Announces what is booked and not in a statement yet, by a message that does not credit. */
    announce: (kind: MessageKind = 'camt.052'): Promise<readonly Imported[]> =>
      documents.import(createConnector(), write(kind, pending, balance)),
    /** The statement of the day; then the next day begins. */
    async close(kind: MessageKind = creditsFrom): Promise<readonly Imported[]> {
      const imported = await documents.import(createConnector(), write(kind, pending, balance));
      balance = closingOf({ id: '', sequence: 0, iban: '', currency: 'EUR', opening: balance, entries: pending });
      pending = [];
      today += dayMs;
      return imported;
    },
    pass(days: number): void {
      today += days * dayMs;
    },
    bring: (bytes: Uint8Array): Promise<readonly Imported[]> => documents.import(createConnector(), bytes),
    /** A person tells it. */
    correct: (correction: Partial<ByHand> & Pick<ByHand, 'balance'>): Promise<readonly Imported[]> => {
      const told = { id: `hand${++numbers}`, day: null, came: [], left: [], ...correction };
      return documents.import(createConnector(), writeCorrection(told), true);
    },
  };
}
