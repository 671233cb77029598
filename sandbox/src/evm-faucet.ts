/** Who pays on a test chain: one account that owns everything, and what it signs. Sending it is the chain's business. */
import { encodeFunctionData, erc20Abi, getContractAddress, type Hex, parseTransaction, toHex } from 'viem';
import { type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts';
import { sandboxChainId } from './evm-node.ts';

export type EvmPayment = { readonly address: string; readonly units: bigint; readonly assetCode?: string | undefined };

export type FaucetCall = { readonly to?: Hex; readonly data?: Hex; readonly value?: bigint; readonly gas?: bigint };

const gwei = 10n ** 9n;

// Known to everybody who reads this: what it holds is worth nothing.
export const faucet: PrivateKeyAccount = privateKeyToAccount(toHex('quittance sandbox faucet', { size: 32 }));
export const faucetUnits: bigint = 10n ** 27n;

/** The first that the faucet deploys. Each has six decimals. */
export const tokenContracts: Readonly<Record<'USDC' | 'USDT', Hex>> = {
  USDC: getContractAddress({ from: faucet.address, nonce: 0n }),
  USDT: getContractAddress({ from: faucet.address, nonce: 1n }),
};
export const tokenDecimals = 6;

export function callOfPayment({ address, units, assetCode = 'ETH' }: EvmPayment): FaucetCall {
  const to = address as Hex;
  if (assetCode === 'ETH') return { to, value: units };
  if (assetCode !== 'USDC' && assetCode !== 'USDT') throw new Error(`${assetCode} is not on this chain`);
  return {
    to: tokenContracts[assetCode],
    data: encodeFunctionData({ abi: erc20Abi, functionName: 'transfer', args: [to, units] }),
  };
}

export const signFaucetCall = (call: FaucetCall, nonce: number, fee: bigint = gwei): Promise<Hex> =>
  faucet.signTransaction({
    ...{ chainId: sandboxChainId, type: 'eip1559', nonce, ...call, gas: call.gas ?? 200_000n },
    ...{ maxPriorityFeePerGas: fee, maxFeePerGas: fee * 100n },
  });

/** The payer changes his mind: the same number with a higher fee, for the same or for another payment. */
export function signReplacement(raw: Hex, payment: EvmPayment | undefined): Promise<Hex> {
  const { nonce = 0, to, value = 0n, data, maxPriorityFeePerGas = gwei } = parseTransaction(raw as `0x02${string}`);
  const same = { ...(to && { to }), value, ...(data && { data }) };
  return signFaucetCall(payment ? callOfPayment(payment) : same, nonce, maxPriorityFeePerGas * 2n);
}
