/**
 * Which coins pay for a transaction. Simple and the same every time: the smallest coin that is enough alone, so that
 * large ones stay free for others; otherwise from the largest down, which takes the fewest. When fees are low and small
 * coins have piled up, some of them come along: later they would cost more.
 */
import type { Coin } from '../../port/sending.ts';
import { type FeeRate, feeFor, inputVsize, ownScriptLength, vsizeMax, vsizeOf } from './utxo-transaction-size.ts';

export type Output = { readonly script: Uint8Array; readonly units: bigint };

export type SpendingTerms = {
  readonly rate: FeeRate;
  /** At this rate or below, small coins are cleared away. */
  readonly lowRate: FeeRate;
  /** Change below this is left to the miners: it is dust, or costs more to spend than it is worth. */
  readonly changeMin: bigint;
};

/** Whether enough is set aside for the fee of these outputs, spent like this. */
export type IsPaidFor<Wanted extends Output> = (outputs: readonly Wanted[], spending: Spending) => boolean;

export type Spending = {
  readonly coins: readonly Coin[];
  readonly changeUnits: bigint; // 0n: no change
  readonly fee: bigint;
  readonly vsize: number;
};

const pileSize = 100;
const clearedAtOnce = 20;
/** So many coins are more than payments clear away by themselves. */
export const heapSize = 500;
const collectedAtOnce = 100;

/** The first output and as many of the others as the coins can pay, in their order. Null: not even the first. */
export function fitOutputs<Wanted extends Output>(
  coins: readonly Coin[],
  wanted: readonly Wanted[],
  terms: SpendingTerms,
  isPaidFor: IsPaidFor<Wanted> = () => true,
): { carried: readonly Wanted[]; spending: Spending } | null {
  const ranked = rank(coins, terms);
  const all = selectRanked(ranked, wanted, terms, isPaidFor);
  if (all) return { carried: wanted, spending: all };
  let fitting: { carried: readonly Wanted[]; spending: Spending } | null = null;
  for (const next of wanted) {
    const carried: readonly Wanted[] = [...(fitting?.carried ?? []), next];
    const spending = selectRanked(ranked, carried, terms, isPaidFor);
    if (spending) fitting = { carried, spending };
    else if (!fitting) return null;
  }
  return fitting;
}

export const selectCoins = (
  coins: readonly Coin[],
  outputs: readonly Output[],
  terms: SpendingTerms,
): Spending | null => selectRanked(rank(coins, terms), outputs, terms, () => true);

/** A smaller coin costs as much to spend as it is worth, or more. */
export const leastWorthSpending = ({ rate }: SpendingTerms): bigint => feeFor(inputVsize, rate) + 1n;

/** What is worth more than spending it costs, the largest first. */
function rank(coins: readonly Coin[], terms: SpendingTerms): readonly Coin[] {
  const least = leastWorthSpending(terms);
  return coins.filter(({ units }) => units >= least).sort(bySizeThenName);
}

function selectRanked<Wanted extends Output>(
  worthwhile: readonly Coin[],
  outputs: readonly Wanted[],
  terms: SpendingTerms,
  isPaidFor: IsPaidFor<Wanted>,
): Spending | null {
  const due = sum(outputs);
  const single = worthwhile.findLast((coin) => coin.units > due && spend([coin], outputs, terms));
  const chosen: Coin[] = single ? [single] : [];
  if (!single) {
    let total = 0n;
    for (const coin of worthwhile) {
      chosen.push(coin);
      total += coin.units;
      if (chosen.length * inputVsize > vsizeMax || (total > due && spend(chosen, outputs, terms))) break;
    }
  }
  const spending = spend(chosen, outputs, terms);
  if (!spending || !isPaidFor(outputs, spending)) return null;
  // Whoever clears away pays for it: that is us.
  if (terms.rate <= terms.lowRate && worthwhile.length > pileSize) {
    const taken = new Set(chosen);
    const small = worthwhile.slice(-clearedAtOnce).filter((coin) => !taken.has(coin));
    const cleared = spend([...chosen, ...small], outputs, terms);
    if (cleared) return cleared;
  }
  return spending;
}

/** The smallest coins of a heap turned into one while fees are low. Null: there is no heap, or it is not the time. */
export function collectCoins(coins: readonly Coin[], terms: SpendingTerms): Spending | null {
  if (coins.length <= heapSize || terms.rate > terms.lowRate) return null;
  const small = rank(coins, terms).slice(-collectedAtOnce);
  const spending = small.length === collectedAtOnce ? spend(small, [], terms) : null;
  return spending && spending.changeUnits > 0n ? spending : null;
}

/** What is left after outputs and fee, or null if it is not enough. `feeMin` may ask for more than the rate does. */
export function spend(
  coins: readonly Coin[],
  outputs: readonly Output[],
  { rate, changeMin }: SpendingTerms,
  feeMin: (vsize: number) => bigint = () => 0n,
): Spending | null {
  const left = sum(coins) - sum(outputs);
  const lengths = outputs.map(({ script }) => script.length);
  const feeOf = (vsize: number): bigint => {
    const [byRate, asked] = [feeFor(vsize, rate), feeMin(vsize)];
    return byRate > asked ? byRate : asked;
  };
  const plain = vsizeOf(coins.length, lengths);
  const withChange = vsizeOf(coins.length, [...lengths, ownScriptLength]);
  if (left < feeOf(plain) || withChange > vsizeMax) return null;
  const changeUnits = left - feeOf(withChange);
  return changeUnits >= changeMin
    ? { coins, changeUnits, fee: left - changeUnits, vsize: withChange }
    : { coins, changeUnits: 0n, fee: left, vsize: plain };
}

export const sum = (parts: readonly { readonly units: bigint }[]): bigint =>
  parts.reduce((total, { units }) => total + units, 0n);

export const outpointOf = ({ txHash, index }: Coin): string => `${txHash}:${index}`;

export function bySizeThenName(a: Coin, b: Coin): number {
  if (a.units !== b.units) return a.units > b.units ? -1 : 1;
  return outpointOf(a) < outpointOf(b) ? -1 : 1;
}
