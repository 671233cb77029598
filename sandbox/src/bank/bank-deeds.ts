/** What the owner of the sandbox's bank can do. Before anything else, the bank does what its clock says is due. */
import type { Day } from '@quittance/server/lib/local-day';
import { absolute, type Detail, type Entry, type EntryKind } from './bank-entry.ts';
import { type BankLedger, BankRefused, type Change, type ClosedAccount } from './bank-ledger.ts';
import { type BankAccount, euroAccount, ownAccountElsewhere, type Party } from './bank-parties.ts';
import { bringUpToDate, feeEntry } from './execute-orders.ts';
import { issueStatement, type StatementRequest } from './issue-statement.ts';
import type { Mangling } from './mangle-text.ts';
import {
  demandFile,
  demandOrder,
  type FileAnswer,
  ordersIn,
  rejectOrder,
  signFile,
  takePaymentFile,
} from './payment-desk.ts';
import { sentenceOf } from './reason-codes.ts';
import { type IncomingPayment, incomingEntry } from './receive-payment.ts';
import { returnEntry } from './return-payment.ts';
import type { IssuedStatement } from './statement-content.ts';
import { type MischiefName, statementMischief } from './statement-mischief.ts';
import { addBankingDays, bankDay } from './target-calendar.ts';
import { type NewsKind, newsRequest } from './tell-news.ts';
import type { BankFile } from './write-statement.ts';
import { writeStatusReport, writeVerification } from './write-status-report.ts';

export type Issued = { readonly id: string; readonly files: readonly BankFile[] };

export type BankDeeds = {
  /** Somebody pays; gives the entry's id. `account`: the one in euros, unless said otherwise. */
  pay(payment: IncomingPayment & { readonly account?: string }): string;
  /** Many payments that are booked as one sum. */
  payTogether(payments: readonly IncomingPayment[], account?: string): string;
  /** What was announced does not come after all. */
  withdraw(entryId: string): void;
  /** The text of the next payment is spoiled so. */
  mangleNext(how: Mangling | null): void;
  /** The next payment is booked silently in three banking days. */
  delayNext(): void;
  /** What would be booked on a later day is booked now; gives how many. */
  bookExpected(): number;
  /** What it takes for an order by SWIFT whose payer bears all is booked by itself from now on, or within the payment again. */
  bookChargesApart(isApart: boolean): void;
  takeFile(bytes: Uint8Array, options?: { readonly isSigned?: boolean }): FileAnswer;
  sign(messageId: string): void;
  /** pain.002 as of now. */
  report(messageId: string): Buffer;
  verification(messageId: string): Buffer;
  /** A payment of ours that has not been made yet. */
  reject(endToEndId: string, code?: string): void;
  /** A payment of ours that has been made comes back: at once, or in so many banking days. */
  giveBack(endToEndId: string, options?: { code?: string; fee?: bigint; inDays?: number }): string;
  /** Payments to this account are rejected, or come back. */
  closeAccount(account: ClosedAccount): void;
  reopenAccount(iban: string): void;
  /** The payer wants the money of an entry back; gives the name of the request. */
  recall(entryId: string, code?: string): string;
  /** Only with consent does the money go; gives the entry's id, or null. */
  answerRecall(recallId: string, consents: boolean): string | null;
  /** The bank takes back a booking of its own. */
  correct(entryId: string): string;
  charge(units: bigint, options?: { account?: string; text?: string }): string;
  /** Below zero: it is to be paid. */
  payInterest(units: bigint, account?: string): string;
  /** The operator moves money of its own: above zero from an account elsewhere, below zero to it. */
  moveOwn(units: bigint, options?: { account?: string; text?: string }): string;
  /** Somebody takes money that the service knows nothing of. */
  debit(units: bigint, options?: { account?: string; text?: string; by?: Party }): string;
  /** The next statement of its series. */
  statement(request?: Partial<StatementRequest>): Issued;
  /** What is new, if anything is: in a report of the day, unless a notice shall tell it. */
  tellNews(account: string, kind?: NewsKind): Issued | null;
  /** A statement that was issued, once more and otherwise. The newest, unless one is named. */
  mischief(name: MischiefName, statementId?: string): Issued;
  balance(account?: string): bigint;
};

/** `drop`: lays a file down for whoever has this account. `isImpatient`: it pays at once what is signed. */
type Ways = { drop(file: BankFile, account: string): void; readonly isImpatient?: boolean | undefined };

