import assert from 'node:assert/strict';
import { test } from 'node:test';
import { headOf, movesOf } from '../../test/moves-of.ts';
import { venueOrderStates } from './venue-order-state.ts';

test('an order at a venue ends once', () => {
  assert.equal(headOf(venueOrderStates), 'venue order (venue_order.state): from PENDING to DONE, FAILED');
  assert.deepEqual(Object.keys(venueOrderStates.ways), ['PENDING', 'DONE', 'FAILED']);
  assert.deepEqual(movesOf(venueOrderStates), { complete: 'PENDING → DONE', fail: 'PENDING → FAILED' });
});
