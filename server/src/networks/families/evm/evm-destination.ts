import { isAddress, zeroAddress } from 'viem';
import type { NetworkAddress } from '../../port/sending.ts';

type AddressRules = {
  readonly networkName: string;
  readonly ownAddress: string | null;
  readonly contracts: readonly string[];
};

/** `ownAddress`: null where nothing is sent. `contracts`: of tokens. What is sent to the contract of a token is lost, and people often make this mistake. */
export function evmAddressProblem(
  { address, memo }: NetworkAddress,
  { networkName, ownAddress, contracts }: AddressRules,
): string | null {
  if (!/^0x[0-9a-fA-F]{40}$/.test(address)) {
    return `An address of ${networkName} is 0x and 40 digits from 0 to 9 and a to f, and this is not.`;
  }
  // In mixed case a wrong letter is found, because the case is a checksum (EIP-55). In one case nothing can be checked.
  const isOneCase =
    address.slice(2) === address.slice(2).toLowerCase() || address.slice(2) === address.slice(2).toUpperCase();
  if (!isOneCase && !isAddress(address)) {
    return 'The upper and lower case letters of this address do not fit together: a letter must be mistyped.';
  }
  const key = address.toLowerCase();
  if (key === ownAddress) return 'This is the wallet that it would be sent from.';
  if (key === zeroAddress) return 'This is the address of nobody: what is sent there is lost.';
  if (contracts.some((contract) => contract.toLowerCase() === key)) {
    return 'This is the address of a token itself: what is sent there is lost.';
  }
  if (memo !== null) return `${networkName} knows no memos.`;
  return null;
}
