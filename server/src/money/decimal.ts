/**
 * Exact decimals: an integer and a number of decimal places. Used for totals, rates and percentages. Nothing here ever
 * uses a float, and only `divide` and `roundTo` can lose digits: both name their direction.
 */
export type Decimal = { readonly digits: bigint; readonly scale: number };

export type Rounding = 'up' | 'down' | 'half-up';

export const zero: Decimal = { digits: 0n, scale: 0 };
export const one: Decimal = { digits: 1n, scale: 0 };

const syntax = /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d{1,3}))?$/;

/** Reads `10`, `169.99`, `-0.5` or `1e-7`. Returns undefined for anything else, including an absurd size. */
export function parseDecimal(text: string): Decimal | undefined {
  if (text.length > 100) return undefined;
  const match = syntax.exec(text);
  if (!match) return undefined;
  const [, sign, whole, fraction = '', exponentText] = match;
  const exponent = exponentText === undefined ? 0 : Number(exponentText);
  if (Math.abs(exponent) > 60) return undefined;
  let digits = BigInt(whole + fraction);
  let scale = fraction.length - exponent;
  if (scale < 0) {
    digits *= power10(-scale);
    scale = 0;
  }
  return normalized(sign === '-' ? -digits : digits, scale);
}

/** Like `parseDecimal`, for text that we wrote ourselves. */
export function decimal(text: string | number | bigint): Decimal {
  const parsed = parseDecimal(String(text));
  if (!parsed) throw new Error(`not a decimal: ${text}`);
  return parsed;
}

export const fromUnits = (units: bigint, scale: number): Decimal => normalized(units, scale);

export function plus(a: Decimal, b: Decimal): Decimal {
  const scale = Math.max(a.scale, b.scale);
  return normalized(atScale(a, scale) + atScale(b, scale), scale);
}

export const negate = (a: Decimal): Decimal => ({ digits: -a.digits, scale: a.scale });
export const minus = (a: Decimal, b: Decimal): Decimal => plus(a, negate(b));
export const times = (a: Decimal, b: Decimal): Decimal => normalized(a.digits * b.digits, a.scale + b.scale);

export const sum = <T>(items: readonly T[], of: (item: T) => Decimal): Decimal =>
  items.reduce((total, item) => plus(total, of(item)), zero);

export function compare(a: Decimal, b: Decimal): -1 | 0 | 1 {
  const scale = Math.max(a.scale, b.scale);
  const difference = atScale(a, scale) - atScale(b, scale);
  return difference < 0n ? -1 : difference > 0n ? 1 : 0;
}

export const isLess = (a: Decimal, b: Decimal): boolean => compare(a, b) < 0;
export const minimum = (a: Decimal, b: Decimal): Decimal => (isLess(b, a) ? b : a);

/** a ÷ b with `scale` decimal places. */
export function divide(a: Decimal, b: Decimal, scale: number, rounding: Rounding): Decimal {
  if (b.digits === 0n) throw new Error('division by zero');
  const shift = scale + b.scale - a.scale;
  const numerator = shift >= 0 ? a.digits * power10(shift) : a.digits;
  const denominator = shift >= 0 ? b.digits : b.digits * power10(-shift);
  return normalized(divideUnits(numerator, denominator, rounding), scale);
}

/** The value in units of 10^-scale: how a decimal becomes an amount. */
export function toUnits(value: Decimal, scale: number, rounding: Rounding): bigint {
  if (value.scale <= scale) return value.digits * power10(scale - value.scale);
  return divideUnits(value.digits, power10(value.scale - scale), rounding);
}

export const roundTo = (value: Decimal, scale: number, rounding: Rounding): Decimal =>
  normalized(toUnits(value, scale, rounding), scale);

/** Integer division with a direction. `up` and `down` are away from and towards zero. */
export function divideUnits(numerator: bigint, denominator: bigint, rounding: Rounding): bigint {
  const isNegative = numerator < 0n !== denominator < 0n;
  const n = numerator < 0n ? -numerator : numerator;
  const d = denominator < 0n ? -denominator : denominator;
  const quotient = n / d;
  const remainder = n % d;
  const result = isBumped[rounding](remainder, d) ? quotient + 1n : quotient;
  return isNegative ? -result : result;
}

/** A table, so that an unknown direction stops the operation instead of rounding in some way. */
const isBumped: Record<Rounding, (remainder: bigint, divisor: bigint) => boolean> = {
  up: (remainder) => remainder > 0n,
  down: () => false,
  'half-up': (remainder, divisor) => remainder * 2n >= divisor,
};

/** Plain notation without trailing zeros: `169.99`, `0.00000001`, `-3`. */
export function formatDecimal(value: Decimal): string {
  const { digits, scale } = normalized(value.digits, value.scale);
  return placeDot(digits, scale);
}

/** Plain notation with exactly `scale` decimal places. The value must fit: rounding must be decided by the caller. */
export function formatFixed(value: Decimal, scale: number): string {
  if (normalized(value.digits, value.scale).scale > scale)
    throw new Error(`${formatDecimal(value)} does not fit ${scale} decimals`);
  return placeDot(toUnits(value, scale, 'down'), scale);
}

function placeDot(digits: bigint, scale: number): string {
  const isNegative = digits < 0n;
  const text = (isNegative ? -digits : digits).toString().padStart(scale + 1, '0');
  const body = scale === 0 ? text : `${text.slice(0, -scale)}.${text.slice(-scale)}`;
  return isNegative ? `-${body}` : body;
}

function normalized(digits: bigint, scale: number): Decimal {
  while (scale > 0 && digits % 10n === 0n) {
    digits /= 10n;
    scale -= 1;
  }
  return { digits, scale };
}

const atScale = (value: Decimal, scale: number): bigint => value.digits * power10(scale - value.scale);

const powers = Array.from({ length: 40 }, (_, exponent) => 10n ** BigInt(exponent));
export const power10 = (exponent: number): bigint => powers[exponent] ?? 10n ** BigInt(exponent);
