/**
 * camt.052, .053 and .054 in versions .02 to .13: what a bank tells about an account, as a stream. Read by local names,
 * whatever the schema says about order and number: a third of what banks really send fails its own schema.
 */
import type { BankFileLimits } from './bank-file-limits.ts';
import { quoted, refused } from './bank-file-refused.ts';
import type {
  BankEntry,
  BankEvent,
  Batch,
  EntryStatus,
  MessageTold,
  Page,
  StatementKind,
  StatementPart,
} from './bank-statement.ts';
import { meant } from './bank-statement.ts';
import { readBatch, readCamtDetail, type ToldDetail } from './camt-detail.ts';
import { readCamtAccount } from './camt-parties.ts';
import {
  readBookingCode,
  readCamtAmount,
  readCamtBalances,
  readCamtDay,
  readCharges,
  readDirection,
  readIsTrue,
  readShownDay,
} from './camt-values.ts';
import { at, createScale, createXmlReader, textAt, type XmlRecord } from './read-xml-records.ts';
import { settleDetails } from './settle-details.ts';

export const camtMessages: Readonly<Record<string, StatementKind>> = {
  BkToCstmrAcctRpt: 'camt.052',
  BkToCstmrStmt: 'camt.053',
  BkToCstmrDbtCdtNtfctn: 'camt.054',
};

const statements = new Set(['Stmt', 'Rpt', 'Ntfctn']);
const newestVersion = 13;

export function* readCamt(texts: Iterable<string>, limits: BankFileLimits): Generator<readonly BankEvent[]> {
  let events: BankEvent[] = [];
  let kind: StatementKind | null = null;
  let version: string | null = null;
  let header: XmlRecord | undefined;
  let statement: XmlRecord = emptyRecord('Stmt');
  let entry: XmlRecord = emptyRecord('Ntry');
  let batch: Batch | null = null;
  let batches: Batch[] = [];
  let details: ToldDetail[] = [];

  /** What is kept until its owner is read: only so much of it. */
  const keep = <T>(kept: T[], one: T, most: number): void => {
    if (kept.push(one) > most)
      throw refused('bank_too_much_in_one', `A booking or statement of the file has more than ${most} parts.`, {
        most: String(most),
      });
  };
  const { elementsPerRecordMax, detailsPerEntryMax } = limits;
  const [ofStatement, ofEntry] = [createScale(limits), createScale(limits)];

  const xml = createXmlReader(
    {
      opens(container, name) {
        if (container === '') return Object.hasOwn(camtMessages, name) ? name : '';
        if (Object.hasOwn(camtMessages, container)) return statements.has(name) ? 'statement' : null;
        if (container === 'statement') return name === 'Ntry' ? 'entry' : null;
        return container === 'entry' && name === 'NtryDtls' ? 'details' : null;
      },
      opened(container, attributes) {
        if (container === '') version = versionIn(attributes) ?? version;
        else if (container === 'statement') {
          statement = emptyRecord('Stmt');
          ofStatement.empty();
        } else if (container === 'entry') {
          [entry, batches, details] = [emptyRecord('Ntry'), [], []];
          ofEntry.empty();
        } else if (container === 'details') batch = null;
        else if (kind !== null)
          throw refused('bank_two_messages', 'The file has two messages in it: import them one by one.');
        else {
          version = versionIn(attributes) ?? version;
          kind = camtMessages[container] ?? null;
        }
      },
      record(container, record, weight) {
        if (container === 'statement') ofStatement.add(weight);
        else if (container === 'entry' || container === 'details') ofEntry.add(weight);
        if (container === 'statement') keep(statement.children, record, elementsPerRecordMax);
        else if (container === 'entry') keep(entry.children, record, elementsPerRecordMax);
        else if (container === 'details') readDetails(record);
        else if (record.name === 'GrpHdr') header = record;
      },
      closed(container) {
        if (container === 'entry') events.push({ kind: 'entry', entry: readEntry(entry, kind, batches, details) });
        else if (container === 'statement') events.push({ kind: 'part', part: readPart(statement) });
      },
    },
    limits,
  );

  function readDetails(record: XmlRecord): void {
    if (record.name === 'TxDtls') keep(details, readCamtDetail(record, batch), detailsPerEntryMax);
    else if (record.name === 'Btch') {
      batch = readBatch(record);
      keep(batches, batch, elementsPerRecordMax);
    }
  }

  for (const text of texts) {
    xml.write(text);
    yield events;
    events = [];
  }
  xml.end();
  if (kind === null) throw refused('bank_message_missing', 'The file has no statement of a bank in it.');
  events.push({ kind: 'message', message: readHeader(kind, version, header) });
  yield events;
}

