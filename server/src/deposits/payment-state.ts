/** How far a payment has come on its network, and where its units are in the books: the same for whatever it pays. */
import { derivedStates, statesByMove } from '../lib/state-table.ts';

export type PaymentState = 'SEEN' | 'CONFIRMED' | 'FINAL' | 'REPLACED' | 'DROPPED';

/** none: not booked. pending, suspense: waiting there. settled: credited. */
export type PaymentPlace = 'none' | 'pending' | 'suspense' | 'settled';

type Stated = { readonly state: PaymentState };

export const isAlive = ({ state }: Stated): boolean => state !== 'REPLACED' && state !== 'DROPPED';
export const isConfirmed = ({ state }: Stated): boolean => state === 'CONFIRMED' || state === 'FINAL';

export const paymentStates = statesByMove({
  column: 'payment.state',
  noun: 'payment',
  states: ['SEEN', 'CONFIRMED', 'FINAL', 'REPLACED', 'DROPPED'] satisfies PaymentState[],
  first: ['SEEN', 'FINAL'], // What crumbs add up to is as final as they are.
  last: ['FINAL'],
  moves: {
    confirm: { SEEN: 'CONFIRMED' },
    finalize: { CONFIRMED: 'FINAL' },
    /** A crumb waits until it is final. The previous release confirmed crumbs like any other payment. */
    count: { SEEN: 'FINAL', CONFIRMED: 'FINAL', FINAL: 'FINAL' },
    /** Its block was given up. */
    unconfirm: { SEEN: 'SEEN', CONFIRMED: 'SEEN' },
    drop: { SEEN: 'DROPPED' },
    replace: { SEEN: 'REPLACED' },
    /** It was given up, and is there again. */
    return: { REPLACED: 'SEEN', DROPPED: 'SEEN' },
  },
});

/** Some of these are two moves at once: what is booked and credited by one look never was anywhere in between. */
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
