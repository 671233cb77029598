/**
 * Shops compute in floats: 9.975 / 100 is sent as 0.09974999999999999, and that costs a cent. What only a float can have
 * put there is taken away; everything else stays as it was written, digit by digit. See docs/decisions/0024.
 *
 * Every number of up to 15 digits has a double of its own, and 17 digits are enough to tell all doubles. So fewer than
 * 15 digits were meant as they are, and more than 17 were never a double: an amount with all the decimals of ether is
 * left alone; so is one of at most three decimals, because noise begins after those. In between, the number is noise
 * where a much shorter one lies within the error of a double; where none does (a third), it keeps its digits.
 */
import { type Decimal, roundTo } from './decimal.ts';

/** How many digits of a double are right, and how many of them must be zeros or nines before we call the rest noise. */
const trustedDigits = 15;
const emptyDigits = 3;

/**
 * A difference of large numbers has a large error: 10.1 − 10 is 0.09999999999999964. No currency has more than 8
 * decimals.
 */
const trustedScale = 12;
/** As many decimals as money has anywhere. A double so large that its noise is among them has no exact cents anyway. */
const exactScale = 3;
const meantScaleMax = 8;

/** No number of a charge may have more, and a double cannot tell the difference. */
const scaleMax = 18;

export function withoutFloatNoise(value: Decimal): Decimal {
  const digits = digitsOf(value);
  if (digits < trustedDigits || digits > 17 || value.scale <= exactScale) return value;
  const rounded = roundTo(value, trustedScale, 'half-up');
  if (value.scale > trustedScale && rounded.scale <= meantScaleMax) return rounded;
  const scale = value.scale - (digits - trustedDigits);
  const shorter = scale < 0 ? value : roundTo(value, scale, 'half-up');
  if (digitsOf(shorter) <= trustedDigits - emptyDigits) return shorter;
  return value.scale > scaleMax ? roundTo(value, scaleMax, 'half-up') : value;
}

/** Significant digits: without the zeros at the end of a whole number. */
const digitsOf = ({ digits }: Decimal): number =>
  (digits < 0n ? -digits : digits).toString().replace(/(?<!0)0+$/, '').length;
