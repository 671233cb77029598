/**
 * An amount that people may have to type: as few digits as cost the payer no more than a ten-thousandth of the price,
 * and never less than the price. Nobody is asked for exactly 0.006729966666666667.
 *
 * From 0.0001 of a coin on, these are at most eight decimals, because one step of the eighth costs no more than that.
 * Below, the price wins over the number of decimals, because a digit more is typed once and money is gone: of 0.00005
 * ether, which a rollup can still be paid with, one step of the eighth would be a five-thousandth. There it may be nine.
 */
import { divideUnits } from '../money/decimal.ts';

/** One part in so many is what fewer digits may cost. */
const parts = 10_000n;

/** `tooMuch`: so many units more than the price would be an excess, which the payer had to be given back. */
export function roundAmountUp(units: bigint, tooMuch = units): bigint {
  let rounded = units;
  for (let step = 10n; ; step *= 10n) {
    // A multiple of the larger step is one of the smaller, too: once it costs too much, it does so for ever.
    const fewerDigits = divideUnits(units, step, 'up') * step;
    const cost = fewerDigits - units;
    if (cost * parts > units || cost >= tooMuch) return rounded;
    rounded = fewerDigits;
  }
}
