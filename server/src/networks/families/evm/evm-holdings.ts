/** What our addresses hold by the chain, at one block: the wallet, and every target that was ever paid. */
import { hexToBigInt } from 'viem';
import type { Holding, HoldingsContext } from '../../holdings.ts';
import type { EvmToken } from './evm-connector.ts';
import type { EvmRpc } from './evm-rpc.ts';

/** balanceOf(address), as ERC-20 names it. */
const balanceOf = '0x70a08231';

export async function evmHoldings(
  rpc: EvmRpc,
  held: { readonly wallet: string | null; readonly ether: string; readonly tokens: readonly EvmToken[] },
  { tip, usedTargets }: HoldingsContext,
): Promise<readonly Holding[]> {
  const block = { blockHash: tip.hash };
  const sums = new Map<string, bigint>([
    [held.ether, 0n],
    ...held.tokens.map(({ assetCode }) => [assetCode, 0n] as const),
  ]);
  const add = (assetCode: string, balance: string): void =>
    void sums.set(
      assetCode,
      (sums.get(assetCode) ?? 0n) + (balance === '0x' ? 0n : hexToBigInt(balance as `0x${string}`)),
    );

  async function count(addresses: readonly string[]): Promise<void> {
    await Promise.all(
      addresses.flatMap((address) => [
        rpc.call<string>('eth_getBalance', address, block).then((balance) => add(held.ether, balance)),
        ...held.tokens.map(({ assetCode, contract }) =>
          rpc
            .call<string>('eth_call', { to: contract, data: balanceOf + address.slice(2).padStart(64, '0') }, block)
            .then((balance) => add(assetCode, balance)),
        ),
      ]),
    );
  }

  if (held.wallet !== null) await count([held.wallet]);
  for await (const keys of usedTargets()) await count(keys.filter((key) => key !== held.wallet));
  const contracts = new Map(held.tokens.map(({ assetCode, contract }) => [assetCode, contract.toLowerCase()]));
  return Array.from(sums, ([assetCode, units]) => {
    const what = contracts.get(assetCode);
    return { assetCode, units, ...(what !== undefined && { what }) };
  });
}
