/** The key that signs daily statements: Ed25519, made once, when the first one is signed. */
import { createHash, createPrivateKey, createPublicKey, generateKeyPairSync, sign, verify } from 'node:crypto';
import type { Query, Tx } from '../db/database.ts';
import type { Encryption } from '../lib/encryption.ts';
import { Secret } from '../lib/secret.ts';
import { insertStatementKey, listStatementKeys } from './daily-statement-store.ts';

/** Where the public halves are. */
export const statementKeysPath = '/.well-known/quittance-statement-keys.json';

const contextOf = (id: string): string => `statement-key:${id}`;

/** Whoever signs: the newest key, or a new one where there is none. */
export async function statementSigner(
  tx: Tx,
  encryption: Encryption,
  now: Date,
): Promise<{ keyId: string; signatureOf: (text: string) => string }> {
  const stored = (await listStatementKeys(tx)).at(-1);
  const key = stored ?? (await makeKey());
  const privateKey = createPrivateKey(encryption.decrypt(key.sealed, contextOf(key.id)).reveal());
  return { keyId: key.id, signatureOf: (text) => sign(null, Buffer.from(text), privateKey).toString('base64') };

  async function makeKey() {
    const pair = generateKeyPairSync('ed25519');
    const publicKey = pair.publicKey.export({ type: 'spki', format: 'der' });
    const id = createHash('sha256').update(publicKey).digest('hex').slice(0, 16);
    const secret = new Secret(pair.privateKey.export({ type: 'pkcs8', format: 'pem' }).toString());
    const made = { id, publicKey, sealed: encryption.encrypt(secret, contextOf(id)) };
    await insertStatementKey(tx, made, now);
    return made;
  }
}

export type PublicKeys = ReadonlyMap<string, Buffer>;

export const readPublicKeys = async (query: Query): Promise<PublicKeys> =>
  new Map((await listStatementKeys(query)).map(({ id, publicKey }) => [id, publicKey]));

/** As it is published: a name, and the key as PEM. */
export const publishedKeys = (keys: PublicKeys) => ({
  keys: Array.from(keys, ([id, der]) => ({
    id,
    algorithm: 'Ed25519',
    publicKey: createPublicKey({ key: der, type: 'spki', format: 'der' })
      .export({ type: 'spki', format: 'pem' })
      .toString(),
  })),
});

export function isSignedBy(keys: PublicKeys, keyId: string, text: string, signature: string): boolean {
  const der = keys.get(keyId);
  if (!der) return false;
  const key = createPublicKey({ key: der, type: 'spki', format: 'der' });
  return verify(null, Buffer.from(text), key, Buffer.from(signature, 'base64'));
}
