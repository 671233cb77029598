import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { test } from 'node:test';
import { Validator } from '@seriousme/openapi-schema-validator';
import { type Endpoint, endpoints } from './endpoints.ts';
import { buildOpenapi } from './openapi.ts';

test('openapi.json says what the contract says', async () => {
  const written = JSON.parse(await readFile(new URL('../openapi.json', import.meta.url), 'utf8')) as unknown;
  assert.deepEqual(written, buildOpenapi(), 'run `npm run openapi`');
});

test('the document is valid OpenAPI 3.1', async () => {
  const result = await new Validator().validate(buildOpenapi());
  assert.deepEqual(result, { valid: true });
});

test('every endpoint is known by one id and one place', () => {
  const all = Object.entries(endpoints) as [string, Endpoint][];
  for (const [id, endpoint] of all) assert.equal(endpoint.id, id);
  assert.equal(new Set(all.map(([, { method, path }]) => `${method} ${path}`)).size, all.length);
});

test('every field of the API is described', () => {
  const missing: string[] = [];
  const walk = (schema: unknown, at: string): void => {
    if (typeof schema !== 'object' || schema === null) return;
    const { properties, items, anyOf } = schema as Record<string, unknown>;
    for (const [name, property] of Object.entries((properties ?? {}) as Record<string, Record<string, unknown>>)) {
      const isDescribed =
        property['description'] !== undefined ||
        (property['anyOf'] as { description?: string }[] | undefined)?.some(({ description }) => description);
      if (!isDescribed && property['type'] !== 'object') missing.push(`${at}.${name}`);
      walk(property, `${at}.${name}`);
    }
    walk(items, `${at}[]`);
    for (const option of (anyOf ?? []) as unknown[]) walk(option, at);
  };
  for (const { id, query, body, reply } of Object.values(endpoints) as Endpoint[])
    for (const schema of [query, body, reply]) walk(schema, id);
  assert.deepEqual(missing, []);
});
