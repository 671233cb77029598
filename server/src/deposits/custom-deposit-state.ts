/**
 * Every state of a custom deposit and every move between them, and likewise what the merchant was told about a payment
 * to one. Both are derived from the payments; these tables only check whether a change is legal.
 */
import { derivedStates } from '../lib/state-table.ts';

export type DepositState = 'CREATED' | 'PENDING' | 'COMPLETED';

/** COMPLETED: all that arrived is credited, until something else arrives. A reorganisation may take all of it away. */
export const depositStates = derivedStates<DepositState>({
  column: 'deposit.state',
  noun: 'deposit',
  first: ['CREATED'],
  last: [],
  ways: {
    CREATED: ['PENDING', 'COMPLETED'],
    PENDING: ['COMPLETED', 'CREATED'],
    COMPLETED: ['PENDING', 'CREATED'],
  },
});

export type AnnouncedDeposit = 'PENDING' | 'COMPLETED' | 'REVERSED';

export const announcedDeposits = derivedStates<AnnouncedDeposit>({
  column: 'deposit_credit.announced',
  noun: 'payment to a deposit',
  first: ['PENDING', 'COMPLETED'],
  last: [],
  ways: {
    PENDING: ['COMPLETED'],
    COMPLETED: ['REVERSED'],
    REVERSED: ['COMPLETED'],
  },
});
