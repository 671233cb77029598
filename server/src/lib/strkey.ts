/**
 * Stellar's text form of keys (SEP-23): a version byte, 32 bytes of key and a CRC16, in base32. `G…` names an account,
 * `M…` an account with a number, `S…` is the seed that signs for it. It is in `lib` because the catalogue needs an
 * issuer's account id even if Stellar is not configured.
 */
import { createPrivateKey, createPublicKey, type KeyObject, randomBytes, sign } from 'node:crypto';
import { base32nopad } from '@scure/base';
import { assert } from './assert.ts';
import { Secret } from './secret.ts';

export type IssuerKeypair = { readonly accountId: string; readonly secretSeed: Secret };

const accountVersion = 6 << 3;
const seedVersion = 18 << 3;
const muxedVersion = 12 << 3;

/**
 * What RFC 8410 puts before the 32 bytes of an Ed25519 private and public key: node:crypto reads and writes only DER.
 */
const privateKeyHeader = Buffer.from('302e020100300506032b657004220420', 'hex');
const publicKeyHeaderBytes = 12;

export const encodeAccountId = (publicKey: Uint8Array): string => encode(accountVersion, publicKey);

export function isAccountId(text: string): boolean {
  return decode(/^G[A-Z2-7]{55}$/, accountVersion, text) !== null;
}

/** An account with a number (CAP-27), for wallets that have no memos. */
export function encodeMuxedAddress(accountId: string, id: bigint): string {
  const number = Buffer.alloc(8);
  number.writeBigUInt64BE(id);
  return encode(muxedVersion, Uint8Array.of(...base32nopad.decode(accountId).subarray(1, 33), ...number));
}

/** Null: it is none. */
export function readMuxedAddress(text: string): { readonly accountId: string; readonly id: bigint } | null {
  const payload = decode(/^M[A-Z2-7]{68}$/, muxedVersion, text);
  if (!payload) return null;
  return { accountId: encodeAccountId(payload.subarray(0, 32)), id: Buffer.from(payload).readBigUInt64BE(32) };
}

/** The 32 bytes of an `S…`, or null when it is none. */
export const readSeed = (text: string): Uint8Array | null => decode(/^S[A-Z2-7]{55}$/, seedVersion, text);

const privateKeyOf = (seed: Uint8Array): KeyObject =>
  createPrivateKey({ key: Buffer.concat([privateKeyHeader, seed]), format: 'der', type: 'pkcs8' });

export const signWithSeed = (seed: Uint8Array, message: Uint8Array): Buffer => sign(null, message, privateKeyOf(seed));

/** The account that a seed signs for. */
export function issuerKeypair(seed: Uint8Array): IssuerKeypair {
  const privateKey = privateKeyOf(seed);
  const publicKey = createPublicKey(privateKey).export({ format: 'der', type: 'spki' }).subarray(publicKeyHeaderBytes);
  return { accountId: encodeAccountId(publicKey), secretSeed: new Secret(encode(seedVersion, seed)) };
}

export const newIssuerKeypair = (): IssuerKeypair => issuerKeypair(randomBytes(32));

/** SEP-23: only the exact text that we would write ourselves is valid. */
function decode(form: RegExp, version: number, text: string): Uint8Array | null {
  if (!form.test(text)) return null;
  try {
    const payload = base32nopad.decode(text).slice(1, -2);
    return encode(version, payload) === text ? payload : null;
  } catch {
    return null; // Bits left over at the end.
  }
}

function encode(version: number, key: Uint8Array): string {
  assert(key.length === (version === muxedVersion ? 40 : 32), 'a Stellar key has 32 bytes');
  const payload = Uint8Array.of(version, ...key);
  const checksum = crc16(payload);
  return base32nopad.encode(Uint8Array.of(...payload, checksum & 0xff, checksum >> 8));
}

/** CRC16-XModem: polynomial 0x1021, starting from zero. */
function crc16(bytes: Uint8Array): number {
  let crc = 0;
  for (const byte of bytes) {
    crc ^= byte << 8;
    for (let bit = 0; bit < 8; bit += 1) crc = (crc & 0x8000 ? (crc << 1) ^ 0x1021 : crc << 1) & 0xffff;
  }
  return crc;
}
