/** All SQL about API keys and their secrets. Decides nothing. */
import type { Scope } from '@quittance/contract/permissions';
import type { Db, Query, Tx } from '../db/database.ts';
import type { Actor } from '../http/actor.ts';
import type { Merchant } from './merchant.ts';
import {
  type MerchantRow,
  type StoredWebhookSecrets,
  toMerchant,
  toWebhookSecrets,
  type WebhookSecretsRow,
} from './merchant-store.ts';

/** Encrypted. `isUsed`: a request was signed with it. */
export type StoredSecret = { readonly secret: Buffer; readonly isUsed: boolean };
export type FormerSecret = StoredSecret & { readonly goodUntil: Date };

/** What authentication needs to know about a key, in one read. */
export type StoredCredentials = StoredSecret & {
  readonly merchant: Merchant;
  readonly apiKey: string;
  /** Changes with every change of the key. */
  readonly version: string;
  readonly scopes: readonly Scope[];
  /** Newest first. Whoever reads them must look at the clock. */
  readonly former: readonly FormerSecret[];
  readonly allowedRanges: readonly string[];
};

type SecretsRow = {
  secret: Buffer;
  is_secret_used: boolean;
  former_secrets: Buffer[];
  former_used: boolean[];
  former_ends: Date[];
};

type CredentialsRow = MerchantRow &
  SecretsRow & { key: string; version: string; scopes: Scope[]; allowed_ranges: string[] };

const toFormer = (row: SecretsRow): FormerSecret[] =>
  row.former_secrets.map((secret, position) => ({
    secret,
    isUsed: row.former_used[position] as boolean,
    goodUntil: row.former_ends[position] as Date,
  }));

const toCredentials = (row: CredentialsRow): StoredCredentials => ({
  merchant: toMerchant(row),
  apiKey: row.key,
  version: row.version,
  scopes: row.scopes,
  secret: row.secret,
  isUsed: row.is_secret_used,
  former: toFormer(row),
  allowedRanges: row.allowed_ranges,
});

/** What a request names: the key itself, or the stored form of X-Basic, of its secret or of a former one. */
export type NamedBy = { readonly key: string } | { readonly basicDigest: Buffer };

export async function findCredentials(db: Db, by: NamedBy): Promise<StoredCredentials | undefined> {
  const key = 'key' in by ? by.key : null;
  const digest = 'key' in by ? null : by.basicDigest;
  const [row] = await db<CredentialsRow>`
    select merchant.*, api_key.key, api_key.xmin::text as version, scopes, secret, is_secret_used,
           array(select secret from former_api_secret as former
                  where former.merchant_id = api_key.merchant_id and former.key = api_key.key
                  order by former.id desc) as former_secrets,
           array(select is_used from former_api_secret as former
                  where former.merchant_id = api_key.merchant_id and former.key = api_key.key
                  order by former.id desc) as former_used,
           array(select former.good_until from former_api_secret as former
                  where former.merchant_id = api_key.merchant_id and former.key = api_key.key
                  order by former.id desc) as former_ends,
           array(select range::text from allowed_address where merchant_id = merchant.id) as allowed_ranges
      from (select key from api_key where key = ${key}
             union all select key from api_key where basic_digest = ${digest}
             union all select key from former_api_secret where basic_digest = ${digest}) as found
      join api_key using (key) join merchant on merchant.id = api_key.merchant_id
     where revoked_at is null`;
  return row && toCredentials(row);
}

/** The versions of these keys, in their order; undefined for one that is unknown or revoked. */
export async function findKeyVersions(query: Query, keys: readonly string[]): Promise<(string | undefined)[]> {
  const rows = await query<{ key: string; version: string }>`
    select key, xmin::text as version from api_key where key = any(${[...keys]}) and revoked_at is null`;
  const versions = new Map(rows.map(({ key, version }) => [key, version]));
  return keys.map((key) => versions.get(key));
}

/** A new version of each, with nothing changed: what processes remember of them is read anew. Gives the keys. */
export async function renewKeyVersions(tx: Tx, merchantId: string): Promise<string[]> {
  const rows = await tx<{ key: string }>`
    update api_key set label = label where merchant_id = ${merchantId} and revoked_at is null returning key`;
  return rows.map(({ key }) => key);
}

export type KeyToStore = { merchantId: string; key: string; secret: Buffer; basicDigest: Buffer };

export type NewKey = KeyToStore & {
  readonly scopes: readonly Scope[];
  readonly knownTo: readonly string[];
  readonly label: string;
  readonly madeBy: Actor;
};

export async function insertApiKey(tx: Tx, key: NewKey, now: Date): Promise<void> {
  await tx`
    insert into api_key (merchant_id, key, secret, basic_digest, scopes, known_to, label, made_by, secret_by, created_at)
    values (${key.merchantId}, ${key.key}, ${key.secret}, ${key.basicDigest}, ${[...key.scopes]}, ${[...key.knownTo]},
            ${key.label}, ${key.madeBy}, ${key.madeBy}, ${now})`;
}

