import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { test } from 'node:test';
import { Validator } from '@seriousme/openapi-schema-validator';
import { Ajv2020 } from 'ajv/dist/2020.js';
import type { TSchema } from 'typebox';
import { createComponents, type Json } from './components.ts';
import { type Endpoint, endpoints } from './endpoints.ts';
import { Type } from './json-schema.ts';
import { buildOpenapi } from './openapi.ts';
import { here, named, nullable } from './text.ts';

const document = buildOpenapi();
const { components } = document as { components: Record<string, Record<string, Json>> };
const schemas = components['schemas'] ?? {};

/** Every part of the document that is an object, with the way to it. */
function* partsOf(value: unknown, at = '#'): Generator<[at: string, part: Json]> {
  if (typeof value !== 'object' || value === null) return;
  if (!Array.isArray(value)) yield [at, value as Json];
  for (const [name, inner] of Object.entries(value)) yield* partsOf(inner, `${at}/${name.replaceAll('/', '~1')}`);
}

function partAt(reference: string): unknown {
  const names = reference.split('/').slice(1);
  return names.reduce<unknown>((part, name) => (part as Json | undefined)?.[name.replaceAll('~1', '/')], document);
}

const refersTo = (part: Json): unknown => {
  const [first] = (part['anyOf'] ?? []) as Json[];
  const reference = part['$ref'] ?? first?.['$ref'];
  return typeof reference === 'string' ? partAt(reference) : undefined;
};

/** By itself, or because what it is has a name and is described there. */
const isDescribed = (part: Json): boolean => Boolean(part['description'] ?? (refersTo(part) as Json)?.['description']);

test('openapi.json says what the contract says', async () => {
  const written = JSON.parse(await readFile(new URL('../openapi.json', import.meta.url), 'utf8')) as unknown;
  assert.deepEqual(written, document, 'run `npm run openapi`');
});

test('the document is valid OpenAPI 3.1', async () => {
  const result = await new Validator().validate(buildOpenapi());
  assert.deepEqual(result, { valid: true });
});

test('every endpoint is known by one id and one place', () => {
  const all = Object.entries(endpoints) as [string, Endpoint][];
  for (const [id, endpoint] of all) assert.equal(endpoint.id, id);
  assert.equal(new Set(all.map(([, { method, path }]) => `${method} ${path}`)).size, all.length);
  const ids = [...partsOf(document)].flatMap(([, { operationId }]) => (operationId === undefined ? [] : [operationId]));
  assert.equal(new Set(ids).size, ids.length);
});

test('every reference leads somewhere, and every component is referred to', () => {
  const references = [...partsOf(document)].flatMap(([, { $ref }]) => (typeof $ref === 'string' ? [$ref] : []));
  assert.deepEqual(
    references.filter((reference) => partAt(reference) === undefined),
    [],
  );
  const used = new Set(references);
  const kinds = ['schemas', 'responses', 'headers', 'parameters'];
  const all = kinds.flatMap((kind) =>
    Object.keys(components[kind] ?? {}).map((name) => `#/components/${kind}/${name}`),
  );
  assert.deepEqual(
    all.filter((reference) => !used.has(reference)),
    [],
  );
});

test('every schema, field, parameter and header is described', () => {
  const fields = [...partsOf(schemas)].flatMap(([at, { properties }]) =>
    Object.entries((properties ?? {}) as Record<string, Json>).map(
      ([name, field]) => [`${at}/${name}`, field] as const,
    ),
  );
  const parameters = [...partsOf(document)].filter(([, part]) => part['in'] !== undefined);
  const others = [schemas, components['headers'] ?? {}, components['responses'] ?? {}].flatMap(Object.entries<Json>);
  const missing = [...fields, ...parameters, ...others].filter(([, part]) => !isDescribed(part));
  assert.deepEqual(
    missing.map(([at]) => at),
    [],
  );
});

