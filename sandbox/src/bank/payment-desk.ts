/** Takes payment files, has them signed, and says what became of them. */
import { type BankLedger, BankRefused } from './bank-ledger.ts';
import type { BankAccount } from './bank-parties.ts';
import { type Fault, isBySwift, type JudgedGroup, judgePaymentFile } from './judge-payment-file.ts';
import type { Order, PaymentFile } from './payment-order.ts';
import { type ReadPaymentFile, type ReadTransaction, readPaymentFile } from './read-payment-file.ts';
import { NotXml } from './read-xml.ts';
import { bankDay } from './target-calendar.ts';
import { writeRejection, writeStatusReport, writeVerification } from './write-status-report.ts';

export type FileAnswer = {
  /** Null: the file has none that can be read. */
  readonly messageId: string | null;
  /** The one to pay from. Null: the file has none that can be read. */
  readonly account: string | null;
  readonly isTaken: boolean;
  readonly fault: Fault | null;
  /** What became of each payment so far; none, if the file was not taken. */
  readonly orders: readonly Order[];
  /** pain.002: what became of it so far. */
  readonly report: Buffer;
  /** pain.002: whose names are those of the accounts. Null: the file was not taken. */
  readonly verification: Buffer | null;
};

export function takePaymentFile(ledger: BankLedger, now: Date, bytes: Uint8Array): FileAnswer {
  const read = readOrFault(bytes);
  if (!('groups' in read)) return rejected(null, null, read, now, 'pain.001.001.09');
  const accounts = new Map([...ledger.books.values()].map(({ account }) => [account.iban, account]));
  const judged = judgePaymentFile(read, {
    today: bankDay(now),
    accounts,
    closed: ledger.closed,
    isKnownFile: (messageId) => ledger.files.has(messageId),
  });
  const { messageId } = read;
  const account = read.groups[0]?.account ?? null;
  if (judged.fault !== null || messageId === null) {
    const fault = judged.fault ?? { code: 'FF01', sentence: 'MsgId is missing.' };
    return rejected(messageId, account, fault, now, read.messageName);
  }
  const file = fileOf(read, messageId, now);
  const orders = judged.groups.flatMap((group) => ordersOf(ledger, file, group, accounts, now));
  ledger.record({ file, orders });
  return {
    messageId,
    account,
    isTaken: true,
    fault: null,
    orders: ordersIn(ledger, messageId),
    report: writeStatusReport(ledger, messageId, now),
    verification: writeVerification(ledger, messageId, now),
  };
}

function readOrFault(bytes: Uint8Array): ReadPaymentFile | Fault {
  try {
    return readPaymentFile(bytes);
  } catch (error) {
    if (!(error instanceof NotXml)) throw error;
    return { code: 'FF01', sentence: error.message };
  }
}

const rejected = (
  messageId: string | null,
  account: string | null,
  fault: Fault,
  now: Date,
  messageName: string,
): FileAnswer => ({
  messageId,
  account,
  isTaken: false,
  fault,
  orders: [],
  report: writeRejection({ messageId: messageId ?? 'NOTPROVIDED', messageName, fault }, now),
  verification: null,
});

const fileOf = (read: ReadPaymentFile, messageId: string, now: Date): PaymentFile => ({
  messageId,
  messageName: read.messageName,
  count: read.groups.reduce((sum, { transactions }) => sum + transactions.length, 0),
  controlSum: read.groups
    .flatMap(({ transactions }) => transactions)
    .reduce((sum, { units }) => sum + (units ?? 0n), 0n),
  receivedAt: now.toISOString(),
  signedOn: null,
});

function ordersOf(
  ledger: BankLedger,
  file: PaymentFile,
  { group, transactions }: JudgedGroup,
  accounts: ReadonlyMap<string, BankAccount>,
  now: Date,
): Order[] {
  const account = accounts.get(group.account ?? '');
  return transactions.map(({ transaction, fault }) => ({
    id: ledger.nextId(bankDay(now)),
    messageId: file.messageId,
    groupId: group.id ?? '',
    account: group.account ?? '',
    units: transaction.units ?? 0n,
    currency: transaction.currency ?? '',
    payee: payeeOf(transaction),
    payeeAccount: transaction.payeeAccount,
    instructionId: transaction.instructionId,
    endToEndId: transaction.endToEndId ?? '',
    text: transaction.text,
    reference: transaction.reference,
    isInstant: transaction.isInstant,
    isSwift: account !== undefined && isBySwift(transaction, account),
    bearer: transaction.bearer ?? 'SHA',
    isBatched: group.isBatched,
    requestedDay: group.requestedDay ?? bankDay(now),
    status: fault === null ? 'RCVD' : 'RJCT',
    code: fault?.code ?? null,
    changedAt: now.toISOString(),
    returnedBy: null,
  }));
}

const payeeOf = ({ payeeName, payeeIban, payeeBic }: ReadTransaction) => ({
  name: payeeName ?? '',
  iban: payeeIban,
  bic: payeeBic,
});

export const ordersIn = (ledger: BankLedger, messageId: string): Order[] =>
  [...ledger.orders.values()].filter((each) => each.messageId === messageId);

/** In the bank's portal a person lets all of it go. */
export function signFile(ledger: BankLedger, now: Date, messageId: string): void {
  const file = demandFile(ledger, messageId);
  if (file.signedOn !== null) throw new BankRefused(`${messageId} is signed already.`);
  const at = now.toISOString();
  const waiting = ordersIn(ledger, messageId).filter(({ status }) => status === 'RCVD');
  ledger.record(
    { sign: messageId, on: bankDay(now) },
    ...waiting.map(({ id }) => ({ order: id, status: 'ACSP', code: null, at }) as const),
  );
}

export function demandFile(ledger: BankLedger, messageId: string): PaymentFile {
  const file = ledger.files.get(messageId);
  if (!file) throw new BankRefused(`No file is named ${messageId}.`);
  return file;
}

/** The newest of this name: a name may come again in another file. */
export function demandOrder(ledger: BankLedger, endToEndId: string): Order {
  const order = [...ledger.orders.values()].findLast(
    (each) => each.endToEndId === endToEndId || each.id === endToEndId,
  );
  if (!order) throw new BankRefused(`No payment is named ${endToEndId}.`);
  return order;
}

/** What is not paid yet is not paid at all. */
export function rejectOrder(ledger: BankLedger, now: Date, endToEndId: string, code: string): void {
  const order = demandOrder(ledger, endToEndId);
  if (order.status !== 'RCVD' && order.status !== 'ACSP')
    throw new BankRefused(`${endToEndId} is ${order.status}: it cannot be rejected any more.`);
  ledger.record({ order: order.id, status: 'RJCT', code, at: now.toISOString() });
}
