/**
 * The private half of an account, for an installation that sends. Deposit addresses are its external chain
 * (m/44'/60'/0'/0/index); the wallet that everything is sent from is the first address of its internal chain, which no
 * customer is ever given.
 */
import { HDKey } from '@scure/bip32';
import { toHex } from 'viem';
import { type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts';
import { present } from '../../../lib/assert.ts';
import type { Secret } from '../../../lib/secret.ts';

export type EvmKeys = {
  readonly wallet: PrivateKeyAccount;
  /** Of the deposit address with this derivation index. */
  target(index: number): PrivateKeyAccount;
};

/** `xprv` must be the private half of `xpub`. The sentences never repeat a key: they end up in logs. */
export function openEvmKeys(xprv: Secret, xpub: string): EvmKeys {
  const account = readPrivateKey(xprv.reveal());
  const { publicKey, chainCode } = HDKey.fromExtendedKey(xpub);
  const isSame = toHexOrEmpty(account.publicKey) === toHexOrEmpty(publicKey);
  if (!isSame || toHexOrEmpty(account.chainCode) !== toHexOrEmpty(chainCode)) {
    throw new Error('The private account key does not belong to the public account key.');
  }
  const external = account.deriveChild(0);
  return {
    wallet: accountOf(account.deriveChild(1).deriveChild(0)),
    target: (index) => accountOf(external.deriveChild(index)),
  };
}

function readPrivateKey(text: string): HDKey {
  let key: HDKey | undefined;
  try {
    key = HDKey.fromExtendedKey(text);
  } catch {
    // What is wrong with it could show what it is.
  }
  if (!key?.privateKey) throw new Error('The private account key must be an extended private key (xprv…).');
  return key;
}

const accountOf = ({ privateKey }: HDKey): PrivateKeyAccount =>
  privateKeyToAccount(toHex(present(privateKey, 'private key of a child')));

const toHexOrEmpty = (bytes: Uint8Array | null): string => (bytes ? toHex(bytes) : '');
