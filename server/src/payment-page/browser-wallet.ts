/** What a wallet in the browser is asked to do (EIP-1193, eth_sendTransaction). Made here: the page does no arithmetic. */
import { decimal, toUnits } from '../money/decimal.ts';
import type { Eip681 } from './payment-link.ts';

export type BrowserWallet = {
  readonly chainId: string;
  readonly to: string;
  readonly value: string;
  /** The call of the token's contract; null for the chain's own coin. */
  readonly data: string | null;
};

/** The first four bytes of keccak256("transfer(address,uint256)"). */
const transferSelector = 'a9059cbb';

export function browserWallet(
  pay: { readonly address: string; readonly amount: string },
  { chainId, contract, scale }: Eip681,
): BrowserWallet {
  const units = toUnits(decimal(pay.amount), scale, 'up');
  const hex = (value: bigint | number): string => `0x${value.toString(16)}`;
  if (contract === null) return { chainId: hex(chainId), to: pay.address, value: hex(units), data: null };
  const word = (digits: string): string => digits.toLowerCase().padStart(64, '0');
  const data = `0x${transferSelector}${word(pay.address.slice(2))}${word(units.toString(16))}`;
  return { chainId: hex(chainId), to: contract, value: '0x0', data };
}
