/**
 * Stored secrets: AES-256-GCM under the operator's master key. The context (which key or merchant a secret belongs to)
 * is authenticated with it, so a ciphertext that was moved to another row cannot be decrypted.
 *
 * Format: version (1 byte) · nonce (12) · tag (16) · ciphertext.
 */
import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import { assert } from './assert.ts';
import { Secret } from './secret.ts';

const version = 1;
const nonceLength = 12;
const tagLength = 16;
const headLength = 1 + nonceLength + tagLength;

export type Encryption = {
  encrypt(secret: Secret, context: string): Buffer;
  /** Throws when the master key or the context is a different one. */
  decrypt(sealed: Buffer, context: string): Secret;
  /** The same for what is not a text. */
  encryptBytes(bytes: Uint8Array, context: string): Buffer;
  decryptBytes(sealed: Buffer, context: string): Buffer;
};

export function createEncryption(masterKey: Buffer): Encryption {
  assert(masterKey.length === 32, 'the master key has 32 bytes');
  const encryption: Encryption = {
    encrypt: (secret, context) => encryption.encryptBytes(Buffer.from(secret.reveal(), 'utf8'), context),
    decrypt: (sealed, context) => new Secret(encryption.decryptBytes(sealed, context).toString('utf8')),
    encryptBytes(bytes, context) {
      const nonce = randomBytes(nonceLength);
      const cipher = createCipheriv('aes-256-gcm', masterKey, nonce).setAAD(Buffer.from(context));
      const ciphertext = Buffer.concat([cipher.update(bytes), cipher.final()]);
      return Buffer.concat([Buffer.of(version), nonce, cipher.getAuthTag(), ciphertext]);
    },
    decryptBytes(sealed, context) {
      assert(sealed.length >= headLength && sealed[0] === version, 'the encrypted secret has a known form');
      const nonce = sealed.subarray(1, 1 + nonceLength);
      const decipher = createDecipheriv('aes-256-gcm', masterKey, nonce, { authTagLength: tagLength })
        .setAAD(Buffer.from(context))
        .setAuthTag(sealed.subarray(1 + nonceLength, headLength));
      return Buffer.concat([decipher.update(sealed.subarray(headLength)), decipher.final()]);
    },
  };
  return encryption;
}

export const apiSecretContext = (apiKey: string): string => `api-secret:${apiKey}`;
export const webhookSecretContext = (merchantId: string): string => `webhook-secret:${merchantId}`;
export const totpSecretContext = (personId: string): string => `totp-secret:${personId}`;
export const paymentLinkSecretContext = (linkId: string): string => `payment-link-secret:${linkId}`;
export const keptAnswerContext = (merchantId: string, key: string): string => `kept-answer:${merchantId}:${key}`;
export const bankOrderContext = (orderId: string, piece: number): string => `bank-order:${orderId}:${piece}`;
export const bankFileContext = (fileId: string, piece: number): string => `bank-file:${fileId}:${piece}`;
export const paymentFileContext = (fileId: string, piece: number): string => `payment-file:${fileId}:${piece}`;
