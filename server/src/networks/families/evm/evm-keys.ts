/**
 * The private key of an account, for an installation that sends. Deposit addresses are from its external branch
 * (m/44'/60'/0'/0/index). The wallet that everything is sent from is the first address of its internal branch, which is
 * never shown to a customer.
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

/** `xprv` must be the private key to `xpub`. No error message here repeats a key: they are logged. */
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
    // The error is not passed on, because it could show parts of the key.
  }
  if (!key?.privateKey) throw new Error('The private account key must be an extended private key (xprv…).');
  return key;
}

const accountOf = ({ privateKey }: HDKey): PrivateKeyAccount =>
  privateKeyToAccount(toHex(present(privateKey, 'private key of a child')));

const toHexOrEmpty = (bytes: Uint8Array | null): string => (bytes ? toHex(bytes) : '');
