/** An entry of a statement with its details, as camt writes it; what differs by version is in its dialect. */
import { absolute, bearerCodes, type Charge, type Detail, type Entry, entryKinds, formatCents } from './bank-entry.ts';
import type { Party } from './bank-parties.ts';
import type { BankStyle } from './bank-styles.ts';
import type { StatementForm } from './statement-content.ts';
import { type Element, el, optional } from './write-xml.ts';

export type CamtDialect = {
  readonly style: BankStyle;
  readonly isFirstVersion: boolean;
  readonly bic: 'BIC' | 'BICFI';
  /** The status has a choice of its own, parties have a level more, and payments a name on their whole way. */
  readonly isNewer: boolean;
};

export const dialectOf = ({ version, style }: Pick<StatementForm, 'version' | 'style'>): CamtDialect => ({
  style,
  isFirstVersion: version === '02',
  bic: version === '02' ? 'BIC' : 'BICFI',
  isNewer: version === '08' || version === '13',
});

/** What is written as the side: of a correction, some banks write that of the booking which it takes back. */
export function sideOf({ units, isReversal }: Entry, style: BankStyle): 'CRDT' | 'DBIT' {
  const isCredit = units >= 0n;
  return isCredit !== (isReversal && style.reversalSide === 'original') ? 'CRDT' : 'DBIT';
}

export function camtEntry(entry: Entry, currency: string, status: 'BOOK' | 'PDNG', dialect: CamtDialect): Element {
  const { style } = dialect;
  const side = el('CdtDbtInd', sideOf(entry, style));
  const charges = entry.details.length === 1 ? (entry.details[0]?.charges ?? []) : [];
  return el('Ntry', [
    style.isWordy ? null : el('NtryRef', entry.id),
    amountElement(entry.units, currency, style),
    side,
    entry.isReversal && el('RvslInd', 'true'),
    dialect.isNewer ? el('Sts', [el('Cd', status)]) : el('Sts', status),
    el('BookgDt', [el('Dt', entry.day)]),
    el('ValDt', [el('Dt', entry.valueDay)]),
    entryReference(entry, style),
    kindElement(entry),
    ...chargeElements(charges, currency, dialect),
    ...detailElements(entry, currency, side, dialect),
    el('AddtlNtryInf', style.isWordy ? wordsOf(entry) : entryKinds[entry.kind].words),
  ]);
}

const amountElement = (units: bigint, currency: string, style: BankStyle): Element =>
  el('Amt', `${style.hasLeadingZeros ? '000' : ''}${formatCents(absolute(units))}`, { Ccy: currency });

function entryReference({ id, day }: Entry, { entryReference: kind }: BankStyle): Element | null {
  const references = { own: id, 'left out': null, shared: `DAY${day.replaceAll('-', '')}`, NONREF: 'NONREF' };
  return optional('AcctSvcrRef', references[kind]);
}

function kindElement({ kind }: Entry): Element {
  const { domain, germanCode } = entryKinds[kind];
  const [code, family, subFamily] = domain;
  return el('BkTxCd', [
    el('Domn', [el('Cd', code), el('Fmly', [el('Cd', family), el('SubFmlyCd', subFamily)])]),
    el('Prtry', [el('Cd', `NTRF+${germanCode}`), el('Issr', 'DK')]),
  ]);
}

/** All of it in one sentence, for banks that have no fields. */
function wordsOf({ units, details, kind }: Entry): string {
  const [detail] = details;
  if (details.length !== 1 || !detail) return `${entryKinds[kind].words} (${details.length})`;
  const { party, text, reference } = detail;
  const from =
    party === null ? entryKinds[kind].words : `${units < 0n ? 'Sent money to' : 'Received money from'} ${party.name}`;
  const about = [reference, text].filter((each) => each !== null && each !== '').join(' ');
  return about === '' ? from : `${from} with reference ${about}`;
}

function detailElements(entry: Entry, currency: string, side: Element, dialect: CamtDialect): Element[] {
  const { details, batch } = entry;
  const { style } = dialect;
  if (details.length === 0) return [];
  const isCounted = details.length > 1 && style.batches === 'counted';
  const batched =
    batch === null
      ? null
      : el('Btch', [
          el('MsgId', batch.messageId),
          el('PmtInfId', batch.groupId),
          el('NbOfTxs', String(details.length)),
          el('TtlAmt', formatCents(absolute(entry.units)), { Ccy: currency }),
          side,
        ]);
  const told = isCounted ? [] : details.map((each) => detailElement(each, entry, currency, dialect));
  return batched === null && told.length === 0 ? [] : [el('NtryDtls', [batched, ...told])];
}

