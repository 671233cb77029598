/**
 * Writes the contract as TypeScript: a type for every part that has a name (contract-names.ts), and every operation with
 * its method, path, input and reply. Pure: the same contract gives the same text.
 */
import type { Endpoint } from '@quittance/contract/endpoints';
import { type Named, names } from './contract-names.ts';

type Schema = { readonly [key: string]: unknown };
/** `isBrief`: without what is said about each part, where it is said elsewhere. */
type Side = { readonly isInput: boolean; readonly isBrief?: boolean };

const decimalPattern = '^-?\\d+(\\.\\d+)?$';

export function describeContract(endpoints: Readonly<Record<string, Endpoint>>): string {
  const schemas = new Map(names.map((named) => [named, schemaAt(endpoints, named)]));
  const nameOf = new Map(names.filter(isPlain).map((named) => [keyOf(schemas.get(named) as Schema), named.name]));

  const typeOf = (schema: Schema, side: Side, indent: string, isNamed = true): string => {
    const name = isNamed ? nameOf.get(keyOf(schema)) : undefined;
    if (name !== undefined) return name;
    const options = (schema['anyOf'] ?? schema['oneOf']) as readonly Schema[] | undefined;
    if (options) return options.map((option) => typeOf(option, side, indent)).join(' | ');
    if (Array.isArray(schema['enum'])) return schema['enum'].map((value) => quoted(String(value))).join(' | ');
    if (schema['format'] === 'decimal') return 'DecimalInput';
    if (schema['pattern'] === decimalPattern) return 'Decimal';
    if (schema['format'] === 'date-time') return 'Timestamp';
    const types = [schema['type']].flat();
    return types.map((type) => typeNamed(type, schema, side, indent)).join(' | ');
  };

  const typeNamed = (type: unknown, schema: Schema, side: Side, indent: string): string => {
    if (type === 'integer' || type === 'number') return 'number';
    if (type === 'string' || type === 'boolean' || type === 'null') return type;
    if (type === 'array') {
      const item = typeOf(schema['items'] as Schema, side, indent);
      return / \| /.test(item) && !item.startsWith('{') ? `(${item})[]` : `${item}[]`;
    }
    if (type !== 'object') return 'unknown';
    if (schema['properties']) return objectOf(schema, side, indent);
    const [values] = Object.values((schema['patternProperties'] ?? {}) as Record<string, Schema>);
    return `Record<string, ${values ? typeOf(values, side, indent) : 'unknown'}>`;
  };

  const objectOf = (schema: Schema, side: Side, indent: string): string => {
    const properties = Object.entries(schema['properties'] as Record<string, Schema>);
    const required = (schema['required'] ?? []) as readonly string[];
    const inner = `${indent}  `;
    const lines = properties.map(([name, property]) => {
      // Who sends may leave out what has a default; who reads gets it always.
      const isNeeded = required.includes(name) && (!side.isInput || property['default'] === undefined);
      const type = typeOf(property, side, inner);
      const optional = side.isInput ? `?: ${type} | undefined` : `?: ${type}`;
      const about = side.isBrief ? '' : comment(descriptionHere(property), inner);
      return `${about}${inner}${name}${isNeeded ? `: ${type}` : optional};\n`;
    });
    return `{\n${lines.join('')}${indent}}`;
  };

  const types = names.map((named) => {
    const schema = schemas.get(named) as Schema;
    const side = { isInput: !named.at.startsWith('reply') };
    return `${comment(descriptionOf(schema), '')}export type ${named.name} = ${typeOf(changed(schema, named), side, '', false)};\n`;
  });
  const operations = Object.values(endpoints).map(({ id, body, query, reply }) => {
    const input = body ?? query;
    const typed = input ? typeOf(asSchema(input), { isInput: true, isBrief: true }, '  ') : 'undefined';
    const given = typeOf(asSchema(reply), { isInput: false, isBrief: true }, '  ');
    return `  ${id}: { input: ${typed}; reply: ${given} };\n`;
  });
  const places = Object.values(endpoints).map(
    ({ id, method, path }) => `  ${id}: { method: ${quoted(method)}, path: ${quoted(path)} },\n`,
  );
  return [
    heading,
    ...types,
    `/** What each operation of the API takes and gives. */\nexport type Operations = {\n${operations.join('')}};\n`,
    `export const operations = {\n${places.join('')}} as const satisfies Record<keyof Operations, { method: string; path: string }>;\n`,
  ].join('\n');
}

const heading = `/** Written from the contract by scripts/write-contract.ts: \`npm run sdk:types\`. */

/** An exact decimal in plain notation, such as "19.99". Never read it as a float. */
export type Decimal = string;

/** A decimal. A string is sent as it is; a number as JavaScript writes it. */
export type DecimalInput = string | number;

/** ISO 8601 with an offset, such as "2026-03-01T12:00:00+00:00". */
export type Timestamp = string;
`;

const asSchema = (schema: unknown): Schema => JSON.parse(JSON.stringify(schema)) as Schema;

const isPlain = ({ needs, without }: Named): boolean => needs === undefined && without === undefined;

/** What makes a part the same as another: everything but what is said about its place. */
const keyOf = (schema: Schema): string =>
  JSON.stringify(Object.entries(schema).filter(([key]) => !/^(?:description|default|examples?|x-.*)$/.test(key)));

function schemaAt(endpoints: Readonly<Record<string, Endpoint>>, { name, operation, at }: Named): Schema {
  const endpoint = endpoints[operation];
  const [part = '', ...path] = at.split('.');
  let schema = endpoint && asSchema(endpoint[part as 'body' | 'query' | 'reply'] ?? null);
  for (const step of path) {
    const found = (step === '[]' ? schema?.['items'] : (schema?.['properties'] as Schema | undefined)?.[step]) as
      | Schema
      | undefined;
    schema = found && ((found['anyOf'] as readonly Schema[] | undefined)?.[0] ?? found);
  }
  if (!schema) throw new Error(`The contract has no ${at} in ${operation}, which is named ${name}.`);
  return schema;
}

function changed(schema: Schema, { needs = [], without = [] }: Named): Schema {
  const properties = Object.entries((schema['properties'] ?? {}) as Schema).filter(([name]) => !without.includes(name));
  if (properties.length === 0) return schema;
  const required = [...((schema['required'] ?? []) as readonly string[]), ...needs];
  return { ...schema, properties: Object.fromEntries(properties), required };
}

const textOr = (text: unknown, otherwise: string): string => (typeof text === 'string' ? text : otherwise);

const descriptionOf = (schema: Schema): string => textOr(schema['description'], '');

/** Of a part in its place: what is said about it there, or what it is. */
function descriptionHere(schema: Schema): string {
  const [option = {}] = (schema['anyOf'] ?? []) as readonly Schema[];
  return textOr(schema['x-here'], descriptionOf(schema)) || textOr(option['x-here'], descriptionOf(option));
}

const quoted = (text: string): string => `'${text.replaceAll("'", "\\'")}'`;

/** In lines of at most 120 characters. */
function comment(text: string, indent: string): string {
  if (text === '') return '';
  const safe = text.replaceAll('*/', '* /');
  if (indent.length + safe.length + 7 <= 120) return `${indent}/** ${safe} */\n`;
  const lines = [''];
  for (const word of safe.split(' ')) {
    const line = lines.at(-1) ?? '';
    if (indent.length + 3 + line.length + 1 + word.length > 120) lines.push(word);
    else lines[lines.length - 1] = line === '' ? word : `${line} ${word}`;
  }
  return `${indent}/**\n${lines.map((line) => `${indent} * ${line}\n`).join('')}${indent} */\n`;
}
