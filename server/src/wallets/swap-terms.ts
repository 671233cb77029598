/** What is asked of a swap, read and priced: which assets, how much of which, at which rates, with which fees. */
import {
  type AssetCatalog,
  type CatalogAsset,
  findAsset,
  isAvailable,
  isCreditable,
} from '../catalog/asset-catalog.ts';
import { present } from '../lib/assert.ts';
import { type Problem, told } from '../lib/errors.ts';
import type { Merchant } from '../merchants/merchant.ts';
import type { MerchantFees } from '../merchants/merchant-store.ts';
import { type Decimal, decimal } from '../money/decimal.ts';
import type { RateBook } from '../pricing/rate-book.ts';
import { agreedFees, type FeeSchedule } from '../pricing/settlement-fee.ts';
import { type ConvertibleDeps, isConvertible } from '../venues/convertible.ts';
import { noSwapRate, tooLittle } from './swap-errors.ts';
import { priceSwap, type SwapAmount, type SwapPrice, unitsOf } from './swap-price.ts';

export type SwapTermsDeps = ConvertibleDeps & {
  readonly assets: AssetCatalog;
  readonly rates: RateBook;
  readonly fees: FeeSchedule;
  /** What the treasury keeps of every swap, as a part, beside the margins of the rates. */
  readonly swapSpread: Decimal;
};

export type SwapWish = {
  readonly sourceAsset?: string | undefined;
  readonly targetAsset?: string | undefined;
  readonly sourceAmount?: string | undefined;
  readonly targetAmount?: string | undefined;
};

/** What is wrong with a wish, in sentences. It works on whatever could be read. */
export function swapProblems(deps: SwapTermsDeps, merchant: Merchant, wish: SwapWish): Problem[] {
  const source = givable(deps, wish.sourceAsset);
  const credited = wantable(deps, merchant, wish.targetAsset);
  const unknown = (name: string, wanted: string | undefined, asset: CatalogAsset | undefined): string[] => {
    if (wanted === undefined) return [`${name} is missing.`];
    if (asset) return [];
    return name === 'targetAsset' && isHeldOnly(deps, merchant, wanted)
      ? [`targetAsset must be an asset that can be had here, but ${wanted} can only be given: name it as sourceAsset.`]
      : [`${name} must be an asset of GET /assets that can be swapped, but is ${JSON.stringify(wanted)}.`];
  };
  const amounts = [wish.sourceAmount, wish.targetAmount].filter((amount) => amount !== undefined);
  return [
    ...unknown('sourceAsset', wish.sourceAsset, source),
    ...unknown('targetAsset', wish.targetAsset, credited),
    ...(source && source.id === credited?.id
      ? [told('swap_same_asset', 'sourceAsset and targetAsset must be two assets.')]
      : []),
    ...(amounts.length === 1 ? [] : ['Either sourceAmount or targetAmount must be given.']),
    ...amountProblems('sourceAmount', wish.sourceAmount, source),
    ...amountProblems('targetAmount', wish.targetAmount, credited),
  ];
}

function amountProblems(name: string, amount: string | undefined, asset: CatalogAsset | undefined): Problem[] {
  if (amount === undefined || !asset) return [];
  if (decimal(amount).digits <= 0n) return [told('amount_not_positive', `${name} must be greater than zero.`)];
  if (unitsOf(decimal(amount), asset.ledgerScale) === null)
    return [
      told(
        'amount_asset_decimals',
        `${name} must have at most ${asset.ledgerScale} decimals, because it is in ${asset.assetCode}.`,
        { asset: asset.assetCode, most: String(asset.ledgerScale) },
      ),
    ];
  return [];
}

/**
 * Whatever an account may hold can be given, also what is retired or was switched off for the merchant: for a credit in
 * an asset that no network here has, a swap is the only way out.
 */
const givable = ({ assets }: SwapTermsDeps, wanted: string | undefined): CatalogAsset | undefined =>
  wanted === undefined ? undefined : findAsset(assets, wanted);

/** Only what the merchant may have, and what something can be exchanged for, can be wanted. */
function wantable(deps: SwapTermsDeps, merchant: Merchant, wanted: string | undefined): CatalogAsset | undefined {
  const asset = givable(deps, wanted);
  if (!asset || !isAvailable(asset, new Set(merchant.highRiskAssets))) return undefined;
  if (!isCreditable(asset, merchant.riskTolerance)) return undefined;
  return deps.assets.assets.some((given) => isConvertible(deps, given, asset)) ? asset : undefined;
}

/**
 * An asset that can be given but not wanted: GET /assets says that it can be swapped, and that is true in one
 * direction.
 */
function isHeldOnly(deps: SwapTermsDeps, merchant: Merchant, wanted: string): boolean {
  const asset = givable(deps, wanted);
  return asset !== undefined && isAvailable(asset, new Set(merchant.highRiskAssets));
}

export type SwapTerms = { readonly source: CatalogAsset; readonly credited: CatalogAsset; readonly amount: SwapAmount };

/** Only of a wish without problems. */
export function swapTerms({ assets }: SwapTermsDeps, wish: SwapWish): SwapTerms {
  const source = present(findAsset(assets, wish.sourceAsset ?? ''), 'the source asset');
  const credited = present(findAsset(assets, wish.targetAsset ?? ''), 'the credited asset');
  const units = (amount: string, { ledgerScale }: CatalogAsset): bigint =>
    present(unitsOf(decimal(amount), ledgerScale), 'an amount in whole units');
  const amount =
    wish.sourceAmount === undefined
      ? { targetUnits: units(present(wish.targetAmount, 'an amount'), credited) }
      : { sourceUnits: units(wish.sourceAmount, source) };
  return { source, credited, amount };
}

export function priceTerms(deps: SwapTermsDeps, agreed: MerchantFees, terms: SwapTerms): SwapPrice {
  const { source, credited, amount } = terms;
  const fees = agreedFees(deps.fees, agreed);
  const price = priceSwap(source, credited, amount, fees, { rateOf: deps.rates.rate, swapSpread: deps.swapSpread });
  if (!price) throw tooLittle(credited.assetCode);
  if ('missing' in price)
    throw noSwapRate(price.code === source.currencyCode ? source.assetCode : credited.assetCode, price.missing);
  return price;
}
