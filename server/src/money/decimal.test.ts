import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import {
  compare,
  type Decimal,
  decimal,
  divide,
  divideUnits,
  formatDecimal,
  formatFixed,
  fromUnits,
  isLess,
  minimum,
  minus,
  negate,
  one,
  parseDecimal,
  plus,
  roundTo,
  sum,
  times,
  toUnits,
  zero,
} from './decimal.ts';

const text = (value: Decimal): string => formatDecimal(value);

test('a decimal is read from every form in which clients write numbers', () => {
  const forms: readonly [string, string][] = [
    ['10', '10'],
    ['169.99', '169.99'],
    ['10.000000', '10'],
    ['-0.5', '-0.5'],
    ['1e-7', '0.0000001'],
    ['1.5E3', '1500'],
    ['1e+3', '1000'],
    ['12.5e-1', '1.25'],
    ['1e12', '1000000000000'],
    ['1e060', `1${'0'.repeat(60)}`],
    ['007', '7'],
    ['-0', '0'],
    ['0.0', '0'],
  ];
  for (const [written, read] of forms) assert.equal(text(decimal(written)), read, written);
});

test('anything that is not a plain decimal of a sane size is refused', () => {
  const refused = [
    '',
    ' 1',
    '1 ',
    '+1',
    '.5',
    '5.',
    '1,5',
    '1_000',
    '0x10',
    'NaN',
    'Infinity',
    '--1',
    '1e',
    '1e61',
    '1e-61',
    '1e9999',
    '١',
  ];
  for (const written of [...refused, '9'.repeat(101)]) assert.equal(parseDecimal(written), undefined, written);
  assert.throws(() => decimal('ten'), /not a decimal/);
});

test('nothing and one are what they are called', () => {
  assert.deepEqual([text(zero), text(one)], ['0', '1']);
});

test('a tenth and two tenths are three tenths', () => {
  assert.equal(text(plus(decimal('0.1'), decimal('0.2'))), '0.3');
  assert.equal(text(times(decimal('1.1'), decimal('1.1'))), '1.21');
  assert.equal(text(minus(decimal('1'), decimal('0.9'))), '0.1');
  assert.equal(text(sum(['0.1', '0.7', '0.2'], decimal)), '1');
  assert.equal(text(sum([], decimal)), '0');
});

test('a division names its direction and goes away from or towards zero', () => {
  const third = (rounding: 'up' | 'down' | 'half-up', sign = 1): string =>
    text(divide(decimal(2 * sign), decimal(3), 2, rounding));
  assert.deepEqual([third('up'), third('down'), third('half-up')], ['0.67', '0.66', '0.67']);
  assert.deepEqual([third('up', -1), third('down', -1), third('half-up', -1)], ['-0.67', '-0.66', '-0.67']);
  assert.equal(text(divide(decimal(1), decimal(3), 2, 'half-up')), '0.33');
  assert.equal(text(divide(decimal(1), decimal(8), 2, 'half-up')), '0.13');
  assert.equal(text(divide(decimal('0.000001'), decimal('1000'), 2, 'up')), '0.01');
  assert.throws(() => divide(decimal(1), zero, 2, 'up'), /division by zero/);
});

test('units are the value times the scale, rounded in the given direction', () => {
  assert.equal(toUnits(decimal('1.23456789'), 8, 'down'), 123_456_789n);
  assert.equal(toUnits(decimal('1.234567891'), 8, 'down'), 123_456_789n);
  assert.equal(toUnits(decimal('1.234567891'), 8, 'up'), 123_456_790n);
  assert.equal(toUnits(decimal('2'), 18, 'down'), 2_000_000_000_000_000_000n);
  assert.equal(text(roundTo(decimal('10.005'), 2, 'half-up')), '10.01');
  assert.equal(text(roundTo(decimal('10.0049'), 2, 'half-up')), '10');
});

test('a fixed number of decimals is written out, and a value that does not fit is refused', () => {
  assert.equal(formatFixed(decimal('10'), 2), '10.00');
  assert.equal(formatFixed(decimal('-0.5'), 3), '-0.500');
  assert.equal(formatFixed(decimal('7'), 0), '7');
  assert.throws(() => formatFixed(decimal('10.005'), 2), /does not fit 2 decimals/);
});

