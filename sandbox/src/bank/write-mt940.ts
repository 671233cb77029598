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

/** Fields of 27 characters: texts in ?20 to ?29 and ?60 to ?63, who it is in ?30 to ?33. */
function germanText({ kind, details }: Entry): string[] {
  const { germanCode, words } = entryKinds[kind];
  const [detail] = details;
  const texts = details.length === 1 && detail ? germanFields(detail) : `ANZAHL ${details.length}`;
  const places = [...range(20, 29), ...range(60, 63)];
  const purpose = linesOf(clean(texts), 27).slice(0, places.length);
  const party = details.length === 1 ? (detail?.party ?? null) : null;
  const fields = [
    `?00${clean(words).toUpperCase().slice(0, 27)}`,
    '?100000',
    ...purpose.map((line, at) => `?${places[at]}${line}`),
    ...(party?.bic ? [`?30${party.bic}`] : []),
    ...(party?.iban || party?.number ? [`?31${party.iban ?? party.number}`] : []),
    ...linesOf(clean(party?.name ?? ''), 27)
      .slice(0, 2)
      .map((line, at) => `?${32 + at}${line}`),
  ];
  return fieldLines(`:86:${germanCode}${fields.join('')}`);
}

function germanFields({ endToEndId, text, reference, returned }: Detail): string {
  const about = [reference, text].filter((each) => each !== null && each !== '').join(' ');
  return [
    `EREF+${endToEndId ?? 'NOTPROVIDED'}`,
    ...(returned === null ? [] : [`RTRN+${returned.code} ${returned.sentence}`]),
    ...(about === '' ? [] : [`SVWZ+${about}`]),
  ].join('');
}

/** At most six lines. */
function freeText({ details, kind }: Entry): string[] {
  const [detail] = details;
  const parts =
    details.length === 1 && detail
      ? [
          ...(detail.endToEndId === null ? [] : [`/EREF/${detail.endToEndId}`]),
          ...(detail.returned === null ? [] : [`/RTRN/${detail.returned.code}`]),
          ...(detail.party === null ? [] : [`/NAME/${detail.party.name}`, `/IBAN/${detail.party.iban ?? ''}`]),
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
