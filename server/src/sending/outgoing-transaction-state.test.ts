import assert from 'node:assert/strict';
import { test } from 'node:test';
import { headOf, movesOf } from '../../test/moves-of.ts';
import {
  moveWhenDeep,
  moveWhenImpossible,
  moveWhenRebooked,
  outgoingTransactionStates,
} from './outgoing-transaction-state.ts';

test('a transaction of our own has these moves: what is booked stays so without its block, until another one happens', () => {
  assert.equal(
    headOf(outgoingTransactionStates),
    'transaction (outgoing_transaction.state): from OPEN to FAILED, EXPIRED, REPLACED',
  );
  const states = ['OPEN', 'INCLUDED', 'DONE', 'FAILED', 'EXPIRED', 'REPLACED'];
  assert.deepEqual(Object.keys(outgoingTransactionStates.ways), states);
  assert.deepEqual(movesOf(outgoingTransactionStates), {
    include: 'OPEN → INCLUDED, INCLUDED → INCLUDED, DONE → DONE',
    loseBlock: 'INCLUDED → OPEN, DONE → DONE',
    complete: 'INCLUDED → DONE',
    failInBlock: 'INCLUDED → FAILED',
    fail: 'OPEN → FAILED',
    expire: 'OPEN → EXPIRED, DONE → EXPIRED',
    replace: 'OPEN → REPLACED',
    giveWay: 'DONE → OPEN',
    rebook: 'INCLUDED → DONE, DONE → DONE',
    unbook: 'INCLUDED → INCLUDED, DONE → INCLUDED',
  });
});

test('what had no effect fails, and is not booked', () => {
  const [worked, failed] = [{ failure: null }, { failure: 'no effect' }];
  assert.deepEqual([moveWhenDeep(worked), moveWhenDeep(failed)], ['complete', 'failInBlock']);
  assert.deepEqual([moveWhenRebooked(worked), moveWhenRebooked(failed)], ['rebook', 'unbook']);
  assert.deepEqual([moveWhenImpossible(true), moveWhenImpossible(false)], ['expire', 'fail']);
});
