/**
 * Reads what a client sent by the schema of the contract: checks everything, reports all problems at once, one sentence
 * each, and returns a clean copy with defaults filled in and decimals as plain text.
 *
 * It is our own because clients of this API deviate in ways that no validator knows: null means absent, `[]` may mean
 * `{}`, a list may come as an object with the keys 0, 1, 2, money is a number or a text, and fields have old names.
 */
import type { Static, TSchema } from 'typebox';
import { invalidRequest, type Problem, told } from '../lib/errors.ts';
import { compare, decimal, formatDecimal, parseDecimal } from '../money/decimal.ts';
import { withoutFloatNoise } from '../money/float-noise.ts';
import { isRawJson } from './parse-json.ts';

const problemsMax = 20;

/** The part of JSON Schema that the contract uses for requests. */
type Schema = {
  type?: string | string[];
  format?: string;
  pattern?: string;
  enum?: readonly unknown[];
  const?: unknown;
  default?: unknown;
  minLength?: number;
  maxLength?: number;
  minItems?: number;
  maxItems?: number;
  minimum?: number;
  maximum?: number;
  maxProperties?: number;
  properties?: Record<string, Schema>;
  required?: string[];
  items?: Schema;
  patternProperties?: Record<string, Schema>;
  'x-minimum'?: string;
  'x-maximum'?: string;
  'x-atMost'?: number;
  'x-withoutNoise'?: true;
  'x-maxBytes'?: number;
  'x-otherNames'?: string[];
  'x-absentWord'?: string;
};

/** `isText`: all values are texts (a query string), so numbers and booleans are written as text. */
type Options = { name: string; isText?: boolean };
type Reading = { problems: Problem[]; isText: boolean };

export function readInput<S extends TSchema>(schema: S, value: unknown, options: Options): Static<S> {
  const { input, problems } = inspectInput(schema, value, options);
  if (problems.length > 0) throw invalidRequest(problems);
  return input as Static<S>;
}

/** Returns what was good even if something else was bad, so that its meaning can be checked at the same time. */
export function inspectInput(
  schema: TSchema,
  value: unknown,
  options: Options,
): { input: unknown; problems: Problem[] } {
  const reading: Reading = { problems: [], isText: options.isText ?? false };
  const whole = schema as Schema;
  const input =
    whole.type === 'object' && !isReadableAsObject(value)
      ? problem(reading, `${options.name} must be a JSON object, but is ${shown(value)}.`)
      : read(whole, value, '', reading);
  return { input, problems: reading.problems };
}

function read(schema: Schema, value: unknown, path: string, reading: Reading): unknown {
  if (schema.enum) return readEnum(schema.enum, value, path, reading);
  if (schema.format === 'decimal') return readDecimal(schema, value, path, reading);
  if (Array.isArray(schema.type)) return readText(schema, textOf(value), path, reading);
  switch (schema.type) {
    case 'object':
      return readObject(schema, value, path, reading);
    case 'array':
      return readArray(schema, value, path, reading);
    case 'string':
      return readText(schema, value, path, reading);
    case 'integer':
      return readInteger(schema, value, path, reading);
    case 'boolean':
      return readBoolean(value, path, reading);
    default:
      return value;
  }
}

function readObject(schema: Schema, given: unknown, path: string, reading: Reading): unknown {
  if (!isReadableAsObject(given)) return problem(reading, `${path} must be an object, but is ${shown(given)}.`);
  const value = Array.isArray(given) ? {} : (given as Record<string, unknown>);
  if (schema.properties) return readProperties(schema, schema.properties, value, path, reading);
  const [valueSchema] = Object.values(schema.patternProperties ?? {});
  if (valueSchema) return readRecord(schema, valueSchema, value, path, reading);

  const bytesMax = schema['x-maxBytes'];
  if (bytesMax !== undefined && Buffer.byteLength(JSON.stringify(value)) > bytesMax)
    return problem(reading, `${path} must be at most ${bytesMax} bytes of JSON.`);
  return value;
}

function readProperties(
  schema: Schema,
  properties: Record<string, Schema>,
  value: Record<string, unknown>,
  path: string,
  reading: Reading,
): Record<string, unknown> {
  const result: Record<string, unknown> = {};
  for (const name in properties) {
    const property = properties[name] as Schema;
    const isNeeded = property.default === undefined && (schema.required?.includes(name) ?? false);
    const found = find(property, name, value);
    const at = path === '' ? found.name : `${path}.${found.name}`;
    if (isAbsent(found.value, property, isNeeded)) {
      if (isNeeded) problem(reading, told('input_missing', `${at} is missing.`, { field: at }));
      else if (property.default !== undefined) result[name] = copyOf(property.default);
    } else result[name] = read(property, found.value, at, reading);
    if (reading.problems.length >= problemsMax) break;
  }
  return result;
}

