/** The sums of a paper, from the net amount to the total. Whoever adds up its lines gets exactly the total. */
import { decimal, formatDecimal, formatFixed, minus, plus, sum } from '../money/decimal.ts';
import type { ChargeLine } from '../payment-page/charge-lines.ts';

export type ChargeSums = {
  /** All but the taxes. */
  readonly items: readonly ChargeLine[];
  readonly net: string;
  readonly taxes: readonly ChargeLine[];
  /**
   * The difference between the lines and the total: each tax is rounded to be shown, but the total was rounded once,
   * from the exact sum. Null: there is none.
   */
  readonly rounding: string | null;
};

export function chargeSums(lines: readonly ChargeLine[], total: string): ChargeSums {
  const isTax = ({ detail }: ChargeLine): boolean => detail !== null && 'percent' in detail;
  const items = lines.filter((line) => !isTax(line));
  const taxes = lines.filter(isTax);
  const amountOf = ({ amount }: ChargeLine) => decimal(amount);
  const net = sum(items, amountOf);
  const rounding = minus(decimal(total), plus(net, sum(taxes, amountOf)));
  const places = total.split('.')[1]?.length ?? 0;
  const written = (value: typeof net): string =>
    value.scale <= places ? formatFixed(value, places) : formatDecimal(value);
  // Without lines there is nothing to add up.
  return {
    items,
    net: written(net),
    taxes,
    rounding: lines.length === 0 || rounding.digits === 0n ? null : written(rounding),
  };
}
