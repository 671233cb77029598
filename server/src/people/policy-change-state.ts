/** Every state of a change that needs a second person, and every move between them. */
import { statesByMove } from '../lib/state-table.ts';

export type PolicyChangeState = 'WAITING' | 'APPROVED' | 'REFUSED' | 'WITHDRAWN';

export const policyChangeStates = statesByMove({
  column: 'policy_change.state',
  noun: 'policy change',
  states: ['WAITING', 'APPROVED', 'REFUSED', 'WITHDRAWN'] satisfies PolicyChangeState[],
  first: ['WAITING'],
  last: ['APPROVED', 'REFUSED', 'WITHDRAWN'],
  moves: {
    approve: { WAITING: 'APPROVED' },
    refuse: { WAITING: 'REFUSED' },
    withdraw: { WAITING: 'WITHDRAWN' },
  },
});

export type PolicyChangeMove = keyof typeof policyChangeStates.moves;
