/**
 * What the price of a checkout costs in a commitment's asset at the rates of now: so payments are valued that came
 * after the window. Without the buffer of a quote, because the value is compared with the price itself.
 */
import { decimal } from '../money/decimal.ts';
import type { Valuation } from '../payments/payment-sights.ts';
import { isConversion, type RateOf, ratioOf, storable, worthRate } from '../pricing/conversion.ts';
import type { Commitment } from './checkout.ts';

export type ValuingTerms = {
  readonly rateOf: RateOf;
  readonly assetFacts: (assetId: string) => { readonly ledgerScale: number; readonly currencyCode: string };
};

export function priceInAsset(
  { rateOf, assetFacts }: ValuingTerms,
  billingCurrency: string,
  { asset, quote }: Pick<Commitment, 'asset' | 'quote'>,
  now: Date,
): Valuation | { readonly noMarket: string } {
  const { ledgerScale, currencyCode } = assetFacts(asset);
  const worth = worthRate(rateOf, currencyCode, billingCurrency);
  if (!isConversion(worth)) return { noMarket: `${worth.code}: ${worth.missing}` };
  const price = decimal(quote.price);
  // How many units one of the currency is: the other way round.
  const { numerator: paid, denominator: billed } = ratioOf(worth, { from: ledgerScale, to: price.scale });
  const { fromUsd, toUsd } = storable(worth);
  return {
    priceUnits: { numerator: (price.digits * billed).toString(), denominator: paid.toString() },
    paidUsd: fromUsd,
    billedUsd: toUsd,
    valuedAt: now.toISOString(),
  };
}
