/** Every state of a swap, and every move between them. No other file decides this. */
import type { SwapState } from '@quittance/contract/swap';
import { statesByMove } from '../lib/state-table.ts';

export const swapStates = statesByMove({
  column: 'swap.state',
  noun: 'swap',
  states: ['PROCESSING', 'COMPLETED', 'FAILED'] satisfies SwapState[],
  first: ['PROCESSING', 'COMPLETED'], // What the treasury has is credited at once.
  last: ['COMPLETED', 'FAILED'],
  moves: {
    complete: { PROCESSING: 'COMPLETED' },
    fail: { PROCESSING: 'FAILED' },
  },
});
