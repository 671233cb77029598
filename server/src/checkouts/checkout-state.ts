/**
 * What state a checkout is in: a pure function of its commitments, its payments, the clock and the merchant's
 * decisions. Nobody sets a state by hand; whoever changed a fact asks here and stores the answer. `assertMove` holds
 * that answer against the table of legal moves, so that a wrong derivation stops the operation instead of the money.
 */
import { isAlive, isConfirmed, type PaymentPlace, type PaymentState } from '../deposits/payment-state.ts';
import { assert } from '../lib/assert.ts';
import { addMs, hours } from '../lib/clock.ts';
import type { Decimal } from '../money/decimal.ts';
import { addPart, isAtLeast, isEnough, nothing, type Share } from '../pricing/share-of-price.ts';

export { isAlive, isConfirmed, type PaymentPlace, type PaymentState };

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

export type CreditedState = 'COMPLETED' | 'DELAYED_COMPLETED' | 'RESOLVED';

export type CheckoutException = 'PARTIAL' | 'OVERPAID' | 'LATE' | 'DUPLICATE' | 'REORGED' | 'NO_MARKET' | 'WRONG_ASSET';

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
  /** Something arrived that is none of the assets we know. */
  readonly hasStrays: boolean;
  /** The fraction of the price that may be missing. */
  readonly tolerance: Decimal;
  readonly canceledAt: Date | null;
  /** The merchant accepted less than the price. */
  readonly acceptedAt: Date | null;
  /** What was accepted, once that credit had to be taken back: the acceptance does not cover less. */
  readonly acceptedShare: Share;
  /** A settlement stands, i.e. the merchant is credited. */
  readonly isSettled: boolean;
  /** What the merchant was told. A block time that changes afterwards does not make a checkout late in retrospect. */
  readonly creditedAs: CreditedState | null;
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
  /** When the clock alone will change the state. */
  readonly lookAgainAt: Date | null;
};

/** A payment that is still in no block this long after the window counts as late, whenever it was first seen. */
const unconfirmedGraceMs = hours(24);

export function deriveCheckout(facts: CheckoutFacts, now: Date): Derived {
  const alive = facts.payments.filter(isAlive);
  const counted = alive.filter((payment) => payment.commitmentId !== null);
  const settled = facts.payments.filter((payment) => payment.place === 'settled');
  const isReversalDue = facts.isSettled && settled.some((payment) => !isConfirmed(payment));

  const exceptions = new Set<CheckoutException>();
  if (facts.reversals > 0 || isReversalDue) exceptions.add('REORGED');
  if (facts.hasStrays || alive.some((payment) => payment.commitmentId === null)) exceptions.add('WRONG_ASSET');

  if (facts.isSettled && !isReversalDue) {
    if (facts.hasExcess) exceptions.add('OVERPAID');
    if (counted.some((payment) => payment.place !== 'settled')) exceptions.add('DUPLICATE');
    const state = facts.creditedAs ?? creditedState(facts, settled, now);
    if (state === 'RESOLVED') exceptions.add('PARTIAL');
    if (state === 'DELAYED_COMPLETED') exceptions.add('LATE');
    return { state, exceptions: [...exceptions], isSettlementDue: false, isReversalDue, lookAgainAt: null };
  }

  const confirmed = counted.filter(isConfirmed);
  const seenEnoughAt = whenSufficient(facts, counted, now);
  // While the full price is on its way, what was accepted waits for it: the customer has paid after all.
  const isAccepted = seenEnoughAt === null && isCoveredByAcceptance(facts, confirmed);
  const isSettlementDue = !isReversalDue && (isAccepted || whenSufficient(facts, confirmed, now) !== null);
  if (facts.isMarketMissing && isSettlementDue) exceptions.add('NO_MARKET');

  if (seenEnoughAt !== null) {
    if (isLate(facts, seenEnoughAt)) exceptions.add('LATE');
    return { state: 'PROCESSING', exceptions: [...exceptions], isSettlementDue, isReversalDue, lookAgainAt: null };
  }

  if (counted.length > 0) exceptions.add('PARTIAL');
  const { state, lookAgainAt } = isAccepted
    ? { state: 'UNDERPAID' as const, lookAgainAt: null }
    : stateWhenInsufficient(facts, counted, now);
  return { state, exceptions: [...exceptions], isSettlementDue, isReversalDue, lookAgainAt };
}

function creditedState(facts: CheckoutFacts, settled: readonly PaymentFact[], now: Date): CreditedState {
  const sufficientAt = whenSufficient(facts, settled, now);
  if (sufficientAt === null) return 'RESOLVED';
  return isLate(facts, sufficientAt) ? 'DELAYED_COMPLETED' : 'COMPLETED';
}

const isCoveredByAcceptance = (facts: CheckoutFacts, confirmed: readonly PaymentFact[]): boolean =>
  facts.acceptedAt !== null && confirmed.length > 0 && isAtLeast(shareOf(facts, confirmed), facts.acceptedShare);

