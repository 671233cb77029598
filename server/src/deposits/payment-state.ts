/** How far a payment has come on its network, and where its units are in the books: the same for whatever it pays. */
export type PaymentState = 'SEEN' | 'CONFIRMED' | 'FINAL' | 'REPLACED' | 'DROPPED';

/** none: not booked. pending, suspense: waiting there. settled: credited. */
export type PaymentPlace = 'none' | 'pending' | 'suspense' | 'settled';

type Stated = { readonly state: PaymentState };

export const isAlive = ({ state }: Stated): boolean => state !== 'REPLACED' && state !== 'DROPPED';
export const isConfirmed = ({ state }: Stated): boolean => state === 'CONFIRMED' || state === 'FINAL';
