/**
 * What is wrong with a new checkout beyond its form: unknown currencies, assets, customers, a total of nothing. Works on
 * whatever could be read, so that these problems are told together with those of form.
 */
import type { CheckoutBody } from '@quittance/contract/checkout';
import { type AssetCatalog, findAsset, isAvailable, isCreditable } from '../catalog/asset-catalog.ts';
import { findCurrency } from '../catalog/currency-catalog.ts';
import { findNetwork } from '../catalog/network-catalog.ts';
import type { Query } from '../db/database.ts';
import type { PartlyRead } from '../http/route.ts';
import type { Problem } from '../lib/errors.ts';
import type { Merchant } from '../merchants/merchant.ts';
import { type Decimal, formatDecimal, power10 } from '../money/decimal.ts';
import { roundPrice } from '../pricing/round-price.ts';
import { type ChargeItems, chargeTotal } from './charge-total.ts';
import { findCustomerId } from './checkout-store.ts';

type ReadableCharge = PartlyRead<CheckoutBody['charge']> | undefined;

export async function checkoutProblems(
  deps: { readonly db: Query; readonly assets: AssetCatalog },
  merchant: Merchant,
  body: PartlyRead<CheckoutBody>,
): Promise<Problem[]> {
  return [
    ...chargeProblems(body.charge),
    ...settlementProblems(deps.assets, body, merchant),
    ...anchorProblems(deps.assets, body.anchors ?? {}),
    ...(await customerProblems(deps.db, merchant.id, body.charge?.customerId)),
  ];
}

export function chargeProblems(charge: ReadableCharge): string[] {
  const code = charge?.billingCurrency;
  const currency = code === undefined ? undefined : findCurrency(code);
  const problems: string[] = [];
  if (code !== undefined && !currency?.isBilled)
    problems.push(`charge.billingCurrency must be a billing currency of GET /currencies, but is ${shown(code)}.`);
  const total = totalIfReadable(charge);
  if (total) problems.push(...totalProblems(total, currency));
  return problems;
}

function totalProblems(total: Decimal, currency: { code: string; decimals: number } | undefined): string[] {
  const written = [formatDecimal(total), currency?.code].filter((part) => part !== undefined).join(' ');
  if (total.digits <= 0n) return [`The total of charge must be greater than zero, but is ${written}.`];
  if (currency && roundPrice(total, currency.decimals).digits === 0n)
    return [`The total of charge must not round to zero, but is ${written}.`];
  if (total.digits / power10(total.scale) >= power10(18))
    return ['The total of charge must be less than 1000000000000000000.'];
  return [];
}

/** If a part cannot be read, the sum says nothing. */
function totalIfReadable(charge: ReadableCharge): Decimal | undefined {
  if (!charge?.lineItems || !charge.discountItems || !charge.shippingCostItems || !charge.taxItems) return undefined;
  const isReadable = [
    ...charge.lineItems.map((item) => item?.netAmount !== undefined && item.quantity !== undefined),
    ...charge.discountItems.map((item) => item?.netAmount !== undefined),
    ...charge.shippingCostItems.map((item) => item?.netAmount !== undefined && item.taxable !== undefined),
    ...charge.taxItems.map((item) => item?.percent !== undefined),
  ].every(Boolean);
  return isReadable ? chargeTotal(charge as ChargeItems) : undefined;
}

/** What a charge leaves out the account decides (decision 0049). */
function settlementProblems(assets: AssetCatalog, body: PartlyRead<CheckoutBody>, merchant: Merchant): string[] {
  // One that could not be read was told, and is not replaced.
  if (body.settlementAsset === undefined && Object.hasOwn(body, 'settlementAsset')) return [];
  const wanted = body.settlementAsset ?? merchant.settlementAsset;
  if (isCreditedIn(assets, merchant, wanted)) return [];
  if (body.settlementAsset === undefined)
    return [
      `settlementAsset was left out, and ${shown(wanted)}, which the account is credited in, is not offered any more: ` +
        'choose another one in its settlement settings, or name one here.',
    ];
  const isKnown = findAsset(assets, wanted)?.riskLevel === 'MEDIUM' && merchant.riskTolerance === 'LOW';
  return [
    isKnown
      ? `settlementAsset must be an asset of LOW risk, as the account's settings say, but is ${shown(wanted)}.`
      : `settlementAsset must be ORIGIN or an asset id of GET /assets, but is ${shown(wanted)}.`,
  ];
}

/** ORIGIN, or an asset that the merchant can be credited in. */
export function isCreditedIn(
  assets: AssetCatalog,
  { highRiskAssets, riskTolerance }: Pick<Merchant, 'highRiskAssets' | 'riskTolerance'>,
  wanted: string,
): boolean {
  if (wanted === 'ORIGIN') return true;
  const asset = findAsset(assets, wanted);
  return asset !== undefined && isAvailable(asset, new Set(highRiskAssets)) && isCreditable(asset, riskTolerance);
}

function anchorProblems(assets: AssetCatalog, anchors: Readonly<Record<string, string | undefined>>): string[] {
  return Object.entries(anchors).flatMap(([network, asset]) => [
    ...(findNetwork(network) ? [] : [`anchors.${network} must name a network of GET /networks.`]),
    ...(asset === undefined || findAsset(assets, asset)?.isRetired === false
      ? []
      : [`anchors.${network} must be an asset id of GET /assets, but is ${shown(asset)}.`]),
  ]);
}

async function customerProblems(db: Query, merchantId: string, customerId: string | undefined): Promise<string[]> {
  if (customerId === undefined || (await findCustomerId(db, merchantId, customerId))) return [];
  return [`charge.customerId must be the id of a customer, but there is none with the id ${shown(customerId)}.`];
}

const shown = (text: string): string => JSON.stringify(text.length > 60 ? `${text.slice(0, 60)}…` : text);
