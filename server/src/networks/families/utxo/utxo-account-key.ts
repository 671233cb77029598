/** An account's extended keys (BIP32), as wallets write them. No error message here repeats a key: they are logged. */
import { createHash } from 'node:crypto';
import { createBase58check } from '@scure/base';
import { HDKey } from '@scure/bip32';
import { present } from '../../../lib/assert.ts';
import type { Secret } from '../../../lib/secret.ts';
import type { AddressKind, KeyMark, UtxoChain, UtxoParameters } from './utxo-parameters.ts';

/** What the mark of a key says about its account. */
export type AccountForm = Pick<UtxoParameters, 'addressKind' | 'keyMarks'>;

const base58check = createBase58check((bytes: Uint8Array) => createHash('sha256').update(bytes).digest());

const plain: Readonly<Record<'main' | 'test', KeyMark>> = {
  main: {
    isMain: true,
    public: { name: 'xpub', version: 0x0488b21e },
    private: { name: 'xprv', version: 0x0488ade4 },
  },
  test: {
    isMain: false,
    public: { name: 'tpub', version: 0x043587cf },
    private: { name: 'tprv', version: 0x04358394 },
  },
};

/**
 * A key that is marked for one kind of addresses is not used for the other kind: its owner's wallet would not look for
 * money there.
 */
const sharedMarks: Readonly<Record<AddressKind, readonly KeyMark[]>> = {
  p2pkh: [plain.main, plain.test],
  p2wpkh: [
    plain.main,
    {
      isMain: true,
      public: { name: 'zpub', version: 0x04b24746 },
      private: { name: 'zprv', version: 0x04b2430c },
    },
    plain.test,
    {
      isMain: false,
      public: { name: 'vpub', version: 0x045f1cf6 },
      private: { name: 'vprv', version: 0x045f18bc },
    },
  ],
};

const kindNames = { p2wpkh: 'a native segwit account', p2pkh: 'an account of P2PKH addresses (BIP44)' };

export const readAccountKey = (text: string, chain: UtxoChain, form: AccountForm): HDKey =>
  readExtendedKey(text, chain, form, 'The account key', 'public');

/** The private keys of the account's deposit addresses. Throws unless both keys are of one account. */
export function createKeyDeriver(
  xprv: Secret,
  xpub: string,
  chain: UtxoChain,
  form: AccountForm,
): (index: number) => Uint8Array {
  const account = readExtendedKey(xprv.reveal(), chain, form, 'The private account key', 'private');
  const { publicKey, chainCode } = readAccountKey(xpub, chain, form);
  const isSame =
    Buffer.from(present(account.publicKey, 'public key')).equals(present(publicKey, 'public key')) &&
    Buffer.from(present(account.chainCode, 'chain code')).equals(present(chainCode, 'chain code'));
  if (!isSame) {
    throw new Error('The private account key belongs to another account than the public one: give both of the same.');
  }
  const external = account.deriveChild(0);
  return (index) => present(external.deriveChild(index).privateKey, 'private key');
}

/** A public account key under the mark that nodes know. */
export function asNodesWriteIt(account: HDKey, chain: UtxoChain): string {
  const { publicKey, chainCode, depth, index, parentFingerprint } = account;
  const { publicExtendedKey } = new HDKey({
    versions: versionsOf(chain === 'main' ? plain.main : plain.test),
    depth,
    index,
    parentFingerprint,
    publicKey: present(publicKey, 'public key'),
    chainCode: present(chainCode, 'chain code'),
  });
  return publicExtendedKey;
}

const versionsOf = (mark: KeyMark) => ({ public: mark.public.version, private: mark.private.version });

function readExtendedKey(
  text: string,
  chain: UtxoChain,
  { addressKind, keyMarks = [] }: AccountForm,
  what: string,
  half: 'public' | 'private',
): HDKey {
  let bytes: Uint8Array;
  try {
    bytes = base58check.decode(text);
  } catch {
    // The cause is left out, because it may quote the key.
    throw new Error(`${what} is mistyped: its checksum is wrong.`);
  }
  const marks = [...sharedMarks[addressKind], ...keyMarks].sort((a, b) => Number(b.isMain) - Number(a.isMain));
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const mark = bytes.length === 78 ? marks.find((known) => known[half].version === view.getUint32(0)) : undefined;
  if (!mark) {
    const names = marks.map((known) => known[half].name);
    const choice = `${names.slice(0, -1).join(', ')} or ${names.at(-1)}`;
    throw new Error(`${what} must be the ${half} key of ${kindNames[addressKind]}: ${choice}.`);
  }
  if (mark.isMain !== (chain === 'main')) {
    throw new Error(
      `${what} is ${mark.isMain ? 'for real money' : 'a test key'} (${mark[half].name}), but the chain is ${chain}.`,
    );
  }
  view.setUint32(0, plain.main[half].version);
  return HDKey.fromExtendedKey(base58check.encode(bytes), versionsOf(plain.main));
}
