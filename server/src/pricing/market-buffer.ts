/**
 * What is added to a price because the market may fall before the payment is there. Pure. The risk of a price that holds
 * belongs to the coin and to the time: so many standard deviations of what the pair moves in that time, measured from
 * the rates that are kept by the hour (docs/decisions/0146).
 *
 * It need not cover every fall: what has fallen further is credited at what it is worth, so nobody can play with it. It
 * says how often an honest shop is credited the price that it asked for.
 */
import { hours } from '../lib/clock.ts';
import { type Decimal, divide, divideUnits, fromUnits, isLess, minimum, minus, roundTo } from '../money/decimal.ts';

export type HourRate = { readonly hour: Date; readonly usd: Decimal };

/** How much a rate moves in an hour: the mean of the squares, in parts of 10^-18. */
export type Variance = bigint;

export type BufferPolicy = {
  /** The same for every pair, as a part; null: measured. */
  readonly flat: Decimal | null;
  readonly least: Decimal;
  readonly most: Decimal;
};

const moveScale = 9;

/** So many deviations: the market falls further in one of ten times, by the last moment. Most pay long before it. */
const deviations = fromUnits(13n, 1);

/** What is supposed of a pair until it is measured: a deviation of so many percent in a year. */
const supposedPercent = { coin: 80n, money: 10n };
/** The supposed counts as much as so many hours that were measured. */
const supposedHours = 48n;
const [monthHours, dayHours] = [30 * 24, 24];
/** 365.25 days. */
const yearHours = 8_766n;

/** `money`: both are worth money of a state, whichever. */
export const supposedVariance = (pair: 'coin' | 'money'): Variance =>
  (supposedPercent[pair] ** 2n * 10n ** 14n) / yearHours;

/**
 * The larger of a month and of the last day, because quiet and wild days come in rows. An hour without a rate counts
 * with the next one that has one.
 */
export function pairVariance(
  paid: readonly HourRate[],
  credited: readonly HourRate[],
  supposed: Variance,
  now: Date,
): Variance {
  const moves = movesOf(paid, credited);
  const since = (lastHours: number): Moves =>
    sumOf(moves.filter(({ hour }) => hour > now.getTime() - hours(lastHours)));
  const mixed = (measured: Moves, believed: Variance, weight: bigint): Variance =>
    (measured.squares + believed * weight) / (measured.hours + weight);
  const month = mixed(since(monthHours), supposed, supposedHours);
  const day = mixed(since(dayHours), month, BigInt(dayHours));
  return day > month ? day : month;
}

type Moves = { readonly hours: bigint; readonly squares: bigint };

const sumOf = (moves: readonly (Moves & { readonly hour: number })[]): Moves =>
  moves.reduce((sum, move) => ({ hours: sum.hours + move.hours, squares: sum.squares + move.squares }), {
    hours: 0n,
    squares: 0n,
  });

/** From hour to hour, what one was worth in the other. */
function movesOf(paid: readonly HourRate[], credited: readonly HourRate[]): (Moves & { readonly hour: number })[] {
  const others = new Map(credited.map(({ hour, usd }) => [hour.getTime(), usd]));
  const worth = paid.flatMap(({ hour, usd }) => {
    const other = others.get(hour.getTime());
    return other ? [{ hour: hour.getTime(), worth: divide(usd, other, 24, 'half-up') }] : [];
  });
  worth.sort((a, b) => a.hour - b.hour);
  return worth.slice(1).flatMap(({ hour, worth: is }, position) => {
    const before = worth[position];
    if (!before || before.worth.digits === 0n) return [];
    const move = divide(minus(is, before.worth), before.worth, moveScale, 'half-up');
    const digits = move.digits * 10n ** BigInt(moveScale - move.scale);
    return [{ hour, hours: BigInt(Math.round((hour - before.hour) / hours(1))), squares: digits * digits }];
  });
}

const bufferScale = 4;

/** For a price that holds for so long. Rounded up to a hundredth of a percent. */
export function marketBuffer({ flat, least, most }: BufferPolicy, variance: Variance, heldMs: number): Decimal {
  if (flat !== null) return flat;
  const square = divideUnits(
    variance * deviations.digits ** 2n * BigInt(heldMs),
    10n ** BigInt(2 * deviations.scale) * BigInt(hours(1)),
    'up',
  );
  const buffer = roundTo(fromUnits(rootUp(square), moveScale), bufferScale, 'up');
  return minimum(isLess(buffer, least) ? least : buffer, most);
}

/**
 * How far the money of a state may have moved since a bank's table of so long ago. Whoever exchanges it chooses the moment,
 * and knows the market of that moment: so it is reckoned as for twice the time (docs/decisions/0156).
 */
export const tableDrift = (policy: BufferPolicy, variance: Variance, ageMs: number): Decimal =>
  marketBuffer({ ...policy, flat: null }, variance, 2 * ageMs);

/** The smallest whole number whose square is not less. */
function rootUp(square: bigint): bigint {
  let [low, high] = [0n, 1n];
  while (high * high < square) [low, high] = [high, high * 2n];
  while (low < high) {
    const middle = (low + high) / 2n;
    if (middle * middle < square) low = middle + 1n;
    else high = middle;
  }
  return low;
}
