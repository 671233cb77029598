/**
 * The surcharge of rollups that are built like Optimism: the L1 data fee by the formula of Fjord, and the operator fee of
 * Isthmus and Jovian, which most chains leave at zero. The chain's own oracle says what they are now.
 */
import { encodeFunctionData, hexToBigInt, parseAbi } from 'viem';
import { NetworkError } from '../../port/connector.ts';
import { revertReason } from './evm-gas.ts';
import type { EvmRpc } from './evm-rpc.ts';
import type { ChargedReceipt, SurchargeRules } from './evm-surcharge.ts';

/** A predeployed contract: it has the same address on every such chain. */
const gasPriceOracle = '0x420000000000000000000000000000000000000F';
const oracleAbi = parseAbi([
  'function getL1FeeUpperBound(uint256 unsignedTxSize) view returns (uint256)',
  'function getOperatorFee(uint256 gasUsed) view returns (uint256)',
]);
/** The size of the unsigned transaction without its data, at most: every field is as long as it can be. */
const frameBytes = 80n;
/** transfer(address,uint256) */
const transferBytes = 68n;
const million = 1_000_000n;

export const opStackSurcharge: SurchargeRules = {
  async now(rpc) {
    const [coin, token, operatorBase, operatorOfMillion] = await Promise.all([
      ask(rpc, 'getL1FeeUpperBound', frameBytes),
      ask(rpc, 'getL1FeeUpperBound', frameBytes + transferBytes),
      operatorFee(rpc, 0n),
      operatorFee(rpc, million),
    ]);
    const dataFee = { coin, token };
    return (kind, gas) => {
      const data = dataFee[kind];
      const operator = operatorBase + ((operatorOfMillion - operatorBase) * gas + million - 1n) / million;
      return {
        expected: data + operator,
        // The chain below has a block every twelve seconds, and with each block its fees grow by an eighth at most.
        least: data + data / 8n + operator,
        quoted: data + data / 4n + operator,
        max: 2n * data + operator,
      };
    };
  },

  paid(receipt) {
    const { l1Fee } = receipt;
    if (typeof l1Fee !== 'string')
      throw new NetworkError("The node's receipts do not say the L1 fee (l1Fee): it is no node of a rollup.", {
        isRetryable: false,
      });
    return hexToBigInt(l1Fee as `0x${string}`) + operatorFeeIn(receipt);
  },
};

const ask = async (rpc: EvmRpc, functionName: 'getL1FeeUpperBound' | 'getOperatorFee', of: bigint): Promise<bigint> => {
  const data = encodeFunctionData({ abi: oracleAbi, functionName, args: [of] });
  return hexToBigInt(await rpc.call<`0x${string}`>('eth_call', { to: gasPriceOracle, data }, 'latest'));
};

/** By both formulas it is linear in the gas, so that two points are enough to know it for any gas. */
const operatorFee = (rpc: EvmRpc, gas: bigint): Promise<bigint> =>
  ask(rpc, 'getOperatorFee', gas).catch((error: unknown) => {
    if (revertReason(error) !== null) return 0n; // Before the upgrade Isthmus, a chain has no such fee.
    throw error;
  });

/** A receipt has its parameters, not its sum. Jovian changed the formula, and added `daFootprintGasScalar`. */
function operatorFeeIn(receipt: ChargedReceipt): bigint {
  const { operatorFeeScalar: scalar, operatorFeeConstant: constant, daFootprintGasScalar } = receipt;
  const perGas = numberIn(scalar) * hexToBigInt(receipt.gasUsed);
  const isJovian = daFootprintGasScalar !== undefined && daFootprintGasScalar !== null;
  return numberIn(constant) + (isJovian ? perGas * 100n : perGas / million);
}

const numberIn = (hex: unknown): bigint => (typeof hex === 'string' ? hexToBigInt(hex as `0x${string}`) : 0n);
