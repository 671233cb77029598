/**
 * What a customer pays by one method and what the merchant is credited for it. Pure.
 *
 * The payer's amount rounds up and the merchant's credit rounds down, each in a single rounding from the exact price.
 * Where a conversion was priced, the payer's amount then rounds up to fewer digits, and all that follows goes by that.
 */
import { placesOf } from '../catalog/payment-units.ts';
import { assert } from '../lib/assert.ts';
import { type ToldProblem, told } from '../lib/errors.ts';
import { formatUnits, rescale } from '../money/amount.ts';
import { type Decimal, formatDecimal, formatFixed, plus, toUnits, zero } from '../money/decimal.ts';
import { type CombinedRate, isRate } from './combine-rates.ts';
import {
  askedRate,
  type Conversion,
  convertAmount,
  exchangeRate,
  isConversion,
  type NoConversion,
  promisedRate,
  type RateOf,
  spreadAt,
  storedConversion,
} from './conversion.ts';
import { roundAmountUp } from './round-amount.ts';
import { roundPrice } from './round-price.ts';
import { type FeeSchedule, settlementFee } from './settlement-fee.ts';

export type CreditedAsset = { readonly assetId: string; readonly code: string; readonly ledgerScale: number };

export type PaidAsset = CreditedAsset & {
  readonly paymentCode: string; // what the payer's wallet calls it: BTC, SAT
  readonly railScale: number;
  readonly minimumUnits: bigint; // in units of `railScale`
};

export type QuoteRequest = {
  readonly total: Decimal;
  readonly billing: { readonly code: string; readonly decimals: number };
  readonly paid: PaidAsset;
  readonly settlement: 'ORIGIN' | CreditedAsset;
  readonly fees: FeeSchedule;
  /** What pays for the market until the quote is over, by what is paid and what is credited, as a part: 0.01 is 1 %. */
  readonly bufferOf: (paid: string, credited: string) => Decimal;
  /** What the house keeps of every exchange, as a part. The margins of the rates come on top. */
  readonly spread: Decimal;
  readonly rateOf: RateOf;
  /** Money of a state, and what is worth the same as the money of the bill, is asked for to the unit. */
  readonly isExact: boolean;
  /** The credit is decided when the payment is booked, so there is no risk to be paid for in the price. */
  readonly isAtBooking: boolean;
};

/** Plain data: stored with the quote, so that anyone can check the calculation. */
export type UsedRate = {
  readonly code: string;
  readonly usd: string;
  /** If two sources said two prices: what is paid is valued at the lower one, what is credited at the higher one. */
  readonly low?: string;
  readonly high?: string;
  readonly sources: readonly string[];
  readonly at: string;
};

export type MethodQuote = {
  readonly price: string; // the total as the customer sees it, in the billing currency
  readonly paymentUnits: bigint; // in units of the rail's scale
  readonly paymentAmount: string;
  readonly settlement: {
    readonly assetId: string;
    readonly grossUnits: bigint; // in units of the credited asset's ledger scale, like net and fee
    readonly netUnits: bigint;
    readonly feeUnits: bigint;
    readonly amount: string;
    readonly netAmount: string;
    readonly fee: string;
  };
  readonly rates: readonly UsedRate[];
  readonly bufferApplied: string; // as a part: 0.01 is 1 %
};

export type LeftOut = { readonly leftOut: 'NO_RATE' | 'BELOW_MINIMUM'; readonly reason: ToldProblem };

export const isQuote = (outcome: MethodQuote | LeftOut): outcome is MethodQuote => 'paymentUnits' in outcome;

