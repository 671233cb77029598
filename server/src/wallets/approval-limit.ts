/**
 * How much may still leave an account without a second pair of eyes: the limit counts everything that left it unapproved
 * in the last 24 hours, whoever asked and by whichever endpoint, so that many small orders are one large one. Worth is
 * counted at the rates of this moment. What was cancelled or failed came back and does not count; a swap has not left.
 */
import { type AssetCatalog, findAsset } from '../catalog/asset-catalog.ts';
import type { Query } from '../db/database.ts';
import type { Merchant } from '../http/caller.ts';
import { present } from '../lib/assert.ts';
import { addMs, type Clock, hours } from '../lib/clock.ts';
import {
  compare,
  type Decimal,
  decimal,
  divide,
  formatDecimal,
  fromUnits,
  minus,
  plus,
  times,
  zero,
} from '../money/decimal.ts';
import { isRate } from '../pricing/combine-rates.ts';
import type { RateBook } from '../pricing/rate-book.ts';
import { type LeftUnapproved, unapprovedSince } from './approval-store.ts';

export type ApprovalDeps = { readonly assets: AssetCatalog; readonly rates: RateBook; readonly clock: Clock };

export type LeavingKind = 'transfer' | 'refund';

/** In the account currency. `remaining` null: something has no rate, so nobody knows. */
export type ApprovalLimit = { readonly currency: string; readonly limit: Decimal; readonly remaining: Decimal | null };

const countedMs = hours(24);

type Limited = Pick<Merchant, 'id' | 'accountCurrency' | 'transferApprovalAbove' | 'refundApprovalAbove'>;

/** What limits this, and what counts against it: refunds are counted with transfers unless they have a limit of their own. */
function limitOf({ transferApprovalAbove, refundApprovalAbove }: Limited, kind: LeavingKind) {
  const counted: readonly LeavingKind[] = refundApprovalAbove === null ? ['transfer', 'refund'] : [kind];
  const above = kind === 'refund' && refundApprovalAbove !== null ? refundApprovalAbove : transferApprovalAbove;
  return above === null ? null : { limit: decimal(above), counted };
}

export const hasApprovalLimit = (merchant: Limited, kind: LeavingKind): boolean => limitOf(merchant, kind) !== null;

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

/** What cannot be valued might be worth anything, and is approved by somebody. */
export function needsApproval(deps: ApprovalDeps, limit: ApprovalLimit | null, order: LeftUnapproved): boolean {
  if (!limit) return false;
  const worth = worthOf(deps, limit.currency, [order]);
  return !worth || !limit.remaining || compare(worth, limit.remaining) > 0;
}

export type ApprovalLimitRecord = { limit: string; remaining: string | null; currency: string };

/** As it is shown after an order, which counts now unless it waits for approval itself. */
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
function worthOf(
  { assets, rates }: ApprovalDeps,
  currency: string,
  amounts: readonly LeftUnapproved[],
): Decimal | null {
  if (amounts.length === 0) return zero;
  const to = rates.rate(currency);
  let worth: Decimal = zero;
  for (const { asset: id, units } of amounts) {
    const asset = present(findAsset(assets, id), `asset ${id}`);
    const from = rates.rate(asset.currencyCode);
    if (!isRate(from) || !isRate(to)) return null;
    worth = plus(worth, divide(times(fromUnits(units, asset.ledgerScale), from.usd), to.usd, 18, 'up'));
  }
  return worth;
}
