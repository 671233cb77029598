/** Every state of an order at a venue, and every move between them. No other file decides this. */
import { statesByMove } from '../lib/state-table.ts';

export type VenueOrderState = 'PENDING' | 'DONE' | 'FAILED';

export const venueOrderStates = statesByMove({
  column: 'venue_order.state',
  noun: 'venue order',
  states: ['PENDING', 'DONE', 'FAILED'] satisfies VenueOrderState[],
  first: ['PENDING'],
  last: ['DONE', 'FAILED'],
  moves: {
    complete: { PENDING: 'DONE' },
    fail: { PENDING: 'FAILED' },
  },
});
