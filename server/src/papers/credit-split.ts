/**
 * What of a paper is taken back by a credit note of so much. A note is the difference between two splits of the paper: of what
 * all notes took before it, and of what they take with it. Each split grows with the amount and is the paper itself at its end,
 * so notes never take more of anything than there is, and together are its mirror, in however many parts. Pure.
 */
import { smaller } from '../money/amount.ts';
import { decimal, divideUnits, formatFixed, fromUnits, toUnits } from '../money/decimal.ts';
import type { FactLine, FactTax, PaperSums } from './paper-facts.ts';

export type Divisible = PaperSums & { readonly decimals: number };

/** `before`: what earlier notes took of the total. Together they are no more than the total. */
export function creditSums(paper: Divisible, before: string, credited: string): PaperSums {
  const { decimals } = paper;
  const [taken, part] = [unitsIn(before, decimals), unitsIn(credited, decimals)];
  if (taken === 0n && part === unitsIn(paper.total, decimals)) return mirrorOf(paper);
  const [was, is] = [splitAt(paper, taken), splitAt(paper, taken + part)];
  const written = (units: bigint): string => formatFixed(fromUnits(units, decimals), decimals);
  const base = is.taxed - was.taxed;
  const lines = [
    { isTaxed: true, units: base },
    { isTaxed: false, units: is.untaxed - was.untaxed },
  ].filter(({ units }) => units !== 0n);
  return {
    lines: lines.map(({ isTaxed, units }): FactLine => {
      const amount = written(units);
      return { kind: 'part', label: null, quantity: '1', unitPrice: null, amount, isTaxed };
    }),
    net: written(lines.reduce((sum, { units }) => sum + units, 0n)),
    taxes: paper.taxes.map((tax, at): FactTax => {
      const units = (is.taxes[at] ?? 0n) - (was.taxes[at] ?? 0n);
      return { name: tax.name, percent: tax.percent, base: written(base), amount: written(units) };
    }),
    rounding: written(is.rounding - was.rounding),
    total: written(part),
  };
}

const mirrorOf = ({ lines, net, taxes, rounding, total }: PaperSums): PaperSums => ({
  lines,
  net,
  taxes,
  rounding,
  total,
});

const unitsIn = (text: string, decimals: number): bigint => toUnits(decimal(text), decimals, 'half-up');

type Split = {
  readonly taxed: bigint;
  readonly untaxed: bigint;
  readonly taxes: readonly bigint[];
  readonly rounding: bigint;
};

/**
 * First into net and tax, then net into what is taxed and what is not, then the tax into each: two parts at a time, the second of
 * which is the rest. So each grows when the whole does. The rounding is taken back at the end, with the last cent.
 */
function splitAt({ lines, taxes, net, rounding, total, decimals }: Divisible, taken: bigint): Split {
  const units = (text: string): bigint => unitsIn(text, decimals);
  const netUnits = units(net);
  const taxed = lines.filter(({ isTaxed }) => isTaxed).reduce((sum, { amount }) => sum + units(amount), 0n);
  const ofTaxes = taxes.map(({ amount }) => units(amount));
  if (taken === units(total)) return { taxed, untaxed: netUnits - taxed, taxes: ofTaxes, rounding: units(rounding) };
  const whole = units(total) - units(rounding);
  const split = smaller(taken, whole);
  const netPart = partOf(netUnits, split, whole);
  const taxedPart = partOf(taxed, netPart, netUnits);
  const parts: bigint[] = [];
  let [restPart, rest] = [split - netPart, whole - netUnits];
  for (const tax of ofTaxes) {
    const part = partOf(tax, restPart, rest);
    parts.push(part);
    [restPart, rest] = [restPart - part, rest - tax];
  }
  return { taxed: taxedPart, untaxed: netPart - taxedPart, taxes: parts, rounding: taken - split };
}

/** Of so many units in a whole of which a part is taken. */
const partOf = (units: bigint, taken: bigint, whole: bigint): bigint =>
  whole === 0n ? 0n : divideUnits(taken * units, whole, 'half-up');
