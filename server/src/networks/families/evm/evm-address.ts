/**
 * Deposit addresses from an account's public key (BIP44: m/44'/60'/0'/0/index). An installation that only receives has
 * no private key, so that an intruder can watch the addresses but not spend from them.
 */
import { secp256k1 } from '@noble/curves/secp256k1.js';
import { HDKey } from '@scure/bip32';
import { toHex } from 'viem';
import { publicKeyToAddress } from 'viem/accounts';
import { present } from '../../../lib/assert.ts';

/** As nodes write addresses in blocks and logs: lower case. The mixed case of EIP-55 is for people. */
export type EvmAddressKey = string;

export type DerivedEvmAddress = { readonly key: EvmAddressKey; readonly address: string };

/** `accountKey` is the extended public key of m/44'/60'/0'. */
export function createEvmAddressDeriver(accountKey: string): (index: number) => DerivedEvmAddress {
  const external = readAccountKey(accountKey).deriveChild(0);
  return (index) => {
    if (!Number.isInteger(index) || index < 0 || index >= 2 ** 31) throw new Error(`${index} is no derivation index`);
    const publicKey = present(external.deriveChild(index).publicKey, 'public key of a child');
    // An address is the hash of the whole point, x and y; a public key in BIP32 has only x.
    const address = publicKeyToAddress(toHex(secp256k1.Point.fromBytes(publicKey).toBytes(false)));
    return { key: address.toLowerCase(), address };
  };
}

function readAccountKey(text: string): HDKey {
  // No error message here repeats the key: they are logged.
  let key: HDKey;
  try {
    key = HDKey.fromExtendedKey(text);
  } catch (cause) {
    throw new Error('The account key must be an extended public key (xpub…), and this one is mistyped or another.', {
      cause,
    });
  }
  if (key.privateKey !== null) {
    throw new Error('The account key is a private one (xprv…): here only the public key (xpub…) belongs.');
  }
  return key;
}
