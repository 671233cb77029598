/**
 * What the payments of a transaction inherit from the payments that it replaced: their first sights, through any chain
 * of replacements, each unit once. Pure.
 *
 * It follows the links as they are now: a payment that has come back was not replaced after all, and passes nothing on.
 */
import { firstUnits, type InheritedSight, type SeenPayment, type Sight, sightsOf } from './payment-sights.ts';

/** A payment on one rail of one checkout. `replacedBy`: the transaction that took its place; null while it is there. */
export type LinkedPayment = SeenPayment & {
  readonly id: string;
  readonly txHash: string;
  readonly replacedBy: string | null;
};

/**
 * If there are more, they are put together and count as seen with the last of them: a row must not grow with every
 * replacement.
 */
const sightsMax = 8;

/** By payment. `line`: the transaction's own payments, and all payments that were replaced on the way to them. */
export function inheritedSights(line: readonly LinkedPayment[], txHash: string): Map<string, InheritedSight[]> {
  const assigned = new Map<string, Map<string, Sight[]>>();

  function assign(replacement: string): Map<string, Sight[]> {
    const known = assigned.get(replacement);
    if (known) return known;
    const byPayment = new Map<string, Sight[]>();
    assigned.set(replacement, byPayment); // Before the originals are asked: so a circle of replacements ends.
    let pool = line
      .filter(({ replacedBy }) => replacedBy === replacement)
      .flatMap((original) => passedOn(original, assign(original.txHash).get(original.id) ?? []));
    for (const payment of line.filter((each) => each.txHash === replacement).toSorted(byId)) {
      const sights = firstUnits(
        pool.filter(({ seenAt }) => seenAt < payment.firstSeenAt),
        payment.units,
      );
      byPayment.set(payment.id, sights);
      pool = without(pool, sights);
    }
    return byPayment;
  }

  return new Map([...assign(txHash)].map(([id, sights]) => [id, together(sights).map(toInherited)]));
}

const byId = (a: LinkedPayment, b: LinkedPayment): number => (a.id < b.id ? -1 : 1);

/** All units of an original, with the sights that it had inherited itself. */
const passedOn = (original: LinkedPayment, inherited: readonly Sight[]): Sight[] =>
  sightsOf({ ...original, inherited: inherited.map(toInherited) });

/** What is left of the pool. `taken` are its first units. */
function without(pool: readonly Sight[], taken: readonly Sight[]): Sight[] {
  let gone = taken.reduce((sum, { units }) => sum + units, 0n);
  return pool
    .toSorted((a, b) => a.seenAt.getTime() - b.seenAt.getTime())
    .flatMap((sight) => {
      const units = sight.units > gone ? sight.units - gone : 0n;
      gone -= sight.units - units;
      return units > 0n ? [{ ...sight, units }] : [];
    });
}

function together(sights: readonly Sight[]): Sight[] {
  const rest = sights.slice(sightsMax - 1);
  const last = rest.at(-1);
  if (!last) return [...sights];
  const units = rest.reduce((sum, sight) => sum + sight.units, 0n);
  return [...sights.slice(0, sightsMax - 1), { ...last, units }];
}

const toInherited = ({ units, seenAt, valuation }: Sight): InheritedSight => ({
  units: units.toString(),
  seenAt: seenAt.toISOString(),
  valuation: valuation && toValuation(valuation),
});

const toValuation = ({ priceUnits, paidUsd, billedUsd, valuedAt }: NonNullable<Sight['valuation']>) => ({
  priceUnits,
  paidUsd,
  billedUsd,
  valuedAt,
});
