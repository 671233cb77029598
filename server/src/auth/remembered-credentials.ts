/**
 * Credentials as read from the database, kept for a second so that a busy shop does not cost their whole reading and
 * decrypting per request. A changed setting therefore takes effect within that second in every process, and at once
 * where money leaves: there the database is asked every time.
 *
 * The key itself is not believed for a moment: whether it was revoked or rotated is asked before every use, for all who
 * come at the same time with one small statement. Whoever revokes a key may rely on it when the command is done.
 */
import type { Scope } from '@quittance/contract/permissions';
import { coalesce } from '../db/coalesce.ts';
import { answersInTime, type Db } from '../db/database.ts';
import type { Merchant } from '../http/caller.ts';
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

export type ApiSecret = {
  readonly secret: Secret;
  /** From this moment on it is not good any more; null: no end is known. */
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
  /** `isFresh` insists on the database. */
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
      // What does not exist is not believed either: a key works from the moment it is created.
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
      // The guesses of strangers take no room from shops.
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
