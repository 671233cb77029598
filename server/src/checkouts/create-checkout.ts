/** A charge becomes a checkout: totalled, priced on every network, and stored in one statement. */
import type { CheckoutBody } from '@quittance/contract/checkout';
import { type AssetCatalog, findAsset, isAvailable } from '../catalog/asset-catalog.ts';
import { findCurrency } from '../catalog/currency-catalog.ts';
import { findNetwork } from '../catalog/network-catalog.ts';
import type { Db } from '../db/database.ts';
import type { Merchant } from '../http/caller.ts';
import type { Clock } from '../lib/clock.ts';
import { invalidRequest } from '../lib/errors.ts';
import { newId } from '../lib/ids.ts';
import { type Decimal, decimal, divide, formatDecimal, minimum, roundTo, times, zero } from '../money/decimal.ts';
import { isRate } from '../pricing/combine-rates.ts';
import { chargeTotal } from './charge-total.ts';
import type { Checkout, CheckoutPayload } from './checkout.ts';
import type { CheckoutBatches } from './checkout-batches.ts';
import { noPaymentMethod } from './checkout-errors.ts';
import { findCustomerId } from './checkout-store.ts';
import { type QuoteDeps, quoteMethods } from './quote-methods.ts';

export type CreateDeps = QuoteDeps & { readonly db: Db; readonly clock: Clock; readonly batches: CheckoutBatches };

export type CreateRequest = {
  readonly body: CheckoutBody;
  readonly payload: unknown; // as posted, for the echo
  readonly apiKey: string;
  readonly type: Checkout['type'];
};

export async function createCheckout(deps: CreateDeps, merchant: Merchant, request: CreateRequest): Promise<Checkout> {
  const { body } = request;
  const { charge } = body;
  const enabledHighRisk = new Set(merchant.highRiskAssets);
  const total = chargeTotal(charge);
  const problems = [
    ...chargeProblems(charge.billingCurrency, total),
    ...settlementProblems(deps.assets, body.settlementAsset, enabledHighRisk),
    ...anchorProblems(deps.assets, body.anchors),
    ...webhookProblems(merchant, body.webhook),
    ...(await customerProblems(deps.db, merchant.id, charge.customerId)),
  ];
  if (problems.length > 0) throw invalidRequest(problems);

  const settlementAsset =
    body.settlementAsset === 'ORIGIN' ? 'ORIGIN' : (findAsset(deps.assets, body.settlementAsset)?.id ?? 'ORIGIN');
  const { quotes, leftOut } = quoteMethods(deps, {
    total,
    billingCurrency: charge.billingCurrency,
    settlementAsset,
    enabledHighRisk,
  });
  if (quotes.length === 0) throw noPaymentMethod(leftOut);

  const now = deps.clock.now();
  const checkout: Checkout = {
    merchantId: merchant.id,
    id: newId(),
    apiKey: request.apiKey,
    type: request.type,
    origin: 'API',
    state: 'CREATED',
    exceptions: [],
    billingCurrency: charge.billingCurrency,
    total,
    settlementAsset,
    language: body.checkoutLanguage,
    webhook: body.webhook ?? null,
    customerId: charge.customerId ?? null,
    tolerance: toleranceFraction(deps, merchant, charge.billingCurrency, total),
    extraConfirmations: merchant.extraConfirmations,
    payload: request.payload as CheckoutPayload,
    quotes,
    quotedAt: now,
    createdAt: now,
    windowEndsAt: null,
    canceledAt: null,
    acceptedAt: null,
    settlements: 0,
  };
  await deps.batches.insert(checkout);
  return checkout;
}

/** The exact total, which shop plugins compare with their own after rounding both to `decimals`. */
export function validateCharge(body: Pick<CheckoutBody, 'charge'>): { total: string; decimals: number } {
  const total = chargeTotal(body.charge);
  const problems = chargeProblems(body.charge.billingCurrency, total);
  const currency = findCurrency(body.charge.billingCurrency);
  if (problems.length > 0 || !currency) throw invalidRequest(problems);
  return { total: formatDecimal(total), decimals: currency.decimals };
}

function chargeProblems(code: string, total: Decimal): string[] {
  const problems: string[] = [];
  const currency = findCurrency(code);
  if (!currency?.isBilled)
    problems.push(`charge.billingCurrency must be a billing currency of GET /currencies, but is ${shown(code)}.`);
  if (total.digits <= 0n)
    problems.push(`The total of charge must be greater than zero, but is ${formatDecimal(total)} ${shown(code)}.`);
  else if (currency && roundTo(total, currency.decimals, 'half-up').digits === 0n)
    problems.push(`The total of charge must not round to zero, but is ${formatDecimal(total)} ${currency.code}.`);
  else if (total.digits / 10n ** BigInt(total.scale) >= 10n ** 18n)
    problems.push('The total of charge must be less than 1000000000000000000.');
  return problems;
}

function settlementProblems(assets: AssetCatalog, wanted: string, enabledHighRisk: ReadonlySet<string>): string[] {
  if (wanted === 'ORIGIN') return [];
  const asset = findAsset(assets, wanted);
  if (asset && isAvailable(asset, enabledHighRisk)) return [];
  return [`settlementAsset must be ORIGIN or an asset id of GET /assets, but is ${shown(wanted)}.`];
}

function anchorProblems(assets: AssetCatalog, anchors: Readonly<Record<string, string>>): string[] {
  return Object.entries(anchors).flatMap(([network, asset]) => [
    ...(findNetwork(network) ? [] : [`anchors.${network} must name a network of GET /networks.`]),
    ...(findAsset(assets, asset)
      ? []
      : [`anchors.${network} must be an asset id of GET /assets, but is ${shown(asset)}.`]),
  ]);
}

function webhookProblems(merchant: Merchant, webhook: string | undefined): string[] {
  if (!merchant.isWebhookHttpsRequired || webhook === undefined || webhook.startsWith('https://')) return [];
  return ['webhook must be an https URL: this account requires it.'];
}

async function customerProblems(db: Db, merchantId: string, customerId: string | undefined): Promise<string[]> {
  if (customerId === undefined || (await findCustomerId(db, merchantId, customerId))) return [];
  return [`charge.customerId must be the id of a customer, but there is none with the id ${shown(customerId)}.`];
}

/**
 * What part of the price may be missing: the smaller of a percentage and an absolute amount in the account's currency.
 * Without a rate between the two currencies the absolute limit cannot be kept, so nothing may be missing.
 */
function toleranceFraction(deps: QuoteDeps, merchant: Merchant, billingCurrency: string, total: Decimal): Decimal {
  const percent = times(decimal(merchant.tolerancePercent), decimal('0.01'));
  const absolute = decimal(merchant.toleranceAbsolute);
  const account = deps.rates.rate(merchant.accountCurrency);
  const billing = deps.rates.rate(billingCurrency);
  if (!isRate(account) || !isRate(billing)) return zero;
  const share = divide(times(absolute, account.usd), times(total, billing.usd), 12, 'down');
  return minimum(percent, share);
}

const shown = (text: string): string => JSON.stringify(text.length > 60 ? `${text.slice(0, 60)}…` : text);
