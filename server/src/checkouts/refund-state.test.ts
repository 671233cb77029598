import assert from 'node:assert/strict';
import { test } from 'node:test';
import { headOf, movesOf } from '../../test/moves-of.ts';
import { refundPlaces, refundStates } from './refund-state.ts';

test('a refund has these moves: nothing is sent before it is approved and its destination known', () => {
  assert.equal(
    headOf(refundStates),
    'refund (refund.state): from AWAITING_APPROVAL, CLAIMABLE, SENDING to FAILED, CANCELED, EXPIRED',
  );
  const states = ['AWAITING_APPROVAL', 'CLAIMABLE', 'SENDING', 'COMPLETED', 'FAILED', 'CANCELED', 'EXPIRED'];
  assert.deepEqual(Object.keys(refundStates.ways), states);
  assert.deepEqual(movesOf(refundStates), {
    offer: 'AWAITING_APPROVAL → CLAIMABLE',
    send: 'AWAITING_APPROVAL → SENDING, CLAIMABLE → SENDING',
    complete: 'SENDING → COMPLETED',
    fail: 'SENDING → FAILED',
    undo: 'COMPLETED → FAILED',
    comeBack: 'COMPLETED → FAILED',
    cancel: 'AWAITING_APPROVAL → CANCELED, CLAIMABLE → CANCELED, SENDING → CANCELED',
    expire: 'CLAIMABLE → EXPIRED',
  });
});

test('what was set aside for a refund is sent or returned, and what was returned stays so', () => {
  assert.equal(headOf(refundPlaces), 'refund in the books (refund.place): from none to returned');
  const ways = { none: ['reserved'], reserved: ['sent', 'returned'], sent: ['returned'], returned: [] };
  assert.deepEqual(refundPlaces.ways, ways);
});
