/**
 * The one way from a rate to an amount. Whatever causes a conversion, a quote, a swap, a payment that came late, one that
 * was too little and was accepted, a fee in another coin: it is priced here, so that no door of the house is cheaper than
 * another. What differs is named: who gives what, and what is added for it. Pure.
 */
import {
  type Decimal,
  decimal,
  divide,
  divideUnits,
  formatDecimal,
  minimum,
  minus,
  one,
  plus,
  power10,
  type Rounding,
  times,
  zero,
} from '../money/decimal.ts';
import { type CombinedRate, highUsd, isRate, lowUsd, type MissingRate, marginOf } from './combine-rates.ts';

export type RateOf = (code: string) => CombinedRate | MissingRate;

/** In dollars: as what one unit of each counts. */
export type Conversion = { readonly fromUsd: Decimal; readonly toUsd: Decimal };

/** `code`: of which of both there is no rate. */
export type NoConversion = MissingRate & { readonly code: string };

export const isConversion = (outcome: Conversion | NoConversion): outcome is Conversion => 'fromUsd' in outcome;

/** Whatever the settings say, and however old a rate is: never more than this part is added to a conversion. */
const extraMax = decimal('0.25');

/**
 * `gives`: the house takes the first and gives the second. `takes`: it pays the first and takes the second for it. Both
 * use the side that is safe for it. `weighs`: nobody gives anything, so nothing is added.
 */
type Side = 'gives' | 'takes' | 'weighs';

function convert(rateOf: RateOf, from: string, to: string, side: Side, extra: Decimal): Conversion | NoConversion {
  const [given, got] = [rateOf(from), rateOf(to)];
  if (side === 'weighs' && from === to) return isRate(given) ? { fromUsd: given.usd, toUsd: given.usd } : worthItself;
  if (!isRate(given)) return { missing: given.missing, code: from };
  if (!isRate(got)) return { missing: got.missing, code: to };
  if (side === 'weighs') return { fromUsd: given.usd, toUsd: got.usd };
  // One rate: whatever two sources say of it, a coin is worth itself.
  const [low, high] = from === to ? [middleUsd, middleUsd] : [lowUsd, highUsd];
  return side === 'gives'
    ? { fromUsd: times(low(given), minus(one, extra)), toUsd: high(got) }
    : { fromUsd: times(high(given), plus(one, extra)), toUsd: low(got) };
}

const middleUsd = ({ usd }: CombinedRate): Decimal => usd;

const worthItself: Conversion = { fromUsd: one, toUsd: one };

/** How much further off the rates of a conversion may be, because they are old or have few sources. */
export function marginsOf(rateOf: RateOf, codes: readonly string[]): Decimal {
  const rates = [...new Set(codes)].map(rateOf);
  return rates.reduce((sum, rate) => (isRate(rate) ? plus(sum, marginOf(rate)) : sum), zero);
}

const extraOf = (rateOf: RateOf, from: string, to: string, spread: Decimal): Decimal =>
  from === to ? zero : minimum(plus(spread, marginsOf(rateOf, [from, to])), extraMax);

/** The house gives `to` for `from`, at once: less the spread and the margins. The same coin is worth the same. */
export const exchangeRate = (rateOf: RateOf, from: string, to: string, spread: Decimal): Conversion | NoConversion =>
  convert(rateOf, from, to, 'gives', extraOf(rateOf, from, to, spread));

/** What the house pays in `from`, and takes in `to`: with the spread and the margins on top. */
export const costRate = (rateOf: RateOf, from: string, to: string, spread: Decimal): Conversion | NoConversion =>
  convert(rateOf, from, to, 'takes', extraOf(rateOf, from, to, spread));

/** A price in `from` that is to be paid in `to`, with so much on top. */
export const askedRate = (rateOf: RateOf, from: string, to: string, buffer: Decimal): Conversion | NoConversion =>
  convert(rateOf, from, to, 'takes', buffer);

/** The same price as the credit that is promised for it: whoever pays has paid for the risk. */
export const promisedRate = (rateOf: RateOf, from: string, to: string): Conversion | NoConversion =>
  convert(rateOf, from, to, 'gives', zero);

/** What something is worth: to compare it with a limit or a price, or to show it. Nothing is given for it. */
export const worthRate = (rateOf: RateOf, from: string, to: string): Conversion | NoConversion =>
  convert(rateOf, from, to, 'weighs', zero);

/** What is kept on top of the rates, as a part. */
export const spreadAt = (rateOf: RateOf, from: string, to: string, spread: Decimal): Decimal =>
  extraOf(rateOf, from, to, spread);

/**
 * Whether both rates were made at this moment or later: whoever did something then could not know them. Fixed rates, which
 * have no margin, have no such age; those of banks are of the day, and their margin says how far they may have moved since.
 */
export const isOfAfter = (rateOf: RateOf, codes: readonly string[], moment: Date): boolean =>
  codes.map(rateOf).every((rate) => !isRate(rate) || isOfNoMoment(rate) || rate.at >= moment);

const isOfNoMoment = ({ margin, isOfDay }: CombinedRate): boolean => margin === undefined || isOfDay === true;

/** As text, for who stores it beside what it was used for. */
export const storable = ({ fromUsd, toUsd }: Conversion): { readonly fromUsd: string; readonly toUsd: string } => ({
  fromUsd: formatDecimal(fromUsd),
  toUsd: formatDecimal(toUsd),
});

export const storedConversion = (fromUsd: string, toUsd: string): Conversion => ({
  fromUsd: decimal(fromUsd),
  toUsd: decimal(toUsd),
});

/** Units at one scale as units at another, rounded once. */
export function convertUnits(
  { fromUsd, toUsd }: Conversion,
  units: bigint,
  scales: { readonly from: number; readonly to: number },
  rounding: Rounding,
): bigint {
  const { numerator, denominator } = ratioOf({ fromUsd, toUsd }, scales);
  return divideUnits(units * numerator, denominator, rounding);
}

/** The other way: how many units it takes to have so many. */
export const unitsFor = (
  { fromUsd, toUsd }: Conversion,
  wanted: bigint,
  scales: { readonly from: number; readonly to: number },
  rounding: Rounding,
): bigint => convertUnits({ fromUsd: toUsd, toUsd: fromUsd }, wanted, { from: scales.to, to: scales.from }, rounding);

/** How many units one unit is, exactly. */
export const ratioOf = (
  { fromUsd, toUsd }: Conversion,
  scales: { readonly from: number; readonly to: number },
): { readonly numerator: bigint; readonly denominator: bigint } => ({
  numerator: fromUsd.digits * power10(toUsd.scale + scales.to),
  denominator: toUsd.digits * power10(fromUsd.scale + scales.from),
});

export const convertAmount = (
  { fromUsd, toUsd }: Conversion,
  amount: Decimal,
  scale: number,
  rounding: Rounding,
): Decimal => divide(times(amount, fromUsd), toUsd, scale, rounding);

/** Which part of a total in the second an amount of the first is. Rounded once, where both are small. */
export const partOfTotal = (
  { fromUsd, toUsd }: Conversion,
  amount: Decimal,
  total: Decimal,
  scale: number,
  rounding: Rounding,
): Decimal => divide(times(amount, fromUsd), times(total, toUsd), scale, rounding);
