import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readDestination } from './refund-claim-routes.ts';

for (const [memo, memoType] of [
  ['', null],
  ['0', 'id'],
  ['4711', 'id'],
  ['18446744073709551615', 'id'],
  ['18446744073709551616', 'text'],
  ['0042', 'text'],
  ['order 42', 'text'],
] as const)
  test(`the memo "${memo}" is ${memoType === null ? 'none' : `of type ${memoType}`}`, () => {
    const read = readDestination(new URLSearchParams({ address: ' there ', memo }));
    assert.deepEqual(read, { address: 'there', memo: memo === '' ? null : memo, memoType, holder: null });
  });
