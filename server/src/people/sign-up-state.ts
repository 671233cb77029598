/** Every state of a request for an account of one's own, and every move between them. */
import { statesByMove } from '../lib/state-table.ts';

/** `ASKED`: the e-mail address is not proven yet. `WAITING`: for the operator. */
export type SignUpState = 'ASKED' | 'WAITING' | 'APPROVED' | 'REFUSED';

export const signUpStates = statesByMove({
  column: 'sign_up.state',
  noun: 'sign-up',
  states: ['ASKED', 'WAITING', 'APPROVED', 'REFUSED'] satisfies SignUpState[],
  first: ['ASKED'],
  last: ['APPROVED', 'REFUSED'],
  moves: {
    prove: { ASKED: 'WAITING' },
    approve: { WAITING: 'APPROVED' },
    refuse: { WAITING: 'REFUSED' },
  },
});
