/**
 * The keys that sign daily statements: Ed25519. The first is made when the first day is signed. A key counts only if the master
 * key opens its private half and that belongs to the public one: whoever has only the database cannot add another.
 */
import {
  createHash,
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  type KeyObject,
  sign,
  verify,
} from 'node:crypto';
import type { Db, Query, Tx } from '../db/database.ts';
import { addMs } from '../lib/clock.ts';
import type { Encryption } from '../lib/encryption.ts';
import { Secret } from '../lib/secret.ts';
import { insertStatementKey, listStatementKeys, type StoredKey } from './daily-statement-store.ts';

/** Where the public halves are. */
export const statementKeysPath = '/.well-known/quittance-statement-keys.json';

export type OpenKey = {
  readonly id: string;
  /** SubjectPublicKeyInfo. */
  readonly publicKey: Buffer;
  readonly madeAt: Date;
  readonly signatureOf: (text: string) => string;
};

const contextOf = (id: string): string => `statement-key:${id}`;
const derOf = (key: KeyObject): Buffer => key.export({ type: 'spki', format: 'der' });
const idOf = (der: Buffer): string => createHash('sha256').update(der).digest('hex').slice(0, 16);

/** The oldest first. Those that the master key does not open are left out. */
export const openStatementKeys = async (query: Query, encryption: Encryption): Promise<OpenKey[]> =>
  (await listStatementKeys(query)).flatMap((stored) => openKey(stored, encryption) ?? []);

function openKey({ id, publicKey, sealed, madeAt }: StoredKey, encryption: Encryption): OpenKey | null {
  try {
    const privateKey = createPrivateKey(encryption.decrypt(sealed, contextOf(id)).reveal());
    if (!derOf(createPublicKey(privateKey)).equals(publicKey) || idOf(publicKey) !== id) return null;
    return {
      id,
      publicKey,
      madeAt,
      signatureOf: (text) => sign(null, Buffer.from(text), privateKey).toString('base64'),
    };
  } catch {
    return null;
  }
}

/** Made where there is none at all: keys that the master key does not open are a reason to ask, not to go on with another. */
export async function statementKeysForSigning(tx: Tx, encryption: Encryption, now: Date): Promise<OpenKey[]> {
  const keys = await openStatementKeys(tx, encryption);
  if (keys.length > 0) return keys;
  if ((await listStatementKeys(tx)).length > 0)
    throw new Error(
      'the master key opens none of the keys that signed statements: it is not the one they were made under',
    );
  return [await makeKey(tx, encryption, now)];
}

async function makeKey(tx: Tx, encryption: Encryption, now: Date): Promise<OpenKey> {
  const pair = generateKeyPairSync('ed25519');
  const publicKey = derOf(pair.publicKey);
  const id = idOf(publicKey);
  const secret = new Secret(pair.privateKey.export({ type: 'pkcs8', format: 'pem' }).toString());
  const stored = { id, publicKey, sealed: encryption.encrypt(secret, contextOf(id)), madeAt: now };
  await insertStatementKey(tx, stored);
  const opened = openKey(stored, encryption);
  if (!opened) throw new Error('a key that was made a moment ago does not open');
  return opened;
}

/** From then on each account names the new key in its next statement, and signs with it the one after that. */
export const renewStatementKey = (db: Db, encryption: Encryption, now: Date): Promise<OpenKey> =>
  db.begin(async (tx) => {
    const newest = (await statementKeysForSigning(tx, encryption, now)).at(-1);
    // The newest by its time, whatever the clocks of two machines say.
    const isLater = newest === undefined || newest.madeAt < now;
    return makeKey(tx, encryption, isLater ? now : addMs(newest.madeAt, 1));
  });

export type PublicKeys = ReadonlyMap<string, Buffer>;

export const publicKeysOf = (keys: readonly Pick<OpenKey, 'id' | 'publicKey'>[]): PublicKeys =>
  new Map(keys.map(({ id, publicKey }) => [id, publicKey]));

/** As they are published: a name, the key as PEM, and since when there is one. */
export const publishedKeys = (keys: readonly Pick<OpenKey, 'id' | 'publicKey' | 'madeAt'>[]) => ({
  keys: keys.map(({ id, publicKey, madeAt }) => ({
    id,
    algorithm: 'Ed25519',
    publicKey: createPublicKey({ key: publicKey, type: 'spki', format: 'der' })
      .export({ type: 'spki', format: 'pem' })
      .toString(),
    madeAt: madeAt.toISOString(),
  })),
});

/** As somebody kept them. A name that is not of its key is none of ours. */
export function readPublishedKeys(text: string): PublicKeys {
  const { keys } = JSON.parse(text) as { keys: { readonly id: string; readonly publicKey: string }[] };
  const read = keys.map(({ id, publicKey }) => ({ id, publicKey: derOf(createPublicKey(publicKey)) }));
  const other = read.find(({ id, publicKey }) => id !== idOf(publicKey));
  if (other) throw new Error(`the key ${other.id} is another one`);
  return publicKeysOf(read);
}

export function isSignedBy(keys: PublicKeys, keyId: string, text: string, signature: string): boolean {
  const der = keys.get(keyId);
  if (!der) return false;
  const key = createPublicKey({ key: der, type: 'spki', format: 'der' });
  return verify(null, Buffer.from(text), key, Buffer.from(signature, 'base64'));
}
