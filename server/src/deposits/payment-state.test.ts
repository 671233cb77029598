import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isAlive, isConfirmed, type PaymentState } from './payment-state.ts';

const states: readonly PaymentState[] = ['SEEN', 'CONFIRMED', 'FINAL', 'REPLACED', 'DROPPED'];

test('a payment is alive until it was replaced or dropped', () => {
  assert.deepEqual(
    states.filter((state) => isAlive({ state })),
    ['SEEN', 'CONFIRMED', 'FINAL'],
  );
});

test('only what is confirmed or final counts as confirmed', () => {
  assert.deepEqual(
    states.filter((state) => isConfirmed({ state })),
    ['CONFIRMED', 'FINAL'],
  );
});
