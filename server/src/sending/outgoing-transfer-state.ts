/** Every state of a transfer on its way out, and every way out of it. No other file decides this. */
import { statesByMove } from '../lib/state-table.ts';

/** QUEUED: nobody has signed it. SIGNED: it may happen at any moment. */
export type OutgoingTransferState = 'QUEUED' | 'SIGNED' | 'DONE' | 'FAILED';

export const outgoingTransferStates = statesByMove({
  column: 'outgoing_transfer.state',
  noun: 'transfer on its way out',
  states: ['QUEUED', 'SIGNED', 'DONE', 'FAILED'] satisfies OutgoingTransferState[],
  first: ['QUEUED'],
  last: ['FAILED'],
  moves: {
    sign: { QUEUED: 'SIGNED' },
    /** With a higher fee. What was done and lost its block stays done meanwhile. */
    signAgain: { SIGNED: 'SIGNED', DONE: 'DONE' },
    complete: { SIGNED: 'DONE' },
    fail: { SIGNED: 'FAILED' },
    /** Whoever asked for it takes it back. */
    withdraw: { QUEUED: 'FAILED' },
    /** No transaction can carry it. */
    refuse: { QUEUED: 'FAILED' },
    /** Likewise, but it was announced as sent, so it will be sent. */
    holdBack: { QUEUED: 'QUEUED' },
    /** Its transaction can never happen: also what was done, until its block was given up. */
    requeue: { SIGNED: 'QUEUED', DONE: 'QUEUED' },
  },
});

/** What was announced as sent does not fail. */
export const moveWhenRefused = (wasDone: boolean): 'refuse' | 'holdBack' => (wasDone ? 'holdBack' : 'refuse');

export const moveWhenEnded = (failure: string | null): 'complete' | 'fail' => (failure === null ? 'complete' : 'fail');
