/**
 * How far a payment has come on its network, and where its units are in the books: the same for everything that is
 * paid.
 */
import { derivedStates, statesByMove } from '../lib/state-table.ts';

export type PaymentState = 'SEEN' | 'CONFIRMED' | 'FINAL' | 'REPLACED' | 'DROPPED' | 'REVERSED';

/** none: not booked. pending, suspense: waiting there. settled: credited. */
export type PaymentPlace = 'none' | 'pending' | 'suspense' | 'settled';

type Stated = { readonly state: PaymentState };

export const isAlive = ({ state }: Stated): boolean =>
  state !== 'REPLACED' && state !== 'DROPPED' && state !== 'REVERSED';
export const isConfirmed = ({ state }: Stated): boolean => state === 'CONFIRMED' || state === 'FINAL';

export const paymentStates = statesByMove({
  column: 'payment.state',
  noun: 'payment',
  states: ['SEEN', 'CONFIRMED', 'FINAL', 'REPLACED', 'DROPPED', 'REVERSED'] satisfies PaymentState[],
  first: ['SEEN', 'FINAL'], // A payment made of crumbs is final, as they are.
  last: ['REVERSED'],
  moves: {
    confirm: { SEEN: 'CONFIRMED' },
    finalize: { CONFIRMED: 'FINAL' },
    /** A crumb waits until it is final. The previous release confirmed crumbs like any other payment. */
    count: { SEEN: 'FINAL', CONFIRMED: 'FINAL', FINAL: 'FINAL' },
    /** A reorganisation took its block away. */
    unconfirm: { SEEN: 'SEEN', CONFIRMED: 'SEEN' },
    drop: { SEEN: 'DROPPED' },
    replace: { SEEN: 'REPLACED' },
    /** It had vanished, and is back. */
    return: { REPLACED: 'SEEN', DROPPED: 'SEEN' },
    /** The network took it back, for good. What it left of it is another payment, in its place. */
    reverse: { SEEN: 'REVERSED', CONFIRMED: 'REVERSED', FINAL: 'REVERSED' },
  },
});

/** Some of these are two moves at once: a payment that one look books and credits is never in between. */
export const paymentPlaces = derivedStates<PaymentPlace>({
  column: 'payment.place',
  noun: 'payment in the books',
  first: ['none'],
  last: [],
  ways: {
    none: ['pending', 'suspense', 'settled'],
    pending: ['none', 'suspense', 'settled'],
    suspense: ['none', 'settled'],
    settled: ['none', 'pending', 'suspense'],
  },
});
