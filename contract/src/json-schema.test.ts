import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Type as TypeBox } from 'typebox';
import { Type } from './json-schema.ts';

/** Every word once with options and once without, and some inside others. */
const written = (words: typeof Type) => {
  const text = words.String({ maxLength: 3, description: 'Short.' });
  const inner = words.Object({ at: words.Integer({ minimum: 1 }), note: words.Optional(text) });
  return [
    ...[words.String(), text, words.Boolean(), words.Boolean({ default: true }), words.Integer(), words.Null()],
    ...[words.Array(inner), words.Array(text, { maxItems: 2 }), words.Optional(words.Array(text, { maxItems: 2 }))],
    ...[words.Enum(['a', 'b']), words.Enum(['a', 'b'], { description: 'One of them.' })],
    ...[words.Union([text, words.Null()]), words.Union([inner, words.Null()], { description: 'Or nothing.' })],
    ...[words.Record(words.String(), text), words.Record(words.String({ pattern: '^a$' }), inner)],
    words.Record(words.String({ maxLength: 40 }), text, { maxProperties: 3 }),
    ...[words.Unsafe({ type: ['string', 'null'] }), words.Optional(words.Unsafe({ type: 'string' }))],
    words.Object({ b: words.Optional(words.Integer()) }),
    words.Object({ inner, more: words.Optional(inner), text }, { additionalProperties: false, description: 'All.' }),
    // Being optional is not passed on: not by the schema that was made optional, and not by a copy.
    words.Object({ ...inner.properties, copied: { ...words.Optional(text) }, text }),
  ];
};

test('every word makes the same schema as the library, letter by letter', () => {
  assert.deepEqual(
    written(Type).map((schema) => JSON.stringify(schema)),
    written(TypeBox).map((schema) => JSON.stringify(schema)),
  );
});

test('the library has more words than these, and all of these', () => {
  for (const word of Object.keys(Type)) assert.ok(word in TypeBox, word);
});
