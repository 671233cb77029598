/** An account's extended keys (BIP32), as wallets write them. None of the sentences here repeats a key: they are logged. */
import { createHash } from 'node:crypto';
import { createBase58check } from '@scure/base';
import { HDKey } from '@scure/bip32';
import { present } from '../../../lib/assert.ts';
import type { Secret } from '../../../lib/secret.ts';
import type { UtxoChain } from './utxo-address.ts';

const base58check = createBase58check((bytes: Uint8Array) => createHash('sha256').update(bytes).digest());
const plainVersions = { public: 0x0488b21e, private: 0x0488ade4 };

type KeyVersions = ReadonlyMap<number, { name: string; isMain: boolean }>;

/** How wallets mark an account's key (SLIP-132). The marks differ, the key behind them does not. */
const publicVersions: KeyVersions = new Map([
  [0x0488b21e, { name: 'xpub', isMain: true }],
  [0x04b24746, { name: 'zpub', isMain: true }],
  [0x019da462, { name: 'Ltub', isMain: true }],
  [0x043587cf, { name: 'tpub', isMain: false }],
  [0x045f1cf6, { name: 'vpub', isMain: false }],
  [0x0436f6e1, { name: 'ttub', isMain: false }],
]);
const privateVersions: KeyVersions = new Map([
  [0x0488ade4, { name: 'xprv', isMain: true }],
  [0x04b2430c, { name: 'zprv', isMain: true }],
  [0x019d9cfe, { name: 'Ltpv', isMain: true }],
  [0x04358394, { name: 'tprv', isMain: false }],
  [0x045f18bc, { name: 'vprv', isMain: false }],
  [0x0436ef7d, { name: 'ttpv', isMain: false }],
]);

export const readAccountKey = (text: string, chain: UtxoChain): HDKey =>
  readExtendedKey(text, chain, publicVersions, 'The account key', 'public');

/** The private keys of the account's deposit addresses. Throws unless both keys are of one account. */
export function createKeyDeriver(xprv: Secret, xpub: string, chain: UtxoChain): (index: number) => Uint8Array {
  const account = readExtendedKey(xprv.reveal(), chain, privateVersions, 'The private account key', 'private');
  const { publicKey, chainCode } = readAccountKey(xpub, chain);
  const isSame =
    Buffer.from(present(account.publicKey, 'public key')).equals(present(publicKey, 'public key')) &&
    Buffer.from(present(account.chainCode, 'chain code')).equals(present(chainCode, 'chain code'));
  if (!isSame) {
    throw new Error('The private account key belongs to another account than the public one: give both of the same.');
  }
  const external = account.deriveChild(0);
  return (index) => present(external.deriveChild(index).privateKey, 'private key');
}

function readExtendedKey(
  text: string,
  chain: UtxoChain,
  versions: KeyVersions,
  what: string,
  kind: 'public' | 'private',
): HDKey {
  let bytes: Uint8Array;
  try {
    bytes = base58check.decode(text);
  } catch {
    // Without its cause, which may quote the key.
    throw new Error(`${what} is mistyped: its checksum is wrong.`);
  }
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const version = bytes.length === 78 ? versions.get(view.getUint32(0)) : undefined;
  if (!version) {
    const names = [...versions.values()].map(({ name }) => name);
    const choice = `${names.slice(0, -1).join(', ')} or ${names.at(-1)}`;
    throw new Error(`${what} must be the ${kind} key of a native segwit account: ${choice}.`);
  }
  if (version.isMain !== (chain === 'main')) {
    throw new Error(
      `${what} is ${version.isMain ? 'for real money' : 'a test key'} (${version.name}), but the chain is ${chain}.`,
    );
  }
  view.setUint32(0, plainVersions[kind]);
  return HDKey.fromExtendedKey(base58check.encode(bytes), plainVersions);
}
