/**
 * What state a checkout is in: a pure function of its commitments, its payments, the clock and the merchant's
 * decisions. Nobody sets a state by hand: whoever changed a fact asks here and stores the answer. `assertMove` compares
 * the answer with the table of legal moves, so that a mistake here stops the operation before it moves money.
 */
import { isAlive, isConfirmed, type PaymentPlace, type PaymentState } from '../deposits/payment-state.ts';
import { assert } from '../lib/assert.ts';
import { derivedStates } from '../lib/state-table.ts';
import type { Decimal } from '../money/decimal.ts';
import { isAtLeast, type Share } from '../pricing/share-of-price.ts';
import { earliestSufficient, shareOf, whenSufficient } from './paid-enough.ts';
import { inOrderOfArrival, type PaymentFact, type Portion, type PortionFacts, windowEnd } from './payment-portions.ts';
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

export type CheckoutFacts = PortionFacts & {
  readonly payments: readonly PaymentFact[];
  /** Something arrived that is none of the assets we know. */
  readonly hasStrays: boolean;
  /** The fraction of the price that may be missing. */
  readonly tolerance: Decimal;
  /** The merchant accepted less than the price. */
  readonly acceptedAt: Date | null;
  /**
   * The part of the price that was accepted, if that credit had to be taken back: the acceptance does not hold for
   * less.
   */
  readonly acceptedShare: Share;
  /** A settlement stands, i.e. the merchant is credited. */
  readonly isSettled: boolean;
  /** What the merchant was told. If a block time changes afterwards, the checkout does not become late. */
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
  /**
   * Likewise, of this settlement or an earlier one: what comes in place of a credited payment that vanished is the
   * merchant's.
   */
  readonly wasCreditRefunded: boolean;
  /**
   * What was odd when it was refunded: REFUNDED stays, whatever comes, and so does this, until the refund itself comes
   * back. Null while it is not refunded.
   */
  readonly refundedWith: readonly CheckoutException[] | null;
};

export type Derived = {
  readonly state: CheckoutState;
  readonly exceptions: readonly CheckoutException[];
  /** Enough is confirmed (or the merchant accepted what there is): the merchant is to be credited now. */
  readonly isSettlementDue: boolean;
  /** When all that is confirmed and not credited yet added up to the price. */
  readonly paidAt: Date | null;
  /** A payment that was credited is no longer confirmed: the settlement must be taken back. */
  readonly isReversalDue: boolean;
  /** What is settled is less than the price, because the merchant accepted it. */
  readonly isAccepted: boolean;
  /** It is too little, but enough of the price that the merchant wants it accepted automatically. */
  readonly isAcceptanceDue: boolean;
  /** Something came late and is not valued yet: until then nobody is credited for it. */
  readonly isValuationDue: boolean;
  /** By units it would be enough, but what came late was worth too little. */
  readonly isDevalued: boolean;
  /**
   * Enough was seen, but only together with a payment that has been in no block for so long that it will count from its
   * block on.
   */
  readonly isOverdue: boolean;
  /** When the clock alone will change the state. */
  readonly lookAgainAt: Date | null;
};

export function deriveCheckout(facts: CheckoutFacts, now: Date): Derived {
  const derived = deriveUnrefunded(facts, now);
  if (!isRefunded(facts, derived)) return derived;
  const { isSettlementDue, paidAt, isReversalDue, isAccepted } = derived;
  return {
    state: 'REFUNDED',
    exceptions: refundedExceptions(facts, derived),
    isSettlementDue: isSettlementDue && facts.wasCreditRefunded,
    paidAt,
    isReversalDue,
    isAccepted,
    isAcceptanceDue: false,
    isValuationDue: isValuedAgain(facts, derived),
    isDevalued: false,
    isOverdue: false,
    lookAgainAt: null,
  };
}

/** Everything received was sent back, and nothing else is on its way. From then on it stays so (`bring-back-refund`). */
function isRefunded(facts: CheckoutFacts, derived: Derived): boolean {
  if (facts.refundedWith !== null) return true;
  if (facts.isSettled) return facts.isCreditRefunded && !derived.isReversalDue;
  return derived.state === 'UNDERPAID' && facts.isAllSentBack;
}

