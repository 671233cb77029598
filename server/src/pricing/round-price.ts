import { type Decimal, roundTo } from '../money/decimal.ts';

/** More decimals than any price has, and fewer than where float noise begins. */
const exactScale = 12;

/**
 * The price of an exact total: rounded half up to the decimals of its currency. First it is rounded to twelve decimals:
 * a shop that divides 100.5 by its tax and sends the result (84.45378151260504) means 100.5, not a price a little below
 * it.
 */
export const roundPrice = (total: Decimal, decimals: number): Decimal =>
  roundTo(roundTo(total, Math.max(exactScale, decimals), 'half-up'), decimals, 'half-up');
