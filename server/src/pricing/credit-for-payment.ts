/**
 * What the merchant is credited for what was really received. Pure, and in units: `received` and `due` are in the paid
 * asset and at the same scale, whichever the caller uses; credits are at the credited asset's ledger scale.
 */
import { proportion } from '../money/amount.ts';
import { type Decimal, divideUnits, power10 } from '../money/decimal.ts';
import { type FeeSchedule, settlementFee } from './settlement-fee.ts';

export type Credit = { readonly grossUnits: bigint; readonly feeUnits: bigint; readonly netUnits: bigint };

export type QuotedCredit = { readonly grossUnits: bigint; readonly feeUnits: bigint };

/**
 * The counted part of the quoted credit. It is more than the quote only if more units were needed, because they came
 * after the coin's price had fallen. Call it once for everything counted on a commitment: parts would each be rounded
 * down, the sum only once.
 */
export const creditForPayment = (countedUnits: bigint, dueUnits: bigint, quoted: QuotedCredit): Credit =>
  withFee(
    proportion(quoted.grossUnits, countedUnits, dueUnits, 'down'),
    proportion(quoted.feeUnits, countedUnits, dueUnits, 'up'),
  );

/**
 * For what is not credited by its quote: a late payment that must be converted, at the rate when it confirms, and an
 * accepted underpayment, at the rate of the acceptance.
 */
export function creditAtRate(
  units: bigint,
  paid: { readonly scale: number; readonly usd: Decimal },
  credited: { readonly ledgerScale: number; readonly usd: Decimal },
  fees: FeeSchedule,
): Credit {
  const numerator = units * paid.usd.digits * power10(credited.usd.scale + credited.ledgerScale);
  const denominator = credited.usd.digits * power10(paid.usd.scale + paid.scale);
  const grossUnits = divideUnits(numerator, denominator, 'down');
  return withFee(grossUnits, settlementFee(grossUnits, credited.ledgerScale, credited.usd, fees));
}

function withFee(grossUnits: bigint, wantedFeeUnits: bigint): Credit {
  const feeUnits = wantedFeeUnits < grossUnits ? wantedFeeUnits : grossUnits;
  return { grossUnits, feeUnits, netUnits: grossUnits - feeUnits };
}
