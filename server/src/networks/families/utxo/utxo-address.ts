/**
 * Deposit addresses from an account's public key (BIP84: native segwit, one key per address). Where the private key is
 * not given, for sending, an intruder can watch the addresses but not spend from them.
 */
import { createHash, createHmac } from 'node:crypto';
import { secp256k1 } from '@noble/curves/secp256k1.js';
import { bech32 } from '@scure/base';
import { present } from '../../../lib/assert.ts';
import { readAccountKey } from './utxo-account-key.ts';

export type UtxoChain = 'main' | 'test' | 'regtest';

/** The human-readable part of native segwit addresses (BIP173) on each of the coin's chains. */
export type Bech32Prefixes = Readonly<Record<UtxoChain, string>>;

export type DerivedAddress = { readonly address: string; readonly script: Uint8Array };

const { Point } = secp256k1;

/**
 * Reads the key once and derives the external branch once: an address then costs one multiplication on the curve.
 *
 * The derivation of a public child (BIP32, CKDpub) is spelled out because the library's takes three times as long: it
 * unpacks the parent's point every time and hides the multiplication's timing, though nothing here is secret.
 */
export function createAddressDeriver(
  accountKey: string,
  chain: UtxoChain,
  bech32Prefix: string,
): (index: number) => DerivedAddress {
  const external = readAccountKey(accountKey, chain).deriveChild(0);
  const parentKey = present(external.publicKey, 'public key of the external branch');
  const chainCode = present(external.chainCode, 'chain code of the external branch');
  const parent = Point.fromBytes(parentKey);

  return (index) => {
    if (!Number.isInteger(index) || index < 0 || index >= 2 ** 31) throw new Error(`${index} is no derivation index`);
    const position = Buffer.alloc(4);
    position.writeUInt32BE(index);
    const tweak = createHmac('sha512', chainCode).update(parentKey).update(position).digest().subarray(0, 32);
    const scalar = Point.Fn.fromBytes(tweak); // Refuses what BIP32 calls invalid, once in 2^127.
    return p2wpkh(parent.add(Point.BASE.multiplyUnsafe(scalar)).toBytes(true), bech32Prefix);
  };
}

/** Pay to the hash of one key (BIP141, version 0), and its address (BIP173). */
function p2wpkh(publicKey: Uint8Array, bech32Prefix: string): DerivedAddress {
  const sha256 = createHash('sha256').update(publicKey).digest();
  const keyHash = createHash('ripemd160').update(sha256).digest();
  return {
    address: bech32.encode(bech32Prefix, [0, ...bech32.toWords(keyHash)]),
    script: Uint8Array.of(0x00, keyHash.length, ...keyHash),
  };
}