function stateWhenInsufficient(
  facts: CheckoutFacts,
  counted: readonly PaymentFact[],
  now: Date,
): { state: CheckoutState; lookAgainAt: Date | null } {
  const end = windowEnd(facts);
  const whenOver: CheckoutState = isCanceled(facts) ? 'CANCELED' : 'EXPIRED';
  if (end === null) return { state: facts.canceledAt === null ? 'CREATED' : 'CANCELED', lookAgainAt: null };
  if (now < end) return { state: 'PENDING', lookAgainAt: end };

  const onTheirWay = counted.filter((payment) => !isConfirmed(payment) && seenAt(end, payment, now) < end);
  if (onTheirWay.length > 0 && !isCanceled(facts)) {
    const isInNoBlock = onTheirWay.some((payment) => payment.blockTime === null);
    return { state: 'PENDING', lookAgainAt: isInNoBlock ? addMs(end, unconfirmedGraceMs) : null };
  }
  return { state: counted.some(isConfirmed) ? 'UNDERPAID' : whenOver, lookAgainAt: null };
}

type Windows = Pick<CheckoutFacts, 'commitments' | 'canceledAt'>;

/** The window of the latest commitment; cancelling ends it at once. Null while nothing is committed. */
export function windowEnd(facts: Windows): Date | null {
  const latest = facts.commitments.at(-1);
  return latest ? commitmentEnd(facts, latest) : null;
}

function commitmentEnd({ canceledAt }: Windows, { committedAt, expiresAt }: CommitmentFact): Date {
  return canceledAt !== null && canceledAt >= committedAt && canceledAt < expiresAt ? canceledAt : expiresAt;
}

/** A commitment made after cancelling ("get a new quote") revives the checkout. */
export function isCanceled(facts: Windows): boolean {
  const latest = facts.commitments.at(-1);
  return facts.canceledAt !== null && (latest === undefined || facts.canceledAt >= latest.committedAt);
}

function isLate(facts: CheckoutFacts, at: Date): boolean {
  const end = windowEnd(facts);
  assert(end !== null, 'a paid checkout has a commitment');
  return at >= end; // The window is over in the moment it ends, for the state and for the payment alike.
}

/**
 * Whether a payment came after the window of its own commitment, to whose end alone the quote holds. A later commitment
 * keeps the checkout open, but not the old rate: otherwise a customer could wait for a better one for nothing.
 */
export function isLatePayment(facts: CheckoutFacts, payment: PaymentFact, now: Date): boolean {
  const commitment = facts.commitments.find(({ id }) => id === payment.commitmentId);
  assert(commitment, 'a payment that counts has a commitment');
  const end = commitmentEnd(facts, commitment);
  return seenAt(end, payment, now) >= end;
}

/** When a payment counts as seen: the first sight of it, unless a day after the window it was still in no block. */
function seenAt(end: Date, payment: PaymentFact, now: Date): Date {
  const { blockTime, firstSeenAt } = payment;
  const firstSight = blockTime !== null && blockTime < firstSeenAt ? blockTime : firstSeenAt;
  const inBlockAt = blockTime ?? (isConfirmed(payment) ? firstSight : now);
  return inBlockAt >= addMs(end, unconfirmedGraceMs) ? inBlockAt : firstSight;
}

/** Payments in the order in which they count. */
export function inOrderOfArrival(facts: CheckoutFacts, payments: readonly PaymentFact[], now: Date): PaymentFact[] {
  const end = windowEnd(facts);
  assert(end !== null || payments.length === 0, 'a payment that counts has a commitment');
  if (end === null) return [];
  return [...payments].sort(
    (a, b) => seenAt(end, a, now).getTime() - seenAt(end, b, now).getTime() || (a.id < b.id ? -1 : 1),
  );
}

/** When the payments first added up to the price less the tolerance, or null. */
function whenSufficient(facts: CheckoutFacts, payments: readonly PaymentFact[], now: Date): Date | null {
  const end = windowEnd(facts);
  let share = nothing;
  for (const payment of inOrderOfArrival(facts, payments, now)) {
    share = addPayment(facts, share, payment);
    if (end !== null && isEnough(share, facts.tolerance)) return seenAt(end, payment, now);
  }
  return null;
}

const shareOf = (facts: CheckoutFacts, payments: readonly PaymentFact[]): Share =>
  payments.reduce((share, payment) => addPayment(facts, share, payment), nothing);

function addPayment(facts: CheckoutFacts, share: Share, payment: PaymentFact): Share {
  const commitment = facts.commitments.find(({ id }) => id === payment.commitmentId);
  assert(commitment, 'a payment that counts has a commitment');
  return addPart(share, { receivedUnits: payment.units, dueUnits: commitment.dueUnits });
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

export const isCredited = (state: CheckoutState): state is CreditedState =>
  state === 'COMPLETED' || state === 'DELAYED_COMPLETED' || state === 'RESOLVED';