/** What arrives after the refund belongs to no order of the shop. */
function refundedExceptions(facts: CheckoutFacts, derived: Derived): CheckoutException[] {
  const before = facts.refundedWith?.filter((exception) => exception !== 'NO_MARKET') ?? derived.exceptions;
  const exceptions = new Set(before);
  const stillTrue: readonly CheckoutException[] = ['REORGED', 'WRONG_ASSET', 'OVERPAID'];
  for (const exception of derived.exceptions) if (stillTrue.includes(exception)) exceptions.add(exception);
  // Not what is no longer confirmed: it is about to leave the books.
  const isAnother = (payment: PaymentFact): boolean =>
    payment.commitmentId !== null && isConfirmed(payment) && payment.place !== 'settled' && payment.place !== 'none';
  const others = facts.payments.filter((payment) => isAnother(payment) && leftUnits(payment) > 0n);
  const isSettlingAgain = (derived.isSettlementDue && facts.wasCreditRefunded) || isValuedAgain(facts, derived);
  if (others.length > 0 && !isSettlingAgain) exceptions.add('DUPLICATE');
  if (facts.isMarketMissing && isSettlingAgain) exceptions.add('NO_MARKET');
  return [...exceptions];
}

const isValuedAgain = (facts: CheckoutFacts, derived: Derived): boolean =>
  facts.wasCreditRefunded && derived.isValuationDue && derived.state === 'PROCESSING';

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
    const portions = inOrderOfArrival(facts, settled, now);
    const state = facts.creditedAs ?? creditedState(facts, portions);
    if (state === 'RESOLVED') exceptions.add('PARTIAL');
    const isDevalued = state === 'RESOLVED' && whenSufficient(facts, portions, 'by units') !== null;
    if (state === 'DELAYED_COMPLETED' || isDevalued) exceptions.add('LATE');
    return { ...nothingDue, state, exceptions: [...exceptions], isReversalDue };
  }

  const portions = inOrderOfArrival(facts, counted, now);
  const confirmed = portions.filter(({ payment }) => isConfirmed(payment));
  const seenEnoughAt = earliestSufficient(facts, portions, 'at best');
  // While the full price is on its way, an acceptance waits for it: the customer has paid after all.
  const isAccepted = seenEnoughAt === null && isCoveredByAcceptance(facts, confirmed);
  const paidAt = whenSufficient(facts, confirmed, 'for certain');
  const isSettlementDue = !isReversalDue && (isAccepted || paidAt !== null);
  const isValuationDue = portions.some(({ unvalued }) => unvalued !== null);
  const due = { isSettlementDue, paidAt, isReversalDue, isValuationDue };

  if (seenEnoughAt !== null) {
    if (facts.isMarketMissing && (isSettlementDue || isValuationDue)) exceptions.add('NO_MARKET');
    if (isLate(facts, seenEnoughAt)) exceptions.add('LATE');
    const inNoBlock = confirmed.length === portions.length ? [] : portions.filter(isInNoBlock);
    const overdue = new Set(inNoBlock.filter(({ graceEnds }) => graceEnds <= now));
    const others = portions.filter((portion) => !overdue.has(portion));
    const isOverdue = overdue.size > 0 && whenSufficient(facts, others, 'at best') === null;
    const lookAgainAt = firstGraceEnd(inNoBlock.filter((portion) => !overdue.has(portion)));
    return { ...nothingDue, ...due, state: 'PROCESSING', exceptions: [...exceptions], isOverdue, lookAgainAt };
  }

  if (facts.isMarketMissing && isSettlementDue) exceptions.add('NO_MARKET');
  if (counted.length > 0) exceptions.add('PARTIAL');
  const isDevalued = whenSufficient(facts, portions, 'by units') !== null;
  if (isDevalued) exceptions.add('LATE');
  const { state, lookAgainAt } = isAccepted
    ? { state: 'UNDERPAID' as const, lookAgainAt: null }
    : stateWhenInsufficient(facts, counted, portions, now);
  const isAcceptanceDue = state === 'UNDERPAID' && !isAccepted && isAcceptedByItself(facts, confirmed);
  const insufficient = { isAccepted, isAcceptanceDue, isDevalued, isOverdue: false, lookAgainAt };
  return { ...due, ...insufficient, state, exceptions: [...exceptions] };
}

const isInNoBlock = ({ payment }: Portion): boolean => payment.blockTime === null && !isConfirmed(payment);

