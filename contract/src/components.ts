/**
 * Schemas as openapi.json shows them. One with a title stands in `components` under that name, and wherever it is used
 * there is a reference; only what holds in that place (`x-here`, a default, older names, a word for nothing) stands beside it.
 */
import { isDeepStrictEqual } from 'node:util';
import type { TSchema } from 'typebox';

export type Json = { [key: string]: unknown };

export type Components = {
  readonly schemas: Readonly<Record<string, Json>>;
  /** The schema, or a reference to it. */
  readonly use: (schema: TSchema) => Json;
};

export function createComponents(): Components {
  const schemas: Record<string, Json> = {};

  function define(name: string, schema: Json): void {
    const known = (schemas[name] ??= schema);
    if (!isDeepStrictEqual(known, schema)) throw new Error(`two schemas have the title ${name}`);
  }

  function shown(schema: Json): Json {
    const { title, 'x-here': here, default: ifAbsent, ...rest } = schema;
    const { 'x-otherNames': otherNames, 'x-absentWord': absent, ...itself } = rest;
    const inPlace = { default: ifAbsent, 'x-otherNames': otherNames, 'x-absentWord': absent };
    if (typeof title !== 'string') return { ...inParts(itself), ...inPlace };
    define(title, inParts(itself));
    return { $ref: `#/components/schemas/${title}`, description: here, ...inPlace };
  }

  function inParts({ properties, required, items, anyOf, patternProperties, ...rest }: Json): Json {
    if (anyOf !== undefined) return orNull(shown((anyOf as [Json])[0]), rest);
    if (properties !== undefined) return { ...rest, ...objectOf(properties as Record<string, Json>, required) };
    if (items !== undefined) return { ...rest, items: shown(items as Json) };
    if (patternProperties !== undefined) {
      const [value = {}] = Object.values(patternProperties as Record<string, Json>);
      return { ...rest, additionalProperties: shown(value) };
    }
    return rest['enum'] === undefined ? rest : { type: 'string', ...rest };
  }

  /** What has a default need not be sent. */
  function objectOf(properties: Readonly<Record<string, Json>>, required: unknown): Json {
    const needed = ((required ?? []) as string[]).filter((name) => properties[name]?.['default'] === undefined);
    const inner = Object.entries(properties).map(([name, property]) => [name, shown(property)]);
    return { ...(needed.length > 0 && { required: needed }), properties: Object.fromEntries(inner) };
  }

  return { schemas, use: (schema) => withoutGaps(shown(schema as Json)) as Json };
}

/** `nullable` is the only choice between schemas that the contract knows. */
const orNull = (schema: Json, rest: Json): Json =>
  schema['$ref'] === undefined
    ? { ...schema, ...rest, type: [schema['type'], 'null'] }
    : { ...rest, description: schema['description'], anyOf: [{ $ref: schema['$ref'] }, { type: 'null' }] };

const withoutGaps = (value: unknown): unknown => JSON.parse(JSON.stringify(value)) as unknown;
