import assert from 'node:assert/strict';
import { test } from 'node:test';
import { headOf, movesOf } from '../../test/moves-of.ts';
import { isAlive, isConfirmed, type PaymentState, paymentPlaces, paymentStates } from './payment-state.ts';

const states: readonly PaymentState[] = ['SEEN', 'CONFIRMED', 'FINAL', 'REPLACED', 'DROPPED', 'REVERSED'];

test('a payment is alive until it was replaced, dropped or taken back', () => {
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

test('a payment has these moves: what is final stays so or is taken back for good, and nothing is credited that was not confirmed', () => {
  assert.equal(headOf(paymentStates), 'payment (payment.state): from SEEN, FINAL to REVERSED');
  assert.deepEqual(Object.keys(paymentStates.ways), states);
  assert.deepEqual(movesOf(paymentStates), {
    confirm: 'SEEN → CONFIRMED',
    finalize: 'CONFIRMED → FINAL',
    count: 'SEEN → FINAL, CONFIRMED → FINAL, FINAL → FINAL',
    unconfirm: 'SEEN → SEEN, CONFIRMED → SEEN',
    drop: 'SEEN → DROPPED',
    replace: 'SEEN → REPLACED',
    return: 'REPLACED → SEEN, DROPPED → SEEN',
    reverse: 'SEEN → REVERSED, CONFIRMED → REVERSED, FINAL → REVERSED',
  });
});

test('units in suspense are credited or vanish, and are never pending again', () => {
  assert.equal(headOf(paymentPlaces), 'payment in the books (payment.place): from none to ');
  assert.deepEqual(paymentPlaces.ways, {
    none: ['pending', 'suspense', 'settled'],
    pending: ['none', 'suspense', 'settled'],
    suspense: ['none', 'settled'],
    settled: ['none', 'pending', 'suspense'],
  });
});
