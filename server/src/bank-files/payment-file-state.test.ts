import assert from 'node:assert/strict';
import { test } from 'node:test';
import { headOf, movesOf } from '../../test/moves-of.ts';
import { fileFate, orderState, paymentFileStates } from './payment-file-state.ts';

test('a payment file has these moves: what was downloaded is void only by a declaration', () => {
  assert.equal(headOf(paymentFileStates), 'payment file (payment_file.state): from MADE to VOID_DECLARED, VOID');
  assert.deepEqual(movesOf(paymentFileStates), {
    download: 'MADE → DOWNLOADED, DOWNLOADED → DOWNLOADED',
    void: 'MADE → VOID',
    declareVoid: 'DOWNLOADED → VOID_DECLARED',
  });
});

test('what an order is for people follows from its file and its transaction', () => {
  const of = (file: Parameters<typeof orderState>[0], state: 'OPEN' | 'INCLUDED' | 'DONE' | 'FAILED' | 'EXPIRED') =>
    orderState(file, { state, isReturned: false });
  assert.deepEqual(
    [of('MADE', 'OPEN'), of('DOWNLOADED', 'OPEN'), of('VOID_DECLARED', 'OPEN')],
    ['IN_FILE', 'DOWNLOADED', 'DOWNLOADED'],
  );
  assert.deepEqual(
    [of('DOWNLOADED', 'INCLUDED'), of('DOWNLOADED', 'DONE'), of('DOWNLOADED', 'FAILED'), of('VOID', 'EXPIRED')],
    ['BOOKED', 'SETTLED', 'REJECTED', 'VOID'],
  );
  assert.equal(orderState('VOID', { state: 'REPLACED', isReturned: false }), 'VOID');
  for (const state of ['INCLUDED', 'FAILED'] as const)
    assert.equal(orderState('DOWNLOADED', { state, isReturned: true }), 'RETURNED');
});

test('a file is as far as the least of its orders', () => {
  assert.equal(fileFate('DOWNLOADED', { DOWNLOADED: 1, SETTLED: 8 }), 'DOWNLOADED');
  assert.equal(fileFate('VOID_DECLARED', { DOWNLOADED: 1, BOOKED: 1 }), 'VOID_DECLARED');
  assert.equal(fileFate('VOID_DECLARED', { VOID: 1, BOOKED: 1 }), 'BOOKED', 'it was handed over after all');
  assert.equal(fileFate('VOID_DECLARED', { VOID: 2 }), 'VOID');
  assert.equal(fileFate('VOID', { VOID: 2 }), 'VOID');
  assert.equal(fileFate('MADE', { IN_FILE: 1, BOOKED: 1 }), 'MADE');
  assert.equal(fileFate('DOWNLOADED', { SETTLED: 1, REJECTED: 1, RETURNED: 1 }), 'CLOSED');
  for (const decided of ['SETTLED', 'REJECTED', 'RETURNED'] as const)
    assert.equal(fileFate('DOWNLOADED', { [decided]: 1, VOID: 1 }), 'CLOSED', decided);
});
