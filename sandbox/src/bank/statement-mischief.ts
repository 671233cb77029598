/**
 * What a bank, its programs or a stranger do to statements. Each takes a statement that was issued and gives files: some
 * are unusual and right, the others must be refused whole by whoever reads them.
 */
import type { BankLedger } from './bank-ledger.ts';
import { strangersIban } from './bank-parties.ts';
import type { IssuedStatement, Statement } from './statement-content.ts';
import {
  type BankFile,
  formOf,
  layOut,
  packed,
  pagesOf,
  readStatements,
  splitStatement,
  writeFiles,
  zipped,
} from './write-statement.ts';

type Mischief = (ledger: BankLedger, issued: IssuedStatement) => BankFile[];

/** As the bank would have written it, had its books said this. */
const written = (issued: IssuedStatement, statements: readonly Statement[], doctype?: string): BankFile[] =>
  packed(issued, writeFiles(formOf(issued), layOut(issued, statements), doctype));

/** Each of them in a file of its own. */
const apart = (issued: IssuedStatement, statements: readonly Statement[]): BankFile[] =>
  writeFiles(
    formOf(issued),
    statements.map((each, at) => ({
      messageId: `${issued.id}M${at + 1}`,
      issuedAt: new Date(issued.issuedAt),
      statements: [each],
    })),
  );

const changed =
  (change: (statement: Statement, at: number) => Statement): Mischief =>
  (ledger, issued) =>
    written(issued, readStatements(ledger, issued).map(change));

const forcedPages: Mischief = (ledger, issued) =>
  apart(
    issued,
    readStatements(ledger, issued).flatMap((each) => pagesOf(each, Math.max(1, Math.ceil(each.entries.length / 3)))),
  );

/** Ten to the power of ten laughs. */
const bomb = `<!DOCTYPE Document [\n<!ENTITY l0 "ha">\n${Array.from(
  { length: 10 },
  (_, at) => `<!ENTITY l${at + 1} "${`&l${at};`.repeat(10)}">`,
).join('\n')}\n]>\n`;

export const statementMischief = {
  /** As it was. */
  repeat: (ledger, issued) => written(issued, readStatements(ledger, issued)),
  /** The same statement as several, which are all whole. */
  split: (ledger, issued) =>
    apart(
      issued,
      readStatements(ledger, issued).flatMap((each) =>
        splitStatement(each, Math.max(1, Math.ceil(each.entries.length / 2))),
      ),
    ),
  pages: forcedPages,
  zip: (ledger, issued) => [zipped(issued.id, new Date(issued.issuedAt), forcedPages(ledger, issued))],
  /** The newest entry first, as some banks list them. */
  reorder: changed((each) => ({ ...each, entries: each.entries.toReversed() })),
  reorderFiles: (ledger, issued) => forcedPages(ledger, issued).toReversed(),
  leavePageOut: (ledger, issued) => {
    const pages = forcedPages(ledger, issued);
    return pages.filter((_, at) => at !== Math.floor(pages.length / 2));
  },
  wrongClosing: changed((each) => ({ ...each, closing: each.closing + 1n })),
  wrongOpening: changed((each) => ({ ...each, opening: each.opening + 100n, closing: each.closing + 100n })),
  otherAccount: changed((each) => ({ ...each, account: { ...each.account, iban: strangersIban } })),
  otherCurrency: changed((each) => ({ ...each, account: { ...each.account, currency: 'CHF' } })),
  /** The same name over other words. */
  alter: changed((each) => ({
    ...each,
    entries: each.entries.map((entry) => ({
      ...entry,
      details: entry.details.map((detail) => ({ ...detail, text: `${detail.text} (2)` })),
    })),
  })),
  /** An entry is missing, and nothing says so but the sum. */
  leaveEntryOut: changed((each) => ({ ...each, entries: each.entries.slice(1) })),
  entityBomb: (ledger, issued) => {
    const form = formOf(issued);
    const statements = readStatements(ledger, issued);
    return writeFiles(
      { ...form, kind: form.kind === 'mt940' ? 'camt.053' : form.kind },
      layOut(issued, statements),
      bomb,
    ).map(({ name, bytes }) => ({ name, bytes: withLaughter(bytes) }));
  },
  cutOff: (ledger, issued) =>
    written(issued, readStatements(ledger, issued)).map(({ name, bytes }) => ({
      name,
      bytes: bytes.subarray(0, Math.floor(bytes.length * 0.7)),
    })),
} as const satisfies Readonly<Record<string, Mischief>>;

export type MischiefName = keyof typeof statementMischief;

/** Whoever reads these takes what is in them, and nothing else. */
export const harmless: readonly MischiefName[] = ['repeat', 'split', 'pages', 'zip', 'reorder', 'reorderFiles'];

export const isMischief = (name: string): name is MischiefName => Object.hasOwn(statementMischief, name);

/** The bomb goes off in the first text. Both encodings write these letters in a way that can be replaced. */
function withLaughter(bytes: Buffer): Buffer {
  const encoding = bytes[0] === 0xff ? 'utf16le' : 'latin1';
  return Buffer.from(bytes.toString(encoding).replace(/(<(?:\w+:)?MsgId>)/, '$1&l10;'), encoding);
}