const anyDecimal = fc
  .tuple(fc.bigInt({ min: -(10n ** 40n), max: 10n ** 40n }), fc.integer({ min: 0, max: 30 }))
  .map(([digits, scale]): Decimal => ({ digits, scale }));
const anyScale = fc.integer({ min: 0, max: 24 });
const isEqual = (a: Decimal, b: Decimal): boolean => compare(a, b) === 0;

test('what is written can be read again, unchanged', () => {
  fc.assert(fc.property(anyDecimal, (a) => assert.ok(isEqual(decimal(text(a)), a))));
});

test('a value is written without exponent, trailing zeros or a negative zero', () => {
  fc.assert(fc.property(anyDecimal, (a) => assert.match(text(a), /^(0|-?(?!0(?:$|\d))\d+(\.\d*[1-9])?)$/)));
});

test('sums and products do not depend on the order, and a difference undoes a sum', () => {
  fc.assert(
    fc.property(anyDecimal, anyDecimal, anyDecimal, (a, b, c) => {
      assert.ok(isEqual(plus(a, b), plus(b, a)));
      assert.ok(isEqual(plus(plus(a, b), c), plus(a, plus(b, c))));
      assert.ok(isEqual(times(a, b), times(b, a)));
      assert.ok(isEqual(times(a, plus(b, c)), plus(times(a, b), times(a, c))));
      assert.ok(isEqual(minus(plus(a, b), b), a));
      assert.ok(isEqual(plus(a, negate(a)), zero));
    }),
  );
});

test('equal values are written the same, whatever scale they came with', () => {
  fc.assert(
    fc.property(anyDecimal, anyScale, (a, more) => {
      const padded = { digits: a.digits * 10n ** BigInt(more), scale: a.scale + more };
      assert.equal(text(padded), text(a));
      assert.equal(compare(padded, a), 0);
    }),
  );
});

test('comparing agrees with subtracting', () => {
  fc.assert(
    fc.property(anyDecimal, anyDecimal, (a, b) => {
      assert.equal(isLess(a, b), minus(a, b).digits < 0n);
      assert.ok(isEqual(minimum(a, b), isLess(a, b) ? a : b));
    }),
  );
});

test('rounding down, up and half up stay within one unit, on their side of the value', () => {
  const positive = anyDecimal.map(({ digits, scale }) => ({ digits: digits < 0n ? -digits : digits, scale }));
  fc.assert(
    fc.property(positive, anyScale, (a, scale) => {
      const down = roundTo(a, scale, 'down');
      const up = roundTo(a, scale, 'up');
      const half = roundTo(a, scale, 'half-up');
      const unit = fromUnits(1n, scale);
      assert.ok(!isLess(a, down) && isLess(a, plus(down, unit)));
      assert.ok(!isLess(up, a) && isLess(minus(up, unit), a));
      const isUpperHalf = !isLess(times(minus(a, down), decimal(2)), unit);
      assert.ok(isEqual(half, isUpperHalf ? up : down));
    }),
  );
});

test('a quotient times its divisor never exceeds the dividend when rounded down, nor falls short when rounded up', () => {
  const positive = fc
    .tuple(fc.bigInt({ min: 1n, max: 10n ** 30n }), fc.integer({ min: 0, max: 20 }))
    .map(([digits, scale]): Decimal => ({ digits, scale }));
  fc.assert(
    fc.property(positive, positive, anyScale, (a, b, scale) => {
      assert.ok(!isLess(a, times(divide(a, b, scale, 'down'), b)));
      assert.ok(!isLess(times(divide(a, b, scale, 'up'), b), a));
      const error = minus(divide(a, b, scale, 'up'), divide(a, b, scale, 'down'));
      assert.ok(!isLess(fromUnits(1n, scale), error));
    }),
  );
});

test('rounding treats a negative value as the mirror of the positive', () => {
  const integer = fc.bigInt({ min: -(10n ** 30n), max: 10n ** 30n });
  const divisor = fc.bigInt({ min: 1n, max: 10n ** 20n });
  fc.assert(
    fc.property(integer, divisor, fc.constantFrom('up', 'down', 'half-up'), (n, d, rounding) => {
      assert.equal(divideUnits(-n, d, rounding), -divideUnits(n, d, rounding));
      assert.equal(divideUnits(n, -d, rounding), -divideUnits(n, d, rounding));
    }),
  );
});