const useLockClass = 7_034; // The first half of the advisory lock: "this key moves money", shared, or is taken away.

/**
 * Nothing is being done with the key that would move money, until the transaction ends. An advisory lock, because those
 * have a queue: who holds a row together with others is joined by further ones while somebody waits to change it, so a
 * thief with a request always under way would keep the key.
 */
async function awaitUse(tx: Tx, key: string): Promise<void> {
  await tx`select pg_advisory_xact_lock(${useLockClass}::integer, hashtext(${key}))`;
}

/** Waits for what is being done with it. False when the merchant has no such key in use. */
export async function lockApiKey(tx: Tx, merchantId: string, key: string): Promise<boolean> {
  await awaitUse(tx, key);
  const found = await tx`
    select from api_key where merchant_id = ${merchantId} and key = ${key} and revoked_at is null for update`;
  return found.length > 0;
}

export async function updateApiSecret(
  tx: Tx,
  key: KeyToStore & { readonly isUsed: boolean; readonly knownTo: readonly string[]; readonly secretBy: Actor },
  now: Date,
): Promise<void> {
  await tx`
    update api_key
       set secret = ${key.secret}, basic_digest = ${key.basicDigest}, is_secret_used = ${key.isUsed},
           known_to = known_to || ${[...key.knownTo]}::text[], secret_by = ${key.secretBy}, rotated_at = ${now}
     where merchant_id = ${key.merchantId} and key = ${key.key} and revoked_at is null`;
}

/** Keeps the secret that the key has now, beside the one that it is about to get. */
export async function keepFormerSecret(tx: Tx, merchantId: string, key: string, goodUntil: Date): Promise<void> {
  await tx`
    insert into former_api_secret (merchant_id, key, secret, basic_digest, is_used, good_until)
    select merchant_id, key, secret, basic_digest, is_secret_used, ${goodUntil} from api_key
     where merchant_id = ${merchantId} and key = ${key}`;
}

/** Deletes those that were valid until this moment or an earlier one; null: all. */
export async function deleteFormerSecrets(tx: Tx, merchantId: string, key: string, until: Date | null): Promise<void> {
  await tx`
    delete from former_api_secret
     where merchant_id = ${merchantId} and key = ${key} and good_until <= coalesce(${until}::timestamptz, 'infinity')`;
}

export async function countFormerSecrets(query: Query, merchantId: string, key: string): Promise<number> {
  const [row] = await query<{ count: number }>`
    select count(*)::integer as count from former_api_secret where merchant_id = ${merchantId} and key = ${key}`;
  return row?.count ?? 0;
}

/** Of exactly this secret: by now the key may have another one, and this may be a former one. */
export async function markSecretUsed(query: Query, merchantId: string, key: string, secret: Buffer): Promise<void> {
  await Promise.all([
    query`
      update api_key set is_secret_used = true
       where merchant_id = ${merchantId} and key = ${key} and secret = ${secret} and not is_secret_used`,
    query`
      update former_api_secret set is_used = true
       where merchant_id = ${merchantId} and key = ${key} and secret = ${secret} and not is_used`,
  ]);
}

/**
 * Whether the key is in use and has this secret, now or from before. Until the transaction ends nobody changes that. The
 * reading is pipelined behind the lock: it takes a fresh snapshot, so it sees what the lock has waited for. Before all
 * other locks: whoever stands behind one that takes the key away must hold nothing that others wait for.
 */
export async function holdSecret(tx: Tx, merchantId: string, key: string, secret: Buffer): Promise<boolean> {
  const [, found] = await Promise.all([
    tx`select pg_advisory_xact_lock_shared(${useLockClass}::integer, hashtext(${key}))`,
    tx`
      select from api_key
       where merchant_id = ${merchantId} and key = ${key} and revoked_at is null
         and (secret = ${secret}
              or exists (select from former_api_secret as former
                          where former.merchant_id = api_key.merchant_id and former.key = api_key.key
                            and former.secret = ${secret}))`,
  ]);
  return found.length > 0;
}

/** Waits for what is being done with it. False when the merchant has no such key in use. */
export async function markKeyRevoked(tx: Tx, merchantId: string, key: string, now: Date): Promise<boolean> {
  await awaitUse(tx, key);
  const revoked = await tx`
    update api_key set revoked_at = ${now}
     where merchant_id = ${merchantId} and key = ${key} and revoked_at is null
    returning key`;
  return revoked.length > 0;
}

/** Those who made the key or gave it a secret, and the actors behind them. */
export async function findKnownTo(query: Query, merchantId: string, key: string): Promise<Actor[]> {
  const [row] = await query<{ known_to: Actor[] }>`
    select known_to from api_key where merchant_id = ${merchantId} and key = ${key}`;
  return row?.known_to ?? [];
}

