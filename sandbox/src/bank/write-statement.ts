/** From what was issued to files: parts and pages, in the form of a bank. */
import { type Zippable, zipSync } from 'fflate';
import { type Entry, sumOf } from './bank-entry.ts';
import type { BankLedger } from './bank-ledger.ts';
import { bankStyles } from './bank-styles.ts';
import type { IssuedStatement, Statement, StatementFile, StatementForm } from './statement-content.ts';
import { writeCamt } from './write-camt.ts';
import { writeMt940 } from './write-mt940.ts';

export type BankFile = { readonly name: string; readonly bytes: Buffer };

export function formOf({ kind, version, styleName }: IssuedStatement): StatementForm {
  const style = bankStyles[styleName];
  if (!style) throw new Error(`No bank is called ${styleName}.`);
  return { kind, version, style };
}

/** What a statement says, one for each of its parts, before anything is done to it. */
export function readStatements(ledger: BankLedger, issued: IssuedStatement): Statement[] {
  const book = ledger.books.get(issued.account);
  if (!book) throw new Error(`${issued.account} has no book.`);
  return issued.parts.map(({ number, from, to, day }, at) => ({
    id: `${issued.id}P${at + 1}`,
    number,
    account: book.account,
    day,
    opening: ledger.balanceBefore(issued.account, from),
    closing: ledger.balanceBefore(issued.account, to),
    entries: book.entries.slice(from, to),
    pending: at === issued.parts.length - 1 ? issued.pending : [],
    page: null,
  }));
}

/** In files as the style has it: one, one for each page, or one for each statement. */
export function layOut(issued: IssuedStatement, statements: readonly Statement[]): StatementFile[] {
  const { style } = formOf(issued);
  const isApart = style.days === 'zip' || style.entriesPerPage !== null;
  const groups = isApart
    ? statements.flatMap((each) => pagesOf(each, style.entriesPerPage)).map((each) => [each])
    : [statements];
  return groups.map((group, at) => ({
    messageId: `${issued.id}M${at + 1}`,
    issuedAt: new Date(issued.issuedAt),
    statements: group,
  }));
}

/** Pages of one statement share its name and its number. */
export function pagesOf(statement: Statement, entriesPerPage: number | null): Statement[] {
  if (entriesPerPage === null || statement.entries.length <= entriesPerPage) return [statement];
  const count = Math.ceil(statement.entries.length / entriesPerPage);
  return cut(statement, entriesPerPage).map((page, at) => ({
    ...page,
    id: statement.id,
    page: { number: at + 1, isLast: at === count - 1 },
  }));
}

/** Statements of their own, which together say the same. */
export const splitStatement = (statement: Statement, entriesEach: number): Statement[] =>
  statement.entries.length <= entriesEach ? [statement] : cut(statement, entriesEach);

function cut(statement: Statement, entriesEach: number): Statement[] {
  const parts: Statement[] = [];
  let { opening } = statement;
  for (let from = 0; from < statement.entries.length; from += entriesEach) {
    const entries: readonly Entry[] = statement.entries.slice(from, from + entriesEach);
    const isLast = from + entriesEach >= statement.entries.length;
    // The last one closes as the whole does, even where that is wrong.
    const closing = isLast ? statement.closing : opening + sumOf(entries);
    parts.push({
      ...statement,
      id: `${statement.id}S${parts.length + 1}`,
      opening,
      closing,
      entries,
      pending: isLast ? statement.pending : [],
    });
    opening = closing;
  }
  return parts;
}

export function writeFiles(form: StatementForm, files: readonly StatementFile[], doctype?: string): BankFile[] {
  const { kind } = form;
  return files.map((file) => ({
    name: `${file.messageId}.${kind === 'mt940' ? 'sta' : 'xml'}`,
    bytes: kind === 'mt940' ? writeMt940(file, form) : writeCamt(file, { ...form, kind }, doctype),
  }));
}

/** A bank that sends a ZIP sends one even of a single file. */
export function packed(issued: IssuedStatement, files: readonly BankFile[]): BankFile[] {
  return formOf(issued).style.days === 'zip' ? [zipped(issued.id, new Date(issued.issuedAt), files)] : [...files];
}

/** The times in it are those of the statement, so that the same statement has the same bytes. */
export function zipped(name: string, issuedAt: Date, files: readonly BankFile[]): BankFile {
  const content: Zippable = {};
  for (const file of files) content[file.name] = [file.bytes, { mtime: issuedAt }];
  return { name: `${name}.zip`, bytes: Buffer.from(zipSync(content)) };
}
