/**
 * All that the bank knows. It is the sum of changes that are kept in a journal: those of one deed stand on one line, so
 * that after a death either all of them happened or none.
 */
import { join } from 'node:path';
import type { Day } from '@quittance/server/lib/local-day';
import { noJournal, openJournal } from '../journal.ts';
import { type Entry, sumOf } from './bank-entry.ts';
import type { BankAccount } from './bank-parties.ts';
import type { Mangling } from './mangle-text.ts';
import type { Order, OrderStatus, PaymentFile } from './payment-order.ts';
import type { IssuedStatement } from './statement-content.ts';

/** What becomes of payments to an account elsewhere that does not take them. */
export type ClosedAccount = {
  readonly iban: string;
  readonly code: string;
  /** The bank knows at once, or it hears of it days later. */
  readonly how: 'reject' | 'return';
};

/** A payer wants money back that has arrived: it goes only if its owner agrees. */
export type Recall = {
  readonly id: string;
  readonly entryId: string;
  readonly code: string;
  readonly answer: 'open' | 'given' | 'refused';
};

export type Change =
  /** It will be booked on its day. `isAnnounced`: a report of the running day tells of it. */
  | { readonly expect: Entry; readonly isAnnounced: boolean }
  | { readonly book: Entry }
  /** What was expected does not come. */
  | { readonly forget: string }
  | { readonly file: PaymentFile; readonly orders: readonly Order[] }
  | { readonly sign: string; readonly on: Day }
  | { readonly order: string; readonly status: OrderStatus; readonly code: string | null; readonly at: string }
  | { readonly returned: string; readonly by: string }
  | { readonly statement: IssuedStatement }
  | { readonly close: ClosedAccount }
  | { readonly reopen: string }
  | { readonly recall: Recall }
  | { readonly mangleNext: Mangling | null }
  | { readonly isNextLate: boolean }
  | { readonly areChargesApart: boolean };

export type Expected = { readonly entry: Entry; readonly isAnnounced: boolean };

export type Book = { readonly account: BankAccount; readonly entries: readonly Entry[] };

export type BankLedger = {
  readonly books: ReadonlyMap<string, Book>;
  /** What will be booked on its day. */
  readonly expected: ReadonlyMap<string, Expected>;
  readonly files: ReadonlyMap<string, PaymentFile>;
  readonly orders: ReadonlyMap<string, Order>;
  readonly statements: readonly IssuedStatement[];
  readonly closed: ReadonlyMap<string, ClosedAccount>;
  readonly recalls: ReadonlyMap<string, Recall>;
  readonly mangleNext: Mangling | null;
  /** The next payment is booked days later. */
  readonly isNextLate: boolean;
  /** What is taken for an order whose payer bears all is booked by itself, and not within the payment. */
  readonly areChargesApart: boolean;
  /** Before the entry at this place was booked. */
  balanceBefore(iban: string, place: number): bigint;
  balance(iban: string): bigint;
  /** A name that nothing else has here. */
  nextId(day: Day): string;
  /** All of them, or none. */
  record(...changes: readonly Change[]): void;
  close(): void;
};

type KeptBook = { account: BankAccount; entries: Entry[]; before: bigint[] };

export function openBankLedger(accounts: readonly BankAccount[], folder?: string): BankLedger {
  const books = new Map<string, KeptBook>(
    accounts.map((account) => [account.iban, { account, entries: [], before: [0n] }]),
  );
  const expected = new Map<string, Expected>();
  const files = new Map<string, PaymentFile>();
  const orders = new Map<string, Order>();
  const statements: IssuedStatement[] = [];
  const closed = new Map<string, ClosedAccount>();
  const recalls = new Map<string, Recall>();
  let mangleNext: Mangling | null = null;
  let isNextLate = false;
  let areChargesApart = false;
  let ids = 0;

  const bookOf = (iban: string): KeptBook => {
    const book = books.get(iban);
    if (!book) throw new BankRefused(`${iban} is not an account of the operator.`);
    return book;
  };

  function apply(change: Change): void {
    if ('expect' in change) {
      bookOf(change.expect.account);
      expected.set(change.expect.id, { entry: change.expect, isAnnounced: change.isAnnounced });
    } else if ('book' in change) {
      const entry = change.book;
      const { entries, before } = bookOf(entry.account);
      if (entry.details.length > 0 && sumOf(entry.details) !== entry.units)
        throw new Error(`The details of ${entry.id} do not add up.`);
      expected.delete(entry.id);
      entries.push(entry);
      before.push((before.at(-1) ?? 0n) + entry.units);
    } else if ('forget' in change) expected.delete(change.forget);
    else if ('file' in change) {
      files.set(change.file.messageId, change.file);
      for (const order of change.orders) orders.set(order.id, order);
    } else if ('sign' in change) {
      const file = files.get(change.sign);
      if (file) files.set(change.sign, { ...file, signedOn: change.on });
    } else if ('order' in change) {
      const order = orders.get(change.order);
      if (order) orders.set(order.id, { ...order, status: change.status, code: change.code, changedAt: change.at });
    } else if ('returned' in change) {
      const order = orders.get(change.returned);
      if (order) orders.set(order.id, { ...order, returnedBy: change.by });
    } else if ('statement' in change) statements.push(change.statement);
    else if ('close' in change) closed.set(change.close.iban, change.close);
    else if ('reopen' in change) closed.delete(change.reopen);
    else if ('recall' in change) recalls.set(change.recall.id, change.recall);
    else if ('mangleNext' in change) mangleNext = change.mangleNext;
    else if ('areChargesApart' in change) areChargesApart = change.areChargesApart;
    else isNextLate = change.isNextLate;
  }

  /** Names are counted up by what was named, so that the same deeds always give the same names. */
  function countIds(changes: readonly Change[]): void {
    const named = JSON.stringify(toStored(changes)).matchAll(idPattern);
    for (const [, number] of named) ids = Math.max(ids, Number(number));
  }

  const opened = folder === undefined ? null : openJournal<unknown>(join(folder, 'bank.jsonl'));
  const journal = opened?.journal ?? noJournal;
  for (const line of opened?.entries ?? []) {
    const changes = fromStored(line) as Change[];
    for (const change of changes) apply(change);
    countIds(changes);
  }

  return {
    books,
    expected,
    files,
    orders,
    statements,
    closed,
    recalls,
    get mangleNext() {
      return mangleNext;
    },
    get isNextLate() {
      return isNextLate;
    },
    get areChargesApart() {
      return areChargesApart;
    },
    balanceBefore: (iban, place) => bookOf(iban).before[place] ?? 0n,
    balance: (iban) => bookOf(iban).before.at(-1) ?? 0n,
    nextId(day) {
      ids += 1;
      return `QB${day.replaceAll('-', '')}N${String(ids).padStart(7, '0')}`;
    },
    record(...changes) {
      if (changes.length === 0) return;
      for (const change of changes) apply(change);
      journal.append(toStored(changes));
    },
    close: () => journal.close(),
  };
}

/** What the bank does not do, in a sentence for whoever asked. */
export class BankRefused extends Error {}

const idPattern = /QB\d{8}N(\d{7})/g;

/** JSON has no exact integers of any size: they are kept as an object that nothing else looks like. */
function toStored(value: unknown): unknown {
  if (typeof value === 'bigint') return { $units: String(value) };
  if (Array.isArray(value)) return value.map(toStored);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, toStored(each)]));
}

function fromStored(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(fromStored);
  if (typeof value !== 'object' || value === null) return value;
  if ('$units' in value) return BigInt(String(value.$units));
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, fromStored(each)]));
}
