/** Codes of an authenticator app (RFC 6238): six digits, thirty seconds, SHA-1, as every such app has them. */
import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { Secret } from '../lib/secret.ts';

const stepMs = 30_000;
const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';

/** 160 bits in base32, as apps take it. */
export const newTotpSecret = (): Secret => new Secret(base32(randomBytes(20)));

/** What an app reads from a code on the screen. */
export const totpUri = (secret: Secret, { issuer, email }: { issuer: string; email: string }): string =>
  `otpauth://totp/${encodeURIComponent(`${issuer}:${email}`)}?secret=${secret.reveal()}&issuer=${encodeURIComponent(issuer)}`;

/**
 * The step that the code belongs to: now, or one before or after, for clocks that are a little off. Null: it is no code
 * of this time. `usedStep`: codes up to there were used already.
 */
export function totpStep(secret: Secret, code: string, now: Date, usedStep: bigint | null): bigint | null {
  const given = Buffer.from(code.replace(/\s/g, ''));
  const present = BigInt(Math.floor(now.getTime() / stepMs));
  let found: bigint | null = null;
  for (const step of [present - 1n, present, present + 1n]) {
    const right = Buffer.from(totpCode(secret, step));
    const isRight = given.length === right.length && timingSafeEqual(given, right);
    if (isRight && (usedStep === null || step > usedStep)) found = step;
  }
  return found;
}

export function totpCode(secret: Secret, step: bigint): string {
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(step);
  const mac = createHmac('sha1', fromBase32(secret.reveal())).update(counter).digest();
  const offset = (mac[mac.length - 1] ?? 0) & 15;
  const value = mac.readUInt32BE(offset) & 0x7fff_ffff;
  return String(value % 1_000_000).padStart(6, '0');
}

function base32(bytes: Buffer): string {
  const bits = Array.from(bytes, (byte) => byte.toString(2).padStart(8, '0')).join('');
  return (bits.match(/.{1,5}/g) ?? []).map((five) => alphabet[Number.parseInt(five.padEnd(5, '0'), 2)]).join('');
}

function fromBase32(text: string): Buffer {
  const bits = Array.from(text, (letter) => alphabet.indexOf(letter).toString(2).padStart(5, '0')).join('');
  return Buffer.from((bits.match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2)));
}
