/**
 * What state a checkout is in: a pure function of its commitments, its payments, the clock and the merchant's
 * decisions. Nobody sets a state by hand; whoever changed a fact asks here and stores the answer. `assertMove` holds
 * that answer against the table of legal moves, so that a wrong derivation stops the operation instead of the money.
 */
import { assert } from '../lib/assert.ts';
import { addMs, hours } from '../lib/clock.ts';
import { type Decimal, power10 } from '../money/decimal.ts';

export type CheckoutState =
  | 'CREATED'
  | 'PENDING'
  | 'PROCESSING'
  | 'COMPLETED'
  | 'DELAYED_COMPLETED'
  | 'UNDERPAID'
  | 'RESOLVED'
  | 'EXPIRED'
  | 'CANCELED'
  | 'REFUNDED';

export type CheckoutException = 'PARTIAL' | 'OVERPAID' | 'LATE' | 'DUPLICATE' | 'REORGED' | 'NO_MARKET' | 'WRONG_ASSET';

export type PaymentState = 'SEEN' | 'CONFIRMED' | 'FINAL' | 'REPLACED' | 'DROPPED';

/** Where a payment's units are in the books. */
export type PaymentPlace = 'none' | 'pending' | 'suspense' | 'settled';

export type CommitmentFact = {
  readonly id: string;
  readonly dueUnits: bigint;
  readonly committedAt: Date;
  readonly expiresAt: Date;
};

export type PaymentFact = {
  readonly id: string;
  readonly commitmentId: string | null; // null: an asset that nobody asked for
  readonly units: bigint;
  readonly state: PaymentState;
  readonly place: PaymentPlace;
  readonly firstSeenAt: Date;
  readonly blockTime: Date | null;
};

export type CheckoutFacts = {
  readonly commitments: readonly CommitmentFact[];
  readonly payments: readonly PaymentFact[];
  /** The fraction of the price that may be missing. */
  readonly tolerance: Decimal;
  readonly canceledAt: Date | null;
  /** The merchant accepted less than the price. */
  readonly acceptedAt: Date | null;
  /** A settlement stands, i.e. the merchant is credited. */
  readonly isSettled: boolean;
  readonly reversals: number;
  readonly hasExcess: boolean;
  /** The last attempt to settle found no rate. */
  readonly isMarketMissing: boolean;
};

export type Derived = {
  readonly state: CheckoutState;
  readonly exceptions: readonly CheckoutException[];
  /** Enough is confirmed (or the merchant accepted what there is): the merchant is to be credited now. */
  readonly isSettlementDue: boolean;
  /** A payment that was credited is no longer confirmed: the settlement must be taken back. */
  readonly isReversalDue: boolean;
  /** When the clock alone will change the answer. */
  readonly lookAgainAt: Date | null;
};

/** A payment that is still in no block this long after the window counts as late, whenever it was first seen. */
const unconfirmedGraceMs = hours(24);

export const isAlive = (payment: PaymentFact): boolean => payment.state !== 'REPLACED' && payment.state !== 'DROPPED';
export const isConfirmed = (payment: PaymentFact): boolean =>
  payment.state === 'CONFIRMED' || payment.state === 'FINAL';

export function deriveCheckout(facts: CheckoutFacts, now: Date): Derived {
  const alive = facts.payments.filter(isAlive);
  const counted = alive.filter((payment) => payment.commitmentId !== null);
  const settled = facts.payments.filter((payment) => payment.place === 'settled');
  const isReversalDue = facts.isSettled && settled.some((payment) => !isConfirmed(payment));

  const exceptions = new Set<CheckoutException>();
  if (facts.reversals > 0 || isReversalDue) exceptions.add('REORGED');
  if (alive.some((payment) => payment.commitmentId === null)) exceptions.add('WRONG_ASSET');
  if (facts.isMarketMissing && !facts.isSettled) exceptions.add('NO_MARKET');

  if (facts.isSettled && !isReversalDue) {
    if (facts.hasExcess) exceptions.add('OVERPAID');
    if (counted.some((payment) => payment.place !== 'settled')) exceptions.add('DUPLICATE');
    const sufficientAt = whenSufficient(facts, settled, now);
    if (sufficientAt === null) exceptions.add('PARTIAL');
    else if (isLate(facts, sufficientAt)) exceptions.add('LATE');
    const state = sufficientAt === null ? 'RESOLVED' : isLate(facts, sufficientAt) ? 'DELAYED_COMPLETED' : 'COMPLETED';
    return { state, exceptions: [...exceptions], isSettlementDue: false, isReversalDue, lookAgainAt: null };
  }

  const confirmed = counted.filter(isConfirmed);
  const seenEnoughAt = whenSufficient(facts, counted, now);
  const isAccepted = facts.acceptedAt !== null && confirmed.length > 0;
  const isSettlementDue = !isReversalDue && (isAccepted || whenSufficient(facts, confirmed, now) !== null);

  if (seenEnoughAt !== null) {
    if (isLate(facts, seenEnoughAt)) exceptions.add('LATE');
    return { state: 'PROCESSING', exceptions: [...exceptions], isSettlementDue, isReversalDue, lookAgainAt: null };
  }

  if (counted.length > 0) exceptions.add('PARTIAL');
  const { state, lookAgainAt } = stateWhenInsufficient(facts, counted, now);
  return { state, exceptions: [...exceptions], isSettlementDue, isReversalDue, lookAgainAt };
}

