import { type Decimal, decimal, minus, plus, sum, times } from '../money/decimal.ts';

export type ChargeItems = {
  readonly lineItems: readonly { readonly netAmount: string; readonly quantity?: string | undefined }[];
  readonly discountItems?: readonly { readonly netAmount: string }[] | undefined;
  readonly shippingCostItems?:
    | readonly { readonly netAmount: string; readonly taxable?: boolean | undefined }[]
    | undefined;
  readonly taxItems?: readonly { readonly percent: string }[] | undefined;
};

/** The total rule of the API (spec §2.4), exact. Rounding belongs to whoever turns the total into an amount. */
export function chargeTotal(charge: ChargeItems): Decimal {
  const shippingItems = charge.shippingCostItems ?? [];
  const lines = sum(charge.lineItems, (item) => times(decimal(item.netAmount), decimal(item.quantity ?? '1')));
  const discounts = sum(charge.discountItems ?? [], (item) => decimal(item.netAmount));
  const shipping = sum(shippingItems, (item) => decimal(item.netAmount));
  const taxedShipping = sum(
    shippingItems.filter((item) => item.taxable === true),
    (item) => decimal(item.netAmount),
  );
  const taxRate = sum(charge.taxItems ?? [], (item) => decimal(item.percent));

  const net = plus(minus(lines, discounts), shipping);
  const taxable = plus(minus(net, shipping), taxedShipping);
  return plus(net, times(taxable, taxRate));
}
