/**
 * The sums of a paper by the rules of EN 16931: every line is rounded to the decimals of the currency, the net amount is the
 * sum of the lines, each tax is its rate of what is taxed, rounded. What was charged was rounded only once, from the exact sum;
 * the difference is `rounding`, and stands on the paper. Where the shop accepted less than the price, a line takes away as much
 * of what is taxed and of what is not, so that net and tax are those of what was paid. Pure.
 */
import type { Charge } from '../checkouts/read-charge.ts';
import {
  type Decimal,
  decimal,
  divideUnits,
  formatDecimal,
  formatFixed,
  fromUnits,
  times,
  toUnits,
} from '../money/decimal.ts';
import type { FactLine, FactTax, PaperSums } from './paper-facts.ts';

/** In the smallest units of the currency. */
type Line = Omit<FactLine, 'amount'> & { readonly units: bigint };

/** `paid`: less than the price only where the shop accepted that. `charge` null: it cannot be read any more. */
export function paperSums(
  charge: Charge | null,
  { price, paid, decimals }: { readonly price: Decimal; readonly paid: Decimal; readonly decimals: number },
): PaperSums {
  const written = (units: bigint): string => formatFixed(fromUnits(units, decimals), decimals);
  const [priceUnits, total] = [price, paid].map((amount) => toUnits(amount, decimals, 'half-up')) as [bigint, bigint];
  if (charge === null) {
    const net = written(total);
    return { lines: [], net, taxes: [], rounding: written(0n), total: net };
  }
  const asked = linesOf(charge, decimals);
  const lines = [...asked, ...(total < priceUnits ? acceptedLines(asked, total, priceUnits) : [])];
  const base = sumOf(lines.filter(({ isTaxed }) => isTaxed));
  const taxes = charge.taxItems.map(({ name, percent }) => {
    const rate = decimal(percent);
    const units = toUnits(times(fromUnits(base, decimals), rate), decimals, 'half-up');
    return { name, percent: formatDecimal(times(rate, decimal(100))), base: written(base), units };
  });
  const net = sumOf(lines);
  return {
    lines: lines.map(({ units, ...line }) => ({ ...line, amount: written(units) })),
    net: written(net),
    taxes: taxes.map(({ units, ...tax }): FactTax => ({ ...tax, amount: written(units) })),
    rounding: written(total - net - sumOf(taxes)),
    total: written(total),
  };
}

const sumOf = (parts: readonly { readonly units: bigint }[]): bigint =>
  parts.reduce((sum, { units }) => sum + units, 0n);

function linesOf({ lineItems, discountItems, shippingCostItems, taxItems }: Charge, decimals: number): Line[] {
  const hasTax = taxItems.length > 0;
  const one = (amount: string, sign: bigint) => ({
    quantity: '1',
    unitPrice: amount,
    units: sign * toUnits(decimal(amount), decimals, 'half-up'),
  });
  return [
    ...lineItems.map(({ description, netAmount, quantity }): Line => {
      const units = toUnits(times(decimal(netAmount), decimal(quantity)), decimals, 'half-up');
      return { kind: 'item', label: description, quantity, unitPrice: netAmount, units, isTaxed: hasTax };
    }),
    ...discountItems.map(
      ({ description, netAmount }): Line => ({
        kind: 'discount',
        label: named(description),
        isTaxed: hasTax,
        ...one(netAmount, -1n),
      }),
    ),
    ...shippingCostItems.map(
      ({ description, netAmount, taxable }): Line => ({
        kind: 'shipping',
        label: named(description),
        isTaxed: hasTax && taxable,
        ...one(netAmount, 1n),
      }),
    ),
  ];
}

const named = (description: string | undefined): string | null =>
  description === undefined || description.trim() === '' ? null : description;

function acceptedLines(asked: readonly Line[], paid: bigint, price: bigint): Line[] {
  return [true, false].flatMap((isTaxed): Line[] => {
    const all = sumOf(asked.filter((line) => line.isTaxed === isTaxed));
    const units = divideUnits(all * paid, price, 'half-up') - all;
    return units === 0n ? [] : [{ kind: 'accepted', label: null, quantity: '1', unitPrice: null, units, isTaxed }];
  });
}