/**
 * Defaults are plain: a text, a number, or an empty list or object. Those are copied, because requests must not share
 * them.
 */
const copyOf = (value: unknown): unknown =>
  Array.isArray(value) ? [...(value as unknown[])] : isObject(value) ? { ...value } : value;

/** An optional text that must not be empty and is empty counts as absent: somebody left a field of a form empty. */
const isAbsent = (value: unknown, schema: Schema, isNeeded: boolean): boolean =>
  value === undefined ||
  value === null ||
  (value === schema['x-absentWord'] && !isNeeded) ||
  (value === '' && !isNeeded && ((schema.minLength ?? 0) > 0 || !!schema.enum));

/** The field, or its name in older clients. If both are objects, the modern one wins key by key. */
function find(schema: Schema, name: string, value: Record<string, unknown>): { name: string; value: unknown } {
  const modern = own(value, name);
  if (!schema['x-otherNames']) return { name, value: modern };
  for (const other of schema['x-otherNames']) {
    const older = other.split('.').reduce<unknown>(own, value);
    if (older === undefined || older === null) continue;
    if (modern === undefined || modern === null) return { name: other, value: older };
    if (isObject(modern) && isObject(older)) {
      const named = Object.entries(modern).filter(([, inner]) => inner !== null);
      return { name, value: { ...older, ...Object.fromEntries(named) } };
    }
  }
  return { name, value: modern };
}

function readRecord(
  schema: Schema,
  valueSchema: Schema,
  value: Record<string, unknown>,
  path: string,
  reading: Reading,
): unknown {
  const entries = Object.entries(value).filter(([, inner]) => inner !== null);
  if (schema.maxProperties !== undefined && entries.length > schema.maxProperties)
    return problem(reading, `${path} must have at most ${schema.maxProperties} entries, but has ${entries.length}.`);
  if (entries.some(([key]) => key.length > 100)) return problem(reading, `${path} has a key that is too long.`);
  // fromEntries defines properties instead of assigning them: so a key named __proto__ is only a key.
  return Object.fromEntries(
    entries.map(([key, inner]) => [key, read(valueSchema, inner, `${path}.${shorten(key)}`, reading)]),
  );
}

function readArray(schema: Schema, given: unknown, path: string, reading: Reading): unknown {
  const value =
    isObject(given) && Object.keys(given).every((key) => /^\d{1,6}$/.test(key)) ? Object.values(given) : given;
  if (!Array.isArray(value)) return problem(reading, `${path} must be a list, but is ${shown(given)}.`);
  if (value.length < (schema.minItems ?? 0))
    return problem(reading, `${path} must have at least ${schema.minItems} entry.`);
  if (value.length > (schema.maxItems ?? Infinity))
    return problem(reading, `${path} must have at most ${schema.maxItems} entries, but has ${value.length}.`);
  const items: unknown[] = [];
  for (const [index, item] of value.entries()) {
    if (reading.problems.length >= problemsMax) break;
    items.push(read(schema.items ?? {}, item, `${path}[${index}]`, reading));
  }
  return items;
}

function readText(schema: Schema, value: unknown, path: string, reading: Reading): unknown {
  if (typeof value !== 'string') return problem(reading, `${path} must be a text, but is ${shown(value)}.`);
  if (value.length < (schema.minLength ?? 0))
    return problem(reading, told('input_missing', `${path} must not be empty.`, { field: path }));
  const { maxLength = Infinity } = schema;
  // Characters as people count them. Counting is needed only when the cheap length is too large.
  if (value.length > maxLength && (value.length > 2 * maxLength || charactersIn(value) > maxLength))
    return problem(
      reading,
      told('input_too_long', `${path} must be at most ${maxLength} characters, but has ${charactersIn(value)}.`, {
        field: path,
        most: String(maxLength),
      }),
    );
  if (schema.format === 'uri' && !isWebUrl(value))
    return problem(reading, `${path} must be an http or https URL, but is ${shown(value)}.`);
  // Where it may be empty, an empty text removes the address.
  if (schema.format === 'email' && value !== '' && !/^[^\s@<>"]+@[^\s@<>"]+$/.test(value))
    return problem(
      reading,
      told('input_no_email', `${path} must be an e-mail address, but is ${shown(value)}.`, { field: path }),
    );
  if (schema.format === 'date-time' && !isTimestamp(value))
    return problem(reading, `${path} must be a timestamp such as 2026-01-31T12:00:00+00:00, but is ${shown(value)}.`);
  if (schema.pattern !== undefined && !patternOf(schema.pattern).test(value))
    return problem(
      reading,
      told('input_wrong_form', `${path} must have the form ${schema.pattern}, but is ${shown(value)}.`, {
        field: path,
      }),
    );
  return value;
}

