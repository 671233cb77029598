import { type Decimal, roundTo } from '../money/decimal.ts';

/** More decimals than any price has, and fewer than where the noise of a float begins. */
const exactScale = 12;

/**
 * The price of an exact total: half up to the decimals of its currency. What is beyond twelve decimals is rounded first.
 * A shop that divides 100.5 by its tax and sends that (84.45378151260504) means 100.5, and not what is a hair below.
 */
export const roundPrice = (total: Decimal, decimals: number): Decimal =>
  roundTo(roundTo(total, Math.max(exactScale, decimals), 'half-up'), decimals, 'half-up');