export function createBankDeeds(ledger: BankLedger, now: () => Date, { drop, isImpatient }: Ways): BankDeeds {
  const today = (): Day => bankDay(now());

  /** Every deed begins with what is due, and ends with it: what was ordered for today happens today. */
  const atOnce = <Result>(deed: () => Result): Result => {
    const before = statusesOf(ledger);
    bringUpToDate(ledger, now(), isImpatient);
    const result = deed();
    bringUpToDate(ledger, now(), isImpatient);
    for (const [messageId, { statuses, account }] of statusesOf(ledger))
      if (before.get(messageId)?.statuses !== statuses)
        drop(reportFile(messageId, writeStatusReport(ledger, messageId, now())), account);
    return result;
  };

  /** Its name is that of the file, with when it was written: there is one for every change. */
  const reportFile = (messageId: string, bytes: Buffer): BankFile => ({
    name: `pain002-${now().getTime()}-${messageId.replaceAll(/[^0-9a-z-]/gi, '_')}.xml`,
    bytes,
  });

  const accountOf = (iban: string): BankAccount => {
    const book = ledger.books.get(iban);
    if (!book) throw new BankRefused(`${iban} is not an account of the operator.`);
    return book.account;
  };

  function enter(entry: Entry, isAnnounced: boolean, ...further: readonly Change[]): string {
    ledger.record(entry.day <= today() ? { book: entry } : { expect: entry, isAnnounced }, ...further);
    return entry.id;
  }

  const spoiled = (payment: IncomingPayment): IncomingPayment => ({
    ...(ledger.mangleNext !== null && { mangled: ledger.mangleNext }),
    ...payment,
    ...(ledger.isNextLate && { booked: 'late' }),
  });
  const spoiledOnce = (): Change[] => [
    ...(ledger.mangleNext === null ? [] : [{ mangleNext: null }]),
    ...(ledger.isNextLate ? [{ isNextLate: false }] : []),
  ];

  function plainEntry(
    kind: EntryKind,
    units: bigint,
    { account = euroAccount.iban, text = '', party = null }: { account?: string; text?: string; party?: Party | null },
  ): Entry {
    if (units === 0n) throw new BankRefused('Nothing cannot be booked.');
    const entry = feeEntry(account, -units, today(), ledger.nextId(today()), text);
    return { ...entry, kind, details: entry.details.map((detail) => ({ ...detail, party })) };
  }

  function findEntry(id: string): Entry {
    const entries = [...ledger.books.values()].flatMap((book) => book.entries);
    // Who paid on a page knows the reference only; what was taken back has it too.
    const isPaidWith = ({ units, details }: Entry): boolean => units > 0n && details.some(({ text }) => text === id);
    const found = entries.find((each) => each.id === id) ?? entries.findLast(isPaidWith);
    if (!found) throw new BankRefused(`No entry is named ${id}, and none came with it as its reference.`);
    return found;
  }

  /** The whole entry on the other side. */
  function opposite(entry: Entry, kind: EntryKind, change: (detail: Detail) => Detail): Entry {
    const id = ledger.nextId(today());
    const details = entry.details.map((detail) =>
      change({ ...detail, units: -detail.units, charges: [], instructed: null }),
    );
    return { ...entry, id, kind, units: -entry.units, day: today(), valueDay: today(), details, batch: null };
  }

  const issuedNamed = (id: string | undefined): IssuedStatement => {
    const found = id === undefined ? ledger.statements.at(-1) : ledger.statements.find((each) => each.id === id);
    if (!found)
      throw new BankRefused(id === undefined ? 'No statement was issued yet.' : `No statement is named ${id}.`);
    return found;
  };

  function deliver(issued: IssuedStatement, name: MischiefName): Issued {
    const files = statementMischief[name](ledger, issued);
    for (const file of files) drop(file, issued.account);
    return { id: issued.id, files };
  }

  return {
    pay: ({ account = euroAccount.iban, ...payment }) =>
      atOnce(() => {
        const paid = spoiled(payment);
        const entry = incomingEntry(paid, accountOf(account), today(), ledger.nextId(today()));
        return enter(entry, paid.booked !== 'late', ...spoiledOnce());
      }),
    payTogether: (payments, account = euroAccount.iban) =>
      atOnce(() => {
        const entries = payments.map((each) =>
          incomingEntry(each, accountOf(account), today(), ledger.nextId(today())),
        );
        const [first] = entries;
        if (!first) throw new BankRefused('Nothing was paid.');
        const details = entries.flatMap((each) => each.details);
        return enter({ ...first, units: entries.reduce((sum, { units }) => sum + units, 0n), details }, true);
      }),
    withdraw: (entryId) =>
      atOnce(() => {
        if (!ledger.expected.has(entryId)) throw new BankRefused(`${entryId} is not expected.`);
        ledger.record({ forget: entryId });
      }),
    mangleNext: (how) => ledger.record({ mangleNext: how }),
    delayNext: () => ledger.record({ isNextLate: true }),
    bookExpected: () =>
      atOnce(() => {
        const entries = [...ledger.expected.values()].map(({ entry }) => ({ ...entry, day: today() }));
        ledger.record(...entries.map((book) => ({ book })));
        return entries.length;
      }),
    bookChargesApart: (isApart) => ledger.record({ areChargesApart: isApart }),
    takeFile: (bytes, { isSigned = true } = {}) => {
      const answer = atOnce(() => {
        const taken = takePaymentFile(ledger, now(), bytes);
        if (isSigned && taken.isTaken && taken.messageId !== null) signFile(ledger, now(), taken.messageId);
        return taken;
      });
      if (!answer.isTaken || answer.messageId === null) {
        if (answer.account !== null && ledger.books.has(answer.account))
          drop(reportFile(answer.messageId ?? '', answer.report), answer.account);
        return answer;
      }
      const { messageId } = answer;
      return { ...answer, orders: ordersIn(ledger, messageId), report: writeStatusReport(ledger, messageId, now()) };
    },
    sign: (messageId) => atOnce(() => signFile(ledger, now(), messageId)),
    report: (messageId) => atOnce(() => writeStatusReport(ledger, demandFile(ledger, messageId).messageId, now())),
    verification: (messageId) => writeVerification(ledger, demandFile(ledger, messageId).messageId, now()),
    reject: (endToEndId, code = 'MS03') => atOnce(() => rejectOrder(ledger, now(), endToEndId, code)),
    giveBack: (endToEndId, { code = 'AC04', fee = 0n, inDays = 0 } = {}) =>
      atOnce(() => {
        const order = demandOrder(ledger, endToEndId);
        if (order.status !== 'ACSC') throw new BankRefused(`${endToEndId} has not been paid: it is ${order.status}.`);
        if (order.returnedBy !== null) throw new BankRefused(`${endToEndId} has come back already.`);
        const day = inDays === 0 ? today() : addBankingDays(today(), inDays);
        const entry = returnEntry(order, { code, fee, day, id: ledger.nextId(today()) });
        return enter(entry, false, { returned: order.id, by: entry.id });
      }),
    closeAccount: (account) => ledger.record({ close: account }),
    reopenAccount: (iban) => ledger.record({ reopen: iban }),
    recall: (entryId, code = 'CUST') =>
      atOnce(() => {
        const entry = findEntry(entryId);
        if (entry.units <= 0n) throw new BankRefused('Only what came in can be recalled.');
        const recall = { id: ledger.nextId(today()), entryId, code, answer: 'open' } as const;
        ledger.record({ recall });
        return recall.id;
      }),
    answerRecall: (recallId, consents) =>
      atOnce(() => {
        const recall = ledger.recalls.get(recallId);
        if (recall?.answer !== 'open') throw new BankRefused(`${recallId} is not open.`);
        if (!consents) {
          ledger.record({ recall: { ...recall, answer: 'refused' } });
          return null;
        }
        const back = opposite(findEntry(recall.entryId), 'recalled', (detail) => ({
          ...detail,
          returned: { code: 'FOCR', sentence: sentenceOf('FOCR') },
        }));
        return enter(back, false, { recall: { ...recall, answer: 'given' } });
      }),
    correct: (entryId) =>
      atOnce(() =>
        enter({ ...opposite(findEntry(entryId), 'correction', (detail) => detail), isReversal: true }, false),
      ),
    charge: (units, { account = euroAccount.iban, text = 'Kontoführung' } = {}) =>
      atOnce(() => enter(plainEntry('fee', -absolute(units), { account, text }), false)),
    payInterest: (units, account = euroAccount.iban) =>
      atOnce(() => enter(plainEntry('interest', units, { account, text: 'Zinsen' }), false)),
    moveOwn: (units, { account = euroAccount.iban, text = 'Übertrag' } = {}) =>
      atOnce(() => enter(plainEntry('ownTransfer', units, { account, text, party: ownAccountElsewhere }), false)),
    debit: (units, { account = euroAccount.iban, text = 'Lastschrift', by = ownAccountElsewhere } = {}) =>
      atOnce(() => enter(plainEntry('directDebit', -absolute(units), { account, text, party: by }), false)),
    statement: ({ account = euroAccount.iban, kind = 'camt.053', styleName = 'plain', version } = {}) =>
      atOnce(() => {
        const request = { account, kind, styleName, ...(version !== undefined && { version }) };
        return deliver(issueStatement(ledger, now(), request), 'repeat');
      }),
    tellNews: (account, kind = 'camt.052') =>
      atOnce(() => {
        const request = newsRequest(ledger, account, kind);
        return request && deliver(issueStatement(ledger, now(), request), 'repeat');
      }),
    mischief: (name, statementId) => atOnce(() => deliver(issuedNamed(statementId), name)),
    balance: (account = euroAccount.iban) => atOnce(() => ledger.balance(account)),
  };
}

/** What became of each payment file, in a text that changes when any of its payments does; and whose account it is from. */
function statusesOf(ledger: BankLedger): Map<string, { readonly statuses: string; readonly account: string }> {
  const orders = Map.groupBy(ledger.orders.values(), ({ messageId }) => messageId);
  return new Map(
    Array.from(orders, ([messageId, some]) => [
      messageId,
      { statuses: some.map(({ status, code }) => `${status} ${code}`).join(), account: some[0]?.account ?? '' },
    ]),
  );
}
