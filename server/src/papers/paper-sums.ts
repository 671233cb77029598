/**
 * The sums of a paper by the rules of EN 16931. What is taxed is the exact net amount of the charge, rounded once to the decimals
 * of the currency; likewise what is not. The lines of each come to it: those with the largest remainders are rounded up, the
 * others down, so each is less than a cent beside its exact value. Each tax is its rate of what is taxed, rounded. What was charged
 * was rounded only once, from the exact sum; the difference is `rounding`, a few cents, and stands on the paper. Where the shop
 * accepted less than the price, a line takes away as much of what is taxed and of what is not, so that net and tax are those of
 * what was paid. Pure.
 */
import type { Charge } from '../checkouts/read-charge.ts';
import {
  compare,
  type Decimal,
  decimal,
  divideUnits,
  formatDecimal,
  formatFixed,
  fromUnits,
  isLess,
  minus,
  negate,
  power10,
  sum,
  times,
  toUnits,
} from '../money/decimal.ts';
import { roundPrice } from '../pricing/round-price.ts';
import type { FactLine, FactTax, PaperSums } from './paper-facts.ts';

/** As the charge has it: not rounded. */
type ExactLine = Omit<FactLine, 'amount'> & { readonly exact: Decimal };
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
  const exact = linesOf(charge);
  const asked = roundedLines(exact, decimals);
  const lines = [...asked, ...(total < priceUnits ? acceptedLines(exact, asked, total, priceUnits, decimals) : [])];
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

/** In the order of the charge. */
function linesOf({ lineItems, discountItems, shippingCostItems, taxItems }: Charge): ExactLine[] {
  const hasTax = taxItems.length > 0;
  return [
    ...lineItems.map(({ description, netAmount, quantity }): ExactLine => {
      const exact = times(decimal(netAmount), decimal(quantity));
      return { kind: 'item', label: description, quantity, unitPrice: netAmount, exact, isTaxed: hasTax };
    }),
    ...discountItems.map(
      ({ description, netAmount }): ExactLine => ({
        kind: 'discount',
        label: named(description),
        quantity: '1',
        unitPrice: netAmount,
        exact: negate(decimal(netAmount)),
        isTaxed: hasTax,
      }),
    ),
    ...shippingCostItems.map(
      ({ description, netAmount, taxable }): ExactLine => ({
        kind: 'shipping',
        label: named(description),
        quantity: '1',
        unitPrice: netAmount,
        exact: decimal(netAmount),
        isTaxed: hasTax && taxable,
      }),
    ),
  ];
}

const named = (description: string | undefined): string | null =>
  description === undefined || description.trim() === '' ? null : description;

const exactOf = ({ exact }: ExactLine): Decimal => exact;

/** Of those that are taxed, and of those that are not, each by itself. Of equal remainders the first is rounded up. */
function roundedLines(exact: readonly ExactLine[], decimals: number): Line[] {
  const below = exact.map((line) => ({ line, units: toUnitsBelow(line.exact, decimals) }));
  const isUp = new Set<ExactLine>();
  for (const isTaxed of [true, false]) {
    const group = below.filter(({ line }) => line.isTaxed === isTaxed);
    const whole = sum(group, ({ line }) => line.exact);
    const missing = toUnits(roundPrice(whole, decimals), decimals, 'half-up') - sumOf(group);
    const largestFirst = group
      .map(({ line, units }) => ({ line, remainder: minus(line.exact, fromUnits(units, decimals)) }))
      .toSorted((a, b) => compare(b.remainder, a.remainder));
    for (const { line } of largestFirst.slice(0, Number(missing))) isUp.add(line);
  }
  return below.map(({ line, units }): Line => {
    const { exact: _, ...rest } = line;
    return { ...rest, units: isUp.has(line) ? units + 1n : units };
  });
}

/** The next whole unit that is not more. */
function toUnitsBelow(value: Decimal, decimals: number): bigint {
  const units = toUnits(value, decimals, 'down');
  return isLess(value, fromUnits(units, decimals)) ? units - 1n : units;
}

function acceptedLines(
  exact: readonly ExactLine[],
  asked: readonly Line[],
  paid: bigint,
  price: bigint,
  decimals: number,
): Line[] {
  return [true, false].flatMap((isTaxed): Line[] => {
    const isOfIt = (line: ExactLine | Line): boolean => line.isTaxed === isTaxed;
    const { digits, scale } = sum(exact.filter(isOfIt), exactOf);
    const left = divideUnits(digits * power10(decimals) * paid, power10(scale) * price, 'half-up');
    const units = left - sumOf(asked.filter(isOfIt));
    return units === 0n ? [] : [{ kind: 'accepted', label: null, quantity: '1', unitPrice: null, units, isTaxed }];
  });
}
