import assert from 'node:assert/strict';
import { test } from 'node:test';
import { checkoutBody, checkoutsQuery, commitBody } from '@quittance/contract/checkout';
import { customerDeleteBody } from '@quittance/contract/customer';
import fc from 'fast-check';
import type { TSchema } from 'typebox';
import { GatewayError } from '../lib/errors.ts';
import { parseJson } from './parse-json.ts';
import { readInput } from './read-input.ts';

const smallest = { charge: { billingCurrency: 'USD', lineItems: [{ description: 'T-shirt', netAmount: 10 }] } };
const withItem = (item: object) => ({ charge: { billingCurrency: 'USD', lineItems: [item] } });
const readCheckout = (value: unknown) => readInput(checkoutBody, value, { name: 'The request body' });
const readText = (text: string) => readCheckout(parseJson(Buffer.from(text)));

function problemsOf(value: unknown, schema: TSchema = checkoutBody): readonly string[] {
  try {
    readInput(schema, value, { name: 'The request body' });
  } catch (error) {
    assert.ok(error instanceof GatewayError);
    assert.equal(error.httpStatus, 400);
    return error.problems;
  }
  return [];
}

test('the smallest checkout is read with every default filled in', () => {
  assert.deepEqual(readCheckout(smallest), {
    charge: {
      billingCurrency: 'USD',
      lineItems: [{ description: 'T-shirt', netAmount: '10', quantity: '1' }],
      discountItems: [],
      shippingCostItems: [],
      taxItems: [],
    },
    checkoutLanguage: 'auto',
    anchors: {},
    pageSettings: {},
  });
});

test('null means absent, an empty list means an empty object, and unknown keys are ignored', () => {
  const read = readCheckout({
    ...smallest,
    settlementAsset: null,
    checkoutLanguage: null,
    webhook: null,
    meta: [],
    pageSettings: [],
    anchors: [],
    somethingElse: { deep: true },
    charge: { ...smallest.charge, discountItems: null, customerId: null },
  });
  assert.deepEqual(read, { ...readCheckout(smallest), meta: {} });
});

test('an optional text that a settings form left empty is absent', () => {
  const read = readCheckout({ ...smallest, webhook: '', pageSettings: { returnUrl: '' }, checkoutLanguage: '' });
  assert.deepEqual(read, readCheckout(smallest));
});

test('what a plugin sends as the default while nothing was chosen is absent, where the contract says so', () => {
  const read = readCheckout({ ...smallest, settlementAsset: 'default', checkoutLanguage: 'default' });
  assert.deepEqual(read, readCheckout(smallest));
  assert.throws(() => readCheckout({ ...smallest, checkoutLanguage: 'Default' }), /checkoutLanguage must be one of/);
  assert.throws(() => readCheckout({ ...smallest, webhook: 'default' }), /webhook must be/);
});

test('amounts are read exactly, as numbers and as texts', () => {
  const amounts = { '10': '10', '169.99': '169.99', '"49.99"': '49.99', '"10.000000"': '10', '1e-7': '0.0000001' };
  for (const [written, read] of Object.entries({
    ...amounts,
    '0': '0',
    '"-3.50"': '-3.5',
    '123456789012345678.123456789012345678': '123456789012345678.123456789012345678',
  })) {
    const body = readText(
      `{"charge":{"billingCurrency":"USD","lineItems":[{"description":"a","netAmount":${written}}]}}`,
    );
    assert.equal(body.charge.lineItems[0]?.netAmount, read);
  }
});

test('every decimal within the limits survives, whether written as number or as text', () => {
  fc.assert(
    fc.property(fc.bigInt(-(10n ** 17n), 10n ** 17n), fc.bigInt(0n, 10n ** 18n - 1n), (whole, fraction) => {
      const text = `${whole}.${String(fraction).padStart(18, '0')}`;
      const item = (amount: string) => `{"charge":{"billingCurrency":"USD","lineItems":[
        {"description":"a","netAmount":${amount}}]}}`;
      const expected = text.replace(/\.?0+$/, '');
      assert.equal(readText(item(text)).charge.lineItems[0]?.netAmount, expected);
      assert.equal(readText(item(`"${text}"`)).charge.lineItems[0]?.netAmount, expected);
    }),
  );
});

test('an amount that is no number is refused by name', () => {
  assert.deepEqual(
    problemsOf({
      charge: {
        billingCurrency: 'USD',
        lineItems: [smallest.charge.lineItems[0], { description: 'b', netAmount: 'abc' }],
      },
    }),
    ['charge.lineItems[1].netAmount must be a number or a numeric string such as "49.99", but is "abc".'],
  );
  for (const netAmount of [true, [], {}, '', '1,5', '0x10', 'NaN', '1e999', '9'.repeat(400), null])
    assert.equal(problemsOf(withItem({ description: 'a', netAmount })).length, 1);
  for (const netAmount of ['1234567890123456789', '0.1234567890123456789', '1e30', '1e-30'])
    assert.match(problemsOf(withItem({ description: 'a', netAmount }))[0] ?? '', /at most 18 digits/);
});

