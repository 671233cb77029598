/** Of a payment, how many units were seen when. What it replaced was seen before it was. Pure. */
import { smaller } from '../money/amount.ts';

/** What the whole price cost in the paid asset, at the first rates that were known after a moment; plain data. */
export type Valuation = {
  readonly priceUnits: { readonly numerator: string; readonly denominator: string };
  /** In dollars, for whoever wants to work it out again. */
  readonly paidUsd: string;
  readonly billedUsd: string;
  readonly valuedAt: string;
};

/** Units that a replacement has from what it replaced. */
export type InheritedSight = { readonly units: string; readonly seenAt: string; readonly valuation: Valuation | null };

/** Of which moment of a payment: its own first sight, one that it inherited, or its block if that came too late. */
export type KeptValuation = Valuation & {
  readonly of: 'SIGHT' | 'INHERITED' | 'BLOCK';
  readonly moment: string;
};

/** What must be known of a payment to say what was seen when. */
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
  if (inherited.length === 0) return [own]; // Nearly all, of thousands of crumbs.
  const sights = inherited
    .map(({ units, seenAt, valuation }): Sight => {
      const kept = valuations.find(({ of, moment }) => of === 'INHERITED' && moment === seenAt) ?? null;
      return { units: BigInt(units), seenAt: new Date(seenAt), of: 'INHERITED', valuation: valuation ?? kept };
    })
    .filter(({ seenAt }) => seenAt < firstSeenAt);
  return firstUnits([...sights, own], units);
}

/** The earliest of these sights, so many units of them. */
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
