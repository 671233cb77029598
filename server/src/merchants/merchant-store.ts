/** All SQL about merchants, their keys and their addresses. */
import type { Db, Query, Tx } from '../db/database.ts';
import type { Merchant } from '../http/caller.ts';

type MerchantRow = {
  id: string;
  name: string;
  email: string | null;
  account_currency: string;
  is_basic_allowed: boolean;
  is_address_list_enforced: boolean;
  high_risk_assets: string[];
  tolerance_percent: string;
  tolerance_absolute: string;
  late_tolerance_percent: string;
  underpaid_accept_percent: string | null;
  extra_confirmations: number;
  page_settings: Record<string, unknown>;
  is_webhook_https_required: boolean;
  destination_wait_minutes: number;
  fee_percent: string | null;
  fee_minimum_usd: string | null;
  transfer_approval_above: string | null;
  refund_approval_above: string | null;
};

type CredentialsRow = MerchantRow & { key: string; secret: Buffer; allowed_ranges: string[] };

/** What authentication needs to know about a key, in one read. */
export type StoredCredentials = {
  readonly merchant: Merchant;
  readonly apiKey: string;
  /** Encrypted. */
  readonly secret: Buffer;
  readonly allowedRanges: readonly string[];
};

const toMerchant = (row: MerchantRow): Merchant => ({
  id: row.id,
  name: row.name,
  email: row.email,
  accountCurrency: row.account_currency,
  isBasicAllowed: row.is_basic_allowed,
  isAddressListEnforced: row.is_address_list_enforced,
  highRiskAssets: row.high_risk_assets,
  tolerancePercent: row.tolerance_percent,
  toleranceAbsolute: row.tolerance_absolute,
  lateTolerancePercent: row.late_tolerance_percent,
  underpaidAcceptPercent: row.underpaid_accept_percent,
  extraConfirmations: row.extra_confirmations,
  pageSettings: row.page_settings,
  isWebhookHttpsRequired: row.is_webhook_https_required,
  destinationWaitMinutes: row.destination_wait_minutes,
  feePercent: row.fee_percent,
  feeMinimumUsd: row.fee_minimum_usd,
  transferApprovalAbove: row.transfer_approval_above,
  refundApprovalAbove: row.refund_approval_above,
});

const toCredentials = (row: CredentialsRow): StoredCredentials => ({
  merchant: toMerchant(row),
  apiKey: row.key,
  secret: row.secret,
  allowedRanges: row.allowed_ranges,
});

export async function findMerchant(query: Query, id: string): Promise<Merchant | undefined> {
  const [row] = await query<MerchantRow>`select * from merchant where id = ${id}`;
  return row && toMerchant(row);
}

export type MerchantFees = Pick<Merchant, 'feePercent' | 'feeMinimumUsd'>;

/** What was agreed with each of these merchants about fees. */
export async function findAgreedFees(query: Query, ids: readonly string[]): Promise<Map<string, MerchantFees>> {
  const rows = await query<Pick<MerchantRow, 'id' | 'fee_percent' | 'fee_minimum_usd'>>`
    select id, fee_percent, fee_minimum_usd from merchant where id = any(${[...ids]})`;
  return new Map(rows.map((row) => [row.id, { feePercent: row.fee_percent, feeMinimumUsd: row.fee_minimum_usd }]));
}

export async function lockMerchant(tx: Tx, id: string): Promise<Merchant | undefined> {
  const [row] = await tx<MerchantRow>`select * from merchant where id = ${id} for update`;
  return row && toMerchant(row);
}

export async function listMerchants(db: Db): Promise<(Merchant & { apiKeys: string[] })[]> {
  const rows = await db<MerchantRow & { keys: string[] }>`
    select merchant.*,
           array(select key from api_key where merchant_id = merchant.id and revoked_at is null order by key) as keys
      from merchant order by created_at, id`;
  return rows.map((row) => ({ ...toMerchant(row), apiKeys: row.keys }));
}

export async function findCredentialsByKey(db: Db, key: string): Promise<StoredCredentials | undefined> {
  const [row] = await db<CredentialsRow>`
    select merchant.*, key, secret,
           array(select range::text from allowed_address where merchant_id = merchant.id) as allowed_ranges
      from api_key join merchant on merchant.id = api_key.merchant_id
     where key = ${key} and revoked_at is null`;
  return row && toCredentials(row);
}

export async function findCredentialsByBasicDigest(db: Db, digest: Buffer): Promise<StoredCredentials | undefined> {
  const [row] = await db<CredentialsRow>`
    select merchant.*, key, secret,
           array(select range::text from allowed_address where merchant_id = merchant.id) as allowed_ranges
      from api_key join merchant on merchant.id = api_key.merchant_id
     where basic_digest = ${digest} and revoked_at is null`;
  return row && toCredentials(row);
}

