/** Every state of a delivery, and every move between them. No other file decides this. */
import { statesByMove } from '../lib/state-table.ts';

export type DeliveryState = 'PENDING' | 'DELIVERED' | 'FAILED' | 'SUPERSEDED';

export const deliveryStates = statesByMove({
  column: 'delivery.state',
  noun: 'delivery',
  states: ['PENDING', 'DELIVERED', 'FAILED', 'SUPERSEDED'] satisfies DeliveryState[],
  first: ['PENDING', 'FAILED'], // FAILED at once: its URL had answered 410 before.
  last: ['DELIVERED', 'FAILED', 'SUPERSEDED'],
  moves: {
    deliver: { PENDING: 'DELIVERED' },
    retry: { PENDING: 'PENDING' },
    giveUp: { PENDING: 'FAILED' },
    /** A newer event of the same subject was sent before it. */
    supersede: { PENDING: 'SUPERSEDED' },
  },
});
