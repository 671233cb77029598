/** Blocks of a rollup, as op-geth writes them: a deposit from the chain below is a special type of transaction. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ObserveContext } from '../../port/receiving.ts';
import type { RpcBlock, RpcTransaction } from './evm-block.ts';
import { replacedBy } from './evm-fate.ts';
import type { EvmRpc } from './evm-rpc.ts';
import { readEvmBlock } from './read-evm-block.ts';

const target = `0x${'ab'.repeat(20)}`;
const sender = `0x${'cd'.repeat(20)}`;
const placed = { blockHash: '0xb1', blockNumber: '0x10', gas: '0xf4240', input: '0x' } as const;

/** The first transaction of every block: it says what the chain below costs. */
const attributes = {
  ...placed,
  type: '0x7e',
  hash: '0x01',
  sourceHash: `0x${'11'.repeat(32)}`,
  from: '0xdeaddeaddeaddeaddeaddeaddeaddeaddead0001',
  to: '0x4200000000000000000000000000000000000015',
  value: '0x0',
  mint: '0x0',
  isSystemTx: false,
  nonce: '0x1a2b',
} as const;

/** Ether that somebody sent to one of our addresses from Ethereum. */
const deposit = {
  ...placed,
  type: '0x7e',
  hash: '0x02',
  sourceHash: `0x${'22'.repeat(32)}`,
  from: sender,
  to: target,
  value: '0x64',
  mint: '0x64',
} as const;

const blockOf = (...transactions: RpcTransaction[]): RpcBlock => ({
  hash: '0xb1',
  number: '0x10',
  parentHash: '0xb0',
  timestamp: '0x65000000',
  transactions,
});

async function read(block: RpcBlock, status: string) {
  const rpc: EvmRpc = { call: async <Result>() => ({ status, blockHash: block.hash }) as Result };
  const knownTargets = async (keys: readonly string[]) => new Set(keys.filter((key) => key === target));
  const context = { knownTargets } as unknown as ObserveContext;
  return readEvmBlock(rpc, block, [], context, (contract) => (contract === null ? 'ETH' : undefined));
}

test('ether that comes from the chain below is a payment like any other', async () => {
  const found = await read(blockOf(attributes, deposit), '0x1');
  assert.deepEqual(
    found?.observations.map(({ targetKey, txHash, units, assetCode }) => [targetKey, txHash, units, assetCode]),
    [[target, '0x02', 100n, 'ETH']],
  );
});

test('a deposit that failed on the rollup has brought nothing to its address', async () => {
  assert.deepEqual((await read(blockOf(attributes, deposit), '0x0'))?.observations, []);
});

test('a transaction without a number takes the place of no other', () => {
  const waiting = [{ txHash: '0x09', from: sender, nonce: 0 }];
  assert.deepEqual(replacedBy(waiting, [deposit]), []);
  assert.deepEqual(replacedBy([{ txHash: '0x09', from: sender, nonce: -1 }], [deposit]), [], 'nor of its like');
  assert.deepEqual(replacedBy(waiting, [{ ...deposit, nonce: '0x0' }]), [{ txHash: '0x09', replacedBy: '0x02' }]);
});
