/**
 * Passwords: argon2id, stored in PHC form with their own parameters, so that stronger ones can be used from one day on.
 * A hash takes 19 MiB and a tenth of a second of one of Node's few threads: so only two are computed at once.
 */
import { argon2, randomBytes, timingSafeEqual } from 'node:crypto';
import { promisify } from 'node:util';
import type { Secret } from '../lib/secret.ts';
import { atMostAtOnce } from './at-most-at-once.ts';
import { isCommonPassword } from './common-passwords.ts';
import { passwordProblem } from './people-errors.ts';

const derive = promisify(argon2);
const usual = { memory: 19_456, passes: 2, parallelism: 1 } as const;
const tagLength = 32;
const least = 12;
const most = 200;

const inTurn = atMostAtOnce(2);

export function demandGoodPassword(password: Secret, { email, name }: { email: string; name: string }): void {
  const text = password.reveal();
  if (text.length < least) throw passwordProblem('password_short', `A password has at least ${least} characters.`);
  if (text.length > most) throw passwordProblem('password_long', `A password has at most ${most} characters.`);
  const known = [email, email.split('@')[0] ?? '', name].filter((each) => each.length >= 4);
  const isGuessable = isCommonPassword(text) || known.some((each) => text.toLowerCase() === each.toLowerCase());
  if (isGuessable)
    throw passwordProblem(
      'password_common',
      'Many people use this password, so it is tried first. Choose another one.',
    );
}

export async function hashPassword(password: Secret): Promise<string> {
  const nonce = randomBytes(16);
  const tag = await tagOf(password, nonce, usual);
  return `$argon2id$v=19$m=${usual.memory},t=${usual.passes},p=${usual.parallelism}$${unpadded(nonce)}$${unpadded(tag)}`;
}

/** Takes the same time for an account without a password: `stored` null. */
export async function isPassword(password: Secret, stored: string | null): Promise<boolean> {
  const { parameters, nonce, tag } = readPhc(stored ?? nobodys);
  const given = await tagOf(password, nonce, parameters);
  return timingSafeEqual(given, tag) && stored !== null;
}

type Parameters = { readonly memory: number; readonly passes: number; readonly parallelism: number };

const tagOf = (password: Secret, nonce: Buffer, parameters: Parameters): Promise<Buffer> => {
  const message = Buffer.from(password.reveal().normalize('NFC').slice(0, most), 'utf8');
  return inTurn(() => derive('argon2id', { message, nonce, tagLength, ...parameters }));
};

const unpadded = (bytes: Buffer): string => bytes.toString('base64').replaceAll('=', '');

const nobodys = `$argon2id$v=19$m=${usual.memory},t=${usual.passes},p=${usual.parallelism}$${unpadded(randomBytes(16))}$${unpadded(randomBytes(tagLength))}`;

function readPhc(phc: string): { parameters: Parameters; nonce: Buffer; tag: Buffer } {
  const parts = /^\$argon2id\$v=19\$m=(\d+),t=(\d+),p=(\d+)\$([\w+/]+)\$([\w+/]+)$/.exec(phc);
  if (!parts) throw new Error('a stored password has an unknown form');
  const [, memory = '', passes = '', parallelism = '', nonce = '', tag = ''] = parts;
  return {
    parameters: { memory: Number(memory), passes: Number(passes), parallelism: Number(parallelism) },
    nonce: Buffer.from(nonce, 'base64'),
    tag: Buffer.from(tag, 'base64'),
  };
}
