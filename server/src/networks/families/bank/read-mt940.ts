/**
 * MT940, for banks that have nothing else: bare or in SWIFT's envelope, several statements in a file. A field begins a line
 * with its tag; what begins otherwise goes on with the field before.
 */
import type { BankFileLimits } from './bank-file-limits.ts';
import { quoted, refused } from './bank-file-refused.ts';
import type { AccountTold, Balance, BankEvent, StatementPart } from './bank-statement.ts';
import { readIban } from './camt-parties.ts';
import { readMt940Entry } from './mt940-entry.ts';
import { goesOnIn } from './mt940-information.ts';
import { readBankAmount } from './read-bank-amount.ts';
import { readShortDay } from './read-bank-day.ts';
import { createScale } from './read-xml-records.ts';

type Field = { readonly tag: string; readonly lines: string[]; length: number };

type OpenStatement = {
  account: string | null;
  sequence: string | null;
  opening: Balance | null;
  line: Field | null; // a booking that waits for its information
  /** Bookings before any balance, which tells their currency. */
  readonly held: Field[];
};

/** What an MT942 has: it is told within the day, and proves no balance. */
const interimTags = new Set(['34F', '90D', '90C']);

export function* readMt940(texts: Iterable<string>, limits: BankFileLimits): Generator<readonly BankEvent[]> {
  let events: BankEvent[] = [];
  let field: Field | null = null;
  let statement: OpenStatement | null = null;
  let firstReference: string | null = null;

  const ofHeld = createScale(limits);

  function begin(): OpenStatement {
    ofHeld.empty();
    return { account: null, sequence: null, opening: null, line: null, held: [] };
  }

  function flush(information: readonly string[], currency: string): void {
    if (!statement?.line) return;
    const [first = '', ...supplement] = statement.line.lines;
    const entry = readMt940Entry(first.trimEnd(), supplement.join(' ').trim(), information, currency);
    statement.line = null;
    events.push({ kind: 'entry', entry });
  }

  function readBooking(open: OpenStatement, { tag, lines }: Field, currency: string): void {
    flush(tag === '86' ? lines : [], currency);
    if (tag === '61') open.line = { tag, lines, length: 0 };
  }

  function readField(field: Field): void {
    const { tag, lines } = field;
    const text = lines.join('').trim();
    if (interimTags.has(tag))
      throw refused('bank_mt942', 'The file is an MT942, which proves no balance: import the MT940 of the day.');
    if (tag === '20') {
      if (statement) throw unfinished();
      statement = begin();
      firstReference ??= text;
      return;
    }
    // Some banks leave the reference out.
    if (!statement && (tag === '25' || tag === '25P')) statement = begin();
    if (!statement && /^6[012]/.test(tag)) throw outside(tag);
    if (!statement) return;
    const { opening, held } = statement;
    if (tag === '61' || tag === '86') {
      if (opening) readBooking(statement, field, opening.currency);
      else {
        ofHeld.add(field.length);
        held.push(field);
      }
    } else if (tag === '25' || tag === '25P') statement.account = lines[0]?.trim() ?? null;
    else if (tag === '28' || tag === '28C') statement.sequence = text;
    else if (tag === '60F' || tag === '60M') {
      if (opening || held.some((each) => each.tag === '61')) throw misplaced(tag);
      statement.opening = readBalance(tag, text);
    } else if (tag === '62F' || tag === '62M') {
      const closing = readBalance(tag, text);
      for (const each of opening ? [] : held) readBooking(statement, each, closing.currency);
      flush([], closing.currency);
      events.push({ kind: 'part', part: partOf(statement, closing) });
      statement = null;
    }
  }

  function readLine(told: string): void {
    const line = told.startsWith('\u001a') ? told.slice(1) : told; // DOS ends a file so, and people put several together.
    const begun = /^:([0-9]{2}[A-Z]?|NS):/.exec(line);
    const [start, tag] = begun && !(field?.tag === '86' && goesOnIn(field.lines, line)) ? begun : [];
    // A line of a payer's own may be a dash: a message ends after a closing balance.
    const isDash = /^ ?-(?:\}|$|XXX)/.test(line) && (!statement || /^6[245]/.test(field?.tag ?? ''));
    const isEnd = isDash || line.startsWith('{1:');
    if (start !== undefined || isEnd) {
      if (field) readField(field);
      field = null;
    }
    if (isEnd && statement) throw unfinished();
    if (start !== undefined && tag !== undefined)
      field = { tag, lines: [line.slice(start.length)], length: line.length };
    else if (field && !isEnd) {
      field.lines.push(line);
      field.length += line.length + 1;
    }
    if (line.length > limits.textMax || (field?.length ?? 0) > limits.textMax) throw tooLong(limits);
  }

  let rest = '';
  for (const text of texts) {
    const lines = (rest + text).split('\n');
    rest = lines.pop() ?? '';
    if (rest.length > limits.textMax) throw tooLong(limits);
    for (const line of lines) readLine(line.replace(/\r$/, '').replace(/^\ufeff/, ''));
    yield events;
    events = [];
  }
  readLine(rest.replace(/\r$/, ''));
  if (field) readField(field);
  if (statement) throw unfinished();
  events.push({
    kind: 'message',
    message: { kind: 'mt940', version: null, id: firstReference, createdAt: null, page: null },
  });
  yield events;
}

