/** Whether what has arrived is the price, with what may be missing (tolerance) and what late payments may have lost. Pure. */
import { type Decimal, isLess } from '../money/decimal.ts';
import { addPart, addWorth, isEnough, nothing, type Share } from '../pricing/share-of-price.ts';
import { type Portion, type PortionFacts, partOf } from './payment-portions.ts';

/** `tolerance`: the fraction of the price that may be missing. */
type EnoughFacts = Pick<PortionFacts, 'lateTolerance'> & { readonly tolerance: Decimal };

/** How late portions count. */
export type Counting =
  | 'by units' // by their units, as if no rate had changed
  | 'at best' // by their value; without a value yet, by their units, which may be too much
  | 'for certain'; // by their value; without a value yet, not at all

const worthFor: Record<Counting, (share: Share, portion: Portion) => Share> = {
  'by units': (share, portion) => addPart(share, partOf(portion)),
  'at best': (share, portion) => addWorth(share, partOf(portion)),
  'for certain': (share, portion) => (isWorthKnown(portion) ? addWorth(share, partOf(portion)) : share),
};

const isWorthKnown = ({ unvalued }: Portion): boolean => unvalued === null;

/**
 * When the payments first added up to the price, at the latest, or null. Their units must be the price less the tolerance. Their
 * worth must be the price less the late tolerance, or the tolerance if that is more.
 */
export const whenSufficient = (facts: EnoughFacts, portions: readonly Portion[], counting: Counting): Date | null =>
  whenEnough(facts, portions, counting)?.at ?? null;

/** Likewise, at the earliest: whether it was in time is decided by that. */
export const earliestSufficient = (
  facts: EnoughFacts,
  portions: readonly Portion[],
  counting: Counting,
): Date | null => {
  const inOrder = portions.toSorted((a, b) => a.earliest.getTime() - b.earliest.getTime());
  return whenEnough(facts, inOrder, counting)?.earliest ?? null;
};

/** The portion with which they do, in this order. */
function whenEnough(facts: EnoughFacts, portions: readonly Portion[], counting: Counting): Portion | null {
  const { tolerance, lateTolerance } = facts;
  const worthTolerance = isLess(tolerance, lateTolerance) ? lateTolerance : tolerance;
  let [units, worth] = [nothing, nothing];
  for (const portion of portions) {
    units = worthFor['by units'](units, portion);
    worth = worthFor[counting](worth, portion);
    if (isEnough(units, tolerance) && isEnough(worth, worthTolerance)) return portion;
  }
  return null;
}

export const shareOf = (portions: readonly Portion[], counting: Counting): Share =>
  portions.reduce(worthFor[counting], nothing);
