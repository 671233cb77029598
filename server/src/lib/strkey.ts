/**
 * Stellar's text form of keys (SEP-23): a version byte, 32 bytes of key and a CRC16, in base32. `G…` names an account,
 * `S…` is the seed that signs for it. Written here because the catalogue needs an issuer's account id whether or not
 * Stellar itself is configured.
 */
import { createPrivateKey, createPublicKey, randomBytes } from 'node:crypto';
import { base32nopad } from '@scure/base';
import { assert } from './assert.ts';
import { Secret } from './secret.ts';

export type IssuerKeypair = { readonly accountId: string; readonly secretSeed: Secret };

const accountVersion = 6 << 3;
const seedVersion = 18 << 3;

/** What RFC 8410 puts before the 32 bytes of an Ed25519 private and public key: node:crypto reads and writes DER only. */
const privateKeyHeader = Buffer.from('302e020100300506032b657004220420', 'hex');
const publicKeyHeaderBytes = 12;

export const encodeAccountId = (publicKey: Uint8Array): string => encode(accountVersion, publicKey);

export function isAccountId(text: string): boolean {
  if (!/^G[A-Z2-7]{55}$/.test(text)) return false;
  const bytes = base32nopad.decode(text);
  return text === encodeAccountId(bytes.subarray(1, 33));
}

/** The account that a seed signs for. */
export function issuerKeypair(seed: Uint8Array): IssuerKeypair {
  const privateKey = createPrivateKey({ key: Buffer.concat([privateKeyHeader, seed]), format: 'der', type: 'pkcs8' });
  const publicKey = createPublicKey(privateKey).export({ format: 'der', type: 'spki' }).subarray(publicKeyHeaderBytes);
  return { accountId: encodeAccountId(publicKey), secretSeed: new Secret(encode(seedVersion, seed)) };
}

export const newIssuerKeypair = (): IssuerKeypair => issuerKeypair(randomBytes(32));

function encode(version: number, key: Uint8Array): string {
  assert(key.length === 32, 'a Stellar key has 32 bytes');
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
