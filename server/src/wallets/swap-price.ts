/**
 * What a swap costs. Pure. What is given buys the credited asset at the rates of now less a spread, rounded down; the
 * fee is taken from that. If the request says how much is to be credited, what must be given is calculated backwards,
 * rounded up.
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
  /** What one of the source asset is worth in the credited one, before the spread, for showing. */
  readonly rate: string;
  /** What the treasury keeps of that, in percent. */
  readonly spread: string;
};

export type PricedAsset = {
  readonly ledgerScale: number;
  readonly usd: Decimal;
  /** The rate that is safe for whoever gives the other asset. Left out: the same as `usd`. */
  readonly safeUsd?: Decimal;
};

const hundred = decimal(100);

export type SwapAmount = { readonly sourceUnits: bigint } | { readonly targetUnits: bigint };

const rateScale = 18;

/** What one of the source asset is worth in the credited one: by the worth of both, or by what was given and received. */
export const rateText = (source: Decimal, credited: Decimal): string =>
  formatDecimal(divide(source, credited, rateScale, 'half-up'));

/** Null: it is so little that nothing would be left after the fee. */
export function priceSwap(
  source: PricedAsset,
  credited: PricedAsset,
  amount: SwapAmount,
  fees: FeeSchedule,
  spreadPart: Decimal = zero,
): SwapPrice | null {
  const rate = rateText(source.usd, credited.usd);
  const spread = formatDecimal(times(spreadPart, hundred));
  const [given, wanted] = [source.safeUsd ?? source.usd, credited.safeUsd ?? credited.usd];
  const sourceUsd = minus(given, times(given, spreadPart));
  if ('sourceUnits' in amount) {
    const { sourceUnits } = amount;
    const { grossUnits, feeUnits, netUnits } = creditAtRate(
      sourceUnits,
      { scale: source.ledgerScale, usd: sourceUsd },
      { ledgerScale: credited.ledgerScale, usd: wanted },
      fees,
    );
    return netUnits > 0n ? { sourceUnits, grossUnits, feeUnits, rate, spread } : null;
  }
  const { targetUnits } = amount;
  if (targetUnits <= 0n) return null;
  const grossUnits = grossFor(targetUnits, { ledgerScale: credited.ledgerScale, usd: wanted }, fees);
  const numerator = grossUnits * wanted.digits * power10(sourceUsd.scale + source.ledgerScale);
  const denominator = sourceUsd.digits * power10(wanted.scale + credited.ledgerScale);
  const sourceUnits = divideUnits(numerator, denominator, 'up');
  return { sourceUnits, grossUnits, feeUnits: grossUnits - targetUnits, rate, spread };
}

/** The least gross of which the wanted net is left after the fee: a percentage or a minimum, whichever is more. */
function grossFor(netUnits: bigint, { ledgerScale, usd }: PricedAsset, fees: FeeSchedule): bigint {
  const whole = power10(fees.percent.scale);
  const byShare = divideUnits(netUnits * whole, whole - fees.percent.digits, 'up');
  const byLeast = netUnits + leastFee(ledgerScale, usd, fees);
  return byShare > byLeast ? byShare : byLeast;
}

/** The least gross that is still acceptable when so many percent less are allowed. */
export function withSlippage(grossUnits: bigint, percent: Decimal): bigint {
  const all = power10(percent.scale) * 100n;
  return divideUnits(grossUnits * (all - percent.digits), all, 'up');
}

/**
 * The fee when a market gave more or less than was priced. A minimum stays as it was in the price: by now there may be
 * no rate, and what was exchanged must be credited all the same.
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
