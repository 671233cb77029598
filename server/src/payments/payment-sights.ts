/** How many units of a payment were seen at which time. What it replaced was seen earlier. Pure. */
import { smaller } from '../money/amount.ts';

/** What the whole price cost in the paid asset, at the first rates known after a moment. Plain data. */
export type Valuation = {
  readonly priceUnits: { readonly numerator: string; readonly denominator: string };
  /** In dollars, for whoever wants to check the calculation. */
  readonly paidUsd: string;
  readonly billedUsd: string;
  readonly valuedAt: string;
};

/** Units of a replacement that were seen as a part of what it replaced. */
export type InheritedSight = { readonly units: string; readonly seenAt: string; readonly valuation: Valuation | null };

/** For which moment of a payment: its own first sight, an inherited one, or its block if that came too late. */
export type KeptValuation = Valuation & {
  readonly of: 'SIGHT' | 'INHERITED' | 'BLOCK';
  readonly moment: string;
};

/** What must be known about a payment to tell which units were seen when. */
export type SeenPayment = {
  readonly units: bigint;
  readonly firstSeenAt: Date;
  readonly inherited: readonly InheritedSight[];
  readonly valuations: readonly KeptValuation[];
};

export type Sight = {
  readonly units: bigint;
  readonly seenAt: Date;
  readonly of: 'SIGHT' | 'INHERITED';
  readonly valuation: Valuation | null;
};

/** All units of a payment by when they were first seen, the earliest first. */
export function sightsOf({ units, firstSeenAt, inherited, valuations }: SeenPayment): Sight[] {
  const valuation = valuations.find(({ of }) => of === 'SIGHT') ?? null;
  const own: Sight = { units, seenAt: firstSeenAt, of: 'SIGHT', valuation };
  if (inherited.length === 0) return [own]; // So it is with nearly all, of thousands.
  const sights = inherited
    .map(({ units, seenAt, valuation }): Sight => {
      const kept = valuations.find(({ of, moment }) => of === 'INHERITED' && moment === seenAt) ?? null;
      return { units: BigInt(units), seenAt: new Date(seenAt), of: 'INHERITED', valuation: valuation ?? kept };
    })
    .filter(({ seenAt }) => seenAt < firstSeenAt);
  return firstUnits([...sights, own], units);
}

/** The earliest sights, up to so many units. */
export function firstUnits(sights: readonly Sight[], wanted: bigint): Sight[] {
  const first: Sight[] = [];
  let missing = wanted;
  for (const sight of sights.toSorted((a, b) => a.seenAt.getTime() - b.seenAt.getTime())) {
    const units = smaller(sight.units, missing);
    if (units > 0n) first.push({ ...sight, units });
    missing -= units;
  }
  return first;
}
