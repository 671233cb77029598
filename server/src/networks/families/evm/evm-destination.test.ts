import assert from 'node:assert/strict';
import { test } from 'node:test';
import { evmAddressProblem } from './evm-destination.ts';

const address = '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266';
const token = '0xdAC17F958D2ee523a2206206994597C13D831ec7';
const problem = (given: string, memo: string | null = null) =>
  evmAddressProblem(
    { address: given, memo, memoType: memo === null ? null : 'text' },
    {
      networkName: 'Ethereum',
      ownAddress: null,
      contracts: [token],
    },
  );

test('an address is taken with its checksum, or in one case, where nothing can be checked', () => {
  for (const right of [address, address.toLowerCase(), `0x${address.slice(2).toUpperCase()}`]) {
    assert.equal(problem(right), null, right);
  }
});

test('what is wrong with an address is said in a sentence', () => {
  assert.match(problem(address.replace('9F', '9f')) ?? '', /mistyped\.$/);
  assert.match(problem(`${address}0`) ?? '', /40 digits/);
  assert.match(problem('vitalik.eth') ?? '', /40 digits/);
  assert.match(problem(` ${address}`) ?? '', /40 digits/);
  assert.match(problem(`0x${'0'.repeat(40)}`) ?? '', /nobody/);
  assert.match(problem(token) ?? '', /token itself/);
  assert.match(problem(token.toLowerCase()) ?? '', /token itself/);
  assert.match(problem(address, 'hello') ?? '', /no memos/);
});
