/**
 * What a person vouches for. Where an accepted message was no bank's, or one is missing that no bank delivers any more, nothing
 * that comes later follows on what was accepted, and no payment counts. So its bookings are told by hand, with the balance that
 * the account really has: it proves that none is missing. What left stands open until somebody says what it was, as always.
 */
import { createHash } from 'node:crypto';
import { type Day, dayOf, isDay } from '../../../lib/local-day.ts';
import { element, xmlDocument } from '../../../lib/xml-element.ts';
import { formatFixed, fromUnits } from '../../../money/decimal.ts';
import { refused } from './bank-file-refused.ts';
import type { StatementTold } from './bank-told.ts';
import { currencyDecimals } from './currency-decimals.ts';
import type { BankStatement } from './join-pages.ts';
import { readBankAmount } from './read-bank-amount.ts';
import type { ReadAccount } from './read-bank-documents.ts';
import { type BankFile, readBankFile } from './read-bank-file.ts';

type ByHand = { readonly amount: string; readonly text: string };
export type Correction = {
  readonly correction: {
    readonly id: string;
    /** With which the account ends. */
    readonly balance: string;
    /** Null: the last one that was told. */
    readonly day: string | null;
    readonly came: readonly ByHand[];
    readonly left: readonly ByHand[];
  };
};

const mark = Buffer.from('{"correction":');

export const isCorrection = (bytes: Uint8Array): boolean => mark.equals(bytes.subarray(0, mark.length));

export const writeCorrection = (correction: Correction['correction']): Uint8Array =>
  Buffer.from(JSON.stringify({ correction } satisfies Correction));

/** As a statement of the kind that credits here, after `last`. */
export async function correctionFile(
  bytes: Uint8Array,
  account: ReadAccount,
  last: StatementTold | null,
): Promise<BankFile> {
  const { currency, creditsFrom } = account;
  const correction = readCorrection(bytes);
  if (!last || last.closing === null)
    throw refused(
      'bank_correction_early',
      creditsFrom === 'camt.054'
        ? 'Notices (camt.054) credit here, and follow on no balance: there is nothing to correct.'
        : 'No balance was accepted yet: begin with a statement of the bank.',
    );
  const day = correction.day ?? last.to;
  demandDay(day, last.to, dayOf(account.timeZone, account.now()));
  const units = (text: string): bigint => readBankAmount(text, currency);
  const sumOf = (bookings: readonly ByHand[]): bigint => bookings.reduce((sum, { amount }) => sum + units(amount), 0n);
  const opening = BigInt(last.closing);
  const closing = opening + sumOf(correction.came) - sumOf(correction.left);
  const balance = signed(correction.balance, units);
  if (closing !== balance)
    throw refused(
      'bank_correction_sum',
      `What was accepted ends with ${amountText(opening, currency)} ${currency}; with these bookings the account has ` +
        `${amountText(closing, currency)} ${currency}, and not ${amountText(balance, currency)}: tell each booking that is missing, ` +
        'and of each that was not the bank’s the contrary.',
    );
  const statement = statementText(correction, account, { day, opening, closing });
  const digest = createHash('sha256').update(bytes).digest('hex');
  return vouched(await readBankFile(Buffer.from(statement)), digest, creditsFrom);
}

/** Whoever imports something that only begins like one is told so. */
function readCorrection(bytes: Uint8Array): Correction['correction'] {
  const isByHand = (each: unknown): boolean =>
    typeof (each as ByHand | null)?.amount === 'string' && typeof (each as ByHand).text === 'string';
  try {
    const { correction } = JSON.parse(Buffer.from(bytes).toString()) as Correction;
    const { id, balance, day, came, left } = correction;
    if ([id, balance, day ?? ''].every((each) => typeof each === 'string') && [...came, ...left].every(isByHand))
      return correction;
  } catch {
    // It is said below.
  }
  throw refused('bank_correction_form', 'This is no correction: npx quittance bank correct makes one.');
}

