/** Every state of an order to send back what nobody asked for, and every move between them. What was sent, the payout says. */
import { statesByMove } from '../lib/state-table.ts';

export type UnmatchedReturnState = 'AWAITING_APPROVAL' | 'APPROVED' | 'REFUSED';

export const unmatchedReturnStates = statesByMove({
  column: 'unmatched_return.state',
  noun: 'return',
  states: ['AWAITING_APPROVAL', 'APPROVED', 'REFUSED'] satisfies UnmatchedReturnState[],
  first: ['AWAITING_APPROVAL', 'APPROVED'],
  last: ['APPROVED', 'REFUSED'],
  moves: {
    approve: { AWAITING_APPROVAL: 'APPROVED' },
    refuse: { AWAITING_APPROVAL: 'REFUSED' },
  },
});
