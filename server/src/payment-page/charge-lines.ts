/** What is paid for, line by line, as the customer reads it. */
import type { CheckoutBody } from '@quittance/contract/checkout';
import { chargeSums } from '../checkouts/charge-total.ts';
import {
  compare,
  type Decimal,
  decimal,
  formatDecimal,
  formatFixed,
  negate,
  parseDecimal,
  roundTo,
  sum,
  times,
} from '../money/decimal.ts';
import { cutRows } from '../web/cut-rows.ts';
import { numberText, percentText } from '../web/number-text.ts';
import { keepOrder, type PageLanguage } from '../web/texts/page-texts.ts';
import type { SayIn } from '../web/texts/say.ts';

type Charge = CheckoutBody['charge'];

export type ChargeLine = {
  /** The shop's name for it, or our word if the shop gives none. `more`: so many that are not shown one by one. */
  readonly label: string | { readonly word: 'discount' | 'shipping' } | { readonly more: number };
  /** Only where there is more than one piece, and for a tax. */
  readonly detail: { readonly pieces: string; readonly each: string } | { readonly percent: string } | null;
  readonly amount: string;
};

/** Of each kind the first ones, and how much all others come to: so the lines come to the total, however many there are. */
export function chargeLines(charge: Charge, decimals: number): ChargeLine[] {
  const price = (value: Decimal): string => formatPrice(value, decimals);
  function ofKind<Item>(
    items: readonly Item[],
    amountOf: (item: Item) => Decimal,
    words: (item: Item) => Pick<ChargeLine, 'label' | 'detail'>,
    shown: (amount: Decimal) => string = price,
  ): ChargeLine[] {
    const cut = cutRows(items);
    const lines = cut.shown.map((item) => ({ ...words(item), amount: shown(amountOf(item)) }));
    if (cut.left.length === 0) return lines;
    return [...lines, { label: { more: cut.left.length }, detail: null, amount: shown(sum(cut.left, amountOf)) }];
  }
  const { taxable } = chargeSums(charge);
  return [
    ...ofKind(
      charge.lineItems,
      ({ netAmount, quantity }) => times(decimal(netAmount), decimal(quantity)),
      ({ description, netAmount, quantity }) => {
        const pieces = decimal(quantity);
        const isOne = compare(pieces, decimal(1)) === 0;
        const detail = isOne ? null : { pieces: formatDecimal(pieces), each: price(decimal(netAmount)) };
        return { label: description, detail };
      },
    ),
    ...ofKind(
      charge.discountItems,
      ({ netAmount }) => negate(decimal(netAmount)),
      ({ description }) => ({ label: named(description, 'discount'), detail: null }),
    ),
    ...ofKind(
      charge.shippingCostItems,
      ({ netAmount }) => decimal(netAmount),
      ({ description }) => ({ label: named(description, 'shipping'), detail: null }),
    ),
    ...ofKind(
      charge.taxItems,
      ({ percent }) => times(taxable, decimal(percent)),
      ({ name, percent }) => ({
        label: name,
        detail: { percent: formatDecimal(times(decimal(percent), decimal(100))) },
      }),
      // Rounded only for showing: the total was rounded once, from the exact sum.
      (amount) => price(roundTo(amount, decimals, 'half-up')),
    ),
  ];
}

const named = (description: string | undefined, word: 'discount' | 'shipping'): ChargeLine['label'] =>
  description === undefined || description.trim() === '' ? { word } : description;

/** The label in the language of the page. */
export function labelText(
  say: SayIn<'discount' | 'shipping' | 'andMore'>,
  { label }: Pick<ChargeLine, 'label'>,
): string {
  if (typeof label === 'string') return label;
  return 'more' in label ? say('andMore', { count: label.more }) : say(label.word);
}

/** The numbers of a name that stand beside a percent sign. Read piece by piece, as long as the name is and no longer. */
function ratesIn(name: string): (Decimal | undefined)[] {
  const pieces = name.match(/[\d.,]+|[%٪]|[^\s\d.,%٪]+/gu) ?? [];
  const isSign = (piece: string | undefined): boolean => piece === '%' || piece === '٪';
  return pieces
    .filter((_, at) => isSign(pieces[at - 1]) || isSign(pieces[at + 1]))
    .map((piece) => parseDecimal(piece.replace(',', '.')));
}

/** A rate that the tax's own name gives, as in "VAT 19 %", is not repeated. */
export function shownDetail({ label, detail }: ChargeLine): ChargeLine['detail'] {
  if (typeof label !== 'string' || detail === null || !('percent' in detail)) return detail;
  return ratesIn(label).some((rate) => rate && formatDecimal(rate) === detail.percent) ? null : detail;
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
