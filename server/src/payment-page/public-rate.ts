/** The exchange rate behind a quote, as the customer may know it: the market's rate, and what was added. */
import { findCurrency } from '../catalog/currency-catalog.ts';
import type { Quote } from '../checkouts/checkout.ts';
import { compare, decimal, divide, formatDecimal, formatFixed, times } from '../money/decimal.ts';

export type PublicRate = {
  /** The price is for one unit of this. */
  readonly code: string;
  readonly price: string;
  readonly currency: string;
  readonly sources: readonly string[];
  /** What was added for the conversion; null when nothing was. */
  readonly conversionPercent: string | null;
};

/** The price of a coin is written with six decimals if it is below ten, otherwise with those of the currency. */
const small = { below: decimal(10), places: 6 };

/** Null where there is none: what is paid is the currency of the bill, or a release that stored something else made the quote. */
export function publicRate(quote: Quote, paidCode: string, currency: string): PublicRate | null {
  if (paidCode === currency) return null;
  const paid = quote.rates.find(({ code }) => code === paidCode);
  const billing = quote.rates.find(({ code }) => code === currency);
  if (!paid || !billing) return null;
  const decimals = findCurrency(currency)?.decimals ?? 2;
  const inCurrency = (places: number) => divide(decimal(paid.usd), decimal(billing.usd), places, 'half-up');
  const isSmall = compare(inCurrency(small.places), small.below) < 0;
  return {
    code: paidCode,
    price: isSmall ? formatDecimal(inCurrency(small.places)) : formatFixed(inCurrency(decimals), decimals),
    currency,
    sources: paid.sources,
    conversionPercent: /^0?$/.test(quote.buffer) ? null : formatDecimal(times(decimal(quote.buffer), decimal(100))),
  };
}
