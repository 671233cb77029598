/** Links of EIP-681 and calls of wallets in the browser, in whole units of the chain. */
import { decimal, toUnits } from '../../../money/decimal.ts';
import {
  type BrowserWallet,
  type PayerInstructions,
  type PayerRequest,
  plainInstructions,
} from '../../port/payer-instructions.ts';

/** By which contract an asset is paid (null: the chain's own coin), and in how many places. */
export type EvmCarried = { readonly assetCode: string; readonly contract: string | null; readonly scale: number };

export const evmInstructions =
  (chainId: number, carried: readonly EvmCarried[]) =>
  (request: PayerRequest): PayerInstructions => {
    const asset = carried.find(({ assetCode }) => assetCode === request.assetCode);
    if (!asset) return plainInstructions(request);
    const units = toUnits(decimal(request.amount), asset.scale, 'up');
    const href = eip681Link(chainId, asset.contract, request.address, units);
    return {
      link: { href, qrText: href },
      fields: [],
      wallet: walletCall(chainId, asset.contract, request.address, units),
    };
  };

/** A token is paid by a call of its contract, so that is where the link points. */
const eip681Link = (chainId: number, contract: string | null, address: string, units: bigint): string =>
  contract === null
    ? `ethereum:${address}@${chainId}?value=${units}`
    : `ethereum:${contract}@${chainId}/transfer?address=${address}&uint256=${units}`;

/** The first four bytes of keccak256("transfer(address,uint256)"). */
const transferSelector = 'a9059cbb';

function walletCall(chainId: number, contract: string | null, address: string, units: bigint): BrowserWallet {
  const hex = (value: bigint | number): string => `0x${value.toString(16)}`;
  const kind = 'eip1193';
  if (contract === null) return { kind, chainId: hex(chainId), to: address, value: hex(units), data: null };
  const word = (digits: string): string => digits.toLowerCase().padStart(64, '0');
  const data = `0x${transferSelector}${word(address.slice(2))}${word(units.toString(16))}`;
  return { kind, chainId: hex(chainId), to: contract, value: '0x0', data };
}
