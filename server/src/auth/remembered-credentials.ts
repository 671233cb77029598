/**
 * Credentials as read from the database, kept for a second, so that they need not be read and decrypted for every
 * request of a busy shop. So a changed setting takes effect within that second in every process, and at once where
 * money leaves: there the database is asked every time.
 *
 * The key itself is never trusted from memory: before every use the database is asked whether it was revoked or
 * rotated, with one small statement for all who come at the same time. So when the command that revokes a key is done,
 * the key is dead.
 */
import type { Scope } from '@quittance/contract/permissions';
import { coalesce } from '../db/coalesce.ts';
import { answersInTime, type Db } from '../db/database.ts';
import { type AddressRange, parseRange } from '../http/client-address.ts';
import { apiSecretContext, type Encryption } from '../lib/encryption.ts';
import type { Secret } from '../lib/secret.ts';
import {
  findCredentials,
  findKeyVersions,
  type NamedBy,
  type StoredCredentials,
  type StoredSecret,
} from '../merchants/api-key-store.ts';
import type { Merchant } from '../merchants/merchant.ts';

export type ApiSecret = {
  readonly secret: Secret;
  /** From this moment on it is not valid any more; null: no end is known. */
  readonly goodUntil: Date | null;
  readonly stored: StoredSecret;
};

export type Credentials = {
  readonly merchant: Merchant;
  readonly apiKey: string;
  readonly version: string;
  readonly scopes: readonly Scope[];
  /** The newest first. */
  readonly secrets: readonly ApiSecret[];
  readonly allowedRanges: readonly AddressRange[];
};

export type RememberedCredentials = {
  /** `isFresh`: read it from the database in any case. */
  byKey(key: string, isFresh?: boolean): Promise<Credentials | undefined>;
  byBasicDigest(digest: Buffer): Promise<Credentials | undefined>;
};

const rememberedMs = 1_000;
const entriesMax = 10_000;
const versionLimits = { batchesAtOnce: 2, itemsMax: 256 };

type Entry = { readonly loading: Promise<Credentials | undefined>; readonly until: number };

export function rememberCredentials(
  { db, encryption }: { db: Db; encryption: Encryption },
  nowMs: () => number = () => performance.now(),
): RememberedCredentials {
  const entries = new Map<string, Entry>();
  const versionOf = coalesce(
    (keys: readonly string[]) => findKeyVersions(db, keys),
    versionLimits,
    () => answersInTime(db),
  );

  const open = (found: StoredCredentials | undefined): Credentials | undefined => {
    if (!found) return undefined;
    const { merchant, apiKey, version, scopes } = found;
    const context = apiSecretContext(apiKey);
    const secrets = [{ secret: found.secret, isUsed: found.isUsed, goodUntil: null }, ...found.former].map(
      (stored) => ({
        secret: encryption.decrypt(stored.secret, context),
        goodUntil: stored.goodUntil,
        stored,
      }),
    );
    return {
      merchant,
      apiKey,
      version,
      scopes,
      secrets,
      allowedRanges: found.allowedRanges.map(parseRange),
    };
  };

  async function lookUp(id: string, isFresh: boolean, by: NamedBy): Promise<Credentials | undefined> {
    const known = entries.get(id);
    if (known && known.until > nowMs() && !isFresh) {
      const credentials = await known.loading;
      // Also that a key does not exist is not remembered: a key works from the moment it is created.
      if (credentials && (await versionOf(credentials.apiKey)) === credentials.version) return credentials;
    }
    const entry: Entry = { loading: findCredentials(db, by).then(open), until: nowMs() + rememberedMs };
    entries.delete(id);
    if (entries.size >= entriesMax) entries.clear();
    entries.set(id, entry);
    const forget = (): void => {
      if (entries.get(id) === entry) entries.delete(id);
    };
    try {
      const credentials = await entry.loading;
      // Wrong guesses of strangers must not take memory from shops.
      if (!credentials) forget();
      return credentials;
    } catch (error) {
      forget();
      throw error;
    }
  }

  return {
    byKey: (key, isFresh = false) => lookUp(`key:${key}`, isFresh, { key }),
    byBasicDigest: (basicDigest) => lookUp(`basic:${basicDigest.toString('base64')}`, false, { basicDigest }),
  };
}
