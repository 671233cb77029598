/** All SQL about API keys and their secrets. Decides nothing. */
import type { Scope } from '@quittance/contract/permissions';
import type { Db, Query, Tx } from '../db/database.ts';
import type { Actor } from '../http/actor.ts';
import type { Merchant } from '../http/caller.ts';
import { type MerchantRow, toMerchant } from './merchant-store.ts';

/** Encrypted. `isUsed`: a request was signed with it. */
export type StoredSecret = { readonly secret: Buffer; readonly isUsed: boolean };
export type FormerSecret = StoredSecret & { readonly goodUntil: Date };

/** What authentication needs to know about a key, in one read. */
export type StoredCredentials = StoredSecret & {
  readonly merchant: Merchant;
  readonly apiKey: string;
  /** Another one after every change of the key. */
  readonly version: string;
  readonly scopes: readonly Scope[];
  /** Newest first. Whoever reads them looks at the clock. */
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

/** By what a request names: the key itself, or what X-Basic is stored as, of its secret or of a former one. */
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

export type KeyToStore = { merchantId: string; key: string; secret: Buffer; basicDigest: Buffer };

export async function insertApiKey(
  tx: Tx,
  key: KeyToStore & { readonly scopes: readonly Scope[]; readonly knownTo: readonly string[] },
  now: Date,
): Promise<void> {
  await tx`
    insert into api_key (merchant_id, key, secret, basic_digest, scopes, known_to, created_at)
    values (${key.merchantId}, ${key.key}, ${key.secret}, ${key.basicDigest}, ${[...key.scopes]}, ${[...key.knownTo]}, ${now})`;
}

/** False when the merchant has no such key in use. */
export async function lockApiKey(tx: Tx, merchantId: string, key: string): Promise<boolean> {
  const found = await tx`
    select from api_key where merchant_id = ${merchantId} and key = ${key} and revoked_at is null for update`;
  return found.length > 0;
}

export async function updateApiSecret(
  tx: Tx,
  key: KeyToStore & { readonly isUsed: boolean; readonly knownTo: readonly string[] },
  now: Date,
): Promise<void> {
  await tx`
    update api_key
       set secret = ${key.secret}, basic_digest = ${key.basicDigest}, is_secret_used = ${key.isUsed},
           known_to = known_to || ${[...key.knownTo]}::text[], rotated_at = ${now}
     where merchant_id = ${key.merchantId} and key = ${key.key} and revoked_at is null`;
}

/** The secret that the key has now, beside the one that it is about to get. */
export async function keepFormerSecret(tx: Tx, merchantId: string, key: string, goodUntil: Date): Promise<void> {
  await tx`
    insert into former_api_secret (merchant_id, key, secret, basic_digest, is_used, good_until)
    select merchant_id, key, secret, basic_digest, is_secret_used, ${goodUntil} from api_key
     where merchant_id = ${merchantId} and key = ${key}`;
}

/** Those that were good until this moment or an earlier one; null: all. */
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

/** Of this very secret: by now the key may have another one, and this be a former one. */
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

/** False when the merchant has no such key in use. */
export async function markKeyRevoked(tx: Tx, merchantId: string, key: string, now: Date): Promise<boolean> {
  const revoked = await tx`
    update api_key set revoked_at = ${now}
     where merchant_id = ${merchantId} and key = ${key} and revoked_at is null
    returning key`;
  return revoked.length > 0;
}

/** Those who made the key or gave it a secret, and those who stood behind them. */
export async function findKnownTo(query: Query, merchantId: string, key: string): Promise<Actor[]> {
  const [row] = await query<{ known_to: Actor[] }>`
    select known_to from api_key where merchant_id = ${merchantId} and key = ${key}`;
  return row?.known_to ?? [];
}

/** Whose key it is; undefined when it is unknown or revoked. */
export async function findOwnerOfKey(query: Query, key: string): Promise<string | undefined> {
  const [row] = await query<{ merchant_id: string }>`
    select merchant_id from api_key where key = ${key} and revoked_at is null`;
  return row?.merchant_id;
}

export type ListedKey = {
  readonly apiKey: string;
  readonly scopes: readonly Scope[];
  readonly createdAt: Date;
  readonly rotatedAt: Date | null;
  readonly revokedAt: Date | null;
  /** Until when the last of its former secrets is good. */
  readonly formerUntil: Date | null;
};

export async function listKeys(query: Query, merchantId: string): Promise<ListedKey[]> {
  const rows = await query<
    { key: string; scopes: Scope[]; created_at: Date } & Record<
      'rotated_at' | 'revoked_at' | 'former_until',
      Date | null
    >
  >`
    select key, scopes, created_at, rotated_at, revoked_at,
           (select max(good_until) from former_api_secret as former
             where former.merchant_id = api_key.merchant_id and former.key = api_key.key) as former_until
      from api_key where merchant_id = ${merchantId} order by created_at, key`;
  return rows.map((row) => ({
    apiKey: row.key,
    scopes: row.scopes,
    createdAt: row.created_at,
    rotatedAt: row.rotated_at,
    revokedAt: row.revoked_at,
    formerUntil: row.former_until,
  }));
}

/** Also of a key that was revoked: what was asked for with it is announced to the end. */
export async function findWebhookSecrets(
  db: Db,
  merchantId: string,
  apiKey: string,
): Promise<(StoredSecret & { former: FormerSecret[]; webhookSecret: Buffer; isHttpsRequired: boolean }) | undefined> {
  const [row] = await db<SecretsRow & { webhook_secret: Buffer; is_webhook_https_required: boolean }>`
    select api_key.secret, is_secret_used, webhook_secret, is_webhook_https_required,
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
      webhookSecret: row.webhook_secret,
      isHttpsRequired: row.is_webhook_https_required,
    }
  );
}
