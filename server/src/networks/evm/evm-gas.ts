/** What gas costs now (EIP-1559), and what a call takes of it. */
import { hexToBigInt } from 'viem';
import type { RpcBlock } from './evm-block.ts';
import { EvmRefusal, type EvmRpc } from './evm-rpc.ts';

export type GasFees = { readonly maxFeePerGas: bigint; readonly maxPriorityFeePerGas: bigint };

export type GasPrice = GasFees & {
  /** What a transaction pays in the next block, if it is the next. */
  readonly expectedPerGas: bigint;
  /** More than the operator is willing to pay: everything that can wait must wait. */
  readonly isTooDear: boolean;
};

export type EvmCall = {
  readonly from: string;
  readonly to: string;
  readonly value: bigint;
  readonly data: `0x${string}`;
};

export const gwei: bigint = 10n ** 9n;
/** A payment of ether to somebody without code. */
export const plainTransferGas: bigint = 21_000n;

type FeeBlock = Omit<RpcBlock<string>, 'transactions'> & { readonly baseFeePerGas?: `0x${string}` };

/** `ceiling`: the most per gas. */
export async function gasPriceNow(rpc: EvmRpc, ceiling: bigint): Promise<GasPrice> {
  const [block, tip] = await Promise.all([
    rpc.call<FeeBlock>('eth_getBlockByNumber', 'latest', false),
    rpc.call<`0x${string}`>('eth_maxPriorityFeePerGas').catch((error: unknown) => {
      if (error instanceof EvmRefusal) return null; // Not every node has an opinion.
      throw error;
    }),
  ]);
  const base = hexToBigInt(block.baseFeePerGas ?? '0x0');
  const priority = least(tip === null ? gwei : hexToBigInt(tip), ceiling);
  return {
    // The base fee grows by an eighth per full block: twice as much lasts for six of them.
    maxFeePerGas: least(2n * base + priority, ceiling),
    maxPriorityFeePerGas: priority,
    expectedPerGas: base + priority,
    isTooDear: base + priority > ceiling,
  };
}

/** At least an eighth more of both: nodes take no replacement below a tenth more. Null: that is above the ceiling. */
export function bumpFees(old: GasFees, now: GasPrice, ceiling: bigint): GasFees | null {
  const maxFeePerGas = most(anEighthMore(old.maxFeePerGas), now.maxFeePerGas);
  const maxPriorityFeePerGas = most(anEighthMore(old.maxPriorityFeePerGas), now.maxPriorityFeePerGas);
  return maxFeePerGas > ceiling || maxPriorityFeePerGas > maxFeePerGas ? null : { maxFeePerGas, maxPriorityFeePerGas };
}

/** The chain would undo it. The reason is the contract's, or the node's, in its own words. */
export class Reverted extends Error {}

/** Tries the call on the newest state; gives the gas it may take. Throws `Reverted` when it would be undone. */
export async function gasFor(rpc: EvmRpc, call: EvmCall): Promise<bigint> {
  const request = { ...call, value: `0x${call.value.toString(16)}` };
  try {
    const [answer, estimate] = await Promise.all([
      rpc.call<`0x${string}`>('eth_call', request, 'latest'),
      rpc.call<`0x${string}`>('eth_estimateGas', request),
    ]);
    // Older tokens answer nothing, and that is well; some say no by answering false.
    if (call.data !== '0x' && /^0x0{64}$/.test(answer)) throw new Reverted('the token says no, without a reason');
    const gas = hexToBigInt(estimate);
    // What a contract takes depends on the state, which goes on changing.
    return gas === plainTransferGas ? gas : (gas * 5n) / 4n;
  } catch (error) {
    const reason = revertReason(error);
    throw reason === null ? error : new Reverted(reason);
  }
}

/** Nodes agree neither on the code nor on the words. */
export function revertReason(error: unknown): string | null {
  if (!(error instanceof EvmRefusal)) return null;
  const { code, reason } = error;
  if (code !== 3 && !/revert|vm exception|vm execution/i.test(reason)) return null;
  return /reverted with reason string '(.*)'/.exec(reason)?.[1] ?? /revert(?:ed)?:? (.+)$/i.exec(reason)?.[1] ?? reason;
}

export const least = (a: bigint, b: bigint): bigint => (a < b ? a : b);
const most = (a: bigint, b: bigint): bigint => (a > b ? a : b);
const anEighthMore = (fee: bigint): bigint => (fee * 9n + 7n) / 8n + 1n;
