/** What only viem can tell about settings. Loaded when a network of this family is configured. */
import { isAddress } from 'viem';
import type { Secret } from '../../../lib/secret.ts';
import { openEvmKeys } from './evm-keys.ts';

/** A mistyped letter changes the case of others (EIP-55); all in lower case nothing can be checked. */
export const isContractAddress = (text: string): boolean => isAddress(text);

export function isPrivateHalf(xprv: Secret, xpub: string): boolean {
  try {
    openEvmKeys(xprv, xpub);
    return true;
  } catch {
    return false;
  }
}
