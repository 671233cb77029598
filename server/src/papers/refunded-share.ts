/**
 * Which part of what was paid these refunds give back. Refunds cover units of ways to pay; a way counts as much as its units did
 * when they were credited. What covers everything is everything, however it was rounded. Pure.
 */
import type { Commitment, SettledPart } from '../checkouts/checkout.ts';
import { coveredUnits, type Refund } from '../checkouts/refund.ts';
import { smaller } from '../money/amount.ts';
import { nothing, type Ratio } from '../pricing/share-of-price.ts';

type CountedPart = Pick<SettledPart, 'commitmentId' | 'countedUnits' | 'worthUnits'>;

export function refundedShare(
  { commitments }: { readonly commitments: readonly Pick<Commitment, 'id' | 'dueUnits'>[] },
  { parts }: { readonly parts: readonly CountedPart[] },
  refunds: readonly Refund[],
): Ratio {
  const covered = coveredUnits(refunds, () => true);
  const due = new Map(commitments.map(({ id, dueUnits }) => [id, dueUnits]));
  const ways = Array.from(
    Map.groupBy(parts, ({ commitmentId }) => commitmentId),
    ([id, ofWay]) => {
      const counted = sumOf(ofWay, ({ countedUnits }) => countedUnits);
      const worth: Ratio = {
        numerator: sumOf(ofWay, ({ worthUnits, countedUnits }) => worthUnits ?? countedUnits),
        denominator: due.get(id) ?? 1n,
      };
      return { worth, counted, given: smaller(covered.get(id) ?? 0n, counted) };
    },
  );
  const whole = ways.reduce((sum, { worth }) => plus(sum, worth), nothing);
  if (whole.numerator === 0n) return nothing;
  const given = ways
    .filter(({ counted }) => counted > 0n)
    .reduce((sum, way) => {
      const { numerator, denominator } = way.worth;
      return plus(sum, { numerator: numerator * way.given, denominator: denominator * way.counted });
    }, nothing);
  return { numerator: given.numerator * whole.denominator, denominator: given.denominator * whole.numerator };
}

const sumOf = (parts: readonly CountedPart[], of: (part: CountedPart) => string): bigint =>
  parts.reduce((sum, part) => sum + BigInt(of(part)), 0n);

const plus = (a: Ratio, b: Ratio): Ratio => ({
  numerator: a.numerator * b.denominator + b.numerator * a.denominator,
  denominator: a.denominator * b.denominator,
});
