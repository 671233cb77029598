/**
 * Opens the whole invoice of one checkout, with the name and address of its buyer. It is in a link that only the buyer and
 * the people of the shop get; the link of the payment, which is passed on to be paid, does not have it.
 */
import type { Encryption } from '../lib/encryption.ts';
import { Secret } from '../lib/secret.ts';

const context = 'buyer-of-invoice';

export const createBuyerKey = (encryption: Encryption, checkoutId: string): string =>
  encryption.encrypt(new Secret(checkoutId), context).toString('base64url');

export function isBuyerKey(encryption: Encryption, key: string, checkoutId: string): boolean {
  try {
    return encryption.decrypt(Buffer.from(key, 'base64url'), context).reveal() === checkoutId;
  } catch {
    return false;
  }
}
