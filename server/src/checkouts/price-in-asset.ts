/**
 * What the price of a checkout costs in a commitment's asset at the rates of now: so payments are valued that came
 * after the window. Without the buffer of a quote, because the value is compared with the price itself.
 */
import { decimal, formatDecimal, one, power10 } from '../money/decimal.ts';
import type { Valuation } from '../payments/payment-sights.ts';
import type { CombinedRate, MissingRate } from '../pricing/combine-rates.ts';
import type { Commitment } from './checkout.ts';

export type ValuingTerms = {
  readonly rateOf: (code: string) => CombinedRate | MissingRate;
  readonly assetFacts: (assetId: string) => { readonly ledgerScale: number; readonly currencyCode: string };
};

export function priceInAsset(
  { rateOf, assetFacts }: ValuingTerms,
  billingCurrency: string,
  { asset, quote }: Pick<Commitment, 'asset' | 'quote'>,
  now: Date,
): Valuation | { readonly noMarket: string } {
  const { ledgerScale, currencyCode } = assetFacts(asset);
  // A price in the same coin that is paid has no rate that could change.
  const usdOf = (code: string) => (billingCurrency === currencyCode ? { usd: one } : rateOf(code));
  const [paid, billed] = [usdOf(currencyCode), usdOf(billingCurrency)];
  if ('missing' in paid) return { noMarket: `${currencyCode}: ${paid.missing}` };
  if ('missing' in billed) return { noMarket: `${billingCurrency}: ${billed.missing}` };
  const price = decimal(quote.price);
  const numerator = price.digits * billed.usd.digits * power10(paid.usd.scale + ledgerScale);
  const denominator = paid.usd.digits * power10(price.scale + billed.usd.scale);
  return {
    priceUnits: { numerator: numerator.toString(), denominator: denominator.toString() },
    paidUsd: formatDecimal(paid.usd),
    billedUsd: formatDecimal(billed.usd),
    valuedAt: now.toISOString(),
  };
}