const unfinished = () =>
  refused(
    'bank_mt940_unfinished',
    'A statement has no closing balance (:62F: or :62M:): get the file from the bank again.',
  );

/** Left out in silence, what it tells would be missing in the books. */
const outside = (tag: string) =>
  refused(
    'bank_mt940_order',
    `A :${tag}: stands outside of a statement, which begins with :20: or :25: and ends with its closing balance: get the file from the bank again.`,
  );

const misplaced = (tag: string) =>
  refused(
    'bank_mt940_order',
    `A :${tag}: stands behind bookings, or a second time; it must stand before them, once: get the file from the bank again.`,
  );

const tooLong = ({ textMax }: BankFileLimits) =>
  refused('bank_text_too_long', `A text in the file is longer than ${textMax} characters, which no bank sends.`, {
    most: String(textMax),
  });

function readBalance(tag: string, text: string): Balance {
  const [, mark, day, currency, amount] = /^([CD])(\d{6})([A-Z]{3})([\d,]+)$/.exec(text) ?? [];
  if (mark === undefined || day === undefined || currency === undefined || amount === undefined)
    throw refused(
      'bank_mt940_balance',
      `The balance ${quoted(`:${tag}:${text}`)} must be written as in :60F:C260331EUR1250,00.`,
    );
  const units = readBankAmount(amount, currency, 'comma');
  return {
    code: tag.startsWith('60') ? 'OPBD' : 'CLBD',
    isInterim: tag.endsWith('M'),
    units: mark === 'D' ? -units : units,
    currency,
    day: readShortDay(day),
  };
}

function partOf({ account, sequence, opening }: OpenStatement, closing: Balance): StatementPart {
  const [number = '', page = ''] = (sequence ?? '').split('/').map((part) => part.trim());
  const isPaged = opening?.isInterim === true || closing.isInterim;
  const isNumbered = /[1-9]/.test(number) && /^\d{1,5}$/.test(page) && Number(page) > 0;
  return {
    // The number alone is 0 at many banks, and starts anew each year.
    id: [sequence ?? '', opening?.day ?? '', closing.day, (opening ?? closing).units].join(' '),
    electronicSequence: null,
    legalSequence: /[1-9]/.test(number) ? number : null,
    page: isPaged && isNumbered ? { number: Number(page), isLast: !closing.isInterim } : null,
    createdAt: null,
    account: readAccount(account ?? '', (opening ?? closing).currency),
    period: { from: opening?.day ?? null, to: closing.day },
    balances: opening ? [opening, closing] : [closing],
  };
}

/** `10020030/1234567`, an IBAN, or either with the currency behind it. */
function readAccount(text: string, currency: string): AccountTold {
  const plain = (text.endsWith(currency) ? text.slice(0, -currency.length) : text).trim();
  const iban = readIban(text) ?? readIban(plain);
  return { iban, other: iban === null ? plain || null : null, currency, name: null, bic: null };
}
