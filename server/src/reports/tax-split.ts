/**
 * What of a charge is net and what is tax, for any part of it that was paid. Pure, in the smallest unit of the billing currency.
 *
 * Each tax is rounded by itself, as on the invoice, and the net amount is the rest: so the parts always come to what was paid.
 * What happens later (another part, a refund) is the difference between two such splits. However many steps a charge was paid
 * and given back in, they come to the split of where it is then: nothing is left of what was refunded in full.
 */
import { type ChargeItems, chargeTotal } from '../checkouts/charge-total.ts';
import {
  type Decimal,
  decimal,
  divideUnits,
  formatDecimal,
  minus,
  plus,
  power10,
  sum,
  times,
  toUnits,
} from '../money/decimal.ts';
import type { Ratio } from '../pricing/share-of-price.ts';

export type Tax = { readonly name: string; readonly rate: string; readonly amount: Decimal };

export type TaxedCharge = {
  /** What was asked for. */
  readonly price: Decimal;
  readonly taxable: Decimal;
  readonly untaxed: Decimal;
  readonly taxes: readonly Tax[];
  readonly decimals: number;
};

export type ChargedItems = Omit<ChargeItems, 'taxItems'> & {
  readonly taxItems?: readonly { readonly name: string; readonly percent: string }[] | undefined;
};

/** `items` null: they cannot be read any more, so nothing is known of a tax. */
export function taxedCharge(items: ChargedItems | null, price: Decimal, decimals: number): TaxedCharge {
  if (items === null) return { price, taxable: decimal(0), untaxed: price, taxes: [], decimals };
  const untaxedShipping = sum(
    (items.shippingCostItems ?? []).filter(({ taxable }) => taxable !== true),
    ({ netAmount }) => decimal(netAmount),
  );
  const net = chargeTotal({ ...items, taxItems: [] });
  const taxItems = items.taxItems ?? [];
  const taxable = taxItems.length === 0 ? decimal(0) : minus(net, untaxedShipping);
  const taxes = new Map<string, Tax>();
  for (const { name, percent } of taxItems) {
    const rate = formatDecimal(decimal(percent));
    const same = taxes.get(`${rate} ${name}`)?.amount ?? decimal(0);
    taxes.set(`${rate} ${name}`, { name, rate, amount: plus(same, times(taxable, decimal(percent))) });
  }
  return { price, taxable, untaxed: minus(net, taxable), taxes: [...taxes.values()], decimals };
}

export type TaxSplit = {
  readonly gross: bigint;
  readonly taxable: bigint;
  readonly untaxed: bigint;
  /** In the order of the charge. */
  readonly taxes: readonly bigint[];
};

/** Of so much of the price; more than all of it, where more was kept. */
export function splitAt(charge: TaxedCharge, share: Ratio): TaxSplit {
  const { decimals, price } = charge;
  const part = (amount: Decimal): bigint =>
    divideUnits(
      amount.digits * power10(decimals) * share.numerator,
      power10(amount.scale) * share.denominator,
      'half-up',
    );
  const gross = divideUnits(toUnits(price, decimals, 'half-up') * share.numerator, share.denominator, 'half-up');
  const taxes = charge.taxes.map(({ amount }) => part(amount));
  const net = gross - taxes.reduce((all, tax) => all + tax, 0n);
  const isTaxed = charge.taxable.digits !== 0n;
  const untaxed = isTaxed ? part(charge.untaxed) : net;
  return { gross, taxable: net - untaxed, untaxed, taxes };
}
