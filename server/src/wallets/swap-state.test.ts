import assert from 'node:assert/strict';
import { test } from 'node:test';
import { headOf, movesOf } from '../../test/moves-of.ts';
import { swapStates } from './swap-state.ts';

test('a swap ends once', () => {
  assert.equal(headOf(swapStates), 'swap (swap.state): from PROCESSING, COMPLETED to COMPLETED, FAILED');
  assert.deepEqual(Object.keys(swapStates.ways), ['PROCESSING', 'COMPLETED', 'FAILED']);
  assert.deepEqual(movesOf(swapStates), { complete: 'PROCESSING → COMPLETED', fail: 'PROCESSING → FAILED' });
});