function readDecimal(schema: Schema, value: unknown, path: string, reading: Reading): unknown {
  const text = textOf(value);
  const given = typeof text === 'string' ? parseDecimal(text.trim()) : undefined;
  const parsed = given && schema['x-withoutNoise'] ? withoutFloatNoise(given) : given;
  if (!parsed)
    return problem(
      reading,
      told(
        'amount_unreadable',
        `${path} must be a number or a numeric string such as "49.99", but is ${shown(value)}.`,
      ),
    );
  const plain = formatDecimal(parsed);
  if (schema.pattern !== undefined && !patternOf(schema.pattern).test(plain))
    return problem(
      reading,
      told('amount_too_many_digits', `${path} must have at most 18 digits before and 18 after the point.`),
    );
  const { 'x-minimum': minimum, 'x-maximum': maximum } = schema;
  if (minimum !== undefined && compare(parsed, decimal(minimum)) < 0)
    return problem(
      reading,
      told('input_too_small', `${path} must be at least ${minimum}, but is ${plain}.`, { field: path, least: minimum }),
    );
  if (maximum !== undefined && compare(parsed, decimal(maximum)) > 0)
    return problem(
      reading,
      told('input_too_large', `${path} must be at most ${maximum}, but is ${plain}.`, { field: path, most: maximum }),
    );
  return plain;
}

function readInteger(schema: Schema, value: unknown, path: string, reading: Reading): unknown {
  const { minimum = Number.MIN_SAFE_INTEGER, maximum = Number.MAX_SAFE_INTEGER, 'x-atMost': atMost } = schema;
  const text = textOf(value);
  const isWritten = typeof text === 'string' && /^-?\d{1,40}$/.test(text) && (reading.isText || text !== value);
  const given = isWritten ? Number(text) : Number.NaN;
  const number = atMost === undefined ? given : Math.min(given, atMost);
  if (Number.isSafeInteger(number) && number >= minimum && number <= maximum) return number;
  const range = atMost === undefined ? `from ${minimum} to ${maximum}` : `of at least ${minimum}`;
  return problem(reading, `${path} must be a whole number ${range}, but is ${shown(value)}.`);
}

function readBoolean(value: unknown, path: string, reading: Reading): unknown {
  if (typeof value === 'boolean') return value;
  if (reading.isText && (value === 'true' || value === 'false')) return value === 'true';
  return problem(reading, `${path} must be true or false, but is ${shown(value)}.`);
}

function readEnum(allowed: readonly unknown[], value: unknown, path: string, reading: Reading): unknown {
  if (allowed.includes(value)) return value;
  return problem(reading, `${path} must be one of ${allowed.join(', ')}, but is ${shown(value)}.`);
}

function problem(reading: Reading, found: Problem): undefined {
  if (reading.problems.length < problemsMax) reading.problems.push(found);
  return undefined;
}

const own = (value: unknown, name: string): unknown =>
  isObject(value) && Object.hasOwn(value, name) ? value[name] : undefined;

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && !isRawJson(value);

const isReadableAsObject = (value: unknown): boolean => isObject(value) || (Array.isArray(value) && value.length === 0);

/** A number as it was written. */
const textOf = (value: unknown): unknown =>
  isRawJson(value) ? value.rawJSON : typeof value === 'number' ? String(value) : value;

function isWebUrl(text: string): boolean {
  if (!/^https?:\/\//i.test(text) || /[\s\\]/.test(text)) return false;
  return URL.canParse(text);
}

const isTimestamp = (text: string): boolean =>
  /^\d{4}-\d\d-\d\d(T\d\d:\d\d(:\d\d(\.\d{1,9})?)?(Z|[+-]\d\d:\d\d)?)?$/.test(text) && !Number.isNaN(Date.parse(text));

const charactersIn = (text: string): number => Array.from(text).length;

const patterns = new Map<string, RegExp>();
function patternOf(source: string): RegExp {
  let pattern = patterns.get(source);
  if (!pattern) patterns.set(source, (pattern = new RegExp(source)));
  return pattern;
}

/** A value as an error message may show it: short, and only its kind if it is not plain. */
function shown(value: unknown): string {
  if (value === undefined) return 'missing';
  if (value === null) return 'null';
  if (typeof value === 'string') return JSON.stringify(shorten(value));
  if (isRawJson(value)) return shorten(value.rawJSON);
  if (Array.isArray(value)) return 'a list';
  if (typeof value === 'object') return 'an object';
  return typeof value === 'number' || typeof value === 'boolean' ? String(value) : typeof value;
}

const shorten = (text: string): string => (text.length > 40 ? `${text.slice(0, 39).toWellFormed()}…` : text);
