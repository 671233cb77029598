/**
 * The link in a status mail at which whoever reads it stops such mails: no sign-in, any browser. It names the shop and the
 * address by its hash, sealed with the master key, so nobody makes one for somebody else, and it says nothing to who
 * finds it. It is good for ever: so is the mail that it is in.
 */
import { createHash } from 'node:crypto';
import type { Encryption } from '../lib/encryption.ts';
import { Secret } from '../lib/secret.ts';
import type { AddressKey } from './mail-address-store.ts';

const context = 'stop-mails';

/** The same address in whatever letters it is written. */
export const addressHash = (email: string): string =>
  createHash('sha256').update(email.trim().toLowerCase()).digest('hex');

export const createMailToken = (encryption: Encryption, { merchantId, addressHash: hash }: AddressKey): string =>
  encryption.encrypt(new Secret(`${merchantId} ${hash}`), context).toString('base64url');

/** Undefined: it is none of ours. */
export function readMailToken(encryption: Encryption, token: string): AddressKey | undefined {
  try {
    const [merchantId, hash] = encryption.decrypt(Buffer.from(token, 'base64url'), context).reveal().split(' ');
    return merchantId !== undefined && hash !== undefined ? { merchantId, addressHash: hash } : undefined;
  } catch {
    return undefined;
  }
}

/** Below the path of checkouts, which brand containers forward. */
export const stopMailsPath = (language: string, token: string): string => `/${language}/checkout/mails/${token}`;
