/**
 * Every state of a refund, and every move between them; and where its units are in the books. No other file decides
 * this.
 */
import { derivedStates, statesByMove } from '../lib/state-table.ts';

/**
 * AWAITING_APPROVAL: another key must approve it. CLAIMABLE: the customer must still say where the money shall go.
 * FAILED, CANCELED, EXPIRED: the money is back where it came from.
 */
export type RefundState =
  | 'AWAITING_APPROVAL'
  | 'CLAIMABLE'
  | 'SENDING'
  | 'COMPLETED'
  | 'FAILED'
  | 'CANCELED'
  | 'EXPIRED';

/** Where a refund's units are in the books. */
export type RefundPlace = 'none' | 'reserved' | 'sent' | 'returned';

export const refundStates = statesByMove({
  column: 'refund.state',
  noun: 'refund',
  states: [
    'AWAITING_APPROVAL',
    'CLAIMABLE',
    'SENDING',
    'COMPLETED',
    'FAILED',
    'CANCELED',
    'EXPIRED',
  ] satisfies RefundState[],
  first: ['AWAITING_APPROVAL', 'CLAIMABLE', 'SENDING'],
  last: ['FAILED', 'CANCELED', 'EXPIRED'],
  moves: {
    /** It is approved, and the customer is asked where the money shall go. */
    offer: { AWAITING_APPROVAL: 'CLAIMABLE' },
    /** It is known where the money shall go. */
    send: { AWAITING_APPROVAL: 'SENDING', CLAIMABLE: 'SENDING' },
    complete: { SENDING: 'COMPLETED' },
    fail: { SENDING: 'FAILED' },
    /** A reorganisation undid what was sent, together with the payment that it gave back. */
    undo: { COMPLETED: 'FAILED' },
    /** It had arrived, and all of it came back. */
    comeBack: { COMPLETED: 'FAILED' },
    cancel: { AWAITING_APPROVAL: 'CANCELED', CLAIMABLE: 'CANCELED', SENDING: 'CANCELED' },
    expire: { CLAIMABLE: 'EXPIRED' },
  },
});

export const refundPlaces = derivedStates<RefundPlace>({
  column: 'refund.place',
  noun: 'refund in the books',
  first: ['none'],
  last: ['returned'],
  ways: {
    none: ['reserved'],
    reserved: ['sent', 'returned'],
    sent: ['returned'],
    returned: [],
  },
});
