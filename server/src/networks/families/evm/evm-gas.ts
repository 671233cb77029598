/** What gas costs now (EIP-1559), and what a call takes of it. */
import { hexToBigInt, numberToHex } from 'viem';
import type { RpcBlock } from './evm-block.ts';
import { EvmRefusal, type EvmRpc } from './evm-rpc.ts';
import type { SurchargeOf, SurchargeRules } from './evm-surcharge.ts';

export type GasFees = { readonly maxFeePerGas: bigint; readonly maxPriorityFeePerGas: bigint };

export type GasPrice = GasFees & {
  /** What a transaction pays if the next block takes it. */
  readonly expectedPerGas: bigint;
  /** What is set aside: enough even if the base fee grows for two blocks. */
  readonly quotedPerGas: bigint;
  /** Less than this may not be enough even for the next block. */
  readonly leastPerGas: bigint;
  /** With the surcharge, it is more than the operator is willing to pay: everything that can wait must wait. */
  readonly isTooDear: boolean;
  /** What comes on top of the gas. */
  readonly surchargeOf: SurchargeOf;
};

export type GasMarket = {
  readonly rpc: EvmRpc;
  /** The most that may be paid per gas, in wei. */
  readonly feeCeiling: bigint;
  readonly surcharge: SurchargeRules;
};

export type EvmCall = {
  readonly from: string;
  readonly to: string;
  readonly value: bigint;
  readonly data: `0x${string}`;
};

export const gwei: bigint = 10n ** 9n;
/** A transfer of ether to an address that is no contract. */
export const plainTransferGas: bigint = 21_000n;
/**
 * The most that a transfer may take, whoever receives it. Tokens take a third of it, and wallets that are contracts
 * less. We quote the fee before and pay it: a contract that takes more is probably made to waste our gas.
 */
export const transferGasMax: bigint = 200_000n;

type FeeBlock = Omit<RpcBlock<string>, 'transactions'> & { readonly baseFeePerGas?: `0x${string}` };

export async function gasPriceNow({ rpc, feeCeiling: ceiling, surcharge }: GasMarket): Promise<GasPrice> {
  const [block, tip, surchargeOf] = await Promise.all([
    rpc.call<FeeBlock>('eth_getBlockByNumber', 'latest', false),
    rpc.call<`0x${string}`>('eth_maxPriorityFeePerGas').catch((error: unknown) => {
      if (error instanceof EvmRefusal) return null; // Not every node has this call.
      throw error;
    }),
    surcharge.now(rpc),
  ]);
  const base = hexToBigInt(block.baseFeePerGas ?? '0x0');
  // Where the node does not say: one gwei, but no more than the base fee, which on a rollup is a hundredth of a gwei.
  const priority = least(tip === null ? least(gwei, most(base, 1n)) : hexToBigInt(tip), ceiling);
  return {
    // The base fee grows by an eighth with a full block: twice the base fee is enough for about six full blocks.
    maxFeePerGas: least(2n * base + priority, ceiling),
    maxPriorityFeePerGas: priority,
    expectedPerGas: base + priority,
    quotedPerGas: base + base / 4n + priority,
    leastPerGas: base + base / 8n + priority,
    isTooDear: base + priority + surchargeOf('coin', plainTransferGas).expected / plainTransferGas > ceiling,
    surchargeOf,
  };
}

/** At least an eighth more of both: nodes take no replacement below a tenth more. Null: that is above the ceiling. */
export function bumpFees(old: GasFees, now: GasPrice, ceiling: bigint): GasFees | null {
  const maxFeePerGas = most(anEighthMore(old.maxFeePerGas), now.maxFeePerGas);
  const maxPriorityFeePerGas = most(anEighthMore(old.maxPriorityFeePerGas), now.maxPriorityFeePerGas);
  return maxFeePerGas > ceiling || maxPriorityFeePerGas > maxFeePerGas ? null : { maxFeePerGas, maxPriorityFeePerGas };
}

/** The call would fail on the chain. The message is the reason, in the words of the contract or of the node. */
export class Reverted extends Error {}

/**
 * Tries the call on the newest state, and gives the gas it may take. Throws `Reverted` when it would fail, or would
 * take more than a transfer may. The node gets this limit too, so that it does not run code that never ends.
 */
export async function gasFor(rpc: EvmRpc, call: EvmCall): Promise<bigint> {
  const request = { ...call, value: numberToHex(call.value), gas: numberToHex(transferGasMax) };
  try {
    const [answer, estimate] = await Promise.all([
      rpc.call<`0x${string}`>('eth_call', request, 'latest'),
      rpc.call<`0x${string}`>('eth_estimateGas', request),
    ]);
    // Older tokens answer nothing, which is fine; some tokens refuse by answering false.
    if (call.data !== '0x' && /^0x0{64}$/.test(answer)) throw new Reverted('the token says no, without a reason');
    const gas = hexToBigInt(estimate);
    if (gas > transferGasMax) throw new Reverted(takesTooMuch);
    // A quarter more for contracts: what they take depends on the state, which may change before the next block.
    return gas === plainTransferGas ? gas : least((gas * 5n) / 4n, transferGasMax);
  } catch (error) {
    const reason = revertReason(error);
    if (reason === null) throw error;
    throw new Reverted(/out ?of ?gas|gas required exceeds/i.test(reason) ? takesTooMuch : reason);
  }
}

const takesTooMuch = `it takes more than the ${transferGasMax} gas that a transfer may take`;

/** Each kind of node has its own codes and words. Null: an error that we do not know, which may not be the call's. */
export function revertReason(error: unknown): string | null {
  if (!(error instanceof EvmRefusal)) return null;
  const { code, reason } = error;
  if (code !== 3 && !/revert|vm exception|vm execution/i.test(reason) && !brokenCode.test(reason)) return null;
  return reasonIn(reason).replace(/\.$/, '');
}

/** What stands in quotes after the words of one kind of node, or after the word of the others; else all of it. */
function reasonIn(text: string): string {
  const mark = "reverted with reason string '";
  const [at, end] = [text.indexOf(mark), text.lastIndexOf("'")];
  if (at !== -1 && end >= at + mark.length) return text.slice(at + mark.length, end);
  const begun = /revert(?:ed)?:? (?=.)/i.exec(text);
  return begun === null ? text : text.slice(begun.index + begun[0].length);
}

/** How nodes say that a contract failed without a reason: Geth and Erigon, Besu, Nethermind, Reth and Anvil, EDR. */
const brokenCode =
  /\bEVM error|due to an exception|out ?of ?gas|gas required exceeds|stack ?(under|over)flow|stack limit|(invalid|bad) ?(FE ?)?(opcode|jump|instruction)|opcode ?not ?found/i;

export const least = (a: bigint, b: bigint): bigint => (a < b ? a : b);
const most = (a: bigint, b: bigint): bigint => (a > b ? a : b);
const anEighthMore = (fee: bigint): bigint => (fee * 9n + 7n) / 8n + 1n;
