/** Checks of settings that need viem. Loaded only when a network of this family is configured. */
import { isAddress } from 'viem';
import type { Secret } from '../../../lib/secret.ts';
import { createEvmAddressDeriver } from './evm-address.ts';
import { openEvmKeys } from './evm-keys.ts';

/** In mixed case a wrong letter is found, because the case is a checksum (EIP-55); in lower case it is not. */
export const isContractAddress = (text: string): boolean => isAddress(text);

export function isPrivateHalf(xprv: Secret, xpub: string): boolean {
  try {
    openEvmKeys(xprv, xpub);
    return true;
  } catch {
    return false;
  }
}

/** Names an account by its first address, because a key can be written in several ways. A text that is no key stays. */
export function accountName(xpub: string): string {
  try {
    return createEvmAddressDeriver(xpub)(0).key;
  } catch {
    return xpub;
  }
}
