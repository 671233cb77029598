import assert from 'node:assert/strict';
import { test } from 'node:test';
import { headOf } from '../../test/moves-of.ts';
import { announcedDeposits, depositStates } from './custom-deposit-state.ts';

test('a deposit is paid, credited, and whatever its payments make of it', () => {
  assert.equal(headOf(depositStates), 'deposit (deposit.state): from CREATED to ');
  assert.deepEqual(depositStates.ways, {
    CREATED: ['PENDING', 'COMPLETED'],
    PENDING: ['COMPLETED', 'CREATED'],
    COMPLETED: ['PENDING', 'CREATED'],
  });
});

test('a merchant is told of a reversal only after a credit, and never again that a payment is pending', () => {
  assert.equal(
    headOf(announcedDeposits),
    'payment to a deposit (deposit_credit.announced): from PENDING, COMPLETED to ',
  );
  assert.deepEqual(announcedDeposits.ways, {
    PENDING: ['COMPLETED'],
    COMPLETED: ['REVERSED'],
    REVERSED: ['COMPLETED'],
  });
});
