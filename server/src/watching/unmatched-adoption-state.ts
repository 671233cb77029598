/** Every state of an adoption that what nobody asked for is the operator's own, and every move between them. */
import { statesByMove } from '../lib/state-table.ts';

export type UnmatchedAdoptionState = 'AWAITING_APPROVAL' | 'APPROVED' | 'REFUSED';

export const unmatchedAdoptionStates = statesByMove({
  column: 'unmatched_adoption.state',
  noun: 'adoption',
  states: ['AWAITING_APPROVAL', 'APPROVED', 'REFUSED'] satisfies UnmatchedAdoptionState[],
  first: ['AWAITING_APPROVAL', 'APPROVED'],
  last: ['APPROVED', 'REFUSED'],
  moves: {
    approve: { AWAITING_APPROVAL: 'APPROVED' },
    refuse: { AWAITING_APPROVAL: 'REFUSED' },
  },
});