function demandDay(day: string, last: Day, today: Day): void {
  if (!isDay(day)) throw refused('bank_correction_day', `The day ${day} must be written as 2026-03-12.`);
  if (day < last)
    throw refused('bank_correction_day', `The last statement is of ${last}: a correction of it is of no day before.`);
  if (day > today && day !== last)
    throw refused('bank_correction_day', `The day ${day} is still to come: a correction is of what was booked.`);
}

type Balances = { readonly day: Day; readonly opening: bigint; readonly closing: bigint };

function statementText(
  { id, came, left }: Correction['correction'],
  { currency, iban, others, now }: ReadAccount,
  { day, opening, closing }: Balances,
): string {
  const money = (units: bigint) => element('Amt', amountText(units, currency), { Ccy: currency });
  const balance = (code: string, units: bigint) =>
    element('Bal', [
      element('Tp', element('CdOrPrtry', element('Cd', code))),
      money(units < 0n ? -units : units),
      element('CdtDbtInd', units < 0n ? 'DBIT' : 'CRDT'),
      element('Dt', element('Dt', day)),
    ]);
  const booking =
    (direction: 'CRDT' | 'DBIT') =>
    ({ amount, text }: ByHand, place: number) => {
      const family = element('Fmly', [
        element('Cd', direction === 'CRDT' ? 'RCDT' : 'ICDT'),
        element('SubFmlyCd', 'OTHR'),
      ]);
      return element('Ntry', [
        money(readBankAmount(amount, currency)),
        element('CdtDbtInd', direction),
        element('Sts', element('Cd', 'BOOK')),
        element('BookgDt', element('Dt', day)),
        element('ValDt', element('Dt', day)),
        element('AcctSvcrRef', `${id}-${direction}-${place + 1}`),
        element('BkTxCd', element('Domn', [element('Cd', 'PMNT'), family])),
        element('NtryDtls', element('TxDtls', element('RmtInf', element('Ustrd', text)))),
      ]);
    };
  const account = iban === null ? element('Othr', element('Id', others[0] ?? '')) : element('IBAN', iban);
  const made = element('CreDtTm', now().toISOString());
  const statement = element('Stmt', [
    element('Id', `CORRECTION ${id}`),
    made,
    element('FrToDt', [element('FrDtTm', `${day}T00:00:00`), element('ToDtTm', `${day}T23:59:59`)]),
    element('Acct', element('Id', account)),
    balance('OPBD', opening),
    balance('CLBD', closing),
    came.map(booking('CRDT')),
    left.map(booking('DBIT')),
  ]);
  const message = element('BkToCstmrStmt', [element('GrpHdr', [element('MsgId', id), made]), statement]);
  return xmlDocument(element('Document', message, { xmlns: 'urn:iso:std:iso:20022:tech:xsd:camt.053.001.08' }));
}

const amountText = (units: bigint, currency: string): string =>
  formatFixed(fromUnits(units, currencyDecimals(currency)), currencyDecimals(currency));

const signed = (text: string, units: (text: string) => bigint): bigint =>
  text.startsWith('-') ? -units(text.slice(1)) : units(text);

/** It is known by what the person said, and its statement credits, whatever kind of message does so here. */
function vouched(file: BankFile, digest: string, kind: BankStatement['kind']): BankFile {
  const statements = new Map(
    file.statements.map((each): [BankStatement, BankStatement] => [each, { ...each, kind, isCorrection: true }]),
  );
  const credited = (each: BankStatement): BankStatement => statements.get(each) ?? each;
  return {
    documents: file.documents.map((each) => ({ ...each, digest })),
    statements: file.statements.map(credited),
    parts: file.parts.map(({ document, statement }) => ({
      document: { ...document, digest },
      statement: credited(statement),
    })),
    async *entries() {
      for await (const each of file.entries()) yield { ...each, statement: credited(each.statement) };
    },
    answers: file.answers,
  };
}
