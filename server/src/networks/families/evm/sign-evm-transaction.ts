/** Turns a decision to send into a signed transaction, with what is needed to follow and to replace it. */
import { encodeFunctionData, erc20Abi, type Hex, keccak256 } from 'viem';
import type { SentUpdate, SignedTransaction } from '../../port/sending.ts';
import { claimsOf } from './evm-claims.ts';
import type { GasFees } from './evm-gas.ts';
import type { EvmKeys } from './evm-keys.ts';
import type { EvmRpc } from './evm-rpc.ts';

export type SendingToken = { readonly assetCode: string; readonly contract: string };

/** Everything that sending needs and that does not change. */
export type EvmWallet = {
  readonly rpc: EvmRpc;
  readonly keys: EvmKeys;
  readonly walletKey: string; // the wallet's address in lower case
  readonly chainId: number;
  readonly ether: string; // the asset code of what gas is paid in
  readonly tokens: readonly SendingToken[];
  /** The most that may be paid per gas, in wei. */
  readonly feeCeiling: bigint;
};

export type EvmSending = {
  readonly kind: 'transfer' | 'topUp' | 'collect';
  /** The target that signs; null: the wallet. */
  readonly targetIndex: number | null;
  readonly nonce: number;
  readonly to: string;
  readonly assetCode: string;
  readonly units: bigint;
  readonly gas: bigint;
  readonly fees: GasFees;
  /** Payments that it collects, as claims, and what they were together. */
  readonly coins?: readonly string[];
  readonly collects?: bigint;
  readonly transferIds?: readonly string[];
};

export type EvmTrace = {
  readonly kind: EvmSending['kind'];
  readonly from: string;
  readonly targetIndex: number | null;
  readonly nonce: number;
  readonly to: string;
  readonly assetCode: string;
  readonly units: string; // JSON has no bigint
  readonly collects: string | null;
  readonly transferIds: readonly string[];
};

export const readTrace = (trace: { readonly [key: string]: unknown }): EvmTrace => trace as unknown as EvmTrace;

const notes = { transfer: undefined, topUp: 'top up', collect: 'collect' };

export function callFor(
  { tokens, ether }: Pick<EvmWallet, 'tokens' | 'ether'>,
  { assetCode, units, to }: { readonly assetCode: string; readonly units: bigint; readonly to: string },
): { to: Hex; value: bigint; data: Hex } {
  if (assetCode === ether) return { to: to as Hex, value: units, data: '0x' };
  const token = tokens.find((candidate) => candidate.assetCode === assetCode);
  if (!token) throw new Error(`${assetCode} has no contract`);
  const data = encodeFunctionData({ abi: erc20Abi, functionName: 'transfer', args: [to as Hex, units] });
  return { to: token.contract as Hex, value: 0n, data };
}

export async function signEvmTransaction(wallet: EvmWallet, sending: EvmSending): Promise<SignedTransaction> {
  const { kind, targetIndex, nonce, assetCode, units, gas, fees, coins = [], transferIds = [] } = sending;
  const account = targetIndex === null ? wallet.keys.wallet : wallet.keys.target(targetIndex);
  const from = account.address.toLowerCase();
  const to = sending.to.toLowerCase();
  const call = callFor(wallet, { assetCode, units, to });
  const raw = await account.signTransaction({ type: 'eip1559', chainId: wallet.chainId, nonce, gas, ...fees, ...call });
  const feeMax = gas * fees.maxFeePerGas;
  const trace: EvmTrace = {
    ...{ kind, from, targetIndex, nonce, to, assetCode, transferIds },
    units: units.toString(),
    collects: sending.collects?.toString() ?? null,
  };
  const note = notes[kind];
  return {
    txHash: keccak256(raw),
    raw,
    claims: [...claimsOf({ from, nonce, assetCode, units, feeMax, to }), ...coins],
    transferIds,
    fee: { assetCode: wallet.ether, units: feeMax },
    trace,
    ...(note !== undefined && { note }),
  };
}

/** What a transaction that is in a block changed at targets of ours. Failed, it has still paid for its gas. */
export function movesOf(trace: EvmTrace, ether: string, fee: bigint, hasFailed: boolean): SentUpdate['moves'] & {} {
  const units = hasFailed ? 0n : BigInt(trace.units);
  if (trace.kind === 'topUp') return hasFailed ? [] : [{ targetKey: trace.to, assetCode: ether, units }];
  if (trace.kind === 'transfer') return [];
  const gasMove = (more: bigint) => ({ targetKey: trace.from, assetCode: ether, units: -(fee + more) });
  if (trace.assetCode === ether) return [gasMove(units)];
  return [gasMove(0n), ...(hasFailed ? [] : [{ targetKey: trace.from, assetCode: trace.assetCode, units: -units }])];
}