function detailElement(detail: Detail, entry: Entry, currency: string, dialect: CamtDialect): Element {
  const { style } = dialect;
  // What comes back or is taken back names both sides as they were.
  const isOutgoing = entry.units < 0n !== (detail.returned !== null || entry.isReversal);
  // The schemas want one from 04 to 06; in the others some banks leave it out, even of many details.
  const needsAmount = style.detailAmounts === 'each' || isBetween(dialect);
  const amount = amountElement(detail.units, currency, style);
  const side = el('CdtDbtInd', sideOf({ ...entry, units: detail.units }, style));
  const hasInstructed = detail.instructed !== null;
  const inFirst = dialect.isFirstVersion && needsAmount;
  return el('TxDtls', [
    references(detail, entry, dialect),
    !dialect.isFirstVersion && needsAmount && amount,
    !dialect.isFirstVersion && needsAmount && side,
    (hasInstructed || inFirst) &&
      el('AmtDtls', [
        detail.instructed &&
          el('InstdAmt', [
            el('Amt', formatCents(absolute(detail.instructed.units)), { Ccy: detail.instructed.currency }),
          ]),
        needsAmount && el('TxAmt', [amount]),
      ]),
    ...chargeElements(detail.charges, currency, dialect),
    ...(style.isWordy ? [] : partyElements(detail.party, isOutgoing, dialect)),
    ...(style.isWordy ? [] : remittance(detail, style)),
    detail.returned &&
      el('RtrInf', [
        el('Rsn', [el('Cd', detail.returned.code)]),
        optional('AddtlInf', detail.returned.sentence.slice(0, 105)),
      ]),
  ]);
}

const isBetween = ({ isFirstVersion, isNewer }: CamtDialect): boolean => !isFirstVersion && !isNewer;

function references(detail: Detail, { batch }: Entry, { style, isNewer }: CamtDialect): Element {
  const missing = style.missingEndToEndId === 'left out' ? null : style.missingEndToEndId;
  return el('Refs', [
    batch && el('MsgId', batch.messageId),
    style.entryReference === 'own' && el('AcctSvcrRef', detail.id),
    batch && el('PmtInfId', batch.groupId),
    optional('InstrId', detail.instructionId),
    optional('EndToEndId', detail.endToEndId ?? missing),
    isNewer && optional('UETR', detail.uetr),
    style.isWordy || style.entryReference === 'shared' ? null : el('TxId', detail.id),
  ]);
}

/** Version 02 lists charges one by one; later ones have a sum and records. */
function chargeElements(charges: readonly Charge[], currency: string, dialect: CamtDialect): Element[] {
  if (charges.length === 0) return [];
  const amount = (units: bigint, name = 'Amt'): Element => el(name, formatCents(units), { Ccy: currency });
  const record = ({ units, bearer, bic }: Charge, isRecord: boolean): Element[] => [
    amount(units),
    el('CdtDbtInd', 'DBIT'),
    ...(isRecord ? [el('ChrgInclInd', 'true')] : []),
    el('Br', bearerCodes[bearer]),
    ...(bic === null ? [] : [el(isRecord ? 'Agt' : 'Pty', [el('FinInstnId', [el(dialect.bic, bic)])])]),
  ];
  if (dialect.isFirstVersion) return charges.map((each) => el('Chrgs', record(each, false)));
  const total = charges.reduce((sum, { units }) => sum + units, 0n);
  return [el('Chrgs', [amount(total, 'TtlChrgsAndTaxAmt'), ...charges.map((each) => el('Rcrd', record(each, true)))])];
}

function partyElements(party: Party | null, isOutgoing: boolean, { isNewer, bic }: CamtDialect): Element[] {
  if (party === null) return [];
  const { address } = party;
  const name = [
    el('Nm', party.name),
    address ? el('PstlAdr', [el('TwnNm', address.town), el('Ctry', address.country)]) : null,
  ];
  const role = isOutgoing ? 'Cdtr' : 'Dbtr';
  const agent = isOutgoing ? 'CdtrAgt' : 'DbtrAgt';
  return [
    el('RltdPties', [el(role, isNewer ? [el('Pty', name)] : name), ...accountElement(`${role}Acct`, party)]),
    ...(party.bic === null ? [] : [el('RltdAgts', [el(agent, [el('FinInstnId', [el(bic, party.bic)])])])]),
  ];
}

function accountElement(name: string, { iban, number }: Party): Element[] {
  if (iban === null && number === undefined) return [];
  const id = iban !== null ? el('IBAN', iban) : el('Othr', [el('Id', number ?? '')]);
  return [el(name, [el('Id', [id])])];
}

function remittance({ text, reference }: Detail, { textLine }: BankStyle): Element[] {
  if (text === '' && reference === null) return [];
  const type = el('Tp', [el('CdOrPrtry', [el('Cd', 'SCOR')]), el('Issr', 'ISO')]);
  return [
    el('RmtInf', [
      ...linesOf(text, textLine).map((line) => el('Ustrd', line)),
      reference !== null && el('Strd', [el('CdtrRefInf', [type, el('Ref', reference)])]),
    ]),
  ];
}

/** Cut wherever a line is full, as banks do: between two letters too. */
export function linesOf(text: string, length: number): string[] {
  const letters = Array.from(text);
  const lines: string[] = [];
  for (let at = 0; at < letters.length; at += length) lines.push(letters.slice(at, at + length).join(''));
  return lines;
}
