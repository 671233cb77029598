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

type ReviverContext = { readonly source?: string };
const modernJson = JSON as unknown as {
  parse(text: string, reviver?: (key: string, value: unknown, context: ReviverContext) => unknown): unknown;
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

  let value: unknown;
  try {
    value = parseExactly(text);
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    throw invalidRequest('The request body is not valid JSON.');
  }
  if (mayBeUnstorable.test(text)) refuseUnstorable(value);
  return value;
}

/** For JSON that was checked when it came in. */
export const parseExactly = (text: string): unknown =>
  mayLoseDigits.test(text) ? modernJson.parse(text, keepDigits) : JSON.parse(text);

function keepDigits(_key: string, value: unknown, context: ReviverContext): unknown {
  const { source } = context;
  if (typeof value !== 'number' || source === undefined || String(value) === source) return value;
  if (source.length > numberLengthMax || !Number.isFinite(value) || /[eE][+-]?\d{4}/.test(source))
    throw invalidRequest(`The request body contains a number that is too large or too long: ${source.slice(0, 40)}…`);
  return modernJson.rawJSON(source);
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
