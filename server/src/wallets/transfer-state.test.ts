import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import {
  openingState,
  shownTransferState,
  type TransferMove,
  type TransferState,
  transferStates,
} from './transfer-state.ts';

const states = Object.keys(transferStates.ways) as TransferState[];
const moves: TransferMove[] = ['wait', 'queue', 'complete', 'comeBack', 'comeBackInPart', 'fail', 'cancel'];
const now = new Date('2026-01-01T00:00:00Z');
const later = new Date('2026-01-01T01:00:00Z');

test('a transfer begins with approval, then with waiting, and else in the queue', () => {
  assert.equal(openingState({ needsApproval: true, usableFrom: later, now }), 'AWAITING_APPROVAL');
  assert.equal(openingState({ needsApproval: false, usableFrom: later, now }), 'WAITING');
  assert.equal(openingState({ needsApproval: false, usableFrom: now, now }), 'QUEUED');
});

test('every state is reachable, and what has ended stays as it is, unless it comes back', () => {
  const reached = new Set<TransferState>(['AWAITING_APPROVAL']);
  for (const state of reached) for (const next of transferStates.ways[state]) reached.add(next);
  assert.deepEqual([...reached].sort(), states.toSorted());
  for (const ended of ['FAILED', 'CANCELED'] as const)
    for (const move of moves) assert.throws(() => transferStates.moved(ended, move), /cannot/);
});

test('every state has these ways out, and no others', () => {
  const ways = (state: TransferState) =>
    moves.flatMap((move) => (!transferStates.can(state, move) ? [] : `${move} → ${transferStates.moved(state, move)}`));
  const untilQueued = ['wait → WAITING', 'queue → QUEUED', 'fail → FAILED', 'cancel → CANCELED'];
  assert.deepEqual(ways('AWAITING_APPROVAL'), untilQueued);
  assert.deepEqual(ways('WAITING'), untilQueued);
  assert.deepEqual(ways('QUEUED'), ['complete → COMPLETED', 'fail → FAILED', 'cancel → CANCELED']);
  assert.deepEqual(ways('COMPLETED'), ['comeBack → FAILED', 'comeBackInPart → COMPLETED']);
});

test('clients see SENT only while a queued transfer is signed', () => {
  for (const state of states) {
    assert.equal(shownTransferState(state, false), state);
    assert.equal(shownTransferState(state, true), state === 'QUEUED' ? 'SENT' : state);
  }
});

/** Whatever is tried in whatever order: what is not allowed throws and changes nothing. */
test('in no history is money sent twice, lost, or sent without having been queued', () => {
  fc.assert(
    fc.property(
      fc.record({ needsApproval: fc.boolean(), isNew: fc.boolean() }),
      fc.array(fc.constantFrom(...moves), { maxLength: 30 }),
      ({ needsApproval, isNew }, tried) => {
        let state: TransferState = openingState({ needsApproval, usableFrom: isNew ? later : now, now });
        const books = { available: 0, reserved: 1, gone: 0 };
        let asked = state === 'QUEUED' ? 1 : 0;
        for (const move of tried) {
          let next: TransferState;
          try {
            next = transferStates.moved(state, move);
          } catch {
            continue;
          }
          if (move === 'queue') asked += 1;
          if (move === 'complete') {
            assert.equal(asked, 1, 'only what was asked of sending can be completed');
            books.gone += books.reserved;
            books.reserved = 0;
          }
          if (move === 'comeBack') {
            books.available += books.gone;
            books.gone = 0;
          }
          if (move === 'fail' || move === 'cancel') {
            books.available += books.reserved;
            books.reserved = 0;
          }
          state = next;
          assert.ok(asked <= 1, 'sending is asked once');
          assert.equal(books.available + books.reserved + books.gone, 1);
          assert.equal(books.gone === 1, state === 'COMPLETED');
          assert.equal(books.available === 1, state === 'FAILED' || state === 'CANCELED');
        }
      },
    ),
  );
});
