/**
 * A checkout can be paid in parts on several networks. Each part counts as a fraction of its own commitment's full
 * price, and the fractions add up, exactly: they are kept over one common denominator and never divided out.
 */
import { assert } from '../lib/assert.ts';
import { type Decimal, divideUnits, power10 } from '../money/decimal.ts';

export type Part = { readonly receivedUnits: bigint; readonly dueUnits: bigint };

export type Share = { readonly numerator: bigint; readonly denominator: bigint };

export const nothing: Share = { numerator: 0n, denominator: 1n };

export function addPart(share: Share, { receivedUnits, dueUnits }: Part): Share {
  assert(dueUnits > 0n && receivedUnits >= 0n, 'a commitment has a price and receives no negative amounts');
  const { numerator, denominator } = share;
  // Anyone can send a thousand tiny payments: those to one commitment must not make the denominator grow.
  if (denominator % dueUnits === 0n)
    return { numerator: numerator + receivedUnits * (denominator / dueUnits), denominator };
  return { numerator: numerator * dueUnits + receivedUnits * denominator, denominator: denominator * dueUnits };
}

export const shareOfPrice = (parts: readonly Part[]): Share => parts.reduce(addPart, nothing);

export const isFull = ({ numerator, denominator }: Share): boolean => numerator >= denominator;

/** Whether it is the price less the tolerance, a fraction of the price, or more. */
export function isEnough({ numerator, denominator }: Share, tolerance: Decimal): boolean {
  const whole = power10(tolerance.scale);
  return numerator * whole >= denominator * (whole - tolerance.digits);
}

export const isAtLeast = (share: Share, other: Share): boolean =>
  share.numerator * other.denominator >= other.numerator * share.denominator;

/**
 * In the order of arrival, how much of each part still counts towards the price; the rest is excess. The part that
 * fills the price counts rounded up to a whole unit, so that the counted parts never add up to less than the price
 * once the received ones do.
 */
export function countedParts(parts: readonly Part[]): readonly bigint[] {
  let share = nothing;
  return parts.map(({ receivedUnits, dueUnits }) => {
    if (isFull(share)) return 0n;
    const open = divideUnits((share.denominator - share.numerator) * dueUnits, share.denominator, 'up');
    const counted = receivedUnits < open ? receivedUnits : open;
    share = addPart(share, { receivedUnits: counted, dueUnits });
    return counted;
  });
}

/** How much of a commitment's price is missing after what came in by any way: the amount of the page's next QR code. */
export function missingOf(dueUnits: bigint, share: Share): bigint {
  if (isFull(share)) return 0n;
  return divideUnits((share.denominator - share.numerator) * dueUnits, share.denominator, 'up');
}
