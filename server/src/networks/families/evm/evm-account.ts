/** What an address of ours has left: its balance at one block, less what our own transactions will still take. */
import { encodeFunctionData, erc20Abi, hexToBigInt, hexToNumber } from 'viem';
import type { EvmRpc } from './evm-rpc.ts';
import type { Use } from './evm-uses.ts';

export type EvmAccountState = {
  readonly freeWei: bigint;
  /** Of the token that was asked for, or of ether when there was none. */
  readonly freeUnits: bigint;
  readonly nextNonce: number;
  /** How many of its transactions are in blocks. Those with higher numbers are under way. */
  readonly minedCount: number;
};

export type AccountToken = { readonly assetCode: string; readonly contract: string };

/** What is left when the transactions with these uses, which we signed, are in blocks. */
export type EvmAccountReading = (uses: readonly Use[]) => EvmAccountState;

/** Everything is read at the same block; otherwise money under way would count twice or not at all. */
export async function readEvmAccount(
  rpc: EvmRpc,
  blockHash: string,
  address: string,
  { ether, token }: { readonly ether: string; readonly token: AccountToken | null },
): Promise<EvmAccountReading> {
  const [wei, mined, pending, units] = await Promise.all([
    rpc.call<`0x${string}`>('eth_getBalance', address, { blockHash }),
    rpc.call<`0x${string}`>('eth_getTransactionCount', address, { blockHash }),
    rpc.call<`0x${string}`>('eth_getTransactionCount', address, 'pending'),
    token ? tokenBalance(rpc, token.contract, address, { blockHash }) : null,
  ]);
  const minedCount = hexToNumber(mined);

  return (uses) => {
    const own = uses.filter(({ from }) => from === address);
    const open = own.filter(({ nonce }) => nonce >= minedCount);
    const taken = (assetCode: string): bigint =>
      open.filter((use) => use.assetCode === assetCode).reduce((sum, use) => sum + use.units, 0n);
    const fees = open.reduce((sum, { feeMax }) => sum + feeMax, 0n);
    const freeWei = hexToBigInt(wei) - taken(ether) - fees;

    // The lowest free nonce: after a gap, no transaction could be mined. What waits in the node counts too, because the
    // operator may use the same key elsewhere.
    const used = new Set(own.map(({ nonce }) => nonce));
    let nextNonce = Math.max(minedCount, hexToNumber(pending));
    while (used.has(nextNonce)) nextNonce += 1;
    return { freeWei, freeUnits: token ? (units ?? 0n) - taken(token.assetCode) : freeWei, nextNonce, minedCount };
  };
}

export async function tokenBalance(
  rpc: EvmRpc,
  contract: string,
  address: string,
  at: 'latest' | { readonly blockHash: string },
): Promise<bigint> {
  const data = encodeFunctionData({ abi: erc20Abi, functionName: 'balanceOf', args: [address as `0x${string}`] });
  return hexToBigInt(await rpc.call<`0x${string}`>('eth_call', { to: contract, data }, at));
}
