/** What is asked of a swap, read and priced: which assets, how much of which, at which rates, with which fees. */
import { type AssetCatalog, type CatalogAsset, findAsset, isAvailable } from '../catalog/asset-catalog.ts';
import type { Merchant } from '../http/caller.ts';
import { present } from '../lib/assert.ts';
import type { MerchantFees } from '../merchants/merchant-store.ts';
import { type Decimal, decimal, minimum, plus, zero } from '../money/decimal.ts';
import { type CombinedRate, highUsd, isRate, lowUsd, marginOf } from '../pricing/combine-rates.ts';
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

/** What is wrong with a wish, in sentences. Works on whatever could be read. */
export function swapProblems(deps: SwapTermsDeps, merchant: Merchant, wish: SwapWish): string[] {
  const source = givable(deps, wish.sourceAsset);
  const target = wantable(deps, merchant, wish.targetAsset);
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
    ...unknown('targetAsset', wish.targetAsset, target),
    ...(source && source.id === target?.id ? ['sourceAsset and targetAsset must be two assets.'] : []),
    ...(amounts.length === 1 ? [] : ['Either sourceAmount or targetAmount must be given.']),
    ...amountProblems('sourceAmount', wish.sourceAmount, source),
    ...amountProblems('targetAmount', wish.targetAmount, target),
  ];
}

function amountProblems(name: string, amount: string | undefined, asset: CatalogAsset | undefined): string[] {
  if (amount === undefined || !asset) return [];
  if (decimal(amount).digits <= 0n) return [`${name} must be greater than zero.`];
  if (unitsOf(decimal(amount), asset.ledgerScale) === null)
    return [`${name} must have at most ${asset.ledgerScale} decimals, because it is in ${asset.assetCode}.`];
  return [];
}

/**
 * Whatever an account may hold can be given, also what is retired or was switched off for the merchant: a credit in an
 * asset that travels nowhere here has no other way out.
 */
const givable = ({ assets }: SwapTermsDeps, wanted: string | undefined): CatalogAsset | undefined =>
  wanted === undefined ? undefined : findAsset(assets, wanted);

/** But only what the merchant may have, and what something can be exchanged for. */
function wantable(deps: SwapTermsDeps, merchant: Merchant, wanted: string | undefined): CatalogAsset | undefined {
  const asset = givable(deps, wanted);
  if (!asset || !isAvailable(asset, new Set(merchant.highRiskAssets))) return undefined;
  return deps.assets.assets.some((given) => isConvertible(deps, given, asset)) ? asset : undefined;
}

/** Asked of what nobody can want: GET /assets says that it can be swapped, and it can, away. */
function isHeldOnly(deps: SwapTermsDeps, merchant: Merchant, wanted: string): boolean {
  const asset = givable(deps, wanted);
  return asset !== undefined && isAvailable(asset, new Set(merchant.highRiskAssets));
}

export type SwapTerms = { readonly source: CatalogAsset; readonly target: CatalogAsset; readonly amount: SwapAmount };

/** Of a wish without problems. */
export function swapTerms({ assets }: SwapTermsDeps, wish: SwapWish): SwapTerms {
  const source = present(findAsset(assets, wish.sourceAsset ?? ''), 'the source asset');
  const target = present(findAsset(assets, wish.targetAsset ?? ''), 'the target asset');
  const units = (amount: string, { ledgerScale }: CatalogAsset): bigint =>
    present(unitsOf(decimal(amount), ledgerScale), 'an amount in whole units');
  const amount =
    wish.sourceAmount === undefined
      ? { targetUnits: units(present(wish.targetAmount, 'an amount'), target) }
      : { sourceUnits: units(wish.sourceAmount, source) };
  return { source, target, amount };
}

export function priceTerms(deps: SwapTermsDeps, agreed: MerchantFees, terms: SwapTerms): SwapPrice {
  const { source, target, amount } = terms;
  const fees = agreedFees(deps.fees, agreed);
  const [given, wanted] = [rateOf(deps, source), rateOf(deps, target)];
  // The same coin under another name is worth the same: there is nothing to be wrong about.
  const isSame = source.currencyCode === target.currencyCode;
  const price = priceSwap(
    { ledgerScale: source.ledgerScale, usd: given.usd, safeUsd: isSame ? given.usd : lowUsd(given) },
    { ledgerScale: target.ledgerScale, usd: wanted.usd, safeUsd: isSame ? wanted.usd : highUsd(wanted) },
    amount,
    fees,
    isSame ? zero : spreadOf(deps, [given, wanted]),
  );
  if (!price) throw tooLittle(target.assetCode);
  return price;
}

const spreadOf = ({ swapSpread }: SwapTermsDeps, rates: readonly CombinedRate[]): Decimal =>
  minimum(rates.map(marginOf).reduce(plus, swapSpread), spreadMax);

/** Whatever the settings say: a swap is no robbery. */
const spreadMax = decimal('0.25');

function rateOf({ rates }: Pick<SwapTermsDeps, 'rates'>, asset: CatalogAsset): CombinedRate {
  const rate = rates.rate(asset.currencyCode);
  if (!isRate(rate)) throw noSwapRate(asset.assetCode, rate.missing);
  return rate;
}
