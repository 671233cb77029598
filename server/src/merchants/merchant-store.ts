/** All SQL about merchants and the addresses of their servers. Their keys are in api-key-store. */
import type { Db, Query, Tx } from '../db/database.ts';
import type { Actor } from '../http/actor.ts';
import { presentTrail } from '../http/trail.ts';
import type { Merchant } from './merchant.ts';

export type MerchantRow = {
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
  stored_megabytes_max: number | null;
  transfer_approval_above: string | null;
  refund_approval_above: string | null;
  preferred_auth: Merchant['preferredAuth'];
  is_address_list_for_people: boolean;
  settlement_asset: string;
  risk_tolerance: Merchant['riskTolerance'];
  daily_limit: string | null;
  support_limit: string | null;
  takes_rate_of_booking: boolean;
  suspended_at: Date | null;
  suspended_why: string | null;
};

export const toMerchant = (row: MerchantRow): Merchant => ({
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
  storedMegabytesMax: row.stored_megabytes_max,
  transferApprovalAbove: row.transfer_approval_above,
  refundApprovalAbove: row.refund_approval_above,
  preferredAuth: row.preferred_auth,
  isAddressListForPeople: row.is_address_list_for_people,
  settlementAsset: row.settlement_asset,
  riskTolerance: row.risk_tolerance,
  dailyLimit: row.daily_limit,
  supportLimit: row.support_limit,
  takesRateOfBooking: row.takes_rate_of_booking,
  suspended: row.suspended_at && { at: row.suspended_at, why: row.suspended_why ?? '' },
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

/**
 * Whoever changes it waits for others who do, and not for rows that name it. There may be one at every moment, of a thief
 * who makes checkouts without a pause.
 */
export async function lockMerchant(tx: Tx, id: string): Promise<Merchant | undefined> {
  const [row] = await tx<MerchantRow>`select * from merchant where id = ${id} for no key update`;
  return row && toMerchant(row);
}

export async function listMerchants(db: Db): Promise<(Merchant & { apiKeys: string[] })[]> {
  const rows = await db<MerchantRow & { keys: string[] }>`
    select merchant.*,
           array(select key from api_key where merchant_id = merchant.id and revoked_at is null order by key) as keys
      from merchant order by created_at, id`;
  return rows.map((row) => ({ ...toMerchant(row), apiKeys: row.keys }));
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

/** Encrypted. The former one signs too, until its end. */
export type StoredWebhookSecrets = {
  readonly webhookSecret: Buffer;
  readonly formerWebhookSecret: { readonly secret: Buffer; readonly goodUntil: Date } | null;
};

export type WebhookSecretsRow = {
  webhook_secret: Buffer;
  former_webhook_secret: Buffer | null;
  former_webhook_secret_until: Date | null;
};

export const toWebhookSecrets = (row: WebhookSecretsRow): StoredWebhookSecrets => ({
  webhookSecret: row.webhook_secret,
  formerWebhookSecret:
    row.former_webhook_secret && row.former_webhook_secret_until
      ? { secret: row.former_webhook_secret, goodUntil: row.former_webhook_secret_until }
      : null,
});

/** Until when the webhook secret before the present one signs too; null: there is none. */
export async function findFormerWebhookSecretEnd(query: Query, merchantId: string): Promise<Date | null> {
  const [row] = await query<{ until: Date | null }>`
    select former_webhook_secret_until as until from merchant where id = ${merchantId}`;
  return row?.until ?? null;
}

/** `formerUntil`: how long the present one signs beside it; null: not any more. */
export async function updateWebhookSecret(
  tx: Tx,
  merchantId: string,
  secret: Buffer,
  formerUntil: Date | null,
): Promise<void> {
  await tx`
    update merchant
       set former_webhook_secret = case when ${formerUntil}::timestamptz is not null then webhook_secret end,
           former_webhook_secret_until = ${formerUntil}, webhook_secret = ${secret}
     where id = ${merchantId}`;
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
           stored_megabytes_max = ${merchant.storedMegabytesMax},
           transfer_approval_above = ${merchant.transferApprovalAbove},
           refund_approval_above = ${merchant.refundApprovalAbove},
           preferred_auth = ${merchant.preferredAuth},
           is_address_list_for_people = ${merchant.isAddressListForPeople},
           settlement_asset = ${merchant.settlementAsset}, risk_tolerance = ${merchant.riskTolerance},
           daily_limit = ${merchant.dailyLimit}, support_limit = ${merchant.supportLimit},
           takes_rate_of_booking = ${merchant.takesRateOfBooking}
     where id = ${merchant.id}`;
}

/** Null: it works again. False: it was so before. */
export async function updateSuspension(tx: Tx, id: string, suspended: Merchant['suspended']): Promise<boolean> {
  const rows = await tx`
    update merchant set suspended_at = ${suspended?.at ?? null}, suspended_why = ${suspended?.why ?? null}
     where id = ${id} and (suspended_at is null) = ${suspended !== null} returning id`;
  return rows.length > 0;
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
  entry: { merchantId: string; at: Date; actor: Actor; action: string; detail: Record<string, unknown> },
): Promise<void> {
  const { sessionId = null, address = null, proof = null } = presentTrail() ?? {};
  await tx`
    insert into audit_log (merchant_id, at, actor, action, detail, session_id, address, proof)
    values (${entry.merchantId}, ${entry.at}, ${entry.actor}, ${entry.action}, ${JSON.stringify(entry.detail)},
            ${sessionId}, ${address}, ${proof})`;
}
