/**
 * Who signed a transaction, and whether that is enough. Every signature must be needed: one too many makes the
 * transaction invalid (tx_bad_auth_extra), so that a stranger cannot make it larger.
 */
import { createPublicKey, verify } from 'node:crypto';
import { type OperationRecord, StrKey, type xdr } from '@stellar/stellar-sdk';
import type { AccountEntry } from './ledger-entries.ts';

/** What RFC 8410 puts before the 32 bytes of an Ed25519 key. */
const publicKeyHeader = Buffer.from('302a300506032b6570032100', 'hex');

export type ThresholdLevel = 'low' | 'medium' | 'high';

export type SignatureCheck = {
  /** Whether the account's signers among the signatures reach the threshold, counting each of them once. */
  isSignedBy(account: AccountEntry, level: ThresholdLevel): boolean;
  /** For an operation whose source does not exist yet when the transaction is submitted: its master key alone. */
  isSignedByKey(accountId: string): boolean;
  areAllUsed(): boolean;
};

export function createSignatureCheck(hash: Uint8Array, signatures: readonly xdr.DecoratedSignature[]): SignatureCheck {
  const used = new Set<number>();

  function signatureOf(publicKey: string): number | undefined {
    const key = Buffer.from(StrKey.decodeEd25519PublicKey(publicKey));
    const hint = key.subarray(-4);
    const found = signatures.findIndex(
      (each, at) => hint.equals(each.hint.value) && isGood(`${at}/${publicKey}`, key, each.signature.value),
    );
    return found === -1 ? undefined : found;
  }

  /** Each signature is verified only once, though it is asked for often. */
  const verified = new Map<string, boolean>();
  function isGood(name: string, key: Buffer, signature: Uint8Array): boolean {
    const known = verified.get(name);
    if (known !== undefined) return known;
    const publicKey = createPublicKey({ key: Buffer.concat([publicKeyHeader, key]), format: 'der', type: 'spki' });
    const isValid = verify(null, hash, publicKey, signature);
    verified.set(name, isValid);
    return isValid;
  }

  return {
    isSignedBy(account, level) {
      const needed = account.thresholds[level];
      const signers = [[account.id, account.thresholds.master] as const, ...account.signers];
      let weight = 0;
      for (const [key, own] of signers) {
        if (own === 0) continue;
        const at = signatureOf(key);
        if (at === undefined) continue;
        used.add(at);
        weight += own;
        if (weight >= needed) return true; // Only after a signature: a threshold of zero still needs one.
      }
      return false;
    },
    isSignedByKey(accountId) {
      const at = signatureOf(accountId);
      if (at !== undefined) used.add(at);
      return at !== undefined;
    },
    areAllUsed: () => used.size === signatures.length,
  };
}

/** The documentation's table of operations and thresholds ("Signatures and multisig" in Stellar's docs). */
export function thresholdOf(operation: OperationRecord): ThresholdLevel {
  switch (operation.type) {
    case 'bumpSequence':
    case 'claimClaimableBalance':
      return 'low';
    case 'accountMerge':
      return 'high';
    case 'setOptions': {
      const { masterWeight, lowThreshold, medThreshold, highThreshold, signer } = operation;
      const changesPower = [masterWeight, lowThreshold, medThreshold, highThreshold, signer].some(
        (each) => each !== undefined,
      );
      return changesPower ? 'high' : 'medium';
    }
    default:
      return 'medium';
  }
}
