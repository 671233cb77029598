/**
 * What a person vouches for. Where an accepted message was no bank's, or one is missing that no bank delivers any more, nothing
 * that comes later follows on what was accepted, and no payment counts. So its bookings are told by hand, with the balance that
 * the account really has: it proves that none is missing. What left stands open until somebody says what it was, as always.
 */
import { createHash } from 'node:crypto';
import { isDay } from '../../../lib/local-day.ts';
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
  const { correction } = JSON.parse(Buffer.from(bytes).toString()) as Correction;
  if (!last || last.closing === null)
    throw refused(
      'bank_correction_early',
      creditsFrom === 'camt.054'
        ? 'Notices (camt.054) credit here, and follow on no balance: there is nothing to correct.'
        : 'No balance was accepted yet: begin with a statement of the bank.',
    );
  const day = correction.day ?? last.to;
  if (!isDay(day)) throw refused('bank_correction_day', `The day ${day} must be written as 2026-03-12.`);
  if (day < last.to)
    throw refused(
      'bank_correction_day',
      `The last statement is of ${last.to}: a correction of it is of no day before.`,
    );
  const units = (text: string): bigint => readBankAmount(text, currency);
  const sumOf = (bookings: readonly ByHand[]): bigint => bookings.reduce((sum, { amount }) => sum + units(amount), 0n);
  const amountText = (value: bigint): string =>
    formatFixed(fromUnits(value, currencyDecimals(currency)), currencyDecimals(currency));
  const opening = BigInt(last.closing);
  const closing = opening + sumOf(correction.came) - sumOf(correction.left);
  const balance = signed(correction.balance, units);
  if (closing !== balance)
    throw refused(
      'bank_correction_sum',
      `What was accepted ends with ${amountText(opening)} ${currency}; with these bookings the account has ${amountText(closing)} ` +
        `${currency}, and not ${amountText(balance)}: tell each booking that is missing, and of each that was not the bank’s the contrary.`,
    );
  const balanceOf = (code: string, value: bigint) =>
    element('Bal', [
      element('Tp', element('CdOrPrtry', element('Cd', code))),
      element('Amt', amountText(value < 0n ? -value : value), { Ccy: currency }),
      element('CdtDbtInd', value < 0n ? 'DBIT' : 'CRDT'),
      element('Dt', element('Dt', day)),
    ]);
  const booking =
    (direction: 'CRDT' | 'DBIT') =>
    ({ amount, text }: ByHand, place: number) => {
      const family = direction === 'CRDT' ? 'RCDT' : 'ICDT';
      return element('Ntry', [
        element('Amt', amountText(units(amount)), { Ccy: currency }),
        element('CdtDbtInd', direction),
        element('Sts', element('Cd', 'BOOK')),
        element('BookgDt', element('Dt', day)),
        element('ValDt', element('Dt', day)),
        element('AcctSvcrRef', `${correction.id}-${direction}-${place + 1}`),
        element(
          'BkTxCd',
          element('Domn', [
            element('Cd', 'PMNT'),
            element('Fmly', [element('Cd', family), element('SubFmlyCd', 'OTHR')]),
          ]),
        ),
        element('NtryDtls', element('TxDtls', element('RmtInf', element('Ustrd', text)))),
      ]);
    };
  const { iban, others } = account;
  const xml = xmlDocument(
    element(
      'Document',
      element('BkToCstmrStmt', [
        element('GrpHdr', [element('MsgId', correction.id), element('CreDtTm', account.now().toISOString())]),
        element('Stmt', [
          element('Id', `CORRECTION ${correction.id}`),
          element('CreDtTm', account.now().toISOString()),
          element('FrToDt', [element('FrDtTm', `${day}T00:00:00`), element('ToDtTm', `${day}T23:59:59`)]),
          element(
            'Acct',
            element('Id', iban === null ? element('Othr', element('Id', others[0] ?? '')) : element('IBAN', iban)),
          ),
          balanceOf('OPBD', opening),
          balanceOf('CLBD', closing),
          correction.came.map(booking('CRDT')),
          correction.left.map(booking('DBIT')),
        ]),
      ]),
      { xmlns: 'urn:iso:std:iso:20022:tech:xsd:camt.053.001.08' },
    ),
  );
  return vouched(await readBankFile(Buffer.from(xml)), createHash('sha256').update(bytes).digest('hex'), creditsFrom);
}

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
