/** What gas costs now (EIP-1559), and what a call takes of it. */
import { hexToBigInt, numberToHex } from 'viem';
import type { RpcBlock } from './evm-block.ts';
import { EvmRefusal, type EvmRpc } from './evm-rpc.ts';

export type GasFees = { readonly maxFeePerGas: bigint; readonly maxPriorityFeePerGas: bigint };

export type GasPrice = GasFees & {
  /** What a transaction pays in the next block, if it is the next. */
  readonly expectedPerGas: bigint;
  /** What is set aside: enough for what the base fee can grow within two blocks. */
  readonly quotedPerGas: bigint;
  /** Less than this may not be enough even for the next block. */
  readonly leastPerGas: bigint;
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
/**
 * The most that a transfer may take, whoever receives it. Tokens take a third of it, wallets that are contracts less. Its
 * fee is quoted before and paid by us: code that takes more is there to burn it.
 */
export const transferGasMax: bigint = 200_000n;

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
    quotedPerGas: base + base / 4n + priority,
    leastPerGas: base + base / 8n + priority,
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

/**
 * Tries the call on the newest state; gives the gas it may take. Throws `Reverted` when it would be undone, or would take
 * more than a transfer may. The node is told so too: it has better things to do than run code that never ends.
 */
export async function gasFor(rpc: EvmRpc, call: EvmCall): Promise<bigint> {
  const request = { ...call, value: numberToHex(call.value), gas: numberToHex(transferGasMax) };
  try {
    const [answer, estimate] = await Promise.all([
      rpc.call<`0x${string}`>('eth_call', request, 'latest'),
      rpc.call<`0x${string}`>('eth_estimateGas', request),
    ]);
    // Older tokens answer nothing, and that is well; some say no by answering false.
    if (call.data !== '0x' && /^0x0{64}$/.test(answer)) throw new Reverted('the token says no, without a reason');
    const gas = hexToBigInt(estimate);
    if (gas > transferGasMax) throw new Reverted(takesTooMuch);
    // What a contract takes depends on the state, which goes on changing.
    return gas === plainTransferGas ? gas : least((gas * 5n) / 4n, transferGasMax);
  } catch (error) {
    const reason = revertReason(error);
    if (reason === null) throw error;
    throw new Reverted(/out ?of ?gas|gas required exceeds/i.test(reason) ? takesTooMuch : reason);
  }
}

const takesTooMuch = `it takes more than the ${transferGasMax} gas that a transfer may take`;

/** Nodes agree neither on the code nor on the words. Those that are not known here say nothing about the call. */
export function revertReason(error: unknown): string | null {
  if (!(error instanceof EvmRefusal)) return null;
  const { code, reason } = error;
  if (code !== 3 && !/revert|vm exception|vm execution/i.test(reason) && !brokenCode.test(reason)) return null;
  const words = /reverted with reason string '(.*)'/.exec(reason)?.[1] ?? /revert(?:ed)?:? (.+)$/i.exec(reason)?.[1];
  return (words ?? reason).replace(/\.$/, '');
}

/** Code that ends without a word of its own: by Geth and Erigon, Besu, Nethermind, Reth and Anvil, EDR. */
const brokenCode =
  /\bEVM error|due to an exception|out ?of ?gas|gas required exceeds|stack ?(under|over)flow|stack limit|(invalid|bad) ?(FE ?)?(opcode|jump|instruction)|opcode ?not ?found/i;

export const least = (a: bigint, b: bigint): bigint => (a < b ? a : b);
const most = (a: bigint, b: bigint): bigint => (a > b ? a : b);
const anEighthMore = (fee: bigint): bigint => (fee * 9n + 7n) / 8n + 1n;
