/**
 * Which coins pay for a transaction. The choice is simple and never random: the smallest coin that is enough alone, so
 * that large ones stay free for other payouts; otherwise the largest coins, so that there are few inputs. When fees are
 * low and there are many small coins, some of them are spent too: later it would cost more.
 */
import type { Coin } from '../../port/sending.ts';
import type { AddressKind } from './utxo-parameters.ts';
import { type FeeRate, feeFor, inputVsize, ownScriptLength, vsizeMax, vsizeOf } from './utxo-transaction-size.ts';

export type Output = { readonly script: Uint8Array; readonly units: bigint };

export type SpendingTerms = {
  /** Of the coins, and of the change. */
  readonly addressKind: AddressKind;
  readonly rate: FeeRate;
  /** At this rate or below, small coins are spent too, to have fewer of them. */
  readonly lowRate: FeeRate;
  /** Change below this is left to the miners: it is dust, or costs more to spend than it is worth. */
  readonly changeMin: bigint;
};

/** Whether enough is set aside for the fee, when these outputs are paid with this spending. */
export type IsPaidFor<Wanted extends Output> = (outputs: readonly Wanted[], spending: Spending) => boolean;

export type Spending = {
  readonly coins: readonly Coin[];
  readonly changeUnits: bigint; // 0n: no change
  readonly fee: bigint;
  readonly vsize: number;
};

const pileSize = 100;
const clearedAtOnce = 20;
/** With more coins than this, payouts alone do not use up the small ones. */
export const heapSize = 500;
/** A hundred, or as many as fit into a transaction: without segwit an input is larger. */
const collectedAtOnce = (kind: AddressKind): number =>
  Math.min(100, Math.floor((vsizeMax - vsizeOf(kind, 0, [ownScriptLength(kind)])) / inputVsize(kind)));

/** The first output and as many of the next ones as the coins can pay, in order. Null: not even the first. */
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

/** A coin smaller than this costs as much to spend as it is worth, or more. */
export const leastWorthSpending = ({ rate, addressKind }: SpendingTerms): bigint =>
  feeFor(inputVsize(addressKind), rate) + 1n;

/** The coins that are worth more than it costs to spend them, the largest first. */
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
  const coinVsize = inputVsize(terms.addressKind);
  const single = worthwhile.findLast((coin) => coin.units > due && spend([coin], outputs, terms));
  const chosen: Coin[] = single ? [single] : [];
  if (!single) {
    let total = 0n;
    for (const coin of worthwhile) {
      chosen.push(coin);
      total += coin.units;
      if (chosen.length * coinVsize > vsizeMax || (total > due && spend(chosen, outputs, terms))) break;
    }
  }
  const spending = spend(chosen, outputs, terms);
  if (!spending || !isPaidFor(outputs, spending)) return null;
  // We pay for the small coins that are spent too, not the payouts.
  if (terms.rate <= terms.lowRate && worthwhile.length > pileSize) {
    const taken = new Set(chosen);
    const small = worthwhile.slice(-clearedAtOnce).filter((coin) => !taken.has(coin));
    const cleared = spend([...chosen, ...small], outputs, terms);
    if (cleared) return cleared;
  }
  return spending;
}

/** Turns many of the smallest coins into one while fees are low. Null: there are too few coins, or fees are high. */
export function collectCoins(coins: readonly Coin[], terms: SpendingTerms): Spending | null {
  if (coins.length <= heapSize || terms.rate > terms.lowRate) return null;
  const count = collectedAtOnce(terms.addressKind);
  const small = rank(coins, terms).slice(-count);
  const spending = small.length === count ? spend(small, [], terms) : null;
  return spending && spending.changeUnits > 0n ? spending : null;
}

/** Pays outputs and fee; the rest is change. Null: the coins are not enough. `feeMin` may be more than by the rate. */
export function spend(
  coins: readonly Coin[],
  outputs: readonly Output[],
  { rate, changeMin, addressKind }: SpendingTerms,
  feeMin: (vsize: number) => bigint = () => 0n,
): Spending | null {
  const left = sum(coins) - sum(outputs);
  const lengths = outputs.map(({ script }) => script.length);
  const feeOf = (vsize: number): bigint => {
    const [byRate, asked] = [feeFor(vsize, rate), feeMin(vsize)];
    return byRate > asked ? byRate : asked;
  };
  const plain = vsizeOf(addressKind, coins.length, lengths);
  const withChange = vsizeOf(addressKind, coins.length, [...lengths, ownScriptLength(addressKind)]);
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
