/**
 * Deposit addresses from an account's public key, one key per address. An installation that only receives has no
 * private key, so that an intruder can watch the addresses but not spend from them.
 */
import { createHash, createHmac } from 'node:crypto';
import { secp256k1 } from '@noble/curves/secp256k1.js';
import { bech32, createBase58check } from '@scure/base';
import { present } from '../../../lib/assert.ts';
import { type AccountForm, readAccountKey } from './utxo-account-key.ts';
import type { UtxoChain, UtxoParameters } from './utxo-parameters.ts';

export type DerivedAddress = { readonly address: string; readonly script: Uint8Array };

export type OwnAddressForm = AccountForm & Pick<UtxoParameters, 'bech32Prefixes' | 'base58Forms'>;

const { Point } = secp256k1;
const sha256 = (bytes: Uint8Array): Uint8Array => createHash('sha256').update(bytes).digest();
const base58check = createBase58check(sha256);

/**
 * Reads the key once and derives the external branch once: an address then costs one multiplication on the curve.
 *
 * The derivation of a public child (BIP32, CKDpub) is written here, because the library's takes three times as long: it
 * decodes the parent's point every time, and its multiplication is slower to protect a secret. Nothing here is secret.
 */
export function createAddressDeriver(
  accountKey: string,
  chain: UtxoChain,
  form: OwnAddressForm,
): (index: number) => DerivedAddress {
  const external = readAccountKey(accountKey, chain, form).deriveChild(0);
  const parentKey = present(external.publicKey, 'public key of the external branch');
  const chainCode = present(external.chainCode, 'chain code of the external branch');
  const parent = Point.fromBytes(parentKey);
  const payTo = form.addressKind === 'p2pkh' ? p2pkh(form, chain) : p2wpkh(form, chain);

  return (index) => {
    if (!Number.isInteger(index) || index < 0 || index >= 2 ** 31) throw new Error(`${index} is no derivation index`);
    const position = Buffer.alloc(4);
    position.writeUInt32BE(index);
    const tweak = createHmac('sha512', chainCode).update(parentKey).update(position).digest().subarray(0, 32);
    const scalar = Point.Fn.fromBytes(tweak); // Throws for what BIP32 calls invalid, which happens once in 2^127.
    const publicKey = parent.add(Point.BASE.multiplyUnsafe(scalar)).toBytes(true);
    return payTo(createHash('ripemd160').update(sha256(publicKey)).digest());
  };
}

/** Pay to the hash of one key (BIP141, version 0), and its address (BIP173). */
function p2wpkh({ bech32Prefixes }: OwnAddressForm, chain: UtxoChain): (keyHash: Uint8Array) => DerivedAddress {
  const prefix = present(bech32Prefixes?.[chain], 'prefix of segwit addresses');
  return (keyHash) => ({
    address: bech32.encode(prefix, [0, ...bech32.toWords(keyHash)]),
    script: Uint8Array.of(0x00, keyHash.length, ...keyHash),
  });
}

/** The same without segwit. The script says: duplicate, hash, compare with this hash, check the signature. */
function p2pkh({ base58Forms }: OwnAddressForm, chain: UtxoChain): (keyHash: Uint8Array) => DerivedAddress {
  const { pubKeyHash } = base58Forms[chain];
  return (keyHash) => ({
    address: base58check.encode(Uint8Array.of(pubKeyHash, ...keyHash)),
    script: Uint8Array.of(0x76, 0xa9, keyHash.length, ...keyHash, 0x88, 0xac),
  });
}
