import assert from 'node:assert/strict';
import { test } from 'node:test';
import { gasPriceNow, gwei, revertReason } from './evm-gas.ts';
import { EvmRefusal, type EvmRpc } from './evm-rpc.ts';
import { noSurcharge } from './evm-surcharge.ts';

const reasonIn = (code: number, words: string) => revertReason(new EvmRefusal('eth_call', code, words));

test('what a contract says when it undoes a call is the reason, in the words of any node', () => {
  assert.equal(reasonIn(3, 'execution reverted: account is frozen'), 'account is frozen');
  assert.equal(
    reasonIn(-32603, "VM Exception while processing transaction: reverted with reason string 'account is frozen'"),
    'account is frozen',
  );
  assert.equal(reasonIn(-32015, 'VM execution error.'), 'VM execution error');
});

test('code that breaks is a reason too, whatever the node calls it', () => {
  for (const [code, words] of [
    [-32000, 'invalid opcode: INVALID'], // Geth, Erigon
    [-32000, 'invalid jump destination'],
    [-32000, 'stack underflow (0 <=> 1)'],
    [-32000, 'stack limit reached 1024 (1023)'],
    [-32000, 'out of gas'],
    [-32000, 'gas required exceeds allowance (200000)'],
    [-32003, 'EVM error: InvalidFEOpcode'], // Reth
    [-32603, 'EVM error InvalidFEOpcode'], // Anvil
    [-32015, 'BadInstruction'], // Nethermind
    [-32000, 'Transaction ran out of gas'], // EDR
    [-32603, 'Transaction processing could not be completed due to an exception (INVALID_OPERATION)'], // Besu
  ] as const)
    assert.notEqual(reasonIn(code, words), null, words);
});

test('a node that cannot answer says nothing about the call', () => {
  for (const [code, words] of [
    [-32005, 'limit exceeded'],
    [429, 'Your app has exceeded its compute units per second capacity'],
    [-32603, 'Internal error'],
    [-32000, 'header not found'],
    [-32000, 'missing trie node 5af3 (path )'],
    [-32000, 'insufficient funds for gas * price + value: have 1 want 2'],
    [-32000, 'execution aborted (timeout = 5s)'],
  ] as const)
    assert.equal(reasonIn(code, words), null, words);
  assert.equal(revertReason(new Error('out of gas')), null);
});

test('where the node has no opinion the tip is a gwei at most, and no more than the gas costs', async () => {
  const tipAt = async (base: bigint): Promise<bigint> => {
    const rpc: EvmRpc = {
      async call<Result>(method: string): Promise<Result> {
        if (method === 'eth_maxPriorityFeePerGas') throw new EvmRefusal(method, -32601, 'the method does not exist');
        return { baseFeePerGas: `0x${base.toString(16)}` } as Result;
      },
    };
    return (await gasPriceNow({ rpc, feeCeiling: 100n * gwei, surcharge: noSurcharge })).maxPriorityFeePerGas;
  };
  assert.deepEqual([await tipAt(20n * gwei), await tipAt(gwei / 200n), await tipAt(0n)], [gwei, gwei / 200n, 1n]);
});