function stateWhenInsufficient(
  facts: CheckoutFacts,
  counted: readonly PaymentFact[],
  now: Date,
): { state: CheckoutState; lookAgainAt: Date | null } {
  const end = windowEnd(facts);
  const whenOver: CheckoutState = isCanceled(facts) ? 'CANCELED' : 'EXPIRED';
  if (end === null) return { state: facts.canceledAt === null ? 'CREATED' : 'CANCELED', lookAgainAt: null };
  if (now < end) return { state: 'PENDING', lookAgainAt: end };

  const graceEnd = addMs(end, unconfirmedGraceMs);
  const isWaitingForBlock = counted.some((payment) => !isConfirmed(payment) && payment.firstSeenAt < end);
  if (isWaitingForBlock && now < graceEnd && !isCanceled(facts)) return { state: 'PENDING', lookAgainAt: graceEnd };
  return { state: counted.some(isConfirmed) ? 'UNDERPAID' : whenOver, lookAgainAt: null };
}

/** The window of the latest commitment; cancelling ends it at once. Null while nothing is committed. */
export function windowEnd(facts: Pick<CheckoutFacts, 'commitments' | 'canceledAt'>): Date | null {
  const latest = facts.commitments.at(-1);
  if (!latest) return null;
  return isCanceled(facts) ? facts.canceledAt : latest.expiresAt;
}

/** A commitment made after cancelling ("get a new quote") revives the checkout. */
export function isCanceled(facts: Pick<CheckoutFacts, 'commitments' | 'canceledAt'>): boolean {
  const latest = facts.commitments.at(-1);
  return facts.canceledAt !== null && (latest === undefined || facts.canceledAt >= latest.committedAt);
}

function isLate(facts: CheckoutFacts, at: Date): boolean {
  const end = windowEnd(facts);
  assert(end !== null, 'a paid checkout has a commitment');
  return at >= end; // The window is over in the moment it ends, for the state and for the payment alike.
}

export const isLatePayment = (facts: CheckoutFacts, payment: PaymentFact, now: Date): boolean =>
  isLate(facts, seenAt(facts, payment, now));

/** When a payment counts as seen: the first sight of it, unless it then took longer than a day after the window. */
function seenAt(facts: CheckoutFacts, payment: PaymentFact, now: Date): Date {
  const end = windowEnd(facts);
  if (end === null) return payment.firstSeenAt;
  const inBlockAt = payment.blockTime ?? now;
  return inBlockAt > addMs(end, unconfirmedGraceMs) ? inBlockAt : payment.firstSeenAt;
}

/** Payments in the order in which they count. */
export const inOrderOfArrival = (facts: CheckoutFacts, payments: readonly PaymentFact[], now: Date): PaymentFact[] =>
  [...payments].sort(
    (a, b) => seenAt(facts, a, now).getTime() - seenAt(facts, b, now).getTime() || (a.id < b.id ? -1 : 1),
  );

/**
 * When the payments first added up to the price less the tolerance, or null. A payment counts as its share of the full
 * price of its own commitment, so parts on two networks add up as exact fractions.
 */
function whenSufficient(facts: CheckoutFacts, payments: readonly PaymentFact[], now: Date): Date | null {
  const due = new Map(facts.commitments.map((commitment) => [commitment.id, commitment.dueUnits]));
  let numerator = 0n;
  let denominator = 1n;
  const one = power10(facts.tolerance.scale);
  for (const payment of inOrderOfArrival(facts, payments, now)) {
    const full = due.get(payment.commitmentId ?? '');
    if (full === undefined) continue;
    numerator = numerator * full + payment.units * denominator;
    denominator *= full;
    if (numerator * one >= denominator * (one - facts.tolerance.digits)) return seenAt(facts, payment, now);
  }
  return null;
}

/** Every legal move. Some are taken two at a time, e.g. PENDING → PROCESSING → COMPLETED when all arrives at once. */
const moves: Record<CheckoutState, readonly CheckoutState[]> = {
  CREATED: ['PENDING', 'CANCELED'],
  PENDING: ['PROCESSING', 'EXPIRED', 'UNDERPAID', 'CANCELED'],
  PROCESSING: ['COMPLETED', 'DELAYED_COMPLETED', 'PENDING', 'EXPIRED', 'CANCELED', 'UNDERPAID'],
  COMPLETED: ['PROCESSING', 'REFUNDED'],
  DELAYED_COMPLETED: ['PROCESSING', 'REFUNDED'],
  RESOLVED: ['PROCESSING', 'REFUNDED'],
  // The last three: a reorganisation took the partial payment away again.
  UNDERPAID: ['PROCESSING', 'RESOLVED', 'REFUNDED', 'EXPIRED', 'CANCELED', 'PENDING'],
  EXPIRED: ['PENDING', 'PROCESSING', 'UNDERPAID'],
  CANCELED: ['PENDING', 'PROCESSING', 'UNDERPAID'],
  REFUNDED: [],
};

export const checkoutStates = Object.keys(moves) as CheckoutState[];

export const canMove = (from: CheckoutState, to: CheckoutState): boolean => from === to || moves[from].includes(to);

export function assertMove(from: CheckoutState, to: CheckoutState): void {
  assert(canMove(from, to), `a checkout that is ${from} cannot become ${to}`);
}

export const isCredited = (state: CheckoutState): boolean =>
  state === 'COMPLETED' || state === 'DELAYED_COMPLETED' || state === 'RESOLVED';
