/**
 * Deposit addresses from an account's public key (BIP84: native segwit, one key per address). The private keys are
 * never on this machine, so an intruder can watch the addresses but not spend from them.
 */
import { createHash } from 'node:crypto';
import { createBase58check } from '@scure/base';
import { HDKey } from '@scure/bip32';
import { p2wpkh } from '@scure/btc-signer';

export type UtxoChain = 'main' | 'test' | 'regtest';

/** The human-readable part of native segwit addresses (BIP173) on each of the coin's chains. */
export type Bech32Prefixes = Readonly<Record<UtxoChain, string>>;

export type DerivedAddress = { readonly address: string; readonly script: Uint8Array };

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

/** Reads the key once and derives the external branch once: an address then costs one point addition. */
export function createAddressDeriver(
  accountKey: string,
  chain: UtxoChain,
  bech32Prefix: string,
): (index: number) => DerivedAddress {
  const external = readAccountKey(accountKey, chain).deriveChild(0);
  // Only the bech32 prefix plays a part in a p2wpkh address.
  const network = { bech32: bech32Prefix, pubKeyHash: 0, scriptHash: 0, wif: 0 };
  return (index) => {
    if (!Number.isInteger(index) || index < 0 || index >= 2 ** 31) throw new Error(`${index} is no derivation index`);
    const { publicKey } = external.deriveChild(index);
    if (!publicKey) throw new Error('a derived key has no public part');
    const { address, script } = p2wpkh(publicKey, network);
    if (address === undefined) throw new Error('a p2wpkh payment has no address');
    return { address, script };
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
