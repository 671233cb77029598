import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { startCpuStopwatch } from '../../test/cpu-stopwatch.ts';
import { GatewayError } from '../lib/errors.ts';
import { isRawJson, parseJson } from './parse-json.ts';

const parse = (text: string) => parseJson(Buffer.from(text));

function refusal(bytes: Buffer | string): string {
  const computedMs = startCpuStopwatch();
  try {
    parseJson(Buffer.from(bytes as Buffer));
  } catch (error) {
    assert.ok(error instanceof GatewayError);
    assert.equal(error.httpStatus, 400);
    assert.ok(computedMs() < 2_000, 'refused quickly');
    return error.problems[0] ?? '';
  }
  return assert.fail('was not refused');
}

test('an empty body is an empty object', () => {
  assert.deepEqual(parse(''), {});
  assert.deepEqual(parse(' \n'), {});
});

test('a number that a float cannot hold keeps every digit, also in an echo', () => {
  const text = '{"a":12345678901234567890.123456789,"b":1.0e-7,"c":0.1,"d":10.1,"e":[9007199254740993]}';
  const value = parse(text) as { a: unknown };
  assert.ok(isRawJson(value.a));
  assert.equal(JSON.stringify(value), text);
});

test('what was posted is echoed with the same values', () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      assert.deepEqual(JSON.parse(JSON.stringify(parse(JSON.stringify(value)))), JSON.parse(JSON.stringify(value)));
    }),
  );
});

test('bytes that are not UTF-8 are refused', () => {
  assert.match(refusal(Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x7d])), /UTF-8/);
});

test('text that is not JSON is refused', () => {
  assert.equal(refusal('{"a":'), 'The request body is not valid JSON.');
  assert.equal(refusal('charge=1'), 'The request body is not valid JSON.');
});

test('what PostgreSQL cannot hold is refused, in values and in keys', () => {
  assert.match(refusal('{"a":"\\u0000"}'), /NUL/);
  assert.match(refusal('{"\\ud800":1}'), /surrogate/);
  assert.match(refusal('[["\\uDC00"]]'), /surrogate/);
  assert.deepEqual(parse('["\\ud83d\\ude00","\\\\u0000"]'), ['😀', '\\u0000']);
});

test('deep nesting is refused before it is parsed', () => {
  assert.match(refusal('['.repeat(10_000) + ']'.repeat(10_000)), /32 levels/);
  assert.match(refusal('{"a":'.repeat(33) + '1' + '}'.repeat(33)), /32 levels/);
  assert.doesNotThrow(() => parse('['.repeat(32) + ']'.repeat(32)));
  assert.deepEqual(parse('["[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[\\"[["]'), [
    '[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[["[[',
  ]);
});

test('absurd numbers are refused quickly', () => {
  for (const number of ['1e999999999', '1E-999999999', '9'.repeat(400), `0.${'1'.repeat(200_000)}`])
    assert.match(refusal(`{"netAmount":${number}}`), /too large or too long/);
});

test('a key named __proto__ changes nothing but itself', () => {
  const value = parse('{"__proto__":{"isAdmin":true}}') as { isAdmin?: boolean };
  assert.equal(value.isAdmin, undefined);
  assert.equal(({} as { isAdmin?: boolean }).isAdmin, undefined);
});

test('numbers are read as they were written wherever they stand, and texts that look like them stay texts', () => {
  const long = fc.bigInt({ min: 10n ** 16n, max: 10n ** 40n }).map((units) => `${units}.${units}`);
  const leaf = fc.oneof(
    long,
    fc.jsonValue({ maxDepth: 0 }).map((value) => JSON.stringify(value)),
    fc.constant('"1234567890.123456789e5"'),
  );
  const key = fc
    .oneof(fc.string(), fc.constantFrom('__proto__', '12345678901234567890'))
    .map((name) => JSON.stringify(name));
  const { json } = fc.letrec<{ json: string }>((tie) => ({
    json: fc.oneof(
      { depthSize: 'small', withCrossShrink: true },
      leaf,
      fc.array(tie('json')).map((items) => `[${items.join(',')}]`),
      fc
        .uniqueArray(fc.tuple(key, tie('json')), { selector: ([name]) => name })
        .map((pairs) => `{${pairs.map(([name, value]) => `${name}:${value}`).join(',')}}`),
    ),
  }));
  const numbersIn = (text: string): string[] => text.replaceAll(/"(?:[^"\\]|\\.)*"/g, '').match(/\d{17,}\.\d+/g) ?? [];
  fc.assert(
    fc.property(
      json.filter((text) => parseable(text)),
      (text) => {
        const echo = JSON.stringify(parse(text));
        assert.deepEqual(JSON.parse(echo), JSON.parse(text));
        assert.deepEqual(numbersIn(echo).sort(), numbersIn(text).sort());
      },
    ),
    { numRuns: 40 },
  );
});

/** Not what is refused for other reasons: halves of pairs, and keys that JavaScript would put in another order. */
const parseable = (text: string): boolean => !/\\u(?:0000|d[89a-f])/i.test(text);

test('numbers that are none are refused, however long they are', () => {
  for (const number of [
    '01234567890123456789',
    '1234567890123456789.',
    '12345678901234567890e',
    '1.2.3456789012345678',
    '--12345678901234567',
  ])
    assert.equal(refusal(`{"netAmount":${number}}`), 'The request body is not valid JSON.');
});

test('so many long numbers are read, and no more', () => {
  const rows = (count: number): string => `[${Array<string>(count).fill('1234567890.1234567891').join(',')}]`;
  assert.equal(JSON.stringify(parse(rows(5_000))), rows(5_000));
  assert.match(refusal(rows(5_001)), /more than 5000 numbers of more than 15 digits/);
});

test('one long number does not make all the others slow to read', () => {
  const values = (count: number): string => Array<string>(count).fill('1').join(',');
  const cost = (text: string): number => {
    const bytes = Buffer.from(text);
    parseJson(bytes);
    const computedMs = startCpuStopwatch();
    for (let time = 0; time < 3; time += 1) parseJson(bytes);
    return computedMs();
  };
  const plain = cost(`[${values(100_000)}]`);
  assert.ok(cost(`[${values(100_000)},1234567890.1234567891]`) < plain * 10, 'a reviver takes thirty times as long');
});
