import assert from 'node:assert/strict';
import { test } from 'node:test';
import { NetworkError } from '../port/connector.ts';
import { unitsOfAmount } from './stellar-amount.ts';

test('seven decimals are read to the unit', () => {
  const amounts = ['0', '0.0000001', '1', '1.0000000', '922337203685.4775807'];
  assert.deepEqual(amounts.map(unitsOfAmount), [0n, 1n, 10_000_000n, 10_000_000n, 2n ** 63n - 1n]);
});

test('what the ledger cannot have is not rounded to what it can', () => {
  for (const amount of ['0.00000001', '1.00000005', '-1', '', 'NaN', '1,5'])
    assert.throws(() => unitsOfAmount(amount), NetworkError, amount);
});
