/** Links of EIP-681, and the calls for wallets in the browser. Amounts are in the smallest units of the chain. */
import { decimal, toUnits } from '../../../money/decimal.ts';
import {
  type BrowserWallet,
  type PayerInstructions,
  type PayerRequest,
  plainInstructions,
  type UnknownChain,
} from '../../port/payer-instructions.ts';

/** The contract of an asset (null: it is the chain's own coin), and its number of decimals. */
export type EvmCarried = { readonly assetCode: string; readonly contract: string | null; readonly scale: number };

/**
 * `walletNodeUrl`: a public node that the operator names to wallets which do not know the chain. We name none ourselves:
 * whoever runs a node sees who pays whom (docs/decisions/0040).
 */
export type PaidChain = {
  readonly chainId: number;
  readonly name: string;
  readonly explorer: string | undefined;
  readonly walletNodeUrl: string | undefined;
};

export const evmInstructions =
  (chain: PaidChain, carried: readonly EvmCarried[]) =>
  (request: PayerRequest): PayerInstructions => {
    const asset = carried.find(({ assetCode }) => assetCode === request.assetCode);
    if (!asset) return plainInstructions(request);
    const units = toUnits(decimal(request.amount), asset.scale, 'up');
    const href = eip681Link(chain.chainId, asset.contract, request.address, units);
    return {
      ...plainInstructions(request),
      link: { href, qrText: href },
      addressOnly: { qrText: request.address, hint: null },
      wallets: ['MetaMask', 'Trust Wallet', 'imToken'],
      wallet: walletCall(chain, asset.contract, request.address, units),
    };
  };

/** A token is paid by a call of its contract, so the link names the contract. */
const eip681Link = (chainId: number, contract: string | null, address: string, units: bigint): string =>
  contract === null
    ? `ethereum:${address}@${chainId}?value=${units}`
    : `ethereum:${contract}@${chainId}/transfer?address=${address}&uint256=${units}`;

/** The first four bytes of keccak256("transfer(address,uint256)"). */
const transferSelector = 'a9059cbb';

const hex = (value: bigint | number): string => `0x${value.toString(16)}`;

function walletCall(chain: PaidChain, contract: string | null, address: string, units: bigint): BrowserWallet {
  const call = { kind: 'eip1193', chainId: hex(chain.chainId), unknownChain: unknownChain(chain) } as const;
  if (contract === null) return { ...call, to: address, value: hex(units), data: null };
  const word = (digits: string): string => digits.toLowerCase().padStart(64, '0');
  const data = `0x${transferSelector}${word(address.slice(2))}${word(units.toString(16))}`;
  return { ...call, to: contract, value: '0x0', data };
}

const unknownChain = ({ chainId, name, explorer, walletNodeUrl }: PaidChain): UnknownChain | null =>
  walletNodeUrl === undefined
    ? null
    : {
        chainId: hex(chainId),
        chainName: name,
        nativeCurrency: { name: 'Ether', symbol: 'ETH', decimals: 18 },
        rpcUrls: [walletNodeUrl],
        blockExplorerUrls: explorer === undefined ? [] : [new URL(explorer).origin],
      };
