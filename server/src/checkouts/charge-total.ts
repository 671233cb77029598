import { type Decimal, decimal, minus, plus, sum, times } from '../money/decimal.ts';

export type ChargeItems = {
  readonly lineItems: readonly { readonly netAmount: string; readonly quantity?: string | undefined }[];
  readonly discountItems?: readonly { readonly netAmount: string }[] | undefined;
  readonly shippingCostItems?:
    | readonly { readonly netAmount: string; readonly taxable?: boolean | undefined }[]
    | undefined;
  readonly taxItems?: readonly { readonly percent: string }[] | undefined;
};

export type ChargeSums = {
  readonly net: Decimal;
  /** What each tax is a part of. */
  readonly taxable: Decimal;
  /** All taxes together: 0.19 is 19 %. */
  readonly taxRate: Decimal;
};

/** In one walk over the charge: whoever needs several of them asks once. */
export function chargeSums(charge: ChargeItems): ChargeSums {
  const shippingItems = charge.shippingCostItems ?? [];
  const lines = sum(charge.lineItems, (item) => times(decimal(item.netAmount), decimal(item.quantity ?? '1')));
  const discounts = sum(charge.discountItems ?? [], (item) => decimal(item.netAmount));
  const shipping = sum(shippingItems, (item) => decimal(item.netAmount));
  const taxedShipping = sum(
    shippingItems.filter((item) => item.taxable === true),
    (item) => decimal(item.netAmount),
  );
  const net = plus(minus(lines, discounts), shipping);
  return {
    net,
    taxable: plus(minus(net, shipping), taxedShipping),
    taxRate: sum(charge.taxItems ?? [], (item) => decimal(item.percent)),
  };
}

/** The total rule of the API (spec §2.4), exact. Rounding belongs to whoever turns the total into an amount. */
export function chargeTotal(charge: ChargeItems): Decimal {
  const { net, taxable, taxRate } = chargeSums(charge);
  return plus(net, times(taxable, taxRate));
}
