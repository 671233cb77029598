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
import { leftUnits } from './refund.ts';

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
  /** Of these: refunded, reserved for a refund, or kept by the merchant as an excess. They count no more. */
  readonly takenUnits: bigint;
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
  /** The fraction of the price from which an underpayment is accepted by itself; null: never. */
  readonly acceptFrom: Decimal | null;
  /** All that arrived for the price was sent back, and nothing is on its way. */
  readonly isAllSentBack: boolean;
  /** The merchant has given back all that the standing settlement is about. */
  readonly isCreditRefunded: boolean;
  /** Likewise, of this or of an earlier one: what comes in place of a credited payment that vanished is the merchant's. */
  readonly wasCreditRefunded: boolean;
  /** What was odd when it was refunded, for that state is final; null while it is not. */
  readonly refundedWith: readonly CheckoutException[] | null;
};

export type Derived = {
  readonly state: CheckoutState;
  readonly exceptions: readonly CheckoutException[];
  /** Enough is confirmed (or the merchant accepted what there is): the merchant is to be credited now. */
  readonly isSettlementDue: boolean;
  /** A payment that was credited is no longer confirmed: the settlement must be taken back. */
  readonly isReversalDue: boolean;
  /** What is settled is less than the price, because the merchant accepted it. */
  readonly isAccepted: boolean;
  /** It is too little, but so much of the price that the merchant wants it accepted without being asked. */
  readonly isAcceptanceDue: boolean;
  /** When the clock alone will change the state. */
  readonly lookAgainAt: Date | null;
};

/** A payment that is still in no block this long after the window counts as late, whenever it was first seen. */
const unconfirmedGraceMs = hours(24);

export function deriveCheckout(facts: CheckoutFacts, now: Date): Derived {
  const derived = deriveUnrefunded(facts, now);
  if (!isRefunded(facts, derived)) return derived;
  const { isSettlementDue, isReversalDue, isAccepted } = derived;
  return {
    state: 'REFUNDED',
    exceptions: refundedExceptions(facts, derived),
    isSettlementDue: isSettlementDue && facts.wasCreditRefunded,
    isReversalDue,
    isAccepted,
    isAcceptanceDue: false,
    lookAgainAt: null,
  };
}

/** Everything received was sent back, and nothing else is on its way. Once that is so, it stays so. */
function isRefunded(facts: CheckoutFacts, derived: Derived): boolean {
  if (facts.refundedWith !== null) return true;
  if (facts.isSettled) return facts.isCreditRefunded && !derived.isReversalDue;
  return derived.state === 'UNDERPAID' && facts.isAllSentBack;
}

/** What arrives after the refund belongs to nobody's order. */
function refundedExceptions(facts: CheckoutFacts, derived: Derived): CheckoutException[] {
  const before = facts.refundedWith?.filter((exception) => exception !== 'NO_MARKET') ?? derived.exceptions;
  const exceptions = new Set(before);
  const stillTrue: readonly CheckoutException[] = ['REORGED', 'WRONG_ASSET', 'OVERPAID'];
  for (const exception of derived.exceptions) if (stillTrue.includes(exception)) exceptions.add(exception);
  const isAnother = ({ commitmentId, place }: PaymentFact): boolean =>
    commitmentId !== null && place !== 'settled' && place !== 'none';
  const others = facts.payments.filter((payment) => isAnother(payment) && leftUnits(payment) > 0n);
  const isSettlingAgain = derived.isSettlementDue && facts.wasCreditRefunded;
  if (others.length > 0 && !isSettlingAgain) exceptions.add('DUPLICATE');
  if (facts.isMarketMissing && isSettlingAgain) exceptions.add('NO_MARKET');
  return [...exceptions];
}

function deriveUnrefunded(facts: CheckoutFacts, now: Date): Derived {
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
    return { ...nothingDue, state, exceptions: [...exceptions], isReversalDue };
  }

  const confirmed = counted.filter(isConfirmed);
  const seenEnoughAt = whenSufficient(facts, counted, now);
  // While the full price is on its way, what was accepted waits for it: the customer has paid after all.
  const isAccepted = seenEnoughAt === null && isCoveredByAcceptance(facts, confirmed);
  const isSettlementDue = !isReversalDue && (isAccepted || whenSufficient(facts, confirmed, now) !== null);
  if (facts.isMarketMissing && isSettlementDue) exceptions.add('NO_MARKET');

  if (seenEnoughAt !== null) {
    if (isLate(facts, seenEnoughAt)) exceptions.add('LATE');
    return { ...nothingDue, state: 'PROCESSING', exceptions: [...exceptions], isSettlementDue, isReversalDue };
  }

  if (counted.length > 0) exceptions.add('PARTIAL');
  const { state, lookAgainAt } = isAccepted
    ? { state: 'UNDERPAID' as const, lookAgainAt: null }
    : stateWhenInsufficient(facts, counted, now);
  const isAcceptanceDue = state === 'UNDERPAID' && !isAccepted && isAcceptedByItself(facts, confirmed);
  return {
    state,
    exceptions: [...exceptions],
    isSettlementDue,
    isReversalDue,
    isAccepted,
    isAcceptanceDue,
    lookAgainAt,
  };
}

const nothingDue = { isSettlementDue: false, isAccepted: false, isAcceptanceDue: false, lookAgainAt: null };

/** Not once money was sent back or set aside for it: then the merchant has decided otherwise. */
function isAcceptedByItself(facts: CheckoutFacts, confirmed: readonly PaymentFact[]): boolean {
  if (facts.acceptFrom === null || confirmed.some((payment) => payment.takenUnits > 0n)) return false;
  const { digits, scale } = facts.acceptFrom;
  return isAtLeast(shareOf(facts, confirmed), { numerator: digits, denominator: 10n ** BigInt(scale) });
}

function creditedState(facts: CheckoutFacts, settled: readonly PaymentFact[], now: Date): CreditedState {
  const sufficientAt = whenSufficient(facts, settled, now);
  if (sufficientAt === null) return 'RESOLVED';
  return isLate(facts, sufficientAt) ? 'DELAYED_COMPLETED' : 'COMPLETED';
}

const isCoveredByAcceptance = (facts: CheckoutFacts, confirmed: readonly PaymentFact[]): boolean =>
  facts.acceptedAt !== null &&
  confirmed.some((payment) => leftUnits(payment) > 0n) &&
  isAtLeast(shareOf(facts, confirmed), facts.acceptedShare);

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
  return addPart(share, { receivedUnits: leftUnits(payment), dueUnits: commitment.dueUnits });
}

/** Every legal move. Some are taken two at a time, e.g. PENDING → PROCESSING → COMPLETED when all arrives at once. */
const moves: Record<CheckoutState, readonly CheckoutState[]> = {
  CREATED: ['PENDING', 'CANCELED'],
  PENDING: ['PROCESSING', 'EXPIRED', 'UNDERPAID', 'CANCELED'],
  // The last: a refund was paid, the payment vanished, and now it is there again.
  PROCESSING: ['COMPLETED', 'DELAYED_COMPLETED', 'PENDING', 'EXPIRED', 'CANCELED', 'UNDERPAID', 'REFUNDED'],
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