test('an object with fields has a name, and so has a choice that is offered twice', () => {
  const inner = [...partsOf(document)].filter(([at]) => !/^#\/components\/schemas\/\w+$/.test(at));
  const objects = inner.filter(([, part]) => typeof part['properties'] === 'object' && part['type'] === 'object');
  assert.deepEqual(
    objects.map(([at]) => at),
    [],
  );
  const choices = inner.flatMap(([, part]) => (Array.isArray(part['enum']) ? [part['enum'].join(' ')] : []));
  assert.deepEqual(
    choices.filter((choice, position) => choices.indexOf(choice) !== position),
    [],
  );
  for (const name of Object.keys(schemas)) assert.match(name, /^([A-Z][a-z]+)+$/);
});

type Content = Readonly<Record<string, { readonly schema: Json; readonly example?: unknown }>>;
type Operation = {
  readonly operationId: string;
  readonly parameters?: readonly { readonly name: string; readonly schema: Json; readonly example?: unknown }[];
  readonly requestBody?: { readonly content: Content };
  readonly responses: Readonly<Record<string, { readonly content?: Content }>>;
};
const operationsIn = (part: string): Operation[] =>
  Object.values(document[part] as Record<string, Record<string, Operation>>).flatMap((path) => Object.values(path));

test('every operation has an example of what is sent and what is answered', () => {
  const missing = operationsIn('paths').filter(({ parameters = [], requestBody, responses }) => {
    const isAskedFor = !requestBody || requestBody.content['application/json']?.example !== undefined;
    const isNarrowed =
      parameters.every(({ schema }) => !schema) || parameters.some(({ example }) => example !== undefined);
    const isAnswered = Object.values(responses['200']?.content ?? {}).some(({ example }) => example !== undefined);
    return !isAnswered || !isAskedFor || !isNarrowed;
  });
  assert.deepEqual(
    missing.map(({ operationId }) => operationId),
    [],
  );
});

test('every example is as its schema says', () => {
  const ajv = new Ajv2020({ strict: false, validateFormats: false }).addSchema(document, 'api');
  const inside = (schema: Json): Json => JSON.parse(JSON.stringify(schema).replaceAll('"#/', '"api#/')) as Json;
  for (const { operationId, parameters = [], requestBody, responses } of ['paths', 'webhooks'].flatMap(operationsIn)) {
    const contents = [requestBody, ...Object.values(responses)].flatMap((part) => Object.values(part?.content ?? {}));
    for (const { schema, example } of [...parameters, ...contents])
      if (example !== undefined)
        assert.ok(ajv.validate(inside(schema), example), `${operationId}: ${ajv.errorsText()}`);
  }
});

const itemsOf = (...given: TSchema[]): [Json[], Readonly<Record<string, Json>>] => {
  const made = createComponents();
  const shown = given.map((schema) => made.use(schema));
  return [shown, JSON.parse(JSON.stringify(made.schemas))];
};

test('a schema with a name is shown once, with what holds in a place beside each reference', () => {
  const size = Type.Enum(['S', 'L'], { title: 'Size', description: 'How large.' });
  const shirt = Type.Object(
    { size, printed: nullable(here(size, 'How large the print is.')), note: nullable(Type.String()) },
    { title: 'Shirt', description: 'A shirt.' },
  );
  const [shown, defined] = itemsOf(shirt, Type.Array(shirt));
  const $ref = '#/components/schemas/Size';
  assert.deepEqual(shown, [
    { $ref: '#/components/schemas/Shirt' },
    { type: 'array', items: { $ref: '#/components/schemas/Shirt' } },
  ]);
  assert.deepEqual(defined, {
    Size: { type: 'string', enum: ['S', 'L'], description: 'How large.' },
    Shirt: {
      type: 'object',
      description: 'A shirt.',
      required: ['size', 'printed', 'note'],
      properties: {
        size: { $ref },
        printed: { description: 'How large the print is.', anyOf: [{ $ref }, { type: 'null' }] },
        note: { type: ['string', 'null'] },
      },
    },
  });
});

test('two schemas cannot have one name', () => {
  const as = (title: string) => Type.Object({ id: Type.String() }, { title, description: title });
  assert.throws(
    () => itemsOf(as('A'), Type.Object({ id: Type.Integer() }, { title: 'A', description: 'A' })),
    /two schemas have the title A/,
  );
  assert.equal(Object.keys(itemsOf(as('A'), as('B'))[1]).length, 2);
});

test('a field with an older name is required under the name to use, one with a default is not', () => {
  const body = Type.Object({
    network: Type.String(named(['depositNetwork'])),
    amount: Type.String({ default: '1' }),
    note: Type.Optional(Type.String()),
  });
  assert.deepEqual(itemsOf(body)[0][0]?.['required'], ['network']);
  assert.deepEqual(schemas['CommitCheckoutRequest']?.['required'], ['checkoutId', 'network']);
  assert.deepEqual(schemas['Charge']?.['required'], ['billingCurrency', 'lineItems']);
});
