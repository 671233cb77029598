/**
 * Deposit addresses from an account's public key (BIP84: native segwit, one key per address). The private keys are
 * never on this machine, so an intruder can watch the addresses but not spend from them.
 */
import { createHash, createHmac } from 'node:crypto';
import { secp256k1 } from '@noble/curves/secp256k1.js';
import { bech32, createBase58check } from '@scure/base';
import { HDKey } from '@scure/bip32';
import { present } from '../../lib/assert.ts';

export type UtxoChain = 'main' | 'test' | 'regtest';

/** The human-readable part of native segwit addresses (BIP173) on each of the coin's chains. */
export type Bech32Prefixes = Readonly<Record<UtxoChain, string>>;

export type DerivedAddress = { readonly address: string; readonly script: Uint8Array };

const { Point } = secp256k1;
const base58check = createBase58check((bytes: Uint8Array) => createHash('sha256').update(bytes).digest());
const plainVersions = { public: 0x0488b21e, private: 0x0488ade4 };

/** How wallets mark an account's public key (SLIP-132). The marks differ, the key behind them does not. */
const publicVersions = new Map<number, { name: string; isMain: boolean }>([
  [0x0488b21e, { name: 'xpub', isMain: true }],
  [0x04b24746, { name: 'zpub', isMain: true }],
  [0x019da462, { name: 'Ltub', isMain: true }],
  [0x043587cf, { name: 'tpub', isMain: false }],
  [0x045f1cf6, { name: 'vpub', isMain: false }],
  [0x0436f6e1, { name: 'ttub', isMain: false }],
]);

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

function readAccountKey(text: string, chain: UtxoChain): HDKey {
  // None of these sentences repeats the key: they end up in logs.
  let bytes: Uint8Array;
  try {
    bytes = base58check.decode(text);
  } catch (cause) {
    throw new Error('The account key is mistyped: its checksum is wrong.', { cause });
  }
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const version = publicVersions.get(view.getUint32(0));
  if (!version) {
    throw new Error(
      'The account key must be the public key of a native segwit account: xpub, zpub, Ltub, tpub, vpub or ttub.',
    );
  }
  if (version.isMain !== (chain === 'main')) {
    throw new Error(
      `The account key is ${version.isMain ? 'for real money' : 'a test key'} (${version.name}), but the chain is ${chain}.`,
    );
  }
  view.setUint32(0, plainVersions.public);
  return HDKey.fromExtendedKey(base58check.encode(bytes), plainVersions);
}
