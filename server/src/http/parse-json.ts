/**
 * The bytes of a request as JSON, whatever the Content-Type says (clients send JSON under every name).
 *
 * A number that a float cannot hold stays as it was written, wrapped by JSON.rawJSON, so that the reader sees every
 * digit and an echo prints them again.
 */
import { isUtf8 } from 'node:buffer';
import { invalidRequest } from '../lib/errors.ts';

declare const rawJson: unique symbol;
export type RawJson = { readonly rawJSON: string; readonly [rawJson]: true };

const modernJson = JSON as unknown as {
  rawJSON(text: string): RawJson;
  isRawJSON(value: unknown): value is RawJson;
};

export const isRawJson = (value: unknown): value is RawJson => modernJson.isRawJSON(value);

const depthMax = 32;
const numberLengthMax = 100;

/** Sixteen digits in a row, or an exponent: only then can a number lose digits as a float. */
const mayLoseDigits = /[\d.]{16}|\d[eE][+-]?\d/;
const mayBeUnstorable = /\\u(?:0000|[dD][89a-fA-F])/;

export function parseJson(bytes: Buffer): unknown {
  if (bytes.length === 0) return {};
  if (!isUtf8(bytes)) throw invalidRequest('The request body is not valid UTF-8 text.');
  const text = bytes.toString('utf8');
  if (text.trim() === '') return {};
  refuseDepth(text);

  try {
    if (mayBeUnstorable.test(text)) refuseUnstorable(JSON.parse(text));
    return parseExactly(text, keptMax);
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    throw invalidRequest('The request body is not valid JSON.');
  }
}

/** For JSON that was checked when it came in. */
export const parseExactly = (text: string, longNumbersMax = Number.POSITIVE_INFINITY): unknown =>
  mayLoseDigits.test(text) ? parseWithDigits(text, longNumbersMax) : JSON.parse(text);

/** No text that is stored can have half of a surrogate pair. */
const mark = '\udc00';
const numberForm = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/;
/** Every row of the largest charge can have an amount and a quantity that floats made longer than they are. */
const keptMax = 5_000;

/**
 * The numbers that a float cannot hold are taken out of the text, a text stands in for each, and they are put back. A
 * reviver would be called for every value, which takes ten times as long: a request of nothing but values would hold up
 * everybody.
 */
function parseWithDigits(text: string, longNumbersMax: number): unknown {
  const kept: RawJson[] = [];
  let without = '';
  let copied = 0;
  for (let position = 0; position < text.length; ) {
    const code = text.charCodeAt(position);
    const end = code === 0x22 ? endOfString(text, position) : isOfNumber(code) ? endOfNumber(text, position) : 0;
    const exact = code !== 0x22 && end - position > 2 ? keptDigits(text.slice(position, end)) : null;
    if (exact !== null) {
      without += `${text.slice(copied, position)}"\\udc00${kept.push(exact) - 1}"`;
      copied = end;
      if (kept.length > longNumbersMax)
        throw invalidRequest(
          `The request body contains more than ${longNumbersMax} numbers of more than 15 digits or with an exponent.`,
        );
    }
    position = Math.max(end, position + 1);
  }
  const value: unknown = JSON.parse(without + text.slice(copied));
  return kept.length === 0 ? value : putBack(value, kept);
}

function endOfString(text: string, start: number): number {
  for (let position = start + 1; position < text.length; position += 1) {
    const code = text.charCodeAt(position);
    if (code === 0x5c) position += 1;
    else if (code === 0x22) return position + 1;
  }
  return text.length;
}

/** A digit, a sign, a point or an e. */
const isOfNumber = (code: number): boolean =>
  (code >= 0x30 && code <= 0x39) || code === 0x2d || code === 0x2b || code === 0x2e || (code | 0x20) === 0x65;

function endOfNumber(text: string, start: number): number {
  let position = start;
  while (position < text.length && isOfNumber(text.charCodeAt(position))) position += 1;
  return position;
}

/** Null: a float holds it; or it is no number, which JSON.parse says. */
function keptDigits(source: string): RawJson | null {
  if (!mayLoseDigits.test(source)) return null;
  if (source.length > numberLengthMax || /[eE][+-]?\d{4}/.test(source)) throw absurdNumber(source);
  if (!numberForm.test(source)) return null;
  const value = Number(source);
  if (!Number.isFinite(value)) throw absurdNumber(source);
  return String(value) === source ? null : modernJson.rawJSON(source);
}

const absurdNumber = (source: string) =>
  invalidRequest(`The request body contains a number that is too large or too long: ${source.slice(0, 40)}…`);

function putBack(value: unknown, kept: readonly RawJson[]): unknown {
  if (typeof value === 'string') return value.startsWith(mark) ? kept[Number(value.slice(1))] : value;
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) for (let index = 0; index < value.length; index += 1) put(value, index, kept);
  else for (const key of Object.keys(value)) put(value as Record<string, unknown>, key, kept);
  return value;
}

function put<Key extends string | number>(holder: Record<Key, unknown>, key: Key, kept: readonly RawJson[]): void {
  const before = holder[key];
  if (typeof before !== 'string' && typeof before !== 'object') return;
  const after = putBack(before, kept);
  // An own property, also one that is named __proto__.
  if (after !== before)
    Object.defineProperty(holder, key, { value: after, enumerable: true, writable: true, configurable: true });
}

/** Before JSON.parse, which would recurse. Counts brackets outside strings. */
function refuseDepth(text: string): void {
  let depth = 0;
  let isInString = false;
  for (let position = 0; position < text.length; position += 1) {
    const code = text.charCodeAt(position);
    if (isInString) {
      if (code === 0x5c) position += 1;
      else if (code === 0x22) isInString = false;
    } else if (code === 0x22) isInString = true;
    else if (code === 0x5b || code === 0x7b) {
      depth += 1;
      if (depth > depthMax) throw invalidRequest(`The request body is nested more than ${depthMax} levels deep.`);
    } else if (code === 0x5d || code === 0x7d) depth -= 1;
  }
}

/** PostgreSQL cannot store NUL characters or half of a surrogate pair, so no part of the service has to expect them. */
export const isStorable = (text: string): boolean => !text.includes('\0') && text.isWellFormed();

export function demandStorableQuery(query: Readonly<Record<string, unknown>>): void {
  for (const value of Object.values(query).flat())
    if (typeof value === 'string' && !isStorable(value))
      throw invalidRequest('The query string contains a character that cannot be stored.');
}

function refuseUnstorable(value: unknown): void {
  if (typeof value === 'string') {
    if (!isStorable(value)) throw unstorable();
  } else if (typeof value === 'object' && value !== null)
    for (const [key, inner] of Object.entries(value)) {
      if (!isStorable(key)) throw unstorable();
      refuseUnstorable(inner);
    }
}

const unstorable = () => invalidRequest('The request body contains a NUL character or half of a surrogate pair.');
