/** Writes statements as banks do, in every version of camt and as MT940: what our reader must read back. */
import { currencyDecimals } from '../src/networks/families/bank/currency-decimals.ts';

type Mark = 'credit' | 'debit';

export type WrittenDetail = {
  readonly units: bigint;
  readonly endToEndId: string | null;
  readonly txId: string | null;
  readonly name: string;
  readonly iban: string;
  readonly bic: string | null;
  /** Where the account has no IBAN: then that is not written. */
  readonly number?: string | undefined;
  readonly address?: { readonly street: string; readonly town: string; readonly country: string } | undefined;
  readonly references: readonly string[];
  readonly texts: readonly string[];
  /** What the payer ordered, in the currency of the statement. */
  readonly instructed?: bigint | undefined;
};

export type WrittenEntry = {
  readonly direction: Mark; // in which it was booked
  readonly isReversal: boolean;
  readonly status: 'BOOK' | 'PDNG' | 'INFO';
  readonly bookingDay: string;
  readonly valueDay: string;
  readonly servicerRef: string | null;
  readonly text: string | null;
  readonly code?: string; // the business code of German banks
  readonly details: readonly WrittenDetail[];
};

export type WrittenStatement = {
  readonly id: string;
  readonly sequence: number;
  readonly iban: string;
  readonly currency: string;
  readonly opening: bigint;
  readonly entries: readonly WrittenEntry[];
  /** Of its balances. */
  readonly day?: string;
};

export type CamtForm = {
  readonly kind: 'camt.052' | 'camt.053' | 'camt.054';
  readonly version: number; // 2 to 13
  readonly prefix: string; // '' or 'ns:'
  readonly isPretty: boolean;
  readonly reversalsAreTurned: boolean; // marked as what they take back
};

export const entryUnits = ({ details }: WrittenEntry): bigint => details.reduce((sum, { units }) => sum + units, 0n);

export const closingOf = ({ opening, entries }: WrittenStatement): bigint =>
  entries
    .filter(({ status }) => status === 'BOOK')
    .reduce((sum, entry) => sum + (entry.direction === 'credit' ? entryUnits(entry) : -entryUnits(entry)), opening);

export const amountText = (units: bigint, currency: string, point = '.'): string => {
  const decimals = currencyDecimals(currency);
  const digits = (units < 0n ? -units : units).toString().padStart(decimals + 1, '0');
  const whole = digits.slice(0, digits.length - decimals);
  return decimals === 0 && point === '.' ? whole : `${whole}${point}${digits.slice(digits.length - decimals)}`;
};

const escaped = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

const roots = {
  'camt.052': ['BkToCstmrAcctRpt', 'Rpt'],
  'camt.053': ['BkToCstmrStmt', 'Stmt'],
  'camt.054': ['BkToCstmrDbtCdtNtfctn', 'Ntfctn'],
} as const;

