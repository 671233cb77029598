/** Who pays on a test chain: one account that owns everything, and what it signs. The chain sends it. */
import { encodeFunctionData, erc20Abi, getContractAddress, type Hex, parseTransaction, toHex } from 'viem';
import { type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts';

export type EvmPayment = { readonly address: string; readonly units: bigint; readonly assetCode?: string | undefined };

export type FaucetCall = { readonly to?: Hex; readonly data?: Hex; readonly value?: bigint; readonly gas?: bigint };

const gwei = 10n ** 9n;

// The key is public, because what it holds is worth nothing.
export const faucet: PrivateKeyAccount = privateKeyToAccount(toHex('quittance sandbox faucet', { size: 32 }));
export const faucetUnits: bigint = 10n ** 27n;

/** The first two contracts that the faucet deploys. Each token has six decimals. */
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

export const signFaucetCall = (chainId: number, call: FaucetCall, nonce: number, fee: bigint = gwei): Promise<Hex> =>
  faucet.signTransaction({
    type: 'eip1559',
    chainId,
    nonce,
    ...call,
    gas: call.gas ?? 200_000n,
    maxPriorityFeePerGas: fee,
    maxFeePerGas: fee * 100n,
  });

/** The payer replaces a transaction: the same number with a higher fee, for the same or for another payment. */
export function signReplacement(raw: Hex, payment: EvmPayment | undefined): Promise<Hex> {
  const signed = parseTransaction(raw as `0x02${string}`);
  const { chainId, nonce = 0, to, value = 0n, data, maxPriorityFeePerGas = gwei } = signed;
  const same = { ...(to && { to }), value, ...(data && { data }) };
  return signFaucetCall(chainId, payment ? callOfPayment(payment) : same, nonce, maxPriorityFeePerGas * 2n);
}