const firstGraceEnd = (portions: readonly Portion[]): Date | null =>
  portions.map(({ graceEnds }) => graceEnds).sort((a, b) => a.getTime() - b.getTime())[0] ?? null;

const nothingDue = {
  isSettlementDue: false,
  paidAt: null,
  isAccepted: false,
  isAcceptanceDue: false,
  isValuationDue: false,
  isDevalued: false,
  isOverdue: false,
  lookAgainAt: null,
};

/** Not when money was sent back or set aside for that: then the merchant has decided otherwise. */
function isAcceptedByItself(facts: CheckoutFacts, confirmed: readonly Portion[]): boolean {
  const hasTaken = facts.payments.some((payment) => isConfirmed(payment) && payment.takenUnits > 0n);
  if (facts.acceptFrom === null || hasTaken) return false;
  const { digits, scale } = facts.acceptFrom;
  return isAtLeast(shareOf(confirmed, 'for certain'), { numerator: digits, denominator: 10n ** BigInt(scale) });
}

function creditedState(facts: CheckoutFacts, settled: readonly Portion[]): CreditedState {
  const sufficientAt = earliestSufficient(facts, settled, 'for certain');
  if (sufficientAt === null) return 'RESOLVED';
  return isLate(facts, sufficientAt) ? 'DELAYED_COMPLETED' : 'COMPLETED';
}

const isCoveredByAcceptance = (facts: CheckoutFacts, confirmed: readonly Portion[]): boolean =>
  facts.acceptedAt !== null && confirmed.length > 0 && isAtLeast(shareOf(confirmed, 'by units'), facts.acceptedShare);

function stateWhenInsufficient(
  facts: CheckoutFacts,
  counted: readonly PaymentFact[],
  portions: readonly Portion[],
  now: Date,
): { state: CheckoutState; lookAgainAt: Date | null } {
  const end = windowEnd(facts);
  const isOff = isCanceled(facts);
  const whenOver: CheckoutState = isOff ? 'CANCELED' : 'EXPIRED';
  if (end === null) return { state: facts.canceledAt === null ? 'CREATED' : 'CANCELED', lookAgainAt: null };
  // What was cancelled is over at once: the time it was noted with may be ahead of our clock, as that of a choice may.
  if (now < end && !isOff) return { state: 'PENDING', lookAgainAt: end };

  const onTheirWay = portions.filter(({ payment, earliest }) => !isConfirmed(payment) && earliest < end);
  if (onTheirWay.length > 0 && !isOff) {
    const untilGraceEnds = onTheirWay.filter((portion) => isInNoBlock(portion) && portion.payment.dayBegan === null);
    return { state: 'PENDING', lookAgainAt: firstGraceEnd(untilGraceEnds) };
  }
  return { state: counted.some(isConfirmed) ? 'UNDERPAID' : whenOver, lookAgainAt: null };
}

/** A commitment made after cancelling ("get a new quote") revives the checkout. */
export function isCanceled(facts: Pick<PortionFacts, 'commitments' | 'canceledAt'>): boolean {
  const latest = facts.commitments.at(-1);
  return facts.canceledAt !== null && (latest === undefined || facts.canceledAt >= latest.committedAt);
}

function isLate(facts: CheckoutFacts, at: Date): boolean {
  const end = windowEnd(facts);
  assert(end !== null, 'a paid checkout has a commitment');
  return at >= end; // At the end the window is over, for the state and for payments alike.
}

/** Every legal move. Some are taken two at a time, e.g. PENDING → PROCESSING → COMPLETED when all arrives at once. */
const ways: Readonly<Record<CheckoutState, readonly CheckoutState[]>> = {
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
  // What was refunded came back.
  REFUNDED: ['COMPLETED', 'DELAYED_COMPLETED', 'RESOLVED', 'UNDERPAID', 'PROCESSING', 'EXPIRED', 'CANCELED'],
};

export const checkoutMoves = derivedStates<CheckoutState>({
  column: 'checkout.state',
  noun: 'checkout',
  first: ['CREATED'],
  last: [],
  ways,
});

export const checkoutStates = Object.keys(ways) as CheckoutState[];

export const { canMove, assertMove } = checkoutMoves;

export const isCredited = (state: CheckoutState): state is CreditedState =>
  state === 'COMPLETED' || state === 'DELAYED_COMPLETED' || state === 'RESOLVED';
