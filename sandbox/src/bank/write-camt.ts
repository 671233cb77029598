/**
 * Statements as camt.052, .053 and .054, ISO 20022, in five of their versions. The order of elements is that of the
 * schemas; a reader must take them in any version, so each difference between them is written here.
 */
import { addDays, zonedMoment } from '@quittance/server/lib/local-day';
import { absolute, formatCents, sumOf } from './bank-entry.ts';
import type { BankAccount } from './bank-parties.ts';
import { ownBic } from './bank-parties.ts';
import { type CamtDialect, camtEntry, dialectOf, sideOf } from './camt-entry.ts';
import type { Statement, StatementFile, StatementForm } from './statement-content.ts';
import { bankTimeZone } from './target-calendar.ts';
import { type Element, el, writeXml } from './write-xml.ts';

const roots = {
  'camt.052': { message: 'BkToCstmrAcctRpt', statement: 'Rpt', pages: 'RptPgntn' },
  'camt.053': { message: 'BkToCstmrStmt', statement: 'Stmt', pages: 'StmtPgntn' },
  'camt.054': { message: 'BkToCstmrDbtCdtNtfctn', statement: 'Ntfctn', pages: 'NtfctnPgntn' },
} as const;

export type CamtKind = keyof typeof roots;

export function writeCamt(
  file: StatementFile,
  form: StatementForm & { readonly kind: CamtKind },
  doctype?: string,
): Buffer {
  const dialect = dialectOf(form);
  const names = roots[form.kind];
  const [first] = file.statements;
  // Version 02 has no place for pages in a statement: they are those of the message.
  const paged = form.version === '02' ? (first?.page ?? null) : null;
  const document = el('Document', [
    el(names.message, [
      el('GrpHdr', [
        el('MsgId', file.messageId),
        el('CreDtTm', zonedMoment(bankTimeZone, file.issuedAt)),
        paged && pagination('MsgPgntn', paged),
      ]),
      ...file.statements.map((each) => statementElement(each, file.issuedAt, form, dialect)),
    ]),
  ]);
  const namespace = `urn:iso:std:iso:20022:tech:xsd:${form.kind}.001.${form.version}`;
  return writeXml(document, namespace, form.style, doctype);
}

const pagination = (name: string, page: NonNullable<Statement['page']>): Element =>
  el(name, [el('PgNb', String(page.number)), el('LastPgInd', String(page.isLast))]);

function statementElement(
  statement: Statement,
  issuedAt: Date,
  form: StatementForm & { readonly kind: CamtKind },
  dialect: CamtDialect,
): Element {
  const { account, entries, pending } = statement;
  const names = roots[form.kind];
  const booked = entries.map((each) => camtEntry(each, account.currency, 'BOOK', dialect));
  const announced = pending.map((each) => camtEntry(each, account.currency, 'PDNG', dialect));
  return el(names.statement, [
    el('Id', statement.id),
    form.version !== '02' && statement.page !== null && pagination(names.pages, statement.page),
    el('ElctrncSeqNb', String(statement.number)),
    el('CreDtTm', zonedMoment(bankTimeZone, issuedAt)),
    form.style.hasPeriod && periodElement(statement),
    accountElement(account, dialect),
    ...(form.kind === 'camt.054' ? [] : balances(statement, form)),
    summary(statement, dialect),
    ...booked,
    ...announced,
  ]);
}

const periodElement = ({ entries, day }: Statement): Element =>
  el('FrToDt', [el('FrDtTm', `${entries[0]?.day ?? day}T00:00:00`), el('ToDtTm', `${day}T23:59:59`)]);

function accountElement({ iban, currency, owner }: BankAccount, dialect: CamtDialect): Element {
  return el('Acct', [
    el('Id', [el('IBAN', iban)]),
    el('Ccy', currency),
    el('Ownr', [el('Nm', owner)]),
    el('Svcr', [el('FinInstnId', [el(dialect.bic, ownBic), el('Nm', dialect.style.bankName)])]),
  ]);
}

/** A page in the middle begins and ends with balances on the way. A report of the running day has no closing one. */
function balances({ page, account, day, opening, closing }: Statement, { kind, style }: StatementForm): Element[] {
  const isFirst = page === null || page.number === 1;
  const isEnd = (page === null || page.isLast) && kind === 'camt.053';
  // The closing balance of the day before is called so by its day too.
  const balance = (code: string, units: bigint): Element =>
    el('Bal', [
      el('Tp', [el('CdOrPrtry', [el('Cd', code)])]),
      el('Amt', formatCents(absolute(units)), { Ccy: account.currency }),
      el('CdtDbtInd', units < 0n ? 'DBIT' : 'CRDT'),
      el('Dt', [el('Dt', code === 'PRCD' ? addDays(day, -1) : day)]),
    ]);
  return [balance(isFirst ? style.openingCode : 'ITBD', opening), balance(isEnd ? 'CLBD' : 'ITBD', closing)];
}

function summary({ entries }: Statement, dialect: CamtDialect): Element | null {
  if (entries.length === 0) return null;
  // By the side that is written, so that a reader who adds up what stands there comes to the same.
  const onSide = (side: string) => entries.filter((each) => sideOf(each, dialect.style) === side);
  const numbers = (some: typeof entries): Element[] => [
    el('NbOfNtries', String(some.length)),
    el('Sum', formatCents(some.reduce((sum, { units }) => sum + absolute(units), 0n))),
  ];
  const net = sumOf(entries);
  const side = el('CdtDbtInd', net < 0n ? 'DBIT' : 'CRDT');
  const netAmount = formatCents(absolute(net));
  return el('TxsSummry', [
    el('TtlNtries', [
      ...numbers(entries),
      ...(dialect.isFirstVersion
        ? [el('TtlNetNtryAmt', netAmount), side]
        : [el('TtlNetNtry', [el('Amt', netAmount), side])]),
    ]),
    el('TtlCdtNtries', numbers(onSide('CRDT'))),
    el('TtlDbtNtries', numbers(onSide('DBIT'))),
  ]);
}
