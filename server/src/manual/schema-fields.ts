/** A schema of the contract as a table that a person reads: a row per field, inner ones under the path that leads to them. */
import type { Json } from '@quittance/contract/components';
import type { TSchema } from 'typebox';

export type SchemaField = {
  /** `charge.lineItems[].netAmount`. */
  readonly path: string;
  readonly type: string;
  readonly isRequired: boolean;
  /** What it is, and its limits. */
  readonly meaning: string;
};

/** `depthMax`: how many levels are opened. Left out: all. */
export function fieldsOf(schema: TSchema | Json, depthMax = 99, at = ''): SchemaField[] {
  if (depthMax === 0) return [];
  const { properties = {}, required = [] } = schema as { properties?: Record<string, Json>; required?: string[] };
  return Object.entries(properties).flatMap(([name, property]) => {
    const path = at === '' ? name : `${at}.${name}`;
    const [inner, suffix] = innermost(property);
    const isRequired = required.includes(name) && property['default'] === undefined;
    const field = { path, type: typeOf(property), isRequired, meaning: meaningOf(property) };
    return [field, ...fieldsOf(inner, depthMax - 1, `${path}${suffix}`)];
  });
}

/** What a list is a list of, and what may also be null: there the fields are. */
function innermost(schema: Json): [inner: Json, suffix: string] {
  const [first] = (schema['anyOf'] ?? []) as Json[];
  if (first !== undefined) return innermost(first);
  if (schema['items'] !== undefined) {
    const [inner, suffix] = innermost(schema['items'] as Json);
    return [inner, `[]${suffix}`];
  }
  const [value] = Object.values((schema['patternProperties'] ?? {}) as Record<string, Json>);
  return value === undefined ? [schema, ''] : [value, '.*'];
}

function typeOf(schema: Json): string {
  const { type, format, items, anyOf, pattern, patternProperties } = schema;
  const [first] = (anyOf ?? []) as Json[];
  if (first !== undefined) return `${typeOf(first)} or null`;
  if (items !== undefined) return `list of ${typeOf(items as Json)}`;
  if (patternProperties !== undefined) return 'object';
  if (format === 'decimal') return 'amount';
  if (Array.isArray(type)) return type.map((each) => kinds[String(each)] ?? String(each)).join(' or ');
  if (format === 'date-time') return 'time';
  if (format === 'uri') return 'URL';
  if (pattern === idPattern) return 'id';
  if (schema['enum'] !== undefined) return 'text';
  return typeof type === 'string' ? (kinds[type] ?? type) : 'any JSON';
}

const idPattern = '^[a-z0-9]{12}$';

const kinds: Readonly<Record<string, string>> = {
  string: 'text',
  number: 'number',
  integer: 'whole number',
  boolean: 'true or false',
  object: 'object',
};

function meaningOf(schema: Json): string {
  const [first] = (schema['anyOf'] ?? []) as Json[];
  const own = first === undefined ? schema : { ...first, ...schema };
  const described = own['x-here'] ?? own['description'];
  const notes = notesOf(own);
  return [described, ...notes].filter((part) => part !== undefined && part !== '').join(' ');
}

/** Limits, the default and further names, each a short sentence. */
function notesOf(schema: Json): string[] {
  const { minLength, maxLength, minItems, maxItems, minimum, maximum, default: ifAbsent } = schema;
  const otherNames = (schema['x-otherNames'] ?? []) as string[];
  const choices = (schema['enum'] ?? []) as string[];
  const isList = schema['items'] !== undefined;
  return [
    choices.length > 0 ? `One of ${choices.map(asCode).join(', ')}.` : '',
    between(minLength === 1 && maxLength === undefined ? undefined : minLength, maxLength, 'characters'),
    isList ? between(minItems, maxItems, 'items') : '',
    between(schema['x-minimum'] ?? minimum, schema['x-maximum'] ?? maximum, ''),
    ifAbsent === undefined || isEmpty(ifAbsent) ? '' : `Left out: ${asCode(ifAbsent)}.`,
    otherNames.length > 0 ? `Older name: ${otherNames.map(asCode).join(', ')}.` : '',
  ];
}

/** A number, or an amount as text. */
type Limit = string | number | undefined;

const isEmpty = (value: unknown): boolean =>
  value === '' || (typeof value === 'object' && value !== null && Object.keys(value).length === 0);

function between(from: unknown, to: unknown, unit: string): string {
  const [least, most] = [from as Limit, to as Limit];
  const end = unit === '' ? '.' : ` ${unit}.`;
  if (least === undefined && most === undefined) return '';
  if (least === undefined) return `At most ${String(most)}${end}`;
  return most === undefined ? `At least ${String(least)}${end}` : `${String(least)} to ${String(most)}${end}`;
}

const asCode = (value: unknown): string => `\`${typeof value === 'string' ? value : JSON.stringify(value)}\``;

/** What a cell of a table cannot hold as it is. */
export const cell = (text: string): string => text.replaceAll('|', '\\|').replaceAll('\n', ' ');

/** In Markdown. `isRequest`: says what must be sent; what is answered is always there. */
export function fieldTable(fields: readonly SchemaField[], isRequest: boolean): string {
  const rows = fields.map(
    ({ path, type, isRequired, meaning }) =>
      `| \`${path}\` | ${cell(type)}${isRequest && isRequired ? ', **required**' : ''} | ${cell(meaning)} |`,
  );
  return ['| Field | Type | Meaning |', '|---|---|---|', ...rows].join('\n');
}
