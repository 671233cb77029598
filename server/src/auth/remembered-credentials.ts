/**
 * Credentials as read from the database, kept for a second so that a busy shop does not cost a read per request.
 * A changed setting or a revoked key therefore takes effect within that second in every process, and at once where money
 * leaves: there the database is asked every time.
 */
import type { Db } from '../db/database.ts';
import type { Merchant } from '../http/caller.ts';
import { type AddressRange, parseRange } from '../http/client-address.ts';
import { apiSecretContext, type Encryption } from '../lib/encryption.ts';
import type { Secret } from '../lib/secret.ts';
import {
  findCredentialsByBasicDigest,
  findCredentialsByKey,
  type StoredCredentials,
} from '../merchants/merchant-store.ts';

export type Credentials = {
  readonly merchant: Merchant;
  readonly apiKey: string;
  readonly secret: Secret;
  readonly allowedRanges: readonly AddressRange[];
};

export type Lookup = { readonly credentials: Credentials | undefined; readonly isRemembered: boolean };

export type RememberedCredentials = {
  /** `isFresh` insists on the database. */
  byKey(key: string, isFresh?: boolean): Promise<Lookup>;
  byBasicDigest(digest: Buffer): Promise<Lookup>;
};

const rememberedMs = 1_000;
const entriesMax = 10_000;

type Entry = { readonly loading: Promise<Credentials | undefined>; readonly until: number };

export function rememberCredentials(
  { db, encryption }: { db: Db; encryption: Encryption },
  nowMs: () => number = () => performance.now(),
): RememberedCredentials {
  const entries = new Map<string, Entry>();

  const open = (stored: StoredCredentials | undefined): Credentials | undefined =>
    stored && {
      merchant: stored.merchant,
      apiKey: stored.apiKey,
      secret: encryption.decrypt(stored.secret, apiSecretContext(stored.apiKey)),
      allowedRanges: stored.allowedRanges.map(parseRange),
    };

  async function lookUp(
    id: string,
    isFresh: boolean,
    read: () => Promise<StoredCredentials | undefined>,
  ): Promise<Lookup> {
    const known = entries.get(id);
    if (known && known.until > nowMs() && !isFresh) return { credentials: await known.loading, isRemembered: true };

    const entry: Entry = { loading: read().then(open), until: nowMs() + rememberedMs };
    entries.delete(id);
    if (entries.size >= entriesMax) entries.clear();
    entries.set(id, entry);
    const forget = (): void => {
      if (entries.get(id) === entry) entries.delete(id);
    };
    try {
      const credentials = await entry.loading;
      // What does not exist is not remembered: a key works from the moment it is created.
      if (!credentials) forget();
      return { credentials, isRemembered: false };
    } catch (error) {
      forget();
      throw error;
    }
  }

  return {
    byKey: (key, isFresh = false) => lookUp(`key:${key}`, isFresh, () => findCredentialsByKey(db, key)),
    byBasicDigest: (digest) =>
      lookUp(`basic:${digest.toString('base64')}`, false, () => findCredentialsByBasicDigest(db, digest)),
  };
}
