/**
 * What a swap costs. Pure. What is given buys the target asset at the rates of this moment less a spread, rounded down;
 * the fee is taken from that. Where the credit is named instead, what must be given is worked out backwards, rounded up.
 */
import {
  type Decimal,
  decimal,
  divide,
  divideUnits,
  formatDecimal,
  minus,
  power10,
  times,
  toUnits,
  zero,
} from '../money/decimal.ts';
import { creditAtRate } from '../pricing/credit-for-payment.ts';
import { type FeeSchedule, leastFee, shareFee } from '../pricing/settlement-fee.ts';

/** Units are at the ledger scales of their assets. */
export type SwapPrice = {
  readonly sourceUnits: bigint;
  readonly grossUnits: bigint;
  readonly feeUnits: bigint;
  /** What one of the source is worth in the target, before the spread, for showing. */
  readonly rate: string;
  /** What the treasury keeps of that, in percent. */
  readonly spread: string;
};

export type PricedAsset = {
  readonly ledgerScale: number;
  readonly usd: Decimal;
  /** The side that is safe for whoever gives the other asset; left out: the same. */
  readonly safeUsd?: Decimal;
};

const hundred = decimal(100);

export type SwapAmount = { readonly sourceUnits: bigint } | { readonly targetUnits: bigint };

const rateScale = 18;

/** What one of the source is worth in the target, by the worth of both, or by what was given and what for. */
export const rateText = (source: Decimal, target: Decimal): string =>
  formatDecimal(divide(source, target, rateScale, 'half-up'));

/** Null: so little that nothing would be left of it. */
export function priceSwap(
  source: PricedAsset,
  target: PricedAsset,
  amount: SwapAmount,
  fees: FeeSchedule,
  spreadPart: Decimal = zero,
): SwapPrice | null {
  const rate = rateText(source.usd, target.usd);
  const spread = formatDecimal(times(spreadPart, hundred));
  const [given, wanted] = [source.safeUsd ?? source.usd, target.safeUsd ?? target.usd];
  const sourceUsd = minus(given, times(given, spreadPart));
  if ('sourceUnits' in amount) {
    const { sourceUnits } = amount;
    const { grossUnits, feeUnits, netUnits } = creditAtRate(
      sourceUnits,
      { scale: source.ledgerScale, usd: sourceUsd },
      { ledgerScale: target.ledgerScale, usd: wanted },
      fees,
    );
    return netUnits > 0n ? { sourceUnits, grossUnits, feeUnits, rate, spread } : null;
  }
  const { targetUnits } = amount;
  if (targetUnits <= 0n) return null;
  const grossUnits = grossFor(targetUnits, { ledgerScale: target.ledgerScale, usd: wanted }, fees);
  const numerator = grossUnits * wanted.digits * power10(sourceUsd.scale + source.ledgerScale);
  const denominator = sourceUsd.digits * power10(wanted.scale + target.ledgerScale);
  const sourceUnits = divideUnits(numerator, denominator, 'up');
  return { sourceUnits, grossUnits, feeUnits: grossUnits - targetUnits, rate, spread };
}

/** The least gross of which, after the fee, the wanted net is left: the fee is a share of it or a minimum, whichever is more. */
function grossFor(netUnits: bigint, { ledgerScale, usd }: PricedAsset, fees: FeeSchedule): bigint {
  const whole = power10(fees.percent.scale);
  const byShare = divideUnits(netUnits * whole, whole - fees.percent.digits, 'up');
  const byLeast = netUnits + leastFee(ledgerScale, usd, fees);
  return byShare > byLeast ? byShare : byLeast;
}

/** The least gross that still counts as the price, when so many percent less are fine. */
export function withSlippage(grossUnits: bigint, percent: Decimal): bigint {
  const all = power10(percent.scale) * 100n;
  return divideUnits(grossUnits * (all - percent.digits), all, 'up');
}

/**
 * The fee of another gross than was priced: a market gave more or less. A minimum stays what it was in the price, for by
 * now there may be no rate, and what was exchanged must be credited all the same.
 */
export function feeOfGross(
  grossUnits: bigint,
  priced: Pick<SwapPrice, 'grossUnits' | 'feeUnits'>,
  fees: FeeSchedule,
): bigint {
  const isMinimum = priced.feeUnits > shareFee(priced.grossUnits, fees);
  const share = shareFee(grossUnits, fees);
  const fee = isMinimum && priced.feeUnits > share ? priced.feeUnits : share;
  return fee < grossUnits ? fee : grossUnits;
}

export const unitsOf = (amount: Decimal, scale: number): bigint | null =>
  amount.scale > scale ? null : toUnits(amount, scale, 'down');
