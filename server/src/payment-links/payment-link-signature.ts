/**
 * Amounts that a shop signs itself, without asking us: HMAC-SHA256 over three lines, the id of the link, the amount and the
 * reference. Over the values and not over the query, which every language encodes in its own way; nor can one value pass
 * for a part of another, since none has a line break in it. `sdk/vectors/payment-links.json` has examples.
 */
import { createHmac, timingSafeEqual } from 'node:crypto';
import type { Secret } from '../lib/secret.ts';

export type SignedAmount = { readonly amount: string; readonly reference: string };

export const signAmount = (secret: Secret, linkId: string, { amount, reference }: SignedAmount): string =>
  createHmac('sha256', secret.key()).update(`${linkId}\n${amount}\n${reference}`).digest('hex');

export function isSignedAmount(secret: Secret, linkId: string, signed: SignedAmount, signature: string): boolean {
  if (!/^[0-9a-f]{64}$/i.test(signature)) return false;
  return timingSafeEqual(Buffer.from(signature, 'hex'), Buffer.from(signAmount(secret, linkId, signed), 'hex'));
}

/** As long as an order reference may be, and one line. */
export const isReference = (text: string): boolean =>
  /^[^\p{Cc}\p{Cf}\p{Zl}\p{Zp}]{1,30}$/u.test(text) && text.trim() === text;
