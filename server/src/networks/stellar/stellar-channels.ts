/**
 * Channel accounts: every transaction needs a sequence number, and the numbers of one account must be used one after
 * the other. So payments from one account are sent in transactions of several other accounts, which hold no money.
 * Their keys are derived from the secret of the account itself (SLIP-10 at the paths of SEP-5), so that only one secret
 * must be kept.
 */
import { createHmac } from 'node:crypto';
import { issuerKeypair, signWithSeed } from '../../lib/strkey.ts';

/** It does not give the seed away: a signer can be logged without harm. */
export type StellarSigner = { readonly accountId: string; sign(message: Uint8Array): Buffer };

const hardened = 0x8000_0000;
const purpose = 44;
const stellarCoinType = 148;

/** SLIP-10 for Ed25519, whose steps are all hardened. */
export function deriveSeed(masterSeed: Uint8Array, path: readonly number[]): Uint8Array {
  let node = createHmac('sha512', 'ed25519 seed').update(masterSeed).digest();
  for (const step of path) {
    const index = Buffer.alloc(4);
    index.writeUInt32BE(step + hardened);
    node = createHmac('sha512', node.subarray(32))
      .update(Buffer.concat([Buffer.of(0), node.subarray(0, 32), index]))
      .digest();
  }
  return node.subarray(0, 32);
}

export const signerOf = (seed: Uint8Array): StellarSigner => ({
  accountId: issuerKeypair(seed).accountId,
  sign: (message) => signWithSeed(seed, message),
});

export const channelSigners = (accountSeed: Uint8Array, count: number): StellarSigner[] =>
  Array.from({ length: count }, (_, index) => signerOf(deriveSeed(accountSeed, [purpose, stellarCoinType, index])));
