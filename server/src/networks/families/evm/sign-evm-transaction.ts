/** Makes a signed transaction, with what is needed to follow and to replace it. */
import { encodeFunctionData, erc20Abi, type Hex, keccak256 } from 'viem';
import type { SentUpdate, SignedTransaction } from '../../port/sending.ts';
import type { GasFees, GasMarket } from './evm-gas.ts';
import type { EvmKeys } from './evm-keys.ts';
import { usesOf } from './evm-uses.ts';

export type SendingToken = { readonly assetCode: string; readonly contract: string };

/** Everything that sending needs and that does not change. */
export type EvmWallet = GasMarket & {
  readonly keys: EvmKeys;
  readonly walletKey: string; // the wallet's address in lower case
  readonly chainId: number;
  readonly ether: string; // the asset code of what gas is paid in
  readonly tokens: readonly SendingToken[];
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
  /** What its sender has left for the surcharge, in wei. */
  readonly surchargeMax: bigint;
  /** The payments that it collects, as uses, and their sum. */
  readonly coins?: readonly string[];
  readonly collects?: bigint;
  readonly payoutIds?: readonly string[];
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
  readonly transferIds: readonly string[]; // of payouts; stored under this name
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
  const { kind, targetIndex, nonce, assetCode, units, gas, fees, surchargeMax, coins = [], payoutIds = [] } = sending;
  const account = targetIndex === null ? wallet.keys.wallet : wallet.keys.target(targetIndex);
  const from = account.address.toLowerCase();
  const to = sending.to.toLowerCase();
  const call = callFor(wallet, { assetCode, units, to });
  const raw = await account.signTransaction({ type: 'eip1559', chainId: wallet.chainId, nonce, gas, ...fees, ...call });
  const feeMax = gas * fees.maxFeePerGas + surchargeMax;
  const trace: EvmTrace = {
    kind,
    from,
    targetIndex,
    nonce,
    to,
    assetCode,
    transferIds: payoutIds,
    units: units.toString(),
    collects: sending.collects?.toString() ?? null,
  };
  const note = notes[kind];
  return {
    txHash: keccak256(raw),
    raw,
    uses: [...usesOf({ from, nonce, assetCode, units, feeMax, to }), ...coins],
    payoutIds,
    fee: { assetCode: wallet.ether, units: feeMax },
    trace,
    ...(note !== undefined && { note }),
  };
}

/** What a transaction in a block changed at targets of ours. If it failed, it has still paid for its gas. */
export function movesOf(trace: EvmTrace, ether: string, fee: bigint, hasFailed: boolean): SentUpdate['moves'] & {} {
  const units = hasFailed ? 0n : BigInt(trace.units);
  if (trace.kind === 'topUp') return hasFailed ? [] : [{ targetKey: trace.to, assetCode: ether, units }];
  if (trace.kind === 'transfer') return [];
  const gasMove = (more: bigint) => ({ targetKey: trace.from, assetCode: ether, units: -(fee + more) });
  if (trace.assetCode === ether) return [gasMove(units)];
  return [gasMove(0n), ...(hasFailed ? [] : [{ targetKey: trace.from, assetCode: trace.assetCode, units: -units }])];
}
