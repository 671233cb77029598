/**
 * Reading the replies of rate sources without ever passing a price through a float, and without believing it:
 * a price is a positive decimal of a sane size, or it is not there.
 */
import { compare, type Decimal, decimal, divide, isLess, minus, parseDecimal, plus, times } from '../money/decimal.ts';

/** No currency is worth more than a billion dollars or less than a trillionth of one: such a reply is broken. */
const priceMax = decimal('1e9');
const priceMin = decimal('1e-12');

/** A wider book has no meaningful middle: the market is halted or empty. */
const spreadMax = decimal('0.05');

/** Enough places for 12 significant digits of the cheapest currency. */
const quotientScale = 24;

/** JSON whose numbers arrive as their text: `0.1` stays the four characters that the source wrote. */
export function parseReply(text: string): unknown {
  const keepText = (_key: string, value: unknown, context?: { source?: string }): unknown =>
    typeof value === 'number' ? context?.source : value;
  return JSON.parse(text, keepText);
}

/** A member of a reply that may have any shape. */
export function member(value: unknown, key: string | number): unknown {
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key)) return undefined;
  return (value as Record<string | number, unknown>)[key];
}

export function readPrice(value: unknown): Decimal | undefined {
  if (typeof value !== 'string') return undefined;
  const price = parseDecimal(value);
  return price && isSane(price) ? price : undefined;
}

/** The middle of the book. Preferred to the last trade, which in a quiet market can be hours old. */
export function readMiddle(bidValue: unknown, askValue: unknown): Decimal | undefined {
  const bid = readPrice(bidValue);
  const ask = readPrice(askValue);
  if (!bid || !ask || isLess(ask, bid)) return undefined;
  if (compare(minus(ask, bid), times(bid, spreadMax)) > 0) return undefined;
  return times(plus(bid, ask), decimal('0.5'));
}

/** For sources that say how many units a dollar (or a euro worth `numerator` dollars) buys. */
export function readInverse(value: unknown, numerator: Decimal): Decimal | undefined {
  const unitsBought = typeof value === 'string' ? parseDecimal(value) : undefined;
  if (!unitsBought || unitsBought.digits <= 0n) return undefined;
  const price = divide(numerator, unitsBought, quotientScale, 'half-up');
  return isSane(price) ? price : undefined;
}

/** Unix seconds, as text. */
export function readUnixTime(value: unknown): Date | undefined {
  if (typeof value !== 'string' || !/^\d{9,11}$/.test(value)) return undefined;
  return new Date(Number(value) * 1000);
}

const isSane = (price: Decimal): boolean => !isLess(price, priceMin) && !isLess(priceMax, price);