const emptyRecord = (name: string): XmlRecord => ({ name, currency: undefined, text: '', children: [] });

/** `urn:iso:std:iso:20022:tech:xsd:camt.053.001.08`, among the names of an element's spaces. */
function versionIn(attributes: Readonly<Record<string, string>>): string | null {
  for (const value of Object.values(attributes)) {
    const [name, version] = /\bcamt\.05[234]\.001\.(\d\d)\b/.exec(value.slice(0, 1_000)) ?? [];
    if (name === undefined || version === undefined) continue;
    if (Number(version) < 2 || Number(version) > newestVersion)
      throw refused(
        'bank_version',
        `The file is ${name}; versions .02 to .${newestVersion} are read: ask the bank for .08.`,
        {
          version: name,
        },
      );
    return version;
  }
  return null;
}

function readHeader(kind: StatementKind, version: string | null, header: XmlRecord | undefined): MessageTold {
  return {
    kind,
    version,
    id: textAt(header, 'MsgId'),
    createdAt: textAt(header, 'CreDtTm'),
    page: readPage(at(header, 'MsgPgntn')),
  };
}

function readPage(pagination: XmlRecord | undefined): Page | null {
  const number = textAt(pagination, 'PgNb');
  if (number === null) return null;
  if (!/^\d{1,5}$/.test(number) || Number(number) < 1)
    throw refused('bank_page', `The page ${quoted(number)} must be a number from 1 on.`);
  return { number: Number(number), isLast: readIsTrue(textAt(pagination, 'LastPgInd')) };
}

function readPart(statement: XmlRecord): StatementPart {
  const period = at(statement, 'FrToDt');
  const day = (name: string) => readShownDay(at(period, `${name}Tm`) ?? at(period, name));
  return {
    id: textAt(statement, 'Id') ?? '',
    electronicSequence: meant(textAt(statement, 'ElctrncSeqNb')),
    legalSequence: meant(textAt(statement, 'LglSeqNb')),
    page: readPage(at(statement, 'StmtPgntn') ?? at(statement, 'RptPgntn') ?? at(statement, 'NtfctnPgntn')),
    createdAt: textAt(statement, 'CreDtTm'),
    account: readCamtAccount(at(statement, 'Acct')),
    period: { from: day('FrDt'), to: day('ToDt') },
    balances: readCamtBalances(statement),
  };
}

function readEntry(
  told: XmlRecord,
  kind: StatementKind | null,
  batches: readonly Batch[],
  details: readonly ToldDetail[],
): BankEntry {
  const { units, currency } = readCamtAmount(at(told, 'Amt'), 'booking');
  const direction = readDirection(textAt(told, 'CdtDbtInd'));
  const servicerRef = meant(textAt(told, 'AcctSvcrRef'));
  const charges = readCharges(told);
  const settled = settleDetails({ units, currency, direction, servicerRef, batches, charges }, details);
  const [bookingDay, valued] = [readCamtDay(at(told, 'BookgDt')), at(told, 'ValDt')];
  return {
    units,
    currency,
    direction,
    isReversal: readIsTrue(textAt(told, 'RvslInd')),
    status: readStatus(at(told, 'Sts'), kind),
    bookingDay,
    valueDay: bookingDay === null ? readCamtDay(valued) : readShownDay(valued),
    entryRef: meant(textAt(told, 'NtryRef')),
    servicerRef,
    code: readBookingCode(at(told, 'BkTxCd')),
    charges,
    batches,
    text: textAt(told, 'AddtlNtryInf'),
    details: settled.details,
    unproven: settled.unproven,
  };
}

/** `BOOK` as a text, from .08 on in a `Cd`. What a bank calls otherwise is not booked. */
function readStatus(status: XmlRecord | undefined, kind: StatementKind | null): EntryStatus {
  const text = textAt(status, 'Cd') ?? textAt(status, 'Prtry') ?? (status?.text.trim() || null);
  if (text === 'BOOK' || text === 'PDNG') return text;
  return text === null && kind === 'camt.053' ? 'BOOK' : 'INFO'; // A statement is of what was booked.
}
