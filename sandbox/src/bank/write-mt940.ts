/**
 * Statements as MT940, for banks that have nothing newer: lines of at most 65 characters of Latin letters, in which the
 * German banks have hidden fields (`?20`) and the others put free text.
 */
import { absolute, type Detail, type Entry, entryKinds, formatCents } from './bank-entry.ts';
import { linesOf } from './camt-entry.ts';
import type { Statement, StatementFile, StatementForm } from './statement-content.ts';
import { encodeText, toLatin1 } from './write-xml.ts';

export function writeMt940(file: StatementFile, form: StatementForm): Buffer {
  const texts = file.statements.map((each) => statementText(each, form));
  return encodeText(texts.join(''), 'ISO-8859-1');
}

const shortDay = (day: string): string => day.slice(2).replaceAll('-', '');
const amountText = (units: bigint): string => formatCents(absolute(units)).replace('.', ',');

function statementText(statement: Statement, form: StatementForm): string {
  const { account, page, opening, closing, entries } = statement;
  const isFirst = page === null || page.number === 1;
  const isLast = page === null || page.isLast;
  const balance = (tag: string, units: bigint): string =>
    `:${tag}:${units < 0n ? 'D' : 'C'}${shortDay(statement.day)}${account.currency}${amountText(units)}`;
  const lines = [
    `:20:${statement.id.slice(-16)}`,
    `:25:${account.iban}`,
    `:28C:${statement.number % 100_000}/${page?.number ?? 1}`,
    balance(isFirst ? '60F' : '60M', opening),
    ...entries.flatMap((each) => entryLines(each, form)),
    balance(isLast ? '62F' : '62M', closing),
    '-',
  ];
  return lines.map((line) => `${line}\r\n`).join('');
}

/** RC takes a credit back and RD a debit: here the side of a correction is never in doubt. */
function entryLines(entry: Entry, { style }: StatementForm): string[] {
  const { units, isReversal, day, valueDay, id, details, kind } = entry;
  const mark = isReversal ? (units < 0n ? 'RC' : 'RD') : units < 0n ? 'D' : 'C';
  const bookedOn = shortDay(day).slice(2);
  const name = details.length === 1 ? (details[0]?.endToEndId ?? null) : null;
  const customers = (name ?? 'NONREF').slice(0, 16);
  const banks = style.entryReference === 'own' ? `//${id.slice(-16)}` : '';
  const code = kind === 'fee' ? 'NCHG' : kind === 'interest' ? 'NINT' : 'NTRF';
  return [
    `:61:${shortDay(valueDay)}${bookedOn}${mark}${amountText(units)}${code}${customers}${banks}`,
    ...(style.mt940 === 'german' ? germanText(entry) : freeText(entry)),
  ];
}

/**
 * Fields of 27 characters, by their numbers: texts in ?20 to ?29 and, when these are full, in ?60 to ?63, who it is in ?30 to ?33,
 * why it came back in ?34.
 */
function germanText({ kind, details }: Entry): string[] {
  const { germanCode, words } = entryKinds[kind];
  const [detail] = details;
  const only = details.length === 1 ? detail : undefined;
  const places = [...range(20, 29), ...range(60, 63)];
  const purpose = (only ? germanPurpose(only) : [`ANZAHL ${details.length}`])
    .flatMap((each) => linesOf(clean(each), 27))
    .slice(0, places.length)
    .map((line, at): [number, string] => [places[at] ?? 0, line]);
  const { name = '', bic = null, iban = null, number } = only?.party ?? {};
  const other = iban ?? number;
  const fields: [number, string][] = [
    [0, clean(words).toUpperCase().slice(0, 27)],
    [10, '0000'],
    ...purpose.filter(([place]) => place < 30),
    ...(bic ? [[30, bic] satisfies [number, string]] : []),
    ...(other ? [[31, other] satisfies [number, string]] : []),
    ...linesOf(clean(name), 27)
      .slice(0, 2)
      .map((line, at): [number, string] => [32 + at, line]),
    ...(only?.returned ? [[34, only.returned.code] satisfies [number, string]] : []),
    ...purpose.filter(([place]) => place >= 60),
  ];
  const written = fields.map(([place, text]) => `?${String(place).padStart(2, '0')}${text}`);
  return fieldLines(`:86:${germanCode}${written.join('')}`);
}

/** What begins with a word of the bank's own begins a field. */
function germanPurpose({ endToEndId, text, reference }: Detail): string[] {
  const about = [reference, text].filter((each) => each !== null && each !== '').join(' ');
  return [`EREF+${endToEndId ?? 'NOTPROVIDED'}`, ...(about === '' ? [] : [`SVWZ+${about}`])];
}

/** At most six lines. */
function freeText({ details, kind }: Entry): string[] {
  const [detail] = details;
  const parts =
    details.length === 1 && detail
      ? [
          ...(detail.endToEndId === null ? [] : [`/EREF/${detail.endToEndId}`]),
          ...(detail.returned === null ? [] : [`/RTRN/${detail.returned.code}`]),
          ...(detail.party === null
            ? []
            : [`/NAME/${detail.party.name}`, `/IBAN/${detail.party.iban ?? detail.party.number ?? ''}`]),
          `/REMI/${[detail.reference, detail.text].filter((each) => each !== null && each !== '').join(' ')}`,
        ]
      : [`${entryKinds[kind].words} ${details.length}`];
  return fieldLines(`:86:${clean(parts.join(''))}`).slice(0, 6);
}

/** A line that began with a colon or a dash would be another field, or the end: it is cut a little earlier. */
function fieldLines(text: string): string[] {
  const lines: string[] = [];
  let rest = text;
  while (rest.length > 65) {
    let end = 65;
    while (end > 1 && /[:-]/.test(rest.charAt(end))) end -= 1;
    lines.push(rest.slice(0, end));
    rest = rest.slice(end);
  }
  return [...lines, rest].map((line, at) => (at === 0 ? line : line.replace(/^[:-]/, '.')));
}

/** Without the mark that begins a field of the German banks. */
const clean = (text: string): string =>
  toLatin1(text)
    .replaceAll(/[\r\n\t]/g, ' ')
    .replaceAll('?', '.');

const range = (from: number, to: number): number[] => Array.from({ length: to - from + 1 }, (_, at) => from + at);