test('all problems are told at once, in the order of the fields', () => {
  const body = {
    charge: { lineItems: [{ netAmount: 'x', quantity: -1 }], taxItems: [{ name: 'VAT', percent: 19 }] },
    checkoutLanguage: 'xx',
    webhook: 'ftp://shop.example/hook',
    meta: 'text',
  };
  assert.deepEqual(problemsOf(body), [
    'charge.billingCurrency is missing.',
    'charge.lineItems[0].description is missing.',
    'charge.lineItems[0].netAmount must be a number or a numeric string such as "49.99", but is "x".',
    'charge.lineItems[0].quantity must be at least 0, but is -1.',
    'charge.taxItems[0].percent must be at most 1, but is 19.',
    'checkoutLanguage must be one of auto, en, de, pt, es, it, tr, pl, fr, but is "xx".',
    'webhook must be an http or https URL, but is "ftp://shop.example/hook".',
    'meta must be an object, but is "text".',
  ]);
});

test('at most twenty problems are told, and values are shortened', () => {
  const lineItems = Array.from({ length: 400 }, () => ({ description: 7, netAmount: 'z'.repeat(100_000) }));
  const problems = problemsOf({ charge: { billingCurrency: 'USD', lineItems } });
  assert.equal(problems.length, 20);
  for (const problem of problems) assert.ok(problem.length < 200, problem);
});

test('a list that is too long is refused without reading its entries', () => {
  const lineItems = Array.from({ length: 10_000 }, () => 'not even an object');
  assert.deepEqual(problemsOf({ charge: { billingCurrency: 'USD', lineItems } }), [
    'charge.lineItems must have at most 500 entries, but has 10000.',
  ]);
  assert.equal(problemsOf({ charge: { billingCurrency: 'USD', lineItems: [] } }).length, 1);
});

test('lengths are counted in characters', () => {
  assert.deepEqual(problemsOf(withItem({ description: '😀'.repeat(200), netAmount: 1 })), []);
  assert.deepEqual(problemsOf(withItem({ description: '😀'.repeat(201), netAmount: 1 })), [
    'charge.lineItems[0].description must be at most 200 characters, but has 201.',
  ]);
  assert.equal(problemsOf(withItem({ description: 'a', netAmount: 1, productId: 'x'.repeat(21) })).length, 1);
});

test('a list that PHP wrote as an object with numbers for keys is a list', () => {
  const read = readCheckout({
    charge: { billingCurrency: 'USD', lineItems: { 1: { description: 'a', netAmount: 1, productId: 42 } } },
  });
  assert.deepEqual(read.charge.lineItems, [{ description: 'a', netAmount: '1', quantity: '1', productId: '42' }]);
});

test('older names are read as the modern ones, which win', () => {
  const read = readCheckout({
    charge: { currency: 'EUR', lineItems: smallest.charge.lineItems },
    settlementCurrency: 'USDC',
    links: { returnUrl: 'https://old.example/', cancelUrl: 'https://old.example/cancel' },
    pageSettings: { returnUrl: 'https://new.example/', cancelUrl: null },
  });
  assert.equal(read.charge.billingCurrency, 'EUR');
  assert.equal(read.settlementAsset, 'USDC');
  assert.deepEqual(read.pageSettings, { returnUrl: 'https://new.example/', cancelUrl: 'https://old.example/cancel' });
  const commit = { checkoutId: 'abc', depositNetwork: 'BITCOIN', relatedAssetId: 'BTC:G' };
  assert.deepEqual(readInput(commitBody, commit, { name: 'The request body' }), {
    checkoutId: 'abc',
    network: 'BITCOIN',
    asset: 'BTC:G',
  });
  for (const body of [{ id: 'abc' }, { customer: { id: 'abc' } }])
    assert.deepEqual(readInput(customerDeleteBody, body, { name: 'The request body' }), { id: 'abc' });
});

test('a problem names the field as the client wrote it', () => {
  assert.deepEqual(problemsOf({ ...smallest, links: { returnUrl: 'javascript:alert(1)' } }), [
    'links.returnUrl must be an http or https URL, but is "javascript:alert(1)".',
  ]);
});

test('a body that is no object is refused', () => {
  for (const value of ['text', 5, [1], null, true])
    assert.match(problemsOf(value)[0] ?? '', /^The request body must be a JSON object/);
});

test('custom objects are kept as they came, within 16 KiB', () => {
  const meta = { order: { id: 5, tags: ['a', null] }, empty: null };
  assert.deepEqual(readCheckout({ ...smallest, meta }).meta, meta);
  assert.equal(problemsOf({ ...smallest, meta: { a: 'x'.repeat(17_000) } }).length, 1);
});

test('a query string is read by the same rules', () => {
  const read = (query: object) => readInput(checkoutsQuery, query, { name: 'The query', isText: true });
  assert.deepEqual(read({}), { limit: 20 });
  assert.deepEqual(read({ limit: '5', state: 'COMPLETED', from: '2026-01-31T12:00:00+00:00' }), {
    limit: 5,
    state: 'COMPLETED',
    from: '2026-01-31T12:00:00+00:00',
  });
  for (const query of [{ limit: '0' }, { limit: '5x' }, { limit: ['1', '2'] }, { from: 'yesterday' }])
    assert.throws(() => read(query), GatewayError);
});

test('no input of any shape makes the reader fail in another way', () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      problemsOf(value);
      problemsOf({ charge: value });
      problemsOf({ charge: { billingCurrency: 'USD', lineItems: value } });
    }),
  );
});