/** The beginning, each entry and the end, so that a long one need not be in memory. */
export function* camtPieces(
  statement: Omit<WrittenStatement, 'entries'> & { readonly entries: Iterable<WrittenEntry> },
  form: CamtForm,
  closing: bigint,
): Generator<string> {
  const { currency } = statement;
  const { prefix, version, kind } = form;
  const space = form.isPretty ? '\n  ' : '';
  const el = (name: string, inside: string | null, attributes = ''): string =>
    inside === null ? '' : `${space}<${prefix}${name}${attributes}>${inside}</${prefix}${name}>`;
  const amount = (units: bigint): string => el('Amt', amountText(units, currency), ` Ccy="${currency}"`);
  const mark = (direction: Mark): string => el('CdtDbtInd', direction === 'credit' ? 'CRDT' : 'DBIT');
  const balance = (code: string, units: bigint): string =>
    el(
      'Bal',
      el('Tp', el('CdOrPrtry', el('Cd', code))) +
        amount(units) +
        mark(units < 0n ? 'debit' : 'credit') +
        el('Dt', el('Dt', statement.day ?? '2026-03-02')),
    );
  const party = ({ name, address }: WrittenDetail): string => {
    const lives = address && el('StrtNm', address.street) + el('TwnNm', address.town) + el('Ctry', address.country);
    const told = el('Nm', escaped(name)) + (lives === undefined ? '' : el('PstlAdr', lives));
    return version >= 8 ? el('Pty', told) : told;
  };
  const accountOf = ({ iban, number }: WrittenDetail): string =>
    number === undefined ? el('IBAN', iban) : el('Othr', el('Id', number));

  const amountDetails = ({ units, instructed }: WrittenDetail): string | null => {
    const told = instructed === undefined ? '' : el('InstdAmt', amount(instructed));
    return told + (version >= 4 ? '' : el('TxAmt', amount(units))) || null;
  };

  const detail = (each: WrittenDetail, role: 'Dbtr' | 'Cdtr'): string =>
    el(
      'TxDtls',
      el('Refs', el('EndToEndId', escaped(each.endToEndId ?? 'NOTPROVIDED')) + el('TxId', each.txId)) +
        (version >= 4 ? amount(each.units) : '') +
        el('AmtDtls', amountDetails(each)) +
        el('RltdPties', el(role, party(each)) + el(`${role}Acct`, el('Id', accountOf(each)))) +
        el('RltdAgts', el(`${role}Agt`, el('FinInstnId', el(version >= 4 ? 'BICFI' : 'BIC', each.bic)))) +
        el(
          'RmtInf',
          each.texts.map((text) => el('Ustrd', escaped(text))).join('') +
            each.references.map((text) => el('Strd', el('CdtrRefInf', el('Ref', escaped(text))))).join(''),
        ),
    );

  const entry = (each: WrittenEntry): string => {
    const isTurned = each.isReversal && form.reversalsAreTurned;
    const told = isTurned ? (each.direction === 'credit' ? 'debit' : 'credit') : each.direction;
    const role = each.direction === 'credit' ? 'Dbtr' : 'Cdtr';
    return el(
      'Ntry',
      amount(entryUnits(each)) +
        mark(told) +
        (each.isReversal ? el('RvslInd', 'true') : '') +
        el('Sts', version >= 8 ? el('Cd', each.status) : each.status) +
        el('BookgDt', el('Dt', each.bookingDay)) +
        el('ValDt', el('DtTm', `${each.valueDay}T10:00:00+01:00`)) +
        el('AcctSvcrRef', each.servicerRef) +
        el('BkTxCd', el('Prtry', el('Cd', `NTRF+${each.code ?? '166'}+9051`))) +
        el('NtryDtls', each.details.map((one) => detail(one, role)).join('')) +
        el('AddtlNtryInf', each.text === null ? null : escaped(each.text)),
    );
  };

  const [root, name] = roots[kind];
  const open = (tag: string, attributes = ''): string => `<${prefix}${tag}${attributes}>`;
  const urn = `urn:iso:std:iso:20022:tech:xsd:${kind}.001.${String(version).padStart(2, '0')}`;
  const namespace = ` xmlns${prefix === '' ? '' : `:${prefix.slice(0, -1)}`}="${urn}"`;
  yield `<?xml version="1.0" encoding="UTF-8"?>\n${open('Document', namespace)}${open(root)}` +
    el('GrpHdr', el('MsgId', 'MESSAGE')) +
    open(name) +
    el('Id', escaped(statement.id)) +
    el('ElctrncSeqNb', String(statement.sequence)) +
    el('Acct', el('Id', el('IBAN', statement.iban)) + el('Ccy', currency)) +
    (kind === 'camt.054' ? '' : balance('OPBD', statement.opening) + balance('CLBD', closing));
  for (const each of statement.entries) yield entry(each);
  yield `</${prefix}${name}></${prefix}${root}></${prefix}Document>`;
}

export const writeCamt = (statement: WrittenStatement, form: CamtForm): string =>
  [...camtPieces(statement, form, closingOf(statement))].join('');

const shortDay = (day: string): string => day.slice(2).replaceAll('-', '');
const wrapped = (text: string): string => text.replaceAll(/.{1,65}/gs, '$&\r\n').trimEnd();

/** As German banks do. An entry has one detail here, and its texts are one. */
export function writeMt940(statement: WrittenStatement, isInEnvelope: boolean): string {
  const { currency } = statement;
  const balance = (tag: string, units: bigint): string =>
    `:${tag}:${units < 0n ? 'D' : 'C'}${shortDay(statement.day ?? '2026-03-02')}${currency}${amountText(units, currency, ',')}`;
  const entry = (each: WrittenEntry): readonly string[] => {
    const [detail] = each.details;
    const plain = each.direction === 'credit' ? 'C' : 'D';
    const mark = each.isReversal ? `R${plain === 'C' ? 'D' : 'C'}` : plain;
    const text = `EREF+${detail?.endToEndId ?? 'NOTPROVIDED'}`;
    const purpose = `SVWZ+${detail?.texts.join('') ?? ''}`
      .replaceAll(/.{1,27}/gs, '$&\n')
      .trimEnd()
      .split('\n');
    const fields = [text, ...purpose].map((part, place) => `?${20 + place}${part}`).join('');
    return [
      `:61:${shortDay(each.valueDay)}${shortDay(each.bookingDay).slice(2)}${mark}${amountText(entryUnits(each), currency, ',')}NTRFNONREF//${each.servicerRef ?? ''}`,
      wrapped(
        `:86:${each.code ?? '166'}?00BOOKED${fields}?30${detail?.bic ?? ''}?31${detail?.iban ?? ''}?32${detail?.name ?? ''}`,
      ),
    ];
  };
  const lines = [
    ':20:STARTUMS',
    `:25:${statement.iban}`,
    `:28C:${statement.sequence}/1`,
    balance('60F', statement.opening),
    ...statement.entries.flatMap(entry),
    balance('62F', closingOf(statement)),
  ];
  const body = lines.join('\r\n');
  return isInEnvelope ? `{1:F01BANKDEFFXXXX0000000000}{2:I940}{4:\r\n${body}\r\n-}{5:}\r\n` : `${body}\r\n-\r\n`;
}
