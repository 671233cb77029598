/** Every state of a withdrawal of the operator's own money, and every move between them. What was sent, the payout says. */
import { statesByMove } from '../lib/state-table.ts';

export type WithdrawalState = 'AWAITING_APPROVAL' | 'APPROVED' | 'REFUSED';

export const withdrawalStates = statesByMove({
  column: 'withdrawal.state',
  noun: 'withdrawal',
  states: ['AWAITING_APPROVAL', 'APPROVED', 'REFUSED'] satisfies WithdrawalState[],
  first: ['AWAITING_APPROVAL', 'APPROVED'],
  last: ['APPROVED', 'REFUSED'],
  moves: {
    approve: { AWAITING_APPROVAL: 'APPROVED' },
    refuse: { AWAITING_APPROVAL: 'REFUSED' },
  },
});
