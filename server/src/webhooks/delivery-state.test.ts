import assert from 'node:assert/strict';
import { test } from 'node:test';
import { headOf, movesOf } from '../../test/moves-of.ts';
import { deliveryStates } from './delivery-state.ts';

test('a delivery is tried again only while it is pending', () => {
  assert.equal(
    headOf(deliveryStates),
    'delivery (delivery.state): from PENDING, FAILED to DELIVERED, FAILED, SUPERSEDED',
  );
  assert.deepEqual(Object.keys(deliveryStates.ways), ['PENDING', 'DELIVERED', 'FAILED', 'SUPERSEDED']);
  assert.deepEqual(movesOf(deliveryStates), {
    deliver: 'PENDING → DELIVERED',
    retry: 'PENDING → PENDING',
    giveUp: 'PENDING → FAILED',
    supersede: 'PENDING → SUPERSEDED',
  });
});
