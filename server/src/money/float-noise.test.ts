import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { type Decimal, decimal, formatDecimal, fromUnits, plus, roundTo, times } from './decimal.ts';
import { withoutFloatNoise } from './float-noise.ts';

const cleaned = (written: string | number): string => formatDecimal(withoutFloatNoise(decimal(written)));

test('what only a float can have put there is taken away', () => {
  for (const [computed, meant] of [
    [0.09974999999999999, '0.09975'],
    [0.1 + 0.2, '0.3'],
    [1.1 * 1.1, '1.21'],
    [9259.26 * 1.08, '10000.0008'],
    [100 * 1.10475, '110.475'],
    [4.35 * 100, '435'],
    [0.1 * 3, '0.3'],
    [Array.from({ length: 100 }, () => 0.1).reduce((sum, each) => sum + each, 0), '10'],
    [0.1 * 3 - 0.3, '0'],
    [0.07 / 100, '0.0007'],
    [-1.1 * 1.1, '-1.21'],
    ['0.099749999999999994', '0.09975'], // PHP with serialize_precision=17
    ['10000.004999999999', '10000.005'],
    [10.1 - 10, '0.1'],
  ] as const)
    assert.equal(cleaned(computed), meant, String(computed));
});

test('everything else stays as it was written', () => {
  for (const written of [
    '0.000000000000000001',
    '0.123456789012345678',
    '1.000000000000000001',
    '0.1234567890123456',
    '0.3333333333333333',
    '33.333333333333336',
    '0.00000000000005',
    '999999999999999999',
    '123456789012345678.999999999999999999',
    '1234567890123456',
    '99999999999999.99',
    '10000000000000.001',
    '1000000000000000.5',
    '0.29999999999999',
    '4579022.79499999',
    '4579022.794999991',
  ])
    assert.equal(cleaned(written), written);
  assert.equal(cleaned(0.01 / 3), '0.003333333333333334', 'a double with more decimals than a charge may have');
});

const cents = fc.integer({ min: 1, max: 1_000_000_000 });
const percentDigits = fc.integer({ min: 0, max: 1_000_000 }); // of 100 %, in four decimals
const half = (value: Decimal): string => formatDecimal(roundTo(value, 2, 'half-up'));
/** As JavaScript, Python, Ruby and PHP write it, and as PHP with 17 digits does. */
const written = (computed: number): string[] => [String(computed), computed.toPrecision(17)];

test('a percentage computed in floats costs no cent', () => {
  fc.assert(
    fc.property(cents, percentDigits, (price, percent) => {
      const net = fromUnits(BigInt(price), 2);
      const exact = half(plus(net, times(net, fromUnits(BigInt(percent), 6))));
      for (const text of written(percent / 10_000 / 100))
        assert.equal(half(plus(net, times(net, withoutFloatNoise(decimal(text))))), exact, text);
      for (const text of written((price / 100) * (1 + percent / 10_000 / 100)))
        assert.equal(half(withoutFloatNoise(decimal(text))), exact, text);
    }),
    { numRuns: 2_000 },
  );
});

test('a number of at most nine digits comes back from what shops do with it', () => {
  fc.assert(
    fc.property(fc.integer({ min: 10_000, max: 10 ** 9 }), fc.integer({ min: 0, max: 6 }), (digits, scale) => {
      const meant = formatDecimal(fromUnits(BigInt(digits), scale));
      for (const computed of [(Number(meant) / 3) * 3, (Number(meant) / 1.19) * 1.19, Number(meant) + 0.1 - 0.1])
        for (const text of written(computed)) assert.equal(cleaned(text), meant, text);
    }),
    { numRuns: 2_000 },
  );
});
