/** A charge becomes a checkout: totalled, priced on every network, and stored. Problems with it are told before. */
import type { CheckoutBody } from '@quittance/contract/checkout';
import { findAsset } from '../catalog/asset-catalog.ts';
import { findCurrency } from '../catalog/currency-catalog.ts';
import type { Db, Tx } from '../db/database.ts';
import type { Remember } from '../http/effect.ts';
import { enqueue } from '../jobs/enqueue.ts';
import { present } from '../lib/assert.ts';
import type { Clock } from '../lib/clock.ts';
import { newId } from '../lib/ids.ts';
import type { Merchant } from '../merchants/merchant.ts';
import { statusMailsOf } from '../merchants/status-mails.ts';
import { type Decimal, decimal, formatDecimal, minimum, times, zero } from '../money/decimal.ts';
import { isConversion, partOfTotal, worthRate } from '../pricing/conversion.ts';
import { chargeTotal } from './charge-total.ts';
import type { Checkout, CheckoutPayload } from './checkout.ts';
import type { CheckoutBatches } from './checkout-batches.ts';
import { noPaymentMethod } from './checkout-errors.ts';
import { type QuoteDeps, quoteMethods } from './quote-methods.ts';
import { createdMailJob } from './status-mail-jobs.ts';

export type CreateDeps = QuoteDeps & {
  readonly db: Db;
  readonly clock: Clock;
  readonly batches: Pick<CheckoutBatches, 'insert'>;
};

export type CreateRequest = {
  readonly body: CheckoutBody;
  readonly payload: unknown; // as posted, to be shown again
  /** How long it was as it was posted. Left out: nobody posted it. */
  readonly bytes?: number;
  /** Null: nobody who could be told by webhook makes it. */
  readonly apiKey: string | null;
  /** Left out: the API, or without a key a person in the account. */
  readonly origin?: 'PAYMENT_LINK';
  readonly type: Checkout['type'];
  readonly remember: Remember<Checkout> | null;
};

export async function createCheckout(deps: CreateDeps, merchant: Merchant, request: CreateRequest): Promise<Checkout> {
  const { body } = request;
  const { charge } = body;
  const enabledHighRisk = new Set(merchant.highRiskAssets);
  const total = chargeTotal(charge);
  const wanted = body.settlementAsset ?? merchant.settlementAsset;
  const settlementAsset =
    wanted === 'ORIGIN' ? 'ORIGIN' : present(findAsset(deps.assets, wanted), `asset ${wanted}`).id;
  const quoted = quoteMethods(deps, {
    merchantId: merchant.id,
    total,
    billingCurrency: charge.billingCurrency,
    settlementAsset,
    enabledHighRisk,
    riskTolerance: merchant.riskTolerance,
    takesRateOfBooking: merchant.takesRateOfBooking,
    agreed: merchant,
    anchors: body.anchors ?? {},
  });
  const { quotes } = quoted;
  if (quotes.length === 0) throw noPaymentMethod(quoted);

  const now = deps.clock.now();
  const checkout: Checkout = {
    merchantId: merchant.id,
    id: newId(),
    apiKey: request.apiKey,
    type: request.type,
    origin: request.origin ?? (request.apiKey === null ? 'ACCOUNT' : 'API'),
    state: 'CREATED',
    exceptions: [],
    billingCurrency: charge.billingCurrency,
    total,
    settlementAsset,
    language: body.checkoutLanguage,
    webhook: body.webhook ?? null,
    customerId: charge.customerId ?? null,
    tolerance: toleranceFraction(deps, merchant, charge.billingCurrency, total),
    lateTolerance: percentOf(merchant.lateTolerancePercent),
    acceptFrom: merchant.underpaidAcceptPercent === null ? null : percentOf(merchant.underpaidAcceptPercent),
    extraConfirmations: merchant.extraConfirmations,
    payload: request.payload as CheckoutPayload,
    quotes,
    quotedAt: now,
    createdAt: now,
    windowEndsAt: null,
    canceledAt: null,
    acceptedAt: null,
    acceptedExcess: [],
    keptRates: [],
    awaitsBridgeSince: null,
    awaitsDecision: false,
    settlements: 0,
  };
  const { remember } = request;
  // Only where it is wanted: a shop that makes ten thousand checkouts makes no jobs with them otherwise.
  const isMailed = checkout.type === 'HOSTED' && checkout.customerId !== null && statusMailsOf(merchant).created;
  const withIt = async (tx: Tx): Promise<void> => {
    if (isMailed) await enqueue(tx, [createdMailJob(checkout, now)]);
    await remember?.(tx, checkout);
  };
  const bytes = request.bytes ?? JSON.stringify(request.payload).length;
  await deps.batches.insert({ checkout, bytes, remember: isMailed || remember ? withIt : null });
  return checkout;
}

const percentOf = (percent: string): Decimal => times(decimal(percent), decimal('0.01'));

/** The exact total, which shop plugins compare with their own after rounding both to `decimals`. */
export function validateCharge({ charge }: Pick<CheckoutBody, 'charge'>): { total: string; decimals: number } {
  const { decimals } = present(findCurrency(charge.billingCurrency), `currency ${charge.billingCurrency}`);
  return { total: formatDecimal(chargeTotal(charge)), decimals };
}

/**
 * Which part of the price may be missing: the smaller of a percentage and an amount in the account's currency. Without
 * a rate between the two currencies the amount cannot be compared, so nothing may be missing.
 */
function toleranceFraction(deps: QuoteDeps, merchant: Merchant, billingCurrency: string, total: Decimal): Decimal {
  const percent = percentOf(merchant.tolerancePercent);
  const absolute = decimal(merchant.toleranceAbsolute);
  const worth = worthRate(deps.rates.rate, merchant.accountCurrency, billingCurrency);
  if (!isConversion(worth)) return zero;
  return minimum(percent, partOfTotal(worth, absolute, total, 12, 'down'));
}
