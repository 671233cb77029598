/** Every state of a payout, and every move between them. No other file decides this. */
import { statesByMove } from '../lib/state-table.ts';

/** QUEUED: nobody has signed it. SIGNED: it may happen at any moment. */
export type PayoutState = 'QUEUED' | 'SIGNED' | 'DONE' | 'FAILED';

export const payoutStates = statesByMove({
  column: 'outgoing_transfer.state',
  noun: 'payout',
  states: ['QUEUED', 'SIGNED', 'DONE', 'FAILED'] satisfies PayoutState[],
  first: ['QUEUED'],
  last: ['FAILED'],
  moves: {
    sign: { QUEUED: 'SIGNED' },
    /** With a higher fee. One that was done and lost its block stays done meanwhile. */
    signAgain: { SIGNED: 'SIGNED', DONE: 'DONE' },
    complete: { SIGNED: 'DONE' },
    fail: { SIGNED: 'FAILED' },
    /** Whoever asked for it takes it back. */
    withdraw: { QUEUED: 'FAILED' },
    /** No transaction can carry it. */
    refuse: { QUEUED: 'FAILED' },
    /** Likewise, but the merchant was told that it was sent, so it will be sent later. */
    holdBack: { QUEUED: 'QUEUED' },
    /** Its transaction can never happen. Also one that was done, after its block was taken away. */
    requeue: { SIGNED: 'QUEUED', DONE: 'QUEUED' },
  },
});

/** What was announced as sent does not fail. */
export const moveWhenRefused = (wasDone: boolean): 'refuse' | 'holdBack' => (wasDone ? 'holdBack' : 'refuse');

export const moveWhenEnded = (failure: string | null): 'complete' | 'fail' => (failure === null ? 'complete' : 'fail');
