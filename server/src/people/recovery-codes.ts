/** Ten codes to print, each good once, for the day when phone and passkey are gone. */
import { createHash, randomInt } from 'node:crypto';

/** Letters and digits that nobody confuses when they are read from paper. */
const alphabet = 'abcdefghjkmnpqrstuvwxyz23456789';

const newCode = (): string => {
  const letters = Array.from({ length: 12 }, () => alphabet[randomInt(alphabet.length)]).join('');
  return letters.replace(/(.{4})(?=.)/g, '$1-');
};

export const newCodes = (): string[] => Array.from({ length: 10 }, newCode);

/** 59 random bits need no slow hash. The person is part of it, so that equal codes of two people look different. */
export const hashOfCode = (personId: string, code: string): Buffer =>
  createHash('sha256')
    .update(`${personId} ${code.toLowerCase().replace(/[^a-z0-9]/g, '')}`)
    .digest();
