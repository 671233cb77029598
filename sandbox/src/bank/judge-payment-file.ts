/**
 * What a bank says to a payment file before it pays anything: the codes are those of ISO 20022. A file is rejected whole
 * where it contradicts itself, a group where its account or day is wrong, and a transaction for its own faults.
 */
import type { Day } from '@quittance/server/lib/local-day';
import type { ClosedAccount } from './bank-ledger.ts';
import type { BankAccount } from './bank-parties.ts';
import { hasCheckDigits } from './iban-of.ts';
import type { ReadGroup, ReadPaymentFile, ReadTransaction } from './read-payment-file.ts';

export type Fault = { readonly code: string; readonly sentence: string };

export type Judged = {
  readonly fault: Fault | null;
  readonly groups: readonly JudgedGroup[];
};

export type JudgedGroup = {
  readonly group: ReadGroup;
  readonly fault: Fault | null;
  readonly transactions: readonly { readonly transaction: ReadTransaction; readonly fault: Fault | null }[];
};

export type BankFacts = {
  readonly today: Day;
  readonly accounts: ReadonlyMap<string, BankAccount>;
  readonly closed: ReadonlyMap<string, ClosedAccount>;
  isKnownFile(messageId: string): boolean;
};

const fault = (code: string, sentence: string): Fault => ({ code, sentence });

const maxUnits = 99_999_999_999n;
const latest = (today: Day): Day => `${Number(today.slice(0, 4)) + 1}${today.slice(4)}`;

export function judgePaymentFile(file: ReadPaymentFile, facts: BankFacts): Judged {
  const groups = file.groups.map((group) => judgeGroup(group, facts));
  return { fault: faultOfFile(file, facts), groups };
}

function faultOfFile({ messageId, count, controlSum, groups }: ReadPaymentFile, facts: BankFacts): Fault | null {
  const transactions = groups.flatMap((group) => group.transactions);
  if (messageId === null || messageId.length > 35) return fault('FF01', 'MsgId must have 1 to 35 characters.');
  if (facts.isKnownFile(messageId)) return fault('DUPL', `A file named ${messageId} was sent before.`);
  if (transactions.length === 0) return fault('FF01', 'The file has no transactions.');
  if (groups.some((group) => !isId(group.id))) return fault('FF01', 'PmtInfId must have 1 to 35 characters.');
  if (new Set(groups.map(({ id }) => id)).size < groups.length) return fault('FF01', 'Two groups have one PmtInfId.');
  for (const { endToEndId, instructionId, text, payeeName, reference } of transactions) {
    if (!isId(endToEndId)) return fault('FF01', 'EndToEndId must have 1 to 35 characters.');
    if (instructionId !== null && !isId(instructionId))
      return fault('FF01', 'InstrId must have at most 35 characters.');
    if (text.length > 140) return fault('FF01', 'A text must have at most 140 characters.');
    if ((payeeName ?? '').length > 70) return fault('FF01', 'A name must have at most 70 characters.');
    if ((reference ?? '').length > 35) return fault('FF01', 'A reference must have at most 35 characters.');
    if (text !== '' && reference !== null) return fault('FF01', 'A reference and a text exclude each other.');
  }
  if (Number(count) !== transactions.length)
    return fault('AM18', `NbOfTxs is ${count}, there are ${transactions.length}.`);
  if (controlSum !== null && controlSum !== totalOf(transactions))
    return fault('AM10', 'CtrlSum is not the sum of all amounts.');
  return null;
}

const isId = (id: string | null): id is string => id !== null && id.length <= 35;

const totalOf = (transactions: readonly ReadTransaction[]): bigint =>
  transactions.reduce((sum, { units }) => sum + (units ?? 0n), 0n);

function judgeGroup(group: ReadGroup, facts: BankFacts): JudgedGroup {
  const account = group.account === null ? undefined : facts.accounts.get(group.account);
  const whole = faultOfGroup(group, account, facts);
  return {
    group,
    fault: whole,
    transactions: group.transactions.map((transaction) => ({
      transaction,
      fault: whole ?? (account ? faultOf(transaction, account, facts) : null),
    })),
  };
}

function faultOfGroup(group: ReadGroup, account: BankAccount | undefined, { today }: BankFacts): Fault | null {
  if (!account) return fault('AC02', 'The account to pay from is not one of this customer.');
  if (group.method !== 'TRF') return fault('FF05', 'PmtMtd must be TRF.');
  if (!isDay(group.requestedDay) || group.requestedDay > latest(today)) return fault('DT01', 'That day cannot be.');
  if (group.count !== null && Number(group.count) !== group.transactions.length)
    return fault('AM18', 'NbOfTxs of the group is wrong.');
  if (group.controlSum !== null && group.controlSum !== totalOf(group.transactions))
    return fault('AM10', 'CtrlSum of the group is wrong.');
  return null;
}

/** Also that there is such a day: not the 31st of February. */
export const isDay = (text: string | null): text is Day =>
  text !== null &&
  /^\d{4}-\d{2}-\d{2}$/.test(text) &&
  !Number.isNaN(Date.parse(text)) &&
  new Date(text).toISOString().startsWith(text);

function faultOf(transaction: ReadTransaction, account: BankAccount, { closed }: BankFacts): Fault | null {
  const { units, currency, payeeName, payeeIban } = transaction;
  if (units === null || units <= 0n) return fault('AM01', 'The amount is not one that can be paid.');
  if (units > maxUnits) return fault('AM02', 'The amount is too large.');
  if (currency !== account.currency) return fault('AM03', `This account pays in ${account.currency}.`);
  if (payeeName === null) return fault('BE22', 'The name of the payee is missing.');
  if (payeeIban !== null && !hasCheckDigits(payeeIban)) return fault('AC01', 'The IBAN is misspelt.');
  const isSwift = isBySwift(transaction, account);
  if (!isSwift && payeeIban === null) return fault('AC01', 'The IBAN is missing.');
  const shut = closed.get(payeeIban ?? '');
  if (shut?.how === 'reject') return fault(shut.code, 'The payee’s bank does not take it.');
  return isSwift ? faultOfSwift(transaction) : faultOfSepa(transaction);
}

/** Euros go by SEPA unless they go to an account without an IBAN. */
export const isBySwift = ({ isSepa, payeeIban }: ReadTransaction, { currency }: BankAccount): boolean =>
  currency !== 'EUR' || (!isSepa && payeeIban === null);

function faultOfSepa({ bearer, reference }: ReadTransaction): Fault | null {
  if (bearer !== null && bearer !== 'SHA') return fault('CH03', 'SEPA knows shared charges only.');
  if (reference !== null && !/^[\w/?:().,'+ -]+$/.test(reference)) return fault('RR09', 'The reference is not one.');
  return null;
}

/** Since November 2026 an address has its town and its country in fields of their own. */
function faultOfSwift({ payeeBic, payeeIban, payeeAccount, payeeTown, payeeCountry }: ReadTransaction): Fault | null {
  if (payeeBic === null || !/^[A-Z]{4}[A-Z]{2}[A-Z0-9]{2}(?:[A-Z0-9]{3})?$/.test(payeeBic))
    return fault('RC01', 'The BIC of the payee’s bank is missing or misspelt.');
  if (payeeIban === null && payeeAccount === null) return fault('AC01', 'The payee’s account is missing.');
  if (payeeTown === null || payeeCountry === null) return fault('BE04', 'The payee’s town and country are missing.');
  return null;
}
