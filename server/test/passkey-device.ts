/**
 * A phone or computer that makes passkeys and answers with them, without a browser: so a test can answer what no browser
 * would, twice, for another purpose or from another origin.
 */
import { createHash, generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto';
import { isoCBOR } from '@simplewebauthn/server/helpers';

type Asked = { readonly challenge: string };

export type PasskeyDevice = {
  readonly id: string;
  /** The answer to being asked for a new passkey. */
  register(asked: Asked): string;
  /** The answer to being asked for this passkey. */
  answer(asked: Asked, origin?: string): string;
};

const sha256 = (text: string): Buffer => createHash('sha256').update(text).digest();
const present = 0x01;
const verified = 0x04;
const withKey = 0x40;

export function passkeyDevice(accountUrl: string, { isVerified = true } = {}): PasskeyDevice {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const rawId = randomBytes(16);
  const id = rawId.toString('base64url');
  const rpHash = sha256(new URL(accountUrl).hostname);
  let counter = 0;

  const clientData = (type: string, { challenge }: Asked, origin: string): Buffer =>
    Buffer.from(JSON.stringify({ type, challenge, origin, crossOrigin: false }));
  function authenticatorData(flags: number, more: Buffer = Buffer.alloc(0)): Buffer {
    counter += 1;
    const count = Buffer.alloc(4);
    count.writeUInt32BE(counter);
    return Buffer.concat([rpHash, Buffer.from([present | (isVerified ? verified : 0) | flags]), count, more]);
  }
  const written = (response: Record<string, Buffer>): string =>
    JSON.stringify({
      id,
      rawId: id,
      type: 'public-key',
      clientExtensionResults: {},
      response: Object.fromEntries(
        Object.entries(response).map(([name, bytes]) => [name, bytes.toString('base64url')]),
      ),
    });

  return {
    id,
    register(asked) {
      const length = Buffer.alloc(2);
      length.writeUInt16BE(rawId.length);
      const credential = Buffer.concat([Buffer.alloc(16), length, rawId, coseKey(publicKey)]);
      const authData = authenticatorData(withKey, credential);
      const attestation = new Map<string, unknown>([
        ['fmt', 'none'],
        ['attStmt', new Map()],
        ['authData', new Uint8Array(authData)],
      ]);
      return written({
        clientDataJSON: clientData('webauthn.create', asked, new URL(accountUrl).origin),
        attestationObject: Buffer.from(isoCBOR.encode(attestation as never)),
      });
    },
    answer(asked, origin = new URL(accountUrl).origin) {
      const clientDataJSON = clientData('webauthn.get', asked, origin);
      const authData = authenticatorData(0);
      const signed = Buffer.concat([authData, sha256(clientDataJSON.toString())]);
      return written({ clientDataJSON, authenticatorData: authData, signature: sign('sha256', signed, privateKey) });
    },
  };
}

function coseKey(publicKey: KeyObject): Buffer {
  const { x = '', y = '' } = publicKey.export({ format: 'jwk' });
  const key = new Map<number, unknown>([
    [1, 2],
    [3, -7],
    [-1, 1],
    [-2, new Uint8Array(Buffer.from(x, 'base64url'))],
    [-3, new Uint8Array(Buffer.from(y, 'base64url'))],
  ]);
  return Buffer.from(isoCBOR.encode(key as never));
}
