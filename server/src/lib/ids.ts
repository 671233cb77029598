import { randomBytes } from 'node:crypto';

const alphabet = 'abcdefghijklmnopqrstuvwxyz0123456789';

/** Random bytes are read in bulk: reading twelve at a time would cost more than the rest of an id. */
let pool = Buffer.alloc(0);
let used = 0;

function randomByte(): number {
  if (used === pool.length) {
    pool = randomBytes(4096);
    used = 0;
  }
  return pool[used++] as number;
}

function randomText(length: number): string {
  let text = '';
  while (text.length < length) {
    const byte = randomByte();
    // 252 is the largest multiple of 36 in a byte: with larger bytes some letters would be more frequent.
    if (byte < 252) text += alphabet[byte % 36];
  }
  return text;
}

/** Checkout, customer and every other public id, and API keys: 12 lower-case letters and digits. */
export const newId = (): string => randomText(12);

/** API secrets as the settings forms of existing plugins expect them: six groups of four, 29 characters. */
export const newApiSecret = (): string => Array.from({ length: 6 }, () => randomText(4)).join('-');

export const isId = (text: string): boolean => /^[a-z0-9]{12}$/.test(text);
