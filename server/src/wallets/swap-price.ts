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
  one,
  power10,
  times,
  toUnits,
  zero,
} from '../money/decimal.ts';
import {
  type Conversion,
  convertAmount,
  convertUnits,
  exchangeRate,
  isConversion,
  type NoConversion,
  type RateOf,
  spreadAt,
  unitsFor,
  worthRate,
} from '../pricing/conversion.ts';
import { creditAtRate } from '../pricing/credit-for-payment.ts';
import { type FeeSchedule, leastFeeAt, shareFee } from '../pricing/settlement-fee.ts';

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

export type PricedAsset = { readonly ledgerScale: number; readonly currencyCode: string };

export type SwapRates = { readonly rateOf: RateOf; readonly swapSpread: Decimal };

const hundred = decimal(100);

export type SwapAmount = { readonly sourceUnits: bigint } | { readonly targetUnits: bigint };

const rateScale = 18;

/** What one of the source asset was worth in the credited one, by what was given and received. */
export const rateText = (given: Decimal, received: Decimal): string =>
  formatDecimal(divide(given, received, rateScale, 'half-up'));

/** Null: it is so little that nothing would be left after the fee. Of which coin there is no rate, if there is none. */
export function priceSwap(
  source: PricedAsset,
  credited: PricedAsset,
  amount: SwapAmount,
  fees: FeeSchedule,
  { rateOf, swapSpread }: SwapRates,
): SwapPrice | NoConversion | null {
  const pair = [rateOf, source.currencyCode, credited.currencyCode] as const;
  const [conversion, worth] = [exchangeRate(...pair, swapSpread), worthRate(...pair)];
  if (!isConversion(conversion)) return conversion;
  if (!isConversion(worth)) return worth;
  const rate = formatDecimal(convertAmount(worth, one, rateScale, 'half-up'));
  const spread = formatDecimal(times(spreadAt(...pair, swapSpread), hundred));
  const scales = { from: source.ledgerScale, to: credited.ledgerScale };
  if ('sourceUnits' in amount) {
    const { sourceUnits } = amount;
    const { grossUnits, feeUnits, netUnits } = creditAtRate(sourceUnits, conversion, scales, fees);
    return netUnits > 0n ? { sourceUnits, grossUnits, feeUnits, rate, spread } : null;
  }
  const { targetUnits } = amount;
  if (targetUnits <= 0n) return null;
  const grossUnits = grossFor(targetUnits, credited.ledgerScale, conversion, fees);
  const sourceUnits = unitsFor(conversion, grossUnits, scales, 'up');
  return { sourceUnits, grossUnits, feeUnits: grossUnits - targetUnits, rate, spread };
}

/**
 * Whether what is given is still worth what was promised for it, at the rates of now. A price that stands whatever the
 * market does would be an option without a cost: asked for every minute, and used when the market has moved.
 */
export function isStillWorth(
  { sourceUnits, grossUnits, feeUnits }: Pick<SwapPrice, 'sourceUnits' | 'grossUnits' | 'feeUnits'>,
  source: PricedAsset,
  credited: PricedAsset,
  rateOf: RateOf,
): boolean {
  const worth = exchangeRate(rateOf, source.currencyCode, credited.currencyCode, zero);
  if (!isConversion(worth)) return false;
  const scales = { from: source.ledgerScale, to: credited.ledgerScale };
  return convertUnits(worth, sourceUnits, scales, 'down') >= grossUnits - feeUnits;
}

/** The least gross of which the wanted net is left after the fee: a percentage or a minimum, whichever is more. */
function grossFor(netUnits: bigint, ledgerScale: number, conversion: Conversion, fees: FeeSchedule): bigint {
  const whole = power10(fees.percent.scale);
  const byShare = divideUnits(netUnits * whole, whole - fees.percent.digits, 'up');
  const byLeast = netUnits + leastFeeAt(ledgerScale, conversion, fees);
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