export async function insertMerchant(
  tx: Tx,
  merchant: { id: string; name: string; email: string | null; accountCurrency: string },
  webhookSecret: Buffer,
  now: Date,
): Promise<void> {
  await tx`
    insert into merchant (id, name, email, account_currency, webhook_secret, created_at)
    values (${merchant.id}, ${merchant.name}, ${merchant.email}, ${merchant.accountCurrency}, ${webhookSecret}, ${now})`;
}

export async function updateMerchant(tx: Tx, merchant: Merchant): Promise<void> {
  await tx`
    update merchant
       set name = ${merchant.name}, email = ${merchant.email}, account_currency = ${merchant.accountCurrency},
           is_basic_allowed = ${merchant.isBasicAllowed},
           is_address_list_enforced = ${merchant.isAddressListEnforced},
           high_risk_assets = ${merchant.highRiskAssets},
           tolerance_percent = ${merchant.tolerancePercent}, tolerance_absolute = ${merchant.toleranceAbsolute},
           late_tolerance_percent = ${merchant.lateTolerancePercent},
           underpaid_accept_percent = ${merchant.underpaidAcceptPercent},
           extra_confirmations = ${merchant.extraConfirmations},
           page_settings = ${JSON.stringify(merchant.pageSettings)},
           is_webhook_https_required = ${merchant.isWebhookHttpsRequired},
           destination_wait_minutes = ${merchant.destinationWaitMinutes},
           fee_percent = ${merchant.feePercent}, fee_minimum_usd = ${merchant.feeMinimumUsd},
           transfer_approval_above = ${merchant.transferApprovalAbove},
           refund_approval_above = ${merchant.refundApprovalAbove}
     where id = ${merchant.id}`;
}

export type KeyToStore = { merchantId: string; key: string; secret: Buffer; basicDigest: Buffer };

export async function insertApiKey(tx: Tx, key: KeyToStore, now: Date): Promise<void> {
  await tx`
    insert into api_key (merchant_id, key, secret, basic_digest, created_at)
    values (${key.merchantId}, ${key.key}, ${key.secret}, ${key.basicDigest}, ${now})`;
}

/** False when the merchant has no such key in use. */
export async function updateApiSecret(tx: Tx, key: KeyToStore, now: Date): Promise<boolean> {
  const changed = await tx`
    update api_key set secret = ${key.secret}, basic_digest = ${key.basicDigest}, rotated_at = ${now}
     where merchant_id = ${key.merchantId} and key = ${key.key} and revoked_at is null
    returning key`;
  return changed.length > 0;
}

export async function findWebhookSecrets(
  db: Db,
  merchantId: string,
  apiKey: string,
): Promise<{ apiSecret: Buffer; webhookSecret: Buffer; isHttpsRequired: boolean } | undefined> {
  const [row] = await db<{ secret: Buffer; webhook_secret: Buffer; is_webhook_https_required: boolean }>`
    select secret, webhook_secret, is_webhook_https_required
      from merchant join api_key on api_key.merchant_id = merchant.id and key = ${apiKey}
     where merchant.id = ${merchantId}`;
  return (
    row && {
      apiSecret: row.secret,
      webhookSecret: row.webhook_secret,
      isHttpsRequired: row.is_webhook_https_required,
    }
  );
}

export async function listAllowedAddresses(
  query: Query,
  merchantId: string,
): Promise<{ range: string; note: string }[]> {
  return query<{ range: string; note: string }>`
    select range::text as range, note from allowed_address where merchant_id = ${merchantId} order by range`;
}

export async function insertAllowedAddress(
  tx: Tx,
  address: { merchantId: string; range: string; note: string },
  now: Date,
): Promise<void> {
  await tx`
    insert into allowed_address (merchant_id, range, note, created_at)
    values (${address.merchantId}, ${address.range}::cidr, ${address.note}, ${now})
    on conflict (merchant_id, range) do update set note = excluded.note`;
}

export async function deleteAllowedAddress(tx: Tx, merchantId: string, range: string): Promise<boolean> {
  const deleted = await tx`
    delete from allowed_address where merchant_id = ${merchantId} and range = ${range}::cidr returning range`;
  return deleted.length > 0;
}

/** Who changed what. `detail` never holds a secret. */
export async function insertAudit(
  tx: Tx,
  entry: { merchantId: string; at: Date; actor: string; action: string; detail: Record<string, unknown> },
): Promise<void> {
  await tx`
    insert into audit_log (merchant_id, at, actor, action, detail)
    values (${entry.merchantId}, ${entry.at}, ${entry.actor}, ${entry.action}, ${JSON.stringify(entry.detail)})`;
}
