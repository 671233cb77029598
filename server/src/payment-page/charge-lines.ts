/** What is paid for, line by line, as the customer reads it. */
import type { CheckoutBody } from '@quittance/contract/checkout';
import { chargeTotal } from '../checkouts/charge-total.ts';
import {
  compare,
  type Decimal,
  decimal,
  formatDecimal,
  formatFixed,
  minus,
  negate,
  roundTo,
  times,
} from '../money/decimal.ts';
import { numberText, percentText } from '../web/number-text.ts';
import { keepOrder, type PageLanguage, type Say } from '../web/texts/page-texts.ts';

type Charge = CheckoutBody['charge'];

export type ChargeLine = {
  /** The shop's name for it, or our word if the shop gives none. */
  readonly label: string | { readonly word: 'discount' | 'shipping' };
  /** Only where there is more than one piece, and for a tax. */
  readonly detail: { readonly pieces: string; readonly each: string } | { readonly percent: string } | null;
  readonly amount: string;
};

export function chargeLines(charge: Charge, decimals: number): ChargeLine[] {
  const price = (value: Decimal): string => formatPrice(value, decimals);
  const withoutTaxes = chargeTotal({ ...charge, taxItems: [] });
  return [
    ...charge.lineItems.map(({ description, netAmount, quantity }) => {
      const pieces = decimal(quantity);
      const each = decimal(netAmount);
      return {
        label: description,
        detail: compare(pieces, decimal(1)) === 0 ? null : { pieces: formatDecimal(pieces), each: price(each) },
        amount: price(times(each, pieces)),
      };
    }),
    ...charge.discountItems.map(({ description, netAmount }) => ({
      label: named(description, 'discount'),
      detail: null,
      amount: price(negate(decimal(netAmount))),
    })),
    ...charge.shippingCostItems.map(({ description, netAmount }) => ({
      label: named(description, 'shipping'),
      detail: null,
      amount: price(decimal(netAmount)),
    })),
    ...charge.taxItems.map((tax) => ({
      label: tax.name,
      detail: { percent: formatDecimal(times(decimal(tax.percent), decimal(100))) },
      // Rounded only for showing: the total was rounded once, from the exact sum.
      amount: price(roundTo(minus(chargeTotal({ ...charge, taxItems: [tax] }), withoutTaxes), decimals, 'half-up')),
    })),
  ];
}

const named = (description: string | undefined, word: 'discount' | 'shipping'): ChargeLine['label'] =>
  description === undefined || description.trim() === '' ? { word } : description;

/** The label in the language of the page. */
export const labelText = (say: Say, { label }: ChargeLine): string =>
  typeof label === 'string' ? label : say(label.word);

/** A rate that the tax's own name gives, as in "VAT 19 %", is not repeated. */
export function shownDetail({ label, detail }: ChargeLine): ChargeLine['detail'] {
  if (typeof label !== 'string' || detail === null || !('percent' in detail)) return detail;
  const rates = [...label.matchAll(/([\d.,]+)\s*[%٪]|[%٪]\s*([\d.,]+)/gu)].map(
    ([, before, after]) => before ?? after ?? '',
  );
  return rates.some((rate) => rate.replace(',', '.').replace(/\.0*$/, '') === detail.percent) ? null : detail;
}

/** `2 × 9.99` or a percentage. */
export function detailText(language: PageLanguage, line: ChargeLine): string | null {
  const detail = shownDetail(line);
  if (detail === null) return null;
  if ('percent' in detail) return percentText(language, detail.percent);
  return keepOrder(language, `${numberText(language, detail.pieces)}\u00a0×\u00a0${numberText(language, detail.each)}`);
}

/** With the decimals of the currency, and more only where the shop's own price has more. */
const formatPrice = (value: Decimal, decimals: number): string =>
  compare(value, roundTo(value, decimals, 'down')) === 0 ? formatFixed(value, decimals) : formatDecimal(value);
