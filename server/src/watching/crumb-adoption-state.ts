/** Every state of an adoption that small payments are the operator's own, and every move between them. */
import { statesByMove } from '../lib/state-table.ts';

export type CrumbAdoptionState = 'AWAITING_APPROVAL' | 'APPROVED' | 'REFUSED';

export const crumbAdoptionStates = statesByMove({
  column: 'crumb_adoption.state',
  noun: 'adoption of small payments',
  states: ['AWAITING_APPROVAL', 'APPROVED', 'REFUSED'] satisfies CrumbAdoptionState[],
  first: ['AWAITING_APPROVAL', 'APPROVED'],
  last: ['APPROVED', 'REFUSED'],
  moves: {
    approve: { AWAITING_APPROVAL: 'APPROVED' },
    refuse: { AWAITING_APPROVAL: 'REFUSED' },
  },
});
