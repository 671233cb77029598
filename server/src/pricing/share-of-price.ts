/**
 * A checkout can be paid in parts on several networks. Each part counts as a fraction of its own commitment's full
 * price, and the fractions add up exactly: they are kept over one common denominator and never divided.
 *
 * What came late counts by its worth when it was seen, but never as more than its units are by the commitment: the
 * smaller of the two, so that nobody gains by waiting for a better rate.
 */
import { assert } from '../lib/assert.ts';
import { smaller } from '../money/amount.ts';
import { type Decimal, divideUnits, power10 } from '../money/decimal.ts';

/**
 * `priceUnits`: what the whole price cost in the same asset when a late part was seen, exactly. Left out: the part
 * counts by its units.
 */
export type Part = { readonly receivedUnits: bigint; readonly dueUnits: bigint; readonly priceUnits?: Ratio | null };

export type Ratio = { readonly numerator: bigint; readonly denominator: bigint };

export type Share = Ratio;

export const nothing: Share = { numerator: 0n, denominator: 1n };

export function addPart(share: Share, { receivedUnits, dueUnits }: Part): Share {
  assert(dueUnits > 0n && receivedUnits >= 0n, 'a commitment has a price and receives no negative amounts');
  const { numerator, denominator } = share;
  // Anyone can send a thousand tiny payments: those to one commitment must not make the denominator grow.
  if (denominator % dueUnits === 0n)
    return { numerator: numerator + receivedUnits * (denominator / dueUnits), denominator };
  return { numerator: numerator * dueUnits + receivedUnits * denominator, denominator: denominator * dueUnits };
}

/** In units of the commitment, rounded down. */
export function worthUnits(part: Part): bigint {
  const { receivedUnits, dueUnits } = part;
  const { numerator, denominator } = dearer(part);
  return divideUnits(receivedUnits * dueUnits * denominator, numerator, 'down');
}

/** The opposite: how many units are worth so many units of the commitment. */
export function unitsWorth(wantedUnits: bigint, part: Omit<Part, 'receivedUnits'>): bigint {
  const { numerator, denominator } = dearer(part);
  return divideUnits(wantedUnits * numerator, part.dueUnits * denominator, 'up');
}

/** The price in units: as committed, or as it was when the part was seen if it cost more then. */
const dearer = ({ dueUnits, priceUnits }: Omit<Part, 'receivedUnits'>): Ratio =>
  priceUnits && priceUnits.numerator > dueUnits * priceUnits.denominator
    ? priceUnits
    : { numerator: dueUnits, denominator: 1n };

export const addWorth = (share: Share, part: Part): Share =>
  part.priceUnits ? addPart(share, { receivedUnits: worthUnits(part), dueUnits: part.dueUnits }) : addPart(share, part);

export const shareOfPrice = (parts: readonly Part[]): Share => parts.reduce(addPart, nothing);

export const isFull = ({ numerator, denominator }: Share): boolean => numerator >= denominator;

/** Whether it is at least the price less the tolerance, which is a fraction of the price. */
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
  return parts.map((part) => {
    if (isFull(share)) return 0n;
    const counted = smaller(part.receivedUnits, unitsWorth(missingOf(part.dueUnits, share), part));
    share = addWorth(share, { ...part, receivedUnits: counted });
    return counted;
  });
}

/**
 * How much of a commitment's price is missing after everything that came in by any method: the amount in the page's
 * next QR code.
 */
export function missingOf(dueUnits: bigint, share: Share): bigint {
  if (isFull(share)) return 0n;
  return divideUnits((share.denominator - share.numerator) * dueUnits, share.denominator, 'up');
}
