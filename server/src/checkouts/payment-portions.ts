/**
 * How many units of a payment were seen at which time, and what those that came late are worth. Everything that counts
 * towards a price counts in such portions. Pure.
 *
 * To its sender a replacement is the same payment. But only as many units as had been seen count as seen then:
 * otherwise a tiny payment would hold the rate for a large one that comes when the rate is good (docs/decisions/0020).
 */
import { isConfirmed, type PaymentPlace, type PaymentState } from '../deposits/payment-state.ts';
import { assert } from '../lib/assert.ts';
import { addMs, hours } from '../lib/clock.ts';
import { type Decimal, isLess, one } from '../money/decimal.ts';
import {
  firstUnits,
  type KeptValuation,
  type SeenPayment,
  type Sight,
  sightsOf,
  type Valuation,
} from '../payments/payment-sights.ts';
import type { Part, Ratio } from '../pricing/share-of-price.ts';
import { leftUnits } from './refund.ts';

/**
 * A payment that is in no block this long after it was seen (or after the window, if it was seen in it) counts from its
 * block on: until then its sender can still change it.
 */
const unconfirmedGraceMs = hours(4);

export type CommitmentFact = {
  readonly id: string;
  readonly dueUnits: bigint;
  readonly committedAt: Date;
  readonly expiresAt: Date;
};

export type PaymentFact = SeenPayment & {
  readonly id: string;
  readonly commitmentId: string | null; // null: an asset that nobody asked for
  /**
   * Units that were refunded, are reserved for a refund, or were kept by the merchant as an excess. They count no more.
   */
  readonly takenUnits: bigint;
  readonly state: PaymentState;
  readonly place: PaymentPlace;
  readonly blockTime: Date | null;
  /**
   * Where its network tells no hour: when the day began on which it came. Whether it is late is decided by that, and not by the
   * end of the day: a payer cannot choose either, and nobody can say that it came after the end of the window
   * (docs/decisions/0117).
   */
  readonly dayBegan: Date | null;
};

/** What the portions of payments depend on besides the payments. */
export type PortionFacts = {
  readonly commitments: readonly CommitmentFact[];
  readonly canceledAt: Date | null;
  /** Which part of the value late payments may have lost; 1: they are not valued at all. */
  readonly lateTolerance: Decimal;
};

export type Portion<P extends PaymentFact = PaymentFact> = {
  readonly payment: P;
  readonly units: bigint;
  readonly dueUnits: bigint; // of the commitment
  /** The end of its window. */
  readonly end: Date;
  /** When it counts as seen, at the latest: the order of arrival, and by when quotes of other parts had to be met. */
  readonly at: Date;
  /** When it may have come, at the earliest: the same, or before it where the network tells no hour. */
  readonly earliest: Date;
  /** If it is in no block by this time, it counts from its block on. */
  readonly graceEnds: Date;
  /** After the window of its own commitment: only to the end of that the quote holds. */
  readonly isLate: boolean;
  readonly priceUnits: Ratio | null;
  /** It came late and must be valued: for which moment. */
  readonly unvalued: Pick<KeptValuation, 'of' | 'moment'> | null;
};

/** What still counts of a payment. Units that were taken are those that were seen last. */
export function portionsOf<P extends PaymentFact>(facts: PortionFacts, payment: P, now: Date): Portion<P>[] {
  const commitment = facts.commitments.find(({ id }) => id === payment.commitmentId);
  assert(commitment, 'a payment that counts has a commitment');
  const end = commitmentEnd(facts, commitment);
  const isValued = isLess(facts.lateTolerance, one);
  const { blockTime } = payment;
  const sights = payment.takenUnits === 0n ? sightsOf(payment) : firstUnits(sightsOf(payment), leftUnits(payment));
  return sights.map((sight): Portion<P> => {
    const firstSight = earlier(sight.seenAt, blockTime);
    const graceEnds = addMs(firstSight > end ? firstSight : end, unconfirmedGraceMs);
    // On a network without blocks, first sight is also the end.
    const inBlockAt = blockTime ?? (isConfirmed(payment) ? firstSight : null);
    const isOverdue = (inBlockAt ?? now) >= graceEnds;
    const at = isOverdue ? (inBlockAt ?? now) : firstSight;
    const { dueUnits } = commitment;
    // No grace is needed: what a bank tells cannot be replaced by its sender.
    const earliest = payment.dayBegan === null ? at : earlier(firstSight, payment.dayBegan);
    const portion = { payment, units: sight.units, dueUnits, end, at, earliest, graceEnds, isLate: earliest >= end };
    if (!portion.isLate || !isValued) return { ...portion, priceUnits: null, unvalued: null };
    // A payment that is overdue and in no block keeps its value until it is in a block.
    const moment = isOverdue && inBlockAt ? { of: 'BLOCK' as const, moment: inBlockAt.toISOString() } : momentOf(sight);
    const valuation = moment.of === 'BLOCK' ? keptOf(payment, moment) : sight.valuation;
    const isOpen = valuation === null && !(isOverdue && inBlockAt === null);
    return { ...portion, priceUnits: valuation && priceUnitsOf(valuation), unvalued: isOpen ? moment : null };
  });
}

export const priceUnitsOf = ({ priceUnits: { numerator, denominator } }: Valuation): Ratio => ({
  numerator: BigInt(numerator),
  denominator: BigInt(denominator),
});

const earlier = (seenAt: Date, blockTime: Date | null): Date =>
  blockTime !== null && blockTime < seenAt ? blockTime : seenAt;

const momentOf = ({ of, seenAt }: Sight) => ({ of, moment: seenAt.toISOString() });

const keptOf = ({ valuations }: SeenPayment, { of, moment }: Pick<KeptValuation, 'of' | 'moment'>): Valuation | null =>
  valuations.find((each) => each.of === of && each.moment === moment) ?? null;

/** The portions of all payments, in the order in which they count. */
export const inOrderOfArrival = <P extends PaymentFact>(
  facts: PortionFacts,
  payments: readonly P[],
  now: Date,
): Portion<P>[] =>
  payments
    .flatMap((payment) => portionsOf(facts, payment, now))
    .sort((a, b) => a.at.getTime() - b.at.getTime() || compareIds(a.payment.id, b.payment.id));

const compareIds = (a: string, b: string): number => (a === b ? 0 : a < b ? -1 : 1);

export const partOf = ({ units, dueUnits, priceUnits }: Portion): Part => ({
  receivedUnits: units,
  dueUnits,
  priceUnits,
});

/**
 * A checkout waits for as long as any of the ways that were chosen: whoever has ordered a transfer and then looks at
 * another way is still on time with the transfer. Cancelling ends it at once. Null while nothing is committed.
 */
export function windowEnd(facts: Pick<PortionFacts, 'commitments' | 'canceledAt'>): Date | null {
  return facts.commitments
    .map((commitment) => commitmentEnd(facts, commitment))
    .reduce<Date | null>((last, end) => (last === null || end > last ? end : last), null);
}

export function commitmentEnd(
  { canceledAt }: Pick<PortionFacts, 'canceledAt'>,
  { committedAt, expiresAt }: CommitmentFact,
): Date {
  return canceledAt !== null && canceledAt >= committedAt && canceledAt < expiresAt ? canceledAt : expiresAt;
}
