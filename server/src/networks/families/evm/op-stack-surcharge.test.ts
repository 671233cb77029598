import assert from 'node:assert/strict';
import { test } from 'node:test';
import { NetworkError } from '../../port/connector.ts';
import { EvmRefusal, type EvmRpc } from './evm-rpc.ts';
import { opStackSurcharge } from './op-stack-surcharge.ts';

const receipt = { gasUsed: '0x5208', effectiveGasPrice: '0x3b9aca00' } as const;

test('a receipt tells the fee of the chain below, and what the operator fee is computed from', () => {
  const paid = (more: Record<string, unknown>) => opStackSurcharge.paid({ ...receipt, l1Fee: '0x64', ...more });
  assert.equal(paid({}), 100n);
  const fee = { operatorFeeScalar: '0x2710', operatorFeeConstant: '0x7' }; // 10,000 and 7
  assert.equal(paid(fee), 100n + 210n + 7n, 'Isthmus: a millionth of the scalar per gas');
  assert.equal(paid({ ...fee, operatorFeeScalar: '0x2711' }), 100n + 210n + 7n, 'rounded down');
  assert.equal(paid({ ...fee, daFootprintGasScalar: '0x190' }), 100n + 21_000_000_000n + 7n, 'Jovian: a hundredfold');
  assert.equal(paid({ ...fee, daFootprintGasScalar: null }), 100n + 210n + 7n);
});

test('a receipt without that fee is not believed to have cost nothing', () => {
  assert.throws(
    () => opStackSurcharge.paid(receipt),
    (error) => error instanceof NetworkError && !error.isRetryable && /l1Fee/.test(error.message),
  );
});

/** An oracle. `answers`: by the first four bytes of a call, the answer for an argument. */
function oracle(answers: Readonly<Record<string, (of: bigint) => bigint>>): EvmRpc {
  return {
    async call<Result>(method: string, ...params: readonly unknown[]): Promise<Result> {
      const { data } = params[0] as { data: `0x${string}` };
      const answer = answers[data.slice(0, 10)];
      if (!answer) throw new EvmRefusal(method, 3, 'execution reverted');
      return `0x${answer(BigInt(`0x${data.slice(10)}`)).toString(16)}` as Result;
    },
  };
}

const upperBound = '0xf1c7a58b'; // getL1FeeUpperBound(uint256)
const operatorFee = '0x275aedd2'; // getOperatorFee(uint256)

test('there is more to spare the longer it may take, and of the part that moves alone', async () => {
  const surchargeOf = await opStackSurcharge.now(
    oracle({ [upperBound]: (size) => size * 1_000n, [operatorFee]: (gas) => 5n + (gas * 3n) / 2n }),
  );
  assert.deepEqual(surchargeOf('coin', 21_000n), {
    expected: 80_000n + 31_505n,
    least: 90_000n + 31_505n,
    quoted: 100_000n + 31_505n,
    max: 160_000n + 31_505n,
  });
  assert.equal(surchargeOf('token', 21_000n).expected, 148_000n + 31_505n, 'a token takes 68 bytes more');
});

test('a chain that knows no operator fee has none, and an oracle that fails is not taken for free', async () => {
  const surchargeOf = await opStackSurcharge.now(oracle({ [upperBound]: () => 8n }));
  assert.equal(surchargeOf('coin', 21_000n).expected, 8n);
  await assert.rejects(opStackSurcharge.now(oracle({ [operatorFee]: () => 0n })), EvmRefusal);
});
