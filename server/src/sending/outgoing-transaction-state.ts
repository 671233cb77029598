/** Every state of a transaction of our own, and every move between them. No other file decides this. */
import { statesByMove } from '../lib/state-table.ts';

/**
 * OPEN: it may still happen. INCLUDED: it is in a block, which a reorganisation may take away; with a failure if it had
 * no effect there. DONE: it is deep enough, and booked. A reorganisation may still take its block away until it is
 * final; then it stays DONE while it waits for another block.
 */
export type OutgoingTransactionState = 'OPEN' | 'INCLUDED' | 'DONE' | 'FAILED' | 'EXPIRED' | 'REPLACED';

export const outgoingTransactionStates = statesByMove({
  column: 'outgoing_transaction.state',
  noun: 'transaction',
  states: ['OPEN', 'INCLUDED', 'DONE', 'FAILED', 'EXPIRED', 'REPLACED'] satisfies OutgoingTransactionState[],
  first: ['OPEN'],
  last: ['FAILED', 'EXPIRED', 'REPLACED'],
  moves: {
    include: { OPEN: 'INCLUDED', INCLUDED: 'INCLUDED', DONE: 'DONE' },
    /** A reorganisation took its block away. */
    loseBlock: { INCLUDED: 'OPEN', DONE: 'DONE' },
    complete: { INCLUDED: 'DONE' },
    /** It is deep enough, and had no effect. */
    failInBlock: { INCLUDED: 'FAILED' },
    /** No block will ever have it. */
    fail: { OPEN: 'FAILED' },
    expire: { OPEN: 'EXPIRED', DONE: 'EXPIRED' },
    /** Another version happened, and is final. */
    replace: { OPEN: 'REPLACED' },
    /** It was booked, and another version happened instead. */
    giveWay: { DONE: 'OPEN' },
    /** It happened instead of the version that was booked, or at another cost than was booked. */
    rebook: { INCLUDED: 'DONE', DONE: 'DONE' },
    /** Likewise, but it had no effect: from here on it ends like any other failure. */
    unbook: { INCLUDED: 'INCLUDED', DONE: 'INCLUDED' },
  },
});

type Outcome = { readonly failure: string | null };

export const moveWhenDeep = ({ failure }: Outcome): 'complete' | 'failInBlock' =>
  failure === null ? 'complete' : 'failInBlock';

export const moveWhenRebooked = ({ failure }: Outcome): 'rebook' | 'unbook' => (failure === null ? 'rebook' : 'unbook');

export const moveWhenImpossible = (isExpired: boolean): 'expire' | 'fail' => (isExpired ? 'expire' : 'fail');
