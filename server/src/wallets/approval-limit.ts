/**
 * How much may still leave an account without approval by somebody else. The limit counts everything that left
 * unapproved in the last 24 hours, whoever asked and by whichever endpoint, so that many small orders count as one
 * large order. It is valued at the rates of now. What was cancelled or failed came back and does not count; nor does a
 * swap, which has not left.
 */
import { type AssetCatalog, findAsset } from '../catalog/asset-catalog.ts';
import type { Query } from '../db/database.ts';
import { present } from '../lib/assert.ts';
import { addMs, type Clock, hours } from '../lib/clock.ts';
import type { Merchant } from '../merchants/merchant.ts';
import { compare, type Decimal, decimal, formatDecimal, fromUnits, minus, plus, zero } from '../money/decimal.ts';
import { convertAmount, isConversion, worthRate } from '../pricing/conversion.ts';
import type { RateBook } from '../pricing/rate-book.ts';
import { type LeftUnapproved, unapprovedSince } from './approval-store.ts';

export type ApprovalDeps = { readonly assets: AssetCatalog; readonly rates: RateBook; readonly clock: Clock };

export type LeavingKind = 'transfer' | 'refund';

/** In the account currency. `remaining` is null when something has no rate, so that nobody knows. */
export type ApprovalLimit = { readonly currency: string; readonly limit: Decimal; readonly remaining: Decimal | null };

export const countedMs = hours(24);

type Limited = Pick<Merchant, 'id' | 'accountCurrency' | 'transferApprovalAbove' | 'refundApprovalAbove'>;

/**
 * The limit of this kind of order, and what counts against it: refunds count with transfers unless they have a limit of
 * their own.
 */
function limitOf({ transferApprovalAbove, refundApprovalAbove }: Limited, kind: LeavingKind) {
  const counted: readonly LeavingKind[] = refundApprovalAbove === null ? ['transfer', 'refund'] : [kind];
  const above = kind === 'refund' && refundApprovalAbove !== null ? refundApprovalAbove : transferApprovalAbove;
  return above === null ? null : { limit: decimal(above), counted };
}

/** Null: nothing of this kind needs an approval. */
export async function approvalLimit(
  deps: ApprovalDeps,
  query: Query,
  merchant: Limited,
  kind: LeavingKind,
): Promise<ApprovalLimit | null> {
  const limited = limitOf(merchant, kind);
  if (!limited) return null;
  const { limit, counted } = limited;
  const left = await unapprovedSince(query, merchant.id, addMs(deps.clock.now(), -countedMs), counted);
  const worth = worthOf(deps, merchant.accountCurrency, left);
  const remaining = worth && (compare(worth, limit) > 0 ? zero : minus(limit, worth));
  return { currency: merchant.accountCurrency, limit, remaining };
}

/** What has no value might be worth anything, so somebody must approve it. */
export function needsApproval(deps: ApprovalDeps, limit: ApprovalLimit | null, order: LeftUnapproved): boolean {
  if (!limit) return false;
  const worth = worthOf(deps, limit.currency, [order]);
  return !worth || !limit.remaining || compare(worth, limit.remaining) > 0;
}

export type ApprovalLimitRecord = { limit: string; remaining: string | null; currency: string };

/** As it is shown after an order. The order counts, unless it waits for approval itself. */
export function approvalLimitRecord(
  deps: ApprovalDeps,
  limit: ApprovalLimit | null,
  counted: LeftUnapproved | null = null,
): { readonly approvalLimit?: ApprovalLimitRecord } {
  if (!limit) return {};
  const worth = counted ? worthOf(deps, limit.currency, [counted]) : zero;
  const left = limit.remaining && worth && minus(limit.remaining, worth);
  const remaining = left && formatDecimal(compare(left, zero) < 0 ? zero : left);
  return { approvalLimit: { limit: formatDecimal(limit.limit), remaining, currency: limit.currency } };
}

/** Rounded up. Null: something has no rate. */
export function worthOf(
  { assets, rates }: ApprovalDeps,
  currency: string,
  amounts: readonly LeftUnapproved[],
): Decimal | null {
  if (amounts.length === 0) return zero;
  let worth: Decimal = zero;
  for (const { asset: id, units } of amounts) {
    const asset = present(findAsset(assets, id), `asset ${id}`);
    const each = worthRate(rates.rate, asset.currencyCode, currency);
    if (!isConversion(each)) return null;
    worth = plus(worth, convertAmount(each, fromUnits(units, asset.ledgerScale), 18, 'up'));
  }
  return worth;
}
