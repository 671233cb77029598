/**
 * Writes the contract as TypeScript: a type for every schema with a title, under that title, as `openapi.json` has them in
 * its components; the few that have other names (contract-names.ts); and every operation with its method, path, input and
 * reply. Pure: the same contract gives the same text.
 */
import type { Endpoint } from '@quittance/contract/endpoints';
import { furtherNames, type Named } from './contract-names.ts';

type Schema = { readonly [key: string]: unknown };
/** `isBrief`: without what is said about each part, where it is said elsewhere. */
type Side = { readonly isInput: boolean; readonly isBrief?: boolean };

const decimalPattern = '^-?\\d+(\\.\\d+)?$';

export function describeContract(endpoints: Readonly<Record<string, Endpoint>>): string {
  const further = furtherNames.map((named) => ({
    name: named.name,
    schema: schemaAt(endpoints, named),
    isInput: true,
  }));
  const taken = new Set(furtherNames.map(({ name }) => name));
  const parts = [...titledIn(endpoints).filter(({ name }) => !taken.has(name)), ...further];

  const typeOf = (schema: Schema, side: Side, indent: string, isNamed = true): string => {
    if (isNamed && typeof schema['title'] === 'string') return schema['title'];
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

  const types = parts.map(({ name, schema, isInput }) => {
    const type = typeOf(schema, { isInput }, '', false);
    return `${comment(descriptionOf(schema), '')}export type ${name} = ${type};\n`;
  });
  const operations = Object.values(endpoints).map(({ id, body, query, reply }) => {
    const input = body ?? query;
    const filter = furtherNames.find(({ operation, at }) => operation === id && at === 'query');
    const typed = filter
      ? filter.name
      : input
        ? typeOf(asSchema(input), { isInput: true, isBrief: true }, '  ')
        : 'undefined';
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

type Part = { readonly name: string; readonly schema: Schema; readonly isInput: boolean };

/** In the order in which they are met. What is sent and what is answered differ in what may be left out. */
function titledIn(endpoints: Readonly<Record<string, Endpoint>>): Part[] {
  const found = new Map<string, Part>();
  const visit = (schema: Schema, isInput: boolean): void => {
    const { title: name, properties } = schema;
    if (typeof name === 'string') {
      const known = found.get(name);
      if (known && known.isInput !== isInput && properties) throw new Error(`${name} is both sent and answered.`);
      if (!known) found.set(name, { name, schema, isInput });
    }
    for (const inner of innerOf(schema)) visit(inner, isInput);
  };
  for (const { body, query, reply } of Object.values(endpoints)) {
    for (const input of [body, query]) if (input) visit(asSchema(input), true);
    visit(asSchema(reply), false);
  }
  return [...found.values()];
}

const innerOf = (schema: Schema): Schema[] =>
  [
    Object.values((schema['properties'] ?? {}) as Record<string, Schema>),
    Object.values((schema['patternProperties'] ?? {}) as Record<string, Schema>),
    (schema['anyOf'] ?? schema['oneOf'] ?? []) as Schema[],
    schema['items'] === undefined ? [] : [schema['items'] as Schema],
  ].flat();

function schemaAt(endpoints: Readonly<Record<string, Endpoint>>, named: Named): Schema {
  const { name, operation, at } = named;
  const [part = '', ...path] = at.split('.');
  let schema: Schema | undefined = asSchema(endpoints[operation]?.[part as 'body' | 'query'] ?? null);
  for (const step of path) schema = (schema?.['properties'] as Record<string, Schema> | undefined)?.[step];
  if (!schema) throw new Error(`The contract has no ${at} in ${operation}, which is named ${name}.`);
  return changed(schema, named);
}

function changed(schema: Schema, { needs = [], without = [] }: Named): Schema {
  const properties = Object.entries(schema['properties'] as Schema).filter(([name]) => !without.includes(name));
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
