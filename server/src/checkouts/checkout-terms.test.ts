import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseExactly } from '../http/parse-json.ts';
import type { CheckoutPayload } from './checkout.ts';
import { checkoutTerms, termOf } from './checkout-terms.ts';

const terms = (json: string): string[] => checkoutTerms({ payload: parseExactly(json) as CheckoutPayload });

test('a term is what people type: lower case, one space, no sign before the number', () => {
  for (const [text, term] of [
    ['#10045', '10045'],
    ['  Order\n\t 7 ', 'order 7'],
    ['ＡＢＣ', 'abc'],
    ['Größe XL', 'größe xl'],
    ['\u202eA-1', 'a-1'],
    ['!!', ''],
    ['', ''],
    ['x'.repeat(70), 'x'.repeat(64)],
    [`${'x'.repeat(63)} y`, 'x'.repeat(63)],
    ['𝔘'.repeat(65), 'u'.repeat(64)],
    ['😀1', '1'],
  ] as const)
    assert.equal(termOf(text), term, text);
});

test('the most telling come first: reference, meta, numbers in descriptions, products, descriptions', () => {
  const payload = {
    charge: { lineItems: [{ description: 'Order #2024-117', productId: 'SKU-9' }, { description: 'Gift' }] },
    meta: { orderId: 10_045, shop: 'North', nested: { a: 'hidden' }, list: ['hidden'], flag: true, none: null },
    pageSettings: { orderReference: 'R-1' },
  };
  assert.deepEqual(terms(JSON.stringify(payload)), [
    'r-1',
    '10045',
    'north',
    '2024-117',
    'sku-9',
    'order #2024-117',
    'gift',
  ]);
});

test('never more than eight, and none twice', () => {
  const meta = Object.fromEntries(Array.from({ length: 20 }, (_, index) => [`k${index}`, `v${index % 12}`]));
  assert.deepEqual(terms(JSON.stringify({ meta })), ['v0', 'v1', 'v2', 'v3', 'v4', 'v5', 'v6', 'v7']);
});

test('numbers are found with all of their digits', () => {
  assert.deepEqual(terms('{"meta":{"order":12345678901234567890123}}'), ['12345678901234567890123']);
});

test('whatever was posted in place of an object has no terms', () => {
  for (const json of [
    '{}',
    '{"meta":null}',
    '{"meta":[]}',
    '{"meta":7}',
    '{"charge":null}',
    '{"charge":{"lineItems":3}}',
  ])
    assert.deepEqual(terms(json), [], json);
  assert.deepEqual(terms('{"charge":{"lineItems":[null,1,{"description":null}]}}'), []);
});