export function quoteMethod(request: QuoteRequest): MethodQuote | LeftOut {
  const { billing, paid, fees } = request;
  const credited: CreditedAsset = request.settlement === 'ORIGIN' ? paid : request.settlement;
  // The same coin of another issuer, or under another name, is worth the same: nothing must be converted.
  const isConverted = credited.code !== paid.code;
  const price = roundPrice(request.total, billing.decimals);
  if (price.digits <= 0n) return tooLittle(`The total rounds to 0 ${billing.code}.`);

  const rates = new Map<string, CombinedRate>();
  for (const code of [billing.code, paid.code, credited.code]) {
    const rate = rates.get(code) ?? request.rateOf(code);
    if (!isRate(rate))
      return {
        leftOut: 'NO_RATE',
        reason: told('method_no_rate', `There is no current rate for ${code}: ${rate.missing}.`, { code }),
      };
    rates.set(code, rate);
  }
  const rateOf = (code: string): CombinedRate => rates.get(code) as CombinedRate;
  // What is paid is worth the credit with the market's own risk on top of what any exchange of the two costs.
  const buffer =
    isConverted && !request.isAtBooking
      ? plus(request.bufferOf(paid.code, credited.code), spreadAt(rateOf, paid.code, credited.code, request.spread))
      : zero;
  const asked = present(askedRate(rateOf, billing.code, paid.code, buffer));
  // What is decided at the booking is shown as it would be now: less what any exchange costs.
  const promised = present(
    request.isAtBooking
      ? exchangeRate(rateOf, billing.code, credited.code, request.spread)
      : promisedRate(rateOf, billing.code, credited.code),
  );
  const exactUnits = toUnits(convertAmount(asked, price, paid.railScale, 'up'), paid.railScale, 'up');
  const paymentUnits = request.isExact ? exactUnits : roundAmountUp(exactUnits);
  if (paymentUnits < paid.minimumUnits) {
    const least = `${formatPayment(paid.minimumUnits, paid)} ${paid.paymentCode}`;
    const reason = told('method_too_small', `The smallest possible payment is ${least}.`, { least });
    return { leftOut: 'BELOW_MINIMUM', reason };
  }

  const scale = credited.ledgerScale;
  const grossUnits = isConverted
    ? toUnits(convertAmount(promised, price, scale, 'down'), scale, 'down')
    : rescale(paymentUnits, paid.railScale, scale, 'down');
  if (grossUnits === 0n) return tooLittle(`The credit would round to 0 ${credited.code}.`);
  const feeUnits = settlementFee(grossUnits, scale, rateOf(credited.code).usd, fees);
  const netUnits = grossUnits - feeUnits;

  return {
    price: formatFixed(price, billing.decimals),
    paymentUnits,
    paymentAmount: formatPayment(paymentUnits, paid),
    settlement: {
      assetId: credited.assetId,
      grossUnits,
      netUnits,
      feeUnits,
      amount: formatUnits(grossUnits, scale),
      netAmount: formatUnits(netUnits, scale),
      fee: formatUnits(feeUnits, scale),
    },
    rates: Array.from(rates, ([code, rate]) => usedRate(code, rate)),
    bufferApplied: formatDecimal(buffer),
  };
}

export const usedRate = (code: string, { usd, range, sources, at }: CombinedRate): UsedRate => ({
  code,
  usd: formatDecimal(usd),
  ...(range && { low: formatDecimal(range.low), high: formatDecimal(range.high) }),
  sources,
  at: at.toISOString(),
});

/** What one is worth in the other by rates that were stored. */
export const usedConversion = (from: UsedRate, to: UsedRate): Conversion => storedConversion(from.usd, to.usd);

/** The rates of all codes are there. */
function present(outcome: Conversion | NoConversion): Conversion {
  assert(isConversion(outcome), 'a conversion between rates that are there');
  return outcome;
}

const tooLittle = (sentence: string): LeftOut => ({
  leftOut: 'BELOW_MINIMUM',
  reason: told('method_too_little', sentence),
});

/** An amount as the payer's wallet writes it. */
export function formatPayment(units: bigint, paid: Pick<PaidAsset, 'paymentCode' | 'railScale'>): string {
  return formatUnits(units * 10n ** BigInt(placesOf(paid.paymentCode)), paid.railScale);
}
