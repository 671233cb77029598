import assert from 'node:assert/strict';
import { test } from 'node:test';
import { areBalancesDue } from './compare-balances.ts';
import type { EvmCursor } from './evm-cursor.ts';

const at = (height: number, balancesAt: string): EvmCursor => ({
  height,
  hash: `block ${height}`,
  time: 0,
  recent: Array.from({ length: 10 }, (_, back) => [height - 9 + back, `block ${height - 9 + back}`] as const),
  balancesAt,
  balancesAfter: '',
  balancesRound: 0,
});

test('balances are compared once per block where blocks take long, and every so many where they do not', () => {
  assert.equal(areBalancesDue(at(20, 'block 20'), 1), false);
  assert.equal(areBalancesDue(at(20, 'block 19'), 1), true);
  assert.equal(areBalancesDue(at(20, 'block 15'), 6), false);
  assert.equal(areBalancesDue(at(20, 'block 14'), 6), true);
});

test('they are compared at once when they never were, or at a block that was given up', () => {
  assert.equal(areBalancesDue(at(20, ''), 6), true);
  assert.equal(areBalancesDue(at(20, 'another block 19'), 6), true);
});
