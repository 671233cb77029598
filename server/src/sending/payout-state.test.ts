import assert from 'node:assert/strict';
import { test } from 'node:test';
import { headOf, movesOf } from '../../test/moves-of.ts';
import { moveWhenEnded, moveWhenRefused, payoutStates } from './payout-state.ts';

test('a payout has these moves: what is signed goes back only with a transaction that cannot happen', () => {
  assert.equal(headOf(payoutStates), 'payout (outgoing_transfer.state): from QUEUED to FAILED');
  assert.deepEqual(Object.keys(payoutStates.ways), ['QUEUED', 'SIGNED', 'DONE', 'FAILED']);
  assert.deepEqual(movesOf(payoutStates), {
    sign: 'QUEUED → SIGNED',
    signAgain: 'SIGNED → SIGNED, DONE → DONE',
    complete: 'SIGNED → DONE',
    fail: 'SIGNED → FAILED',
    withdraw: 'QUEUED → FAILED',
    refuse: 'QUEUED → FAILED',
    holdBack: 'QUEUED → QUEUED',
    requeue: 'SIGNED → QUEUED, DONE → QUEUED',
  });
});

test('what was announced as sent is held back, and does not fail', () => {
  assert.deepEqual([moveWhenRefused(true), moveWhenRefused(false)], ['holdBack', 'refuse']);
  assert.deepEqual([moveWhenEnded(null), moveWhenEnded('no effect')], ['complete', 'fail']);
});