/** When the key got the secret that it has, if a person knows one of it; null: none does, or there is no such key. */
export async function findSecretSince(query: Query, merchantId: string, key: string): Promise<Date | null> {
  const [row] = await query<{ since: Date }>`
    select coalesce(rotated_at, created_at) as since from api_key
     where merchant_id = ${merchantId} and key = ${key}
       and exists (select from unnest(known_to) as hand where hand like 'person:%')`;
  return row?.since ?? null;
}

/** What is known to whom, of several keys. */
export async function knownToOfEach(
  query: Query,
  merchantId: string,
  keys: readonly string[],
): Promise<Map<string, Actor[]>> {
  const rows = await query<{ key: string; known_to: Actor[] }>`
    select key, known_to from api_key where merchant_id = ${merchantId} and key = any(${[...keys]})`;
  return new Map(rows.map(({ key, known_to }) => [key, known_to]));
}

/** Whose key it is; undefined when it is unknown or revoked. */
export async function findOwnerOfKey(query: Query, key: string): Promise<string | undefined> {
  const [row] = await query<{ merchant_id: string }>`
    select merchant_id from api_key where key = ${key} and revoked_at is null`;
  return row?.merchant_id;
}

export type ListedKey = {
  readonly apiKey: string;
  readonly label: string;
  /** Null: before this was written down. */
  readonly madeBy: Actor | null;
  /** All who ever knew a secret of it, and who gave it the one that it has; null: an earlier release did. */
  readonly knownTo: readonly Actor[];
  readonly secretBy: Actor | null;
  readonly lastUsedAt: Date | null;
  readonly scopes: readonly Scope[];
  readonly createdAt: Date;
  readonly rotatedAt: Date | null;
  readonly revokedAt: Date | null;
  /** Until when the last of its former secrets is valid. */
  readonly formerUntil: Date | null;
};

type ListedKeyRow = { key: string; label: string; scopes: Scope[]; created_at: Date; known_to: Actor[] } & Record<
  'made_by' | 'secret_by',
  Actor | null
> &
  Record<'rotated_at' | 'revoked_at' | 'former_until' | 'last_used_at', Date | null>;

const toListedKey = (row: ListedKeyRow): ListedKey => ({
  apiKey: row.key,
  label: row.label,
  madeBy: row.made_by,
  knownTo: row.known_to,
  secretBy: row.secret_by,
  lastUsedAt: row.last_used_at,
  scopes: row.scopes,
  createdAt: row.created_at,
  rotatedAt: row.rotated_at,
  revokedAt: row.revoked_at,
  formerUntil: row.former_until,
});

/** One of them, or all. */
async function selectKeys(query: Query, merchantId: string, apiKey: string | null): Promise<ListedKey[]> {
  const rows = await query<ListedKeyRow>`
    select api_key.key, label, made_by, known_to, secret_by, scopes, created_at, rotated_at, revoked_at, last_used_at,
           (select max(good_until) from former_api_secret as former
             where former.merchant_id = api_key.merchant_id and former.key = api_key.key) as former_until
      from api_key
      left join api_key_use as use on use.merchant_id = api_key.merchant_id and use.key = api_key.key
     where api_key.merchant_id = ${merchantId} and api_key.key = coalesce(${apiKey}, api_key.key)
     order by created_at, api_key.key`;
  return rows.map(toListedKey);
}

export const listKeys = (query: Query, merchantId: string): Promise<ListedKey[]> => selectKeys(query, merchantId, null);

export const findKey = async (query: Query, merchantId: string, apiKey: string): Promise<ListedKey | undefined> =>
  (await selectKeys(query, merchantId, apiKey))[0];

/** Also of a revoked key: what was asked for with it is announced to the end. */
export async function findWebhookSecrets(
  db: Db,
  merchantId: string,
  apiKey: string,
): Promise<(StoredSecret & StoredWebhookSecrets & { former: FormerSecret[]; isHttpsRequired: boolean }) | undefined> {
  const [row] = await db<SecretsRow & WebhookSecretsRow & { is_webhook_https_required: boolean }>`
    select api_key.secret, is_secret_used, webhook_secret, former_webhook_secret, former_webhook_secret_until,
           is_webhook_https_required,
           array(select secret from former_api_secret as former
                  where former.merchant_id = api_key.merchant_id and former.key = api_key.key
                  order by former.id desc) as former_secrets,
           array(select is_used from former_api_secret as former
                  where former.merchant_id = api_key.merchant_id and former.key = api_key.key
                  order by former.id desc) as former_used,
           array(select good_until from former_api_secret as former
                  where former.merchant_id = api_key.merchant_id and former.key = api_key.key
                  order by former.id desc) as former_ends
      from merchant join api_key on api_key.merchant_id = merchant.id and key = ${apiKey}
     where merchant.id = ${merchantId}`;
  return (
    row && {
      secret: row.secret,
      isUsed: row.is_secret_used,
      former: toFormer(row),
      ...toWebhookSecrets(row),
      isHttpsRequired: row.is_webhook_https_required,
    }
  );
}
