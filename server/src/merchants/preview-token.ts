/** Opens the preview of a merchant's pages, for a while. It is encrypted with the master key and names the merchant. */
import type { Encryption } from '../lib/encryption.ts';
import { Secret } from '../lib/secret.ts';

const context = 'brand-preview';
const validMs = 7 * 86_400_000;

export const createPreviewToken = (encryption: Encryption, merchantId: string, now: Date): string =>
  encryption.encrypt(new Secret(`${merchantId} ${now.getTime() + validMs}`), context).toString('base64url');

/** The merchant; null for a token that is not ours or has expired. */
export function readPreviewToken(encryption: Encryption, token: string, now: Date): string | null {
  try {
    const [merchantId = '', until] = encryption.decrypt(Buffer.from(token, 'base64url'), context).reveal().split(' ');
    return now.getTime() < Number(until) ? merchantId : null;
  } catch {
    return null;
  }
}
